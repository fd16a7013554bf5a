//! Contact points, against geometry in `f64`.

use widephase::{
    Contact,
    narrowphase::contact,
    shape::{
        Aabb, Capsule, Circle, ConvexPolygon, Obb, OwnedShape, Point, Pose, Posed, Rotation,
        RoundedBox, Segment,
    },
};

use crate::{
    flat::{
        EPS, PlaneVector, dot, largest, length, minus, narrow, plus, size, support, times, to_core,
        turned, unit, wide,
    },
    tally::Tally,
};
use common::rng::Rng;

/// The accuracy of a point, in rounding errors of sizes, coordinates and distance.
const ROUNDINGS: f64 = 16.0;

fn random(low: f64, high: f64, rng: &mut Rng) -> f64 {
    low + (high - low) * rng.unit()
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Form {
    Point,
    Circle,
    Aabb,
    RoundedBox,
    Obb,
    Segment,
    Capsule,
    /// 3 to 8 vertices at random.
    Polygon,
    /// A rectangle whose long sides are cut at computed points.
    Plank,
    /// A regular polygon of 22 vertices, squashed.
    Squashed,
    /// The hull of a thin cloud.
    Cloud,
    /// 64 vertices.
    Round,
    /// A polygon with corners cut off by next to nothing.
    Cut,
}

const FORMS: [Form; 13] = [
    Form::Point,
    Form::Circle,
    Form::Aabb,
    Form::RoundedBox,
    Form::Obb,
    Form::Segment,
    Form::Capsule,
    Form::Polygon,
    Form::Plank,
    Form::Squashed,
    Form::Cloud,
    Form::Round,
    Form::Cut,
];

impl Form {
    fn name(self) -> &'static str {
        match self {
            Form::Point => "point",
            Form::Circle => "circle",
            Form::Aabb => "aabb",
            Form::RoundedBox => "rounded_box",
            Form::Obb => "obb",
            Form::Segment => "segment",
            Form::Capsule => "capsule",
            Form::Polygon => "polygon",
            Form::Plank => "plank",
            Form::Squashed => "needle of 22",
            Form::Cloud => "thin cloud",
            Form::Round => "polygon of 64",
            Form::Cut => "cut corners",
        }
    }

    /// The corners around the origin, of about the size 1.
    fn corners(self, rng: &mut Rng) -> Vec<PlaneVector> {
        let regular = |n: usize, height: f64| -> Vec<PlaneVector> {
            let corner = |i: usize| {
                let [x, y] = unit(i as f64 / n as f64 * std::f64::consts::TAU);
                [x, y * height]
            };
            (0..n).map(corner).collect()
        };
        let cloud = |n: u64, height: f64, rng: &mut Rng| -> Vec<PlaneVector> {
            (0..n).map(|_| [random(-1.0, 1.0, rng), random(-height, height, rng)]).collect()
        };
        let thin = 10_f64.powf(random(-6.0, -3.0, rng));
        let half = [random(0.05, 1.0, rng), random(0.05, 1.0, rng)];
        let rect = |[w, h]: PlaneVector| vec![[-w, -h], [w, -h], [w, h], [-w, h]];
        match self {
            Form::Point | Form::Circle => vec![[0.0; 2]],
            Form::Aabb | Form::RoundedBox | Form::Obb => rect(half),
            Form::Segment | Form::Capsule => vec![[-half[0], 0.0], [half[0], 0.0]],
            Form::Polygon => cloud(3 + rng.below(8), 1.0, rng),
            Form::Squashed => regular(22, thin),
            Form::Cloud => cloud(4 + rng.below(40), thin, rng),
            Form::Round => regular(64, 1.0),
            Form::Plank => {
                let mut corners = rect([half[0], half[1] * 0.2]);
                for _ in 0..rng.below(8) {
                    let (x, up) = (random(-half[0], half[0], rng), rng.below(2) == 0);
                    corners.push([x, if up { half[1] * 0.2 } else { half[1] * -0.2 }]);
                }
                corners
            }
            Form::Cut => {
                let mut corners = cloud(3 + rng.below(4), 1.0, rng);
                for &[x, y] in &corners.clone() {
                    let by = 10_f64.powf(random(-7.0, -2.0, rng));
                    corners.extend([[x * (1.0 + by), y], [x, y * (1.0 + by)]]);
                }
                corners
            }
        }
    }
}

/// A shape before it is somewhere.
#[derive(Debug, Clone)]
struct Design {
    form: Form,
    corners: Vec<PlaneVector>,
    radius: f64,
    angle: f64,
    posed: bool,
}

impl Design {
    fn random(form: Form, rng: &mut Rng) -> Self {
        let scale = 10_f64.powf(random(-1.0, 1.0, rng));
        let round = match form {
            Form::Point | Form::Aabb | Form::Obb | Form::Segment => false,
            Form::Circle | Form::RoundedBox | Form::Capsule => true,
            _ => rng.below(3) == 0,
        };
        let angle = match form {
            Form::Aabb | Form::RoundedBox => 0.0,
            _ => random(0.0, 7.0, rng),
        };
        Self {
            form,
            corners: form.corners(rng).into_iter().map(|corner| times(corner, scale)).collect(),
            radius: if round { random(0.01, 1.0, rng) * scale } else { 0.0 },
            angle,
            posed: rng.below(3) == 0,
        }
    }

    /// The corners at a place.
    fn at(&self, place: PlaneVector) -> Vec<PlaneVector> {
        let turn = unit(self.angle);
        self.corners.iter().map(|&corner| plus(turned(corner, turn), place)).collect()
    }

    fn body(&self, place: PlaneVector) -> Option<PlacedShape> {
        let corners: Vec<[f32; 2]> = self.at(place).into_iter().map(narrow).collect();
        let (at, radius) = (narrow(place), self.radius as f32);
        let rotation = Rotation::from_angle(self.angle as f32);
        // Their corners are counted from the lower left corner.
        let aligned = || Aabb::new(corners[0], corners[2]);
        Some(match self.form {
            Form::Point => PlacedShape::new(Point::new(at)),
            Form::Circle => PlacedShape::new(Circle::new(at, radius)),
            Form::Aabb => PlacedShape::new(aligned()),
            Form::RoundedBox => PlacedShape::new(RoundedBox::new(aligned(), radius)),
            Form::Obb => PlacedShape::new(Obb::new(at, narrow(self.corners[2]), rotation)),
            Form::Segment => PlacedShape::new(Segment::new(corners[0], corners[1])),
            Form::Capsule => PlacedShape::new(Capsule::new(corners[0], corners[1], radius)),
            _ if self.posed => {
                let local: Vec<_> = self.corners.iter().map(|&corner| narrow(corner)).collect();
                let polygon = ConvexPolygon::hull(&local).ok()?.with_radius(radius).ok()?;
                PlacedShape::polygon(polygon, Some(Pose::new(at, rotation)))
            }
            _ => {
                let polygon = ConvexPolygon::hull(&corners).ok()?.with_radius(radius).ok()?;
                PlacedShape::polygon(polygon, None)
            }
        })
    }
}

/// A shape as the engine has it, and in `f64`.
#[derive(Debug)]
struct PlacedShape {
    shape: OwnedShape,
    pose: Option<Pose>,
    corners: Vec<PlaneVector>,
    radius: f64,
}

impl PlacedShape {
    fn new(shape: impl Into<OwnedShape>) -> Self {
        use widephase::shape::{AnyShape, Shape};
        let shape = shape.into();
        let rect = |min: [f32; 2], max: [f32; 2]| {
            let (min, max) = (wide(min), wide(max));
            vec![min, [max[0], min[1]], max, [min[0], max[1]]]
        };
        let (corners, radius) = match shape.any() {
            AnyShape::Point(point) => (vec![wide([point.x, point.y])], 0.0),
            AnyShape::Circle(circle) => (vec![wide([circle.x, circle.y])], circle.radius),
            AnyShape::Aabb(a) => (rect([a.min_x, a.min_y], [a.max_x, a.max_y]), 0.0),
            AnyShape::RoundedBox(a) => (rect([a.min_x, a.min_y], [a.max_x, a.max_y]), a.radius),
            AnyShape::Segment(s) => (vec![wide([s.ax, s.ay]), wide([s.bx, s.by])], 0.0),
            AnyShape::Capsule(c) => (vec![wide([c.ax, c.ay]), wide([c.bx, c.by])], c.radius),
            AnyShape::Obb(obb) => {
                let [w, h] = [obb.half_width, obb.half_height];
                let pose = Pose::new(obb.center(), obb.rotation());
                (posed(&rect([-w, -h], [w, h]), pose), 0.0)
            }
            _ => unreachable!("made by polygon()"),
        };
        Self { shape, pose: None, corners, radius: f64::from(radius) }
    }

    fn polygon(polygon: ConvexPolygon, pose: Option<Pose>) -> Self {
        let local: Vec<_> = polygon.vertices().iter().map(|v| wide(v.to_array())).collect();
        let radius = f64::from(polygon.radius());
        let corners = pose.map_or_else(|| local.clone(), |pose| posed(&local, pose));
        Self { shape: polygon.into(), pose, corners, radius }
    }

    fn solid(&self) -> Posed<'_> {
        match self.pose {
            Some(pose) => Posed::from((&self.shape, pose)),
            None => Posed::from(&self.shape),
        }
    }

    /// The length that roundings are relative to.
    fn scale(&self) -> f64 {
        size(&self.corners) + largest(&self.corners) + 2.0 * self.radius
    }

    /// How far a point is outside.
    fn outside(&self, point: PlaneVector) -> f64 {
        to_core(point, &self.corners) - self.radius
    }
}

fn posed(corners: &[PlaneVector], pose: Pose) -> Vec<PlaneVector> {
    let turn = wide([pose.cos, pose.sin]);
    let turn = times(turn, 1.0 / length(turn));
    corners.iter().map(|&corner| plus(turned(corner, turn), wide([pose.x, pose.y]))).collect()
}

fn bytes(contact: Option<Contact>) -> Vec<u8> {
    contact.map_or(vec![], |contact| bytemuck::bytes_of(&contact).to_vec())
}

/// How far a contact's points are from the shapes, beyond their limit; below 0, all points are
/// near.
fn stray(a: &PlacedShape, b: &PlacedShape, contact: &Contact) -> f64 {
    let beyond = |point: &widephase::ContactPoint| {
        let (at, deep) = (wide([point.x, point.y]), f64::from(point.depth).abs());
        let slack = ROUNDINGS * EPS * (a.scale() + b.scale() + deep);
        a.outside(at).max(b.outside(at)) - deep / 2.0 - slack
    };
    contact.points().iter().map(beyond).fold(f64::NEG_INFINITY, f64::max)
}

fn check(
    a: &PlacedShape,
    b: &PlacedShape,
    margin: f32,
    names: [&'static str; 2],
    tally: &mut Tally,
) {
    let (one, other) = (a.solid(), b.solid());
    let found = contact(one, other, margin).unwrap();
    let show = |what: String| format!("{what}; {a:?}; {b:?}: {found:?}");
    let back = contact(other, one, margin).unwrap();
    let mirrored = bytes(back) == bytes(found.map(Contact::mirrored));
    // Circles around one point have one normal, whichever comes first.
    let concentric = a.corners.len() == 1 && a.corners == b.corners;
    tally.count("mirrored", names, mirrored || concentric, || show(format!("{back:?}")));
    let Some(contact) = found else { return };
    let [nx, ny] = contact.normal().to_array().map(f64::from);
    let finite = contact
        .points()
        .iter()
        .all(|point| [point.x, point.y, point.depth].iter().all(|v| v.is_finite()));
    let finite = finite && contact.depth.is_finite() && matches!(contact.points().len(), 1 | 2);
    tally.count("finite", names, finite, || show(String::new()));
    tally.count("unit normal", names, (nx.hypot(ny) - 1.0).abs() < 4e-7, || show(String::new()));
    let own = match contact.points() {
        [first, second] => first.id() != second.id(),
        _ => true,
    };
    tally.count("own ids", names, own, || show(String::new()));
    let stray = stray(a, b, &contact);
    tally.count("near both", names, stray <= 0.0, || show(format!("{stray} off")));
}

/// Two bodies that overlap a little, a lot, or are apart by less than the margin.
fn pair(a: Form, b: Form, rng: &mut Rng) -> Option<(PlacedShape, PlacedShape, f32)> {
    let (a, b) = (Design::random(a, rng), Design::random(b, rng));
    let origin = [[0.0; 2], [random(-9.0, 9.0, rng), random(-9.0, 9.0, rng)], [300.0, -200.0]];
    let origin = origin[rng.below(3) as usize];
    let first = a.body(origin)?;
    let along = unit(random(0.0, 7.0, rng));
    let sizes = [&a, &b].map(|design| size(&design.corners) + design.radius);
    let smaller = sizes[0].min(sizes[1]);
    let margin = 0.1 * smaller;
    let gap = match rng.below(5) {
        0 => random(0.0, 1.0, rng) * margin,
        1 => -1e-3 * smaller,
        2 => -random(0.0, 0.1, rng) * smaller,
        3 => -random(0.0, 1.0, rng) * smaller,
        _ => -random(0.5, 1.0, rng) * (sizes[0] + sizes[1]),
    };
    let aside = [-along[1], along[0]];
    let reach = support(&a.at([0.0; 2]), along) + support(&b.at([0.0; 2]), times(along, -1.0));
    let reach = reach + a.radius + b.radius + gap;
    let slide = random(-0.7, 0.7, rng) * sizes[0].max(sizes[1]);
    let place = plus(origin, plus(times(along, reach), times(aside, slide)));
    Some((first, b.body(place)?, margin as f32))
}

#[test]
fn points_are_near_both_shapes() {
    let (mut rng, mut tally) = (Rng::new(21), Tally::default());
    for (i, &a) in FORMS.iter().enumerate() {
        for &b in &FORMS[i..] {
            for _ in 0..2000 {
                if let Some((one, other, margin)) = pair(a, b, &mut rng) {
                    check(&one, &other, margin, [a.name(), b.name()], &mut tally);
                }
            }
        }
    }
    tally.finish();
}

/// A plank in pieces on a rotated floor: two points, one on either side of its centre of mass.
#[test]
fn planks_lie_flat() {
    let (mut rng, mut tally) = (Rng::new(22), Tally::default());
    for _ in 0..20_000 {
        let angle = random(-1.5, 1.5, &mut rng);
        let [half, thick] = [random(1.0, 6.0, &mut rng), random(0.05, 1.0, &mut rng)];
        let mut corners = vec![[-half, -thick], [half, -thick], [half, thick], [-half, thick]];
        for _ in 0..1 + rng.below(10) {
            let x = random(-half, half, &mut rng);
            corners.extend([[x, -thick], [x, thick]]);
        }
        let plank = Design { form: Form::Plank, corners, radius: 0.0, angle, posed: false };
        let plank = Design { posed: rng.below(3) == 0, ..plank };
        let (along, up) = (unit(angle), unit(angle + std::f64::consts::FRAC_PI_2));
        let weight = [random(-9.0, 9.0, &mut rng), random(-9.0, 9.0, &mut rng)];
        let Some(body) = plank.body(weight) else { continue };
        // The upper side of the floor is 0.01 above the lower side of the plank.
        let surface = plus(weight, times(up, 0.01 - thick));
        let slide = times(along, random(-2.0, 2.0, &mut rng));
        let floor = match rng.below(3) {
            0 => PlacedShape::new(Obb::new(
                narrow(plus(plus(surface, slide), times(up, -2.0))),
                [12.0, 2.0],
                Rotation::from_angle(angle as f32),
            )),
            1 => PlacedShape::new(Segment::new(
                narrow(plus(plus(surface, slide), times(along, -12.0))),
                narrow(plus(plus(surface, slide), times(along, 12.0))),
            )),
            _ => {
                let corners = vec![[-12.0, -2.0], [12.0, -2.0], [12.0, 0.0], [-12.0, 0.0]];
                let form = Form::Polygon;
                let design = Design { form, corners, radius: 0.0, angle, posed: false };
                let Some(floor) = design.body(plus(surface, slide)) else { continue };
                floor
            }
        };
        let found = contact(floor.solid(), body.solid(), 0.05).unwrap();
        let at = |i: usize, found: &Contact| {
            let point = found.points()[i];
            dot(minus(wide([point.x, point.y]), weight), along)
        };
        let spans =
            |found: &Contact| found.points().len() == 2 && at(0, found) * at(1, found) < 0.0;
        let what = || format!("{floor:?} {body:?}: {found:?}");
        let kind = if floor.corners.len() == 2 { "segment" } else { "box" };
        tally.count("spans", [kind, "plank"], found.as_ref().is_some_and(spans), what);
    }
    tally.finish();
}

fn polygon(corners: &[[f32; 2]]) -> PlacedShape {
    PlacedShape::polygon(ConvexPolygon::new(corners).unwrap(), None)
}

/// From the field.
#[test]
fn points_of_known_pairs_lie_on_both_shapes() {
    let mut tally = Tally::default();
    let plank = polygon(&[
        [-4.9522324, -0.85170156],
        [-4.6855145, -1.8154762],
        [0.1333589, -0.48188734],
        [4.9522324, 0.85170156],
        [4.6855145, 1.8154762],
        [-0.1333589, 0.48188734],
    ]);
    let turn = Rotation { cos: -0.22556405, sin: 0.9742283 };
    let crate_ = PlacedShape::new(Obb::new([4.5208726, 0.526562], [0.2, 0.2], turn));
    check(&plank, &crate_, 0.0, ["plank", "obb"], &mut tally);
    let found = contact(plank.solid(), crate_.solid(), 0.0).unwrap().unwrap();
    let near = |point: &widephase::ContactPoint| {
        length(minus(wide([point.x, point.y]), [4.282, 0.671])) < 0.02
    };
    let right = found.points().iter().any(near);
    tally.count("where", ["plank", "obb"], right, || format!("{found:?}"));

    let capsule = |a: [f32; 2], b: [f32; 2], radius| PlacedShape::new(Capsule::new(a, b, radius));
    check(
        &capsule([-3.25, -1.75], [2.5, 3.5], 3.0),
        &capsule([-1.15292144e18, 0.0], [2.25, 1e-23], 3.5),
        0.0,
        ["capsule", "long capsule"],
        &mut tally,
    );
    let half = [1_073_741_800.0, 0.0];
    let turn = Rotation { cos: 1.0, sin: 3e-45 };
    check(
        &PlacedShape::new(Obb::new([-1_073_741_800.0, -0.6707876], half, turn)),
        &capsule([-2.1687334, -2.0728233], [2.1687334, 2.0728233], 1.2250624),
        0.0,
        ["long obb", "capsule"],
        &mut tally,
    );
    tally.finish();
}

/// Needles with a vertex that is nearly straight, from `search_needles`.
#[test]
fn points_of_known_needles_lie_on_both_shapes() {
    let mut tally = Tally::default();
    let aligned = |min: [f32; 2], max: [f32; 2]| PlacedShape::new(Aabb::new(min, max));
    let obb = |center: [f32; 2], half: [f32; 2], cos, sin| {
        PlacedShape::new(Obb::new(center, half, Rotation { cos, sin }))
    };
    let cases = [
        // The point was 5.2 off a box whose diagonal is 0.68.
        (
            polygon(&[
                [-1.0873269, 3.7688851],
                [-1.0123332, 3.508524],
                [-0.32716024, 1.133556],
                [1.245883, -4.318976],
            ]),
            obb([0.9675073, -4.2767167], [0.32353404, 0.10412399], 0.4869754, 0.8734157),
        ),
        (
            polygon(&[
                [-0.69738466, 0.962654],
                [0.17174797, -0.23706871],
                [-0.05817932, 0.080315515],
            ]),
            aligned([-0.70389, 0.8793338], [-0.41369545, 1.0205206]),
        ),
        (
            polygon(&[[295.29694, -196.60016], [303.07986, -202.22641], [299.3307, -199.51614]]),
            aligned([295.25754, -196.78722], [297.22995, -195.83829]),
        ),
        (
            polygon(&[[296.82913, -201.7354], [300.45126, -199.75304], [302.07648, -198.86357]]),
            PlacedShape::new(Capsule::new(
                [301.75226, -199.2156],
                [301.9007, -198.87823],
                0.03339867,
            )),
        ),
        (
            polygon(&[
                [-9.155421, 7.163936],
                [-8.778394, 7.0795484],
                [-8.385449, 6.991598],
                [-7.201374, 6.7265787],
            ]),
            obb([-8.758515, 6.9318814], [0.14607613, 0.029155552], -0.4985022, -0.86688846),
        ),
        (
            polygon(&[[8.544062, 2.591887], [8.292073, 2.4867334], [8.275906, 2.479946]]),
            polygon(&[[8.571113, 2.7432148], [8.549813, 2.641086], [8.525388, 2.5239677]]),
        ),
        (
            polygon(&[
                [299.75656, -199.2706],
                [299.82513, -199.47607],
                [300.3951, -201.18398],
                [299.48502, -198.45685],
            ]),
            polygon(&[[298.53625, -202.08374], [300.50165, -202.04178], [300.30432, -200.63603]]),
        ),
        (
            polygon(&[
                [2.6956728, 2.0614867],
                [2.7393608, 2.1232188],
                [3.950841, 3.8351474],
                [4.48115, 4.5845213],
                [4.848408, 5.1035],
            ]),
            polygon(&[[2.9090676, 1.5102434], [3.2025306, 2.9560106], [2.9149833, 1.539531]]),
        ),
    ];
    for (a, b) in cases {
        check(&a, &b, 0.0, ["needle", "known"], &mut tally);
    }
    tally.finish();
}
