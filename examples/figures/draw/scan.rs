//! A scan: the rays of a fan, and the rings in which shapes are taken.

use widephase::{
    Error, Fan, Index, Queries, Shapes,
    columns::ScanColumns,
    shape::{Circle, Obb, OwnedShape, Pose, Rotation, Segment},
};

use super::{
    fraction_of,
    picture::{Anchor, Picture},
};

const RAYS: usize = 90;
const RANGE: f32 = 6.0;
/// The radii of the rings: each radius is twice the radius before.
const RINGS: [f32; 3] = [1.5, 3.0, 6.0];
/// The shape whose rays are shown.
const SHOWN: usize = 0;

pub(crate) fn figure() -> Result<String, Error> {
    let mut picture = Picture::new(720.0, 500.0);
    picture.look([250.0, 250.0], 38.0);
    let mut kept: Vec<OwnedShape> = vec![
        Obb::new([-2.1, 1.6], [0.7, 0.3], Rotation { cos: 0.8, sin: 0.6 }).into(),
        Circle::new([1.9, 1.3], 0.45).into(),
        Segment::new([-3.6, -3.4], [1.2, -4.2]).into(),
        Circle::new([-0.9, -0.6], 0.25).into(),
    ];
    for i in 0..26 {
        let [x, y] = [0.754_877_67, 0.569_840_29].map(|step| 11.4 * fraction_of(i, step) - 5.7);
        if x * x + y * y > 1.2 {
            kept.push(Circle::new([x, y], 0.12 + 0.2 * fraction_of(i, 0.618_033_99)).into());
        }
    }
    let mut shapes = Shapes::new();
    for shape in &kept {
        shapes.push(shape)?;
    }
    let index = Index::build(&shapes)?;
    let (fan, sensor) = (Fan::around(RAYS, RANGE), Pose::at([0.0, 0.0]));
    let (mut scan, mut alone) = (ScanColumns::new(), ScanColumns::new());
    index.scan(&fan, &[sensor], &mut scan)?;
    // The rays that one shape covers.
    let mut only = Shapes::new();
    only.push(&kept[SHOWN])?;
    Index::build(&only)?.scan(&fan, &[sensor], &mut alone)?;

    for ring in RINGS {
        picture.disc("ring", [0.0, 0.0], ring * 38.0);
    }
    let mut near = [const { Vec::new() }; 3];
    for (ring, rows) in RINGS.iter().zip(&mut near) {
        index.overlapping(Circle::new([0.0, 0.0], *ring), rows)?;
    }
    for (row, shape) in kept.iter().enumerate() {
        let row = row as u32;
        let class = match near.iter().position(|rows| rows.contains(&row)) {
            Some(0) => "a",
            Some(1) => "b",
            _ => "far",
        };
        picture.shape(class, shape, [0.0, 0.0]);
    }
    for ray in 0..RAYS {
        let (path, range) = (fan.ray(sensor, ray), scan.range[ray]);
        let covered = alone.range[ray].is_finite();
        let end = path.at(range.min(RANGE)).to_array();
        let class = if covered { "covered" } else { "beam" };
        picture.line(class, [0.0, 0.0], end);
        if range.is_finite() {
            picture.disc(if covered { "point" } else { "found" }, end, 2.2);
        }
    }
    picture.disc("foot-a", [0.0, 0.0], 4.5);

    picture.look([510.0, 0.0], 1.0);
    let left = Anchor::Left;
    let mut down = 60.0;
    let mut say = |picture: &mut Picture, class: &str, line: String| {
        picture.text(class, [0.0, 0.0], [0.0, down], left, format_args!("{line}"));
        down += 20.0;
    };
    let hit = scan.range.iter().filter(|range| range.is_finite()).count();
    say(&mut picture, "title", format!("{RAYS} rays, {hit} of them hit"));
    for (ring, rows) in RINGS.iter().zip(&near) {
        let open = scan.range.iter().filter(|range| **range > *ring).count();
        say(&mut picture, "", format!("within {ring}: {} shapes seen,", rows.len()));
        say(&mut picture, "soft", format!("{open} rays end further away"));
    }
    let covered = alone.range.iter().filter(|range| range.is_finite()).count();
    say(&mut picture, "red", format!("the box covers {covered} rays"));
    picture.look([510.0, 300.0], 1.0);
    for (row, (class, name)) in
        [("a", "within 1.5"), ("b", "within 3"), ("far", "further away")].into_iter().enumerate()
    {
        let at = [6.0, -24.0 * row as f32];
        picture.disc(class, at, 6.0);
        picture.text("", at, [14.0, 4.0], left, format_args!("{name}"));
    }
    Ok(picture.finish(
        "A scan of 90 rays around a sensor: where each ray ends, and three rings, each twice as wide \
         as the one before",
    ))
}
