//! The k nearest shapes, and the reach of the search.

use widephase::{
    Columns, Error, Index, Queries,
    narrowphase::closest_points,
    shape::{Circle, Point, Posed},
};

use super::{
    fraction_of,
    picture::{Anchor, Picture},
};

const BODIES: usize = 60;
const K: usize = 6;
/// The reach of the first search, which finds too few circles.
const FIRST: f32 = 1.1;

pub(crate) fn figure() -> Result<String, Error> {
    let mut picture = Picture::new(720.0, 410.0);
    picture.look([230.0, 210.0], 44.0);
    let place = |i: usize, step: f64, width: f32| (fraction_of(i + 11, step) - 0.5) * width;
    let x: Vec<f32> = (0..BODIES).map(|i| place(i, 0.754_877_67, 9.4)).collect();
    let y: Vec<f32> = (0..BODIES).map(|i| place(i, 0.569_840_29, 8.6)).collect();
    let radius: Vec<f32> = (0..BODIES).map(|i| 0.1 + 0.25 * fraction_of(i, 0.618_033_99)).collect();
    let index = Index::build(Columns::circles(&x, &y, &radius)?)?;
    let mouse = Point::new([0.2, 0.1]);
    let mut near = Vec::new();
    index.k_nearest(mouse, K, f32::INFINITY, &mut near)?;

    let within = |reach: f32| index.count_overlapping(Circle::new([mouse.x, mouse.y], reach));
    let few = within(FIRST)?;
    // The reach by the density of the first search, and a quarter more.
    let more = ((K + 1) as f32 / (few as f32 + 0.5)).sqrt() * 1.25;
    let second = FIRST * more.clamp(1.5, 4.0);
    let enough = within(second)?;

    for reach in [FIRST, second] {
        picture.disc("ring", [mouse.x, mouse.y], reach * 44.0);
    }
    for row in 0..BODIES {
        let class = if near.iter().any(|near| near.row == row as u32) { "b" } else { "far" };
        picture.shape(class, Circle::new([x[row], y[row]], radius[row]), [0.0, 0.0]);
    }
    let furthest = near.last().map_or(0.0, |near| near.distance);
    picture.disc("sum", [mouse.x, mouse.y], furthest * 44.0);
    let from = Posed::from(mouse);
    for (number, neighbor) in near.iter().enumerate() {
        let row = neighbor.row as usize;
        let circle = Circle::new([x[row], y[row]], radius[row]);
        if let Some(closest) = closest_points(from, Posed::from(circle))? {
            let [start, end] = [closest.point_a, closest.point_b].map(|point| point.to_array());
            picture.line("gap", start, end);
            picture.disc("point", end, 3.0);
        }
        let name = format_args!("{}", number + 1);
        picture.text("", [circle.x, circle.y], [0.0, 4.0], Anchor::Middle, name);
    }
    picture.disc("foot-a", [mouse.x, mouse.y], 4.5);

    picture.look([486.0, 0.0], 1.0);
    let left = Anchor::Left;
    let lines = [
        ("title", format!("The {K} nearest circles of a point")),
        ("", format!("reach {FIRST:.2}: {few} circles, too few")),
        ("", format!("reach {second:.2}: {enough} circles, enough")),
        ("", format!("the {K}th is {furthest:.2} away")),
    ];
    for (row, (class, line)) in lines.into_iter().enumerate() {
        let down = 70.0 + 20.0 * row as f32;
        picture.text(class, [0.0, 0.0], [0.0, down], left, format_args!("{line}"));
    }
    Ok(picture.finish(
        "A point and its six nearest circles: two reaches of the search as dashed rings, and the \
         distance of the sixth as a line around the point",
    ))
}
