//! The shapes to draw, in their own coordinates, whose y points up.

use std::f64::consts::TAU;

use anyhow::Result;
use widephase::{
    Contact, GridCell, Index, Queries, Ray, Shapes,
    shape::{AnyShape, Circle, HalfPlane, Kind, MAX_COORDINATE, Pose, RoundedBox, Shape},
};

use super::source::Source;
use crate::{args::RenderArgs, svg, values::View};

/// The margin around all shapes, as a share of their extent.
const MARGIN: f64 = 0.03;

/// One in this many shapes is beyond each end of the part that holds most shapes.
const REST: usize = 200;

/// How many times larger than the part that holds most shapes a view is worth a note.
const OUTLYING: f64 = 4.0;

/// Places that are tried as the origin of rays.
const PLACES: u32 = 2000;

/// The radius of the room around it, as a share of the diagonal of the view.
const ROOM: f64 = 0.01;

pub(super) struct Picture<'a> {
    pub(super) view: View,
    /// The origin of all coordinates.
    pub(super) origin: [f64; 2],
    /// How many times smaller than the view the part that holds most shapes is, if it is much
    /// smaller.
    pub(super) outlying: Option<f64>,
    pub(super) pairs: u64,
    /// The shapes in the view, the largest first, so that it hides no smaller one.
    pub(super) shapes: Vec<Drawn>,
    /// The number of all shapes.
    pub(super) total: usize,
    pub(super) ids: bool,
    pub(super) contacts: Option<&'a [Contact]>,
    pub(super) cells: Option<&'a [GridCell]>,
    pub(super) beams: Vec<Beam>,
}

/// A shape.
pub(super) struct Drawn {
    /// The number by which lists name it.
    pub(super) number: u64,
    pub(super) kind: Kind,
    pub(super) touching: bool,
    pub(super) sensor: bool,
    /// One outline, or an outline for each part.
    pub(super) outlines: Vec<Outline>,
    pub(super) middle: [f64; 2],
    /// The larger of width and height; infinite for a half-plane.
    pub(super) size: f64,
}

/// Everything within a radius of a convex core.
pub(super) struct Outline {
    /// The corners of the core, counter-clockwise.
    pub(super) corners: Vec<[f64; 2]>,
    pub(super) radius: f64,
}

/// A ray.
pub(super) struct Beam {
    pub(super) from: [f64; 2],
    /// The hit, or the end.
    pub(super) to: [f64; 2],
    /// The surface normal at the hit.
    pub(super) normal: Option<[f64; 2]>,
}

impl<'a> Picture<'a> {
    pub(super) fn new(source: &'a Source, args: &RenderArgs) -> Result<Self> {
        let shapes = &source.shapes;
        let origin = source.origin.position();
        let (around, most) = (View::around(shapes), View::of_most(shapes));
        let view = match (args.view, args.fit) {
            (Some(view), _) => view.relative_to(origin),
            (None, true) => most,
            (None, false) => around,
        };
        let [all, most] = [view, most].map(|view| view.diagonal());
        let outlying = Some(all / most).filter(|times| args.view.is_none() && *times > OUTLYING);
        let rows = 0..shapes.rows() as u32;
        let mut drawn: Vec<_> = rows.filter_map(|row| Drawn::new(source, row, &view)).collect();
        drawn.sort_by(|a, b| b.size.total_cmp(&a.size));
        let beams = match args.rays {
            Some(rays) => fan(shapes, &view, rays)?,
            None => Vec::new(),
        };
        Ok(Self {
            view,
            origin,
            outlying,
            pairs: source.pairs,
            shapes: drawn,
            total: shapes.len(),
            ids: args.ids,
            contacts: args.contacts.then_some(&*source.contacts),
            cells: args.grid.then_some(&*source.cells),
            beams,
        })
    }

    /// The median size of the shapes; 0 if no shape has a size.
    pub(super) fn typical_size(&self) -> f64 {
        let mut sizes: Vec<f64> = self.shapes.iter().map(|shape| shape.size).collect();
        sizes.retain(|size| size.is_finite());
        sizes.sort_unstable_by(f64::total_cmp);
        sizes.get(sizes.len() / 2).copied().unwrap_or(0.0)
    }
}

impl View {
    /// All shapes but half-planes, and a margin.
    fn around(shapes: &Shapes) -> Self {
        let (mut min, mut max) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for row in 0..shapes.rows() as u32 {
            if let Some(bounds) = shapes.bounds(row)
                && shapes.kind(row) != Some(Kind::HalfPlane)
            {
                let [lower, upper] = sides(bounds);
                for axis in [0, 1] {
                    min[axis] = min[axis].min(lower[axis]);
                    max[axis] = max[axis].max(upper[axis]);
                }
            }
        }
        if min[0] > max[0] {
            (min, max) = ([0.0; 2], [0.0; 2]);
        }
        let extent = (max[0] - min[0]).max(max[1] - min[1]);
        // A single point has no extent. Far from the origin, smaller margins would be rounded away.
        let margin = if extent > 0.0 { extent * MARGIN } else { 1.0 };
        let margin = margin.max(min[0].abs().max(min[1].abs()) * 1e-12);
        Self { min: min.map(|side| side - margin), max: max.map(|side| side + margin) }
    }

    /// A view of the middle 99 % of the shapes along each axis.
    pub(super) fn of_most(shapes: &Shapes) -> Self {
        let rows = 0..shapes.rows() as u32;
        let bounds = rows.filter(|row| shapes.kind(*row) != Some(Kind::HalfPlane));
        let sides: Vec<_> = bounds.filter_map(|row| Some(sides(shapes.bounds(row)?))).collect();
        let mut view = Self { min: [0.0; 2], max: [0.0; 2] };
        if sides.is_empty() {
            return Self::around(shapes);
        }
        let rest = sides.len() / REST;
        for axis in [0, 1] {
            let end = |side: usize| {
                let mut ends: Vec<f64> = sides.iter().map(|sides| sides[side][axis]).collect();
                ends.sort_unstable_by(f64::total_cmp);
                ends
            };
            (view.min[axis], view.max[axis]) = (end(0)[rest], end(1)[sides.len() - 1 - rest]);
        }
        let extent = view.extent()[0].max(view.extent()[1]);
        let margin = if extent > 0.0 { extent * MARGIN } else { 1.0 };
        Self { min: view.min.map(|side| side - margin), max: view.max.map(|side| side + margin) }
    }

    /// The same part, in coordinates relative to an origin.
    fn relative_to(self, origin: [f64; 2]) -> Self {
        let near = |at: [f64; 2]| [0, 1].map(|axis| at[axis] - origin[axis]);
        Self { min: near(self.min), max: near(self.max) }
    }

    pub(super) fn middle(&self) -> [f64; 2] {
        [0, 1].map(|axis| (self.min[axis] + self.max[axis]) / 2.0)
    }

    pub(super) fn extent(&self) -> [f64; 2] {
        [0, 1].map(|axis| self.max[axis] - self.min[axis])
    }

    fn diagonal(&self) -> f64 {
        let [width, height] = self.extent();
        width.hypot(height)
    }

    fn meets(&self, [min, max]: [[f64; 2]; 2]) -> bool {
        [0, 1].iter().all(|&axis| min[axis] <= self.max[axis] && self.min[axis] <= max[axis])
    }
}

/// The lower left and the upper right corner of a box, radius included.
fn sides(bounds: RoundedBox) -> [[f64; 2]; 2] {
    let RoundedBox { min_x, min_y, max_x, max_y, radius } = bounds;
    let radius = f64::from(radius);
    [
        [min_x, min_y].map(|side| f64::from(side) - radius),
        [max_x, max_y].map(|side| f64::from(side) + radius),
    ]
}

impl Drawn {
    /// The shape in a row; `None` if the row is vacant or the shape is not in the view.
    fn new(source: &Source, row: u32, view: &View) -> Option<Self> {
        let shapes = &source.shapes;
        let (shape, pose) = (shapes.get(row)?, shapes.pose(row)?);
        let (number, touching) = (source.numbers[row as usize], source.touching[row as usize]);
        let sensor = source.sensors[row as usize];
        if let AnyShape::HalfPlane(half_plane) = shape.any() {
            let (outline, middle) = border(half_plane, pose, view)?;
            let (kind, outlines, size) = (Kind::HalfPlane, vec![outline], f64::INFINITY);
            return Some(Self { number, kind, touching, sensor, outlines, middle, size });
        }
        let [min, max] = sides(shapes.bounds(row)?);
        if !view.meets([min, max]) {
            return None;
        }
        let (outlines, kind) = (outlines(shape.any(), pose), shape.any().kind());
        let middle = [0, 1].map(|axis| (min[axis] + max[axis]) / 2.0);
        let size = (max[0] - min[0]).max(max[1] - min[1]);
        Some(Self { number, kind, touching, sensor, outlines, middle, size })
    }
}

/// The outline of a shape as a store returns it, or the outlines of its parts.
fn outlines(shape: AnyShape<'_>, pose: Pose) -> Vec<Outline> {
    let own = match shape {
        AnyShape::Compound(compound) => {
            let parts = compound.parts().iter();
            parts.flat_map(|part| outlines(part.any(), Pose::default())).collect()
        }
        // Half-planes have no outline of their own: see `border`.
        AnyShape::HalfPlane(_) => Vec::new(),
        _ => {
            let (corners, radius) = svg::outline(shape);
            let corners = corners.iter().map(|corner| corner.map(f64::from)).collect();
            vec![Outline { corners, radius: f64::from(radius) }]
        }
    };
    // Other shapes are where they are.
    match shape {
        AnyShape::Polygon(_) | AnyShape::Compound(_) => placed(own, pose),
        _ => own,
    }
}

/// Outlines in their own coordinates, rotated and moved.
fn placed(mut outlines: Vec<Outline>, pose: Pose) -> Vec<Outline> {
    for corner in outlines.iter_mut().flat_map(|outline| &mut outline.corners) {
        *corner = place(*corner, pose);
    }
    outlines
}

fn place(at: [f64; 2], pose: Pose) -> [f64; 2] {
    let [x, y] = rotate(at, pose);
    [x + f64::from(pose.x), y + f64::from(pose.y)]
}

fn rotate([x, y]: [f64; 2], pose: Pose) -> [f64; 2] {
    let (cos, sin) = (f64::from(pose.cos), f64::from(pose.sin));
    [x * cos - y * sin, x * sin + y * cos]
}

/// The part of a half-plane that may be in the view, and the point of its border nearest to the
/// middle.
fn border(half_plane: HalfPlane, pose: Pose, view: &View) -> Option<(Outline, [f64; 2])> {
    let normal = half_plane.normal().to_array().map(f64::from);
    let offset = f64::from(half_plane.offset);
    let on_border = place(normal.map(|part| part * offset), pose);
    let [x, y] = rotate(normal, pose);
    let middle = view.middle();
    let outside = (middle[0] - on_border[0]) * x + (middle[1] - on_border[1]) * y;
    let diagonal = view.diagonal();
    if outside > diagonal {
        return None;
    }
    let nearest = [middle[0] - outside * x, middle[1] - outside * y];
    let far = 2.0 * diagonal + outside.abs();
    let corner = |aside: f64, ahead: f64| {
        [nearest[0] - y * aside + x * ahead, nearest[1] + x * aside + y * ahead]
    };
    let corners = vec![corner(far, -far), corner(-far, -far), corner(-far, 0.0), corner(far, 0.0)];
    Some((Outline { corners, radius: 0.0 }, nearest))
}

/// Rays in all directions, from a place in no shape if there is one near the middle.
fn fan(shapes: &Shapes, view: &View, rays: u32) -> Result<Vec<Beam>> {
    let index = Index::build(shapes)?;
    let middle = view.middle();
    let (step, golden) = (view.diagonal() / 2.0 / f64::from(PLACES).sqrt(), TAU * 0.381_966);
    // A sunflower: every place has about the same area.
    let spot = |number: u32| {
        let (far, angle) = (step * f64::from(number).sqrt(), golden * f64::from(number));
        let most = f64::from(MAX_COORDINATE);
        [middle[0] + far * angle.cos(), middle[1] + far * angle.sin()]
            .map(|at| at.clamp(-most, most) as f32)
    };
    // Rays of no length would say nothing.
    let room = (view.diagonal() * ROOM).min(MAX_COORDINATE.into()) as f32;
    let mut origin = spot(0);
    for number in 0..PLACES {
        if index.any_overlapping(Circle::new(spot(number), room))?.is_none() {
            origin = spot(number);
            break;
        }
    }
    let rays: Vec<Ray> = (0..rays)
        .map(|ray| {
            let angle = TAU * f64::from(ray) / f64::from(rays);
            let [dx, dy] = [angle.cos(), angle.sin()].map(|part| (part * view.diagonal()) as f32);
            Ray::new(origin, [dx, dy]).up_to(1.0)
        })
        .collect();
    let mut hits = Vec::new();
    index.cast_ray_batch(&rays, &mut hits)?;
    let beam = |(ray, hit): (&Ray, &Option<widephase::Hit>)| {
        let end = hit.map_or_else(|| ray.at(1.0), |hit| hit.position());
        Beam {
            from: origin.map(f64::from),
            to: end.to_array().map(f64::from),
            normal: hit.map(|hit| hit.normal().to_array().map(f64::from)),
        }
    };
    Ok(rays.iter().zip(&hits).map(beam).collect())
}
