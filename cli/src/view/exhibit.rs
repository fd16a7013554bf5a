//! The exhibit: the engine and the classic tests about one circle and one box, and why they differ.

use widephase::{
    Detector, Options, Shapes, Touching,
    shape::{Aabb, Circle, Obb, Part, Rotation},
};

use super::{
    answer::{Exhibit, Judgement},
    argon::{VERDICTS, Verdict},
};

/// The shapes that a test is given, as not every test is for a circle and a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Given {
    /// Both shapes as they are.
    Both,
    /// The largest circle around the middle of the box and inside it, instead of the box.
    InnerCircle,
    /// The square around the circle, instead of the circle.
    Square,
}

/// Where the circle is, by numbers that are not rounded to `f32`.
struct Facts {
    zone: u8,
    /// The distance of its centre from the box.
    distance: f64,
    radius: f64,
    /// The answers of the engine by both of its rules.
    engine: [bool; 2],
    /// Whether the circle touches the [inner circle](Given::InnerCircle) of the box, or overlaps
    /// it.
    inner: bool,
    /// Whether all numbers are whole.
    whole: bool,
}

/// All verdicts about a circle (x, y, radius) and a box (left, lower, right, upper side).
pub(super) fn judge(circle: [f32; 3], sides: [f32; 4]) -> Result<Exhibit, widephase::Error> {
    let [x, y, radius] = circle;
    let [min_x, min_y, max_x, max_y] = sides;
    let round = Circle::new([x, y], radius);
    let rect = Aabb { min_x, min_y, max_x, max_y };
    let facts = Facts::new(round, rect)?;
    let judgement = |verdict: Verdict| {
        let (given, touches) = match verdict.name {
            "engine (inclusive)" => (Given::Both, facts.engine[0]),
            "engine (exclusive)" => (Given::Both, facts.engine[1]),
            _ => classic(verdict, round, rect)?,
        };
        let why = facts.why(verdict.name, given, touches);
        Some(Judgement { name: verdict.name, touches, why })
    };
    let verdicts = VERDICTS.into_iter().filter_map(judgement).collect();
    Ok(Exhibit { zone: facts.zone, verdicts })
}

/// The answer of a classic test for the first shapes that it is made for.
fn classic(verdict: Verdict, circle: Circle, rect: Aabb) -> Option<(Given, bool)> {
    let Aabb { min_x, min_y, max_x, max_y } = rect;
    let middle = [(min_x + max_x) / 2.0, (min_y + max_y) / 2.0];
    let half = [(max_x - min_x) / 2.0, (max_y - min_y) / 2.0];
    let inner = Circle::new(middle, half[0].min(half[1]));
    let square = Aabb::centered(circle.center(), [circle.radius; 2]);
    let rotated = Obb::new(middle, half, Rotation::IDENTITY);
    let tries: [(Given, Part, Part); 4] = [
        (Given::Both, circle.into(), rect.into()),
        (Given::Both, circle.into(), rotated.into()),
        (Given::InnerCircle, circle.into(), inner.into()),
        (Given::Square, square.into(), rect.into()),
    ];
    tries.iter().find_map(|(given, a, b)| Some((*given, (verdict.collide)(a, b)?)))
}

impl Facts {
    fn new(circle: Circle, rect: Aabb) -> Result<Self, widephase::Error> {
        let Aabb { min_x, min_y, max_x, max_y } = rect;
        let beside = |at: f32, min: f32, max: f32| {
            let [at, min, max] = [at, min, max].map(f64::from);
            (u8::from(at >= min) + u8::from(at > max), (min - at).max(at - max).max(0.0))
        };
        let (column, dx) = beside(circle.x, min_x, max_x);
        let (row, dy) = beside(circle.y, min_y, max_y);
        let mut shapes = Shapes::new();
        shapes.push(circle)?;
        shapes.push(rect)?;
        let mut engine = [false; 2];
        for (touches, touching) in engine.iter_mut().zip([Touching::Inclusive, Touching::Exclusive])
        {
            let options = Options { touching, ..Options::default() };
            *touches = Detector::with_options(options)?.count(&shapes)? > 0;
        }
        let numbers = [circle.x, circle.y, circle.radius, min_x, min_y, max_x, max_y];
        let [left, lower, right, upper] = [min_x, min_y, max_x, max_y].map(f64::from);
        let middle = [(left + right) / 2.0, (lower + upper) / 2.0];
        let radii = f64::from(circle.radius) + ((right - left).min(upper - lower) / 2.0);
        let apart = (f64::from(circle.x) - middle[0]).hypot(f64::from(circle.y) - middle[1]);
        Ok(Self {
            zone: 3 * row + column,
            distance: dx.hypot(dy),
            radius: circle.radius.into(),
            engine,
            inner: apart <= radii,
            whole: numbers.iter().all(|number| number.fract() == 0.0),
        })
    }

    /// The reason of a verdict.
    fn why(&self, name: &str, given: Given, touches: bool) -> String {
        let Self { distance, radius, .. } = self;
        let is_corner = matches!(self.zone, 0 | 2 | 6 | 8);
        let place = match self.zone {
            4 => "The centre is in the box".to_owned(),
            _ if is_corner => format!("The nearest corner is {distance} away"),
            _ => format!("The nearest side is {distance} away"),
        };
        let rule = match name {
            "engine (inclusive)" => format!("{place}, the radius is {radius}. Touching counts."),
            "engine (exclusive)" => {
                format!("{place}, the radius is {radius}. Touching does not count.")
            }
            "nine_zones" => match self.zone {
                4 => "Zone 4: a centre in the box always hits.".to_owned(),
                zone if is_corner => format!(
                    "Zone {zone}: compares the squared distance to one corner with the square of \
                     the radius; equal counts."
                ),
                zone => format!(
                    "Zone {zone}: compares the distance to one side with the radius; equal counts."
                ),
            },
            "expanded_sides" => match is_corner {
                true => "The centre is beside both pairs of sides, so the nearest corner decides; \
                         equal counts."
                    .to_owned(),
                false => "Moves the sides out by the radius: is the centre in that cross? The \
                          border counts."
                    .to_owned(),
            },
            "integer_square" => "Knows whole numbers only: takes the square around the circle, \
                                 and the box, by whole corners and sizes."
                .to_owned(),
            "expanded_rect_strict" => {
                "Every comparison is strict, so touching does not count.".to_owned()
            }
            "rotated_rect" => "Turns the circle back into the frame of the box, which is not \
                               rotated here; then as expanded_sides."
                .to_owned(),
            "center_distance" => "Knows circles only, and takes the circle inside the box: is the \
                                  distance of the centres at most the sum of the radii?"
                .to_owned(),
            "compound_circles" => "Knows circles only, and takes the circle inside the box; \
                                    strict, so touching does not count."
                .to_owned(),
            "min_max" => "Knows boxes only, and takes the square around the circle; sides that \
                          meet count."
                .to_owned(),
            "separating_axes" => "Knows boxes only, and takes the square around the circle; \
                                  strict, so sides that meet do not count."
                .to_owned(),
            "edge_normals" => "Knows polygons only, and takes the square around the circle; sides \
                               that meet count."
                .to_owned(),
            _ => String::new(),
        };
        match self.difference(name, given, touches) {
            Some(difference) => format!("{rule} It differs from the engine: {difference}"),
            None => rule,
        }
    }

    /// The reason why a verdict is not the verdict of the engine, for which touching counts.
    fn difference(&self, name: &str, given: Given, touches: bool) -> Option<&'static str> {
        if touches == self.engine[0] {
            return None;
        }
        let is_border = self.engine[0] && !self.engine[1];
        Some(match given {
            Given::InnerCircle if !self.inner => {
                "the corners of the box, and the ends of a long box, are outside that circle."
            }
            Given::Square if touches => {
                "the corners of the square reach the box, and the circle does not."
            }
            _ if is_border || given == Given::InnerCircle => {
                "they touch at the border and no more, and its comparison is strict."
            }
            _ if name == "integer_square" && !self.whole => {
                "it cuts off the fractions, which moves a border by up to 1."
            }
            _ => "a number is rounded to another f32 on its way.",
        })
    }
}
