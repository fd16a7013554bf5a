//! A ray that walks the bands of cells, and its hit.

use widephase::{
    Columns, Error, Index, Queries, Ray,
    shape::{Aabb, Circle},
};

use super::{
    fraction_of,
    picture::{Anchor, Picture},
};

/// Columns and rows of cells of side 1.
const CELLS: [f32; 2] = [12.0, 5.0];
const BODIES: usize = 36;

pub(crate) fn figure() -> Result<String, Error> {
    let mut picture = Picture::new(720.0, 400.0);
    picture.look([24.0, 306.0], 56.0);
    let place = |i: usize, step: f64, width: f32| fraction_of(i, step) * (width - 0.4) + 0.2;
    let x: Vec<f32> = (0..BODIES).map(|i| place(i + 97, 0.754_877_67, CELLS[0])).collect();
    let y: Vec<f32> = (0..BODIES).map(|i| place(i + 97, 0.569_840_29, CELLS[1])).collect();
    let radius: Vec<f32> =
        (0..BODIES).map(|i| 0.12 + 0.26 * fraction_of(i, 0.618_033_99)).collect();
    let reach = radius.iter().copied().fold(0.0, f32::max);
    let index = Index::build(Columns::circles(&x, &y, &radius)?)?;
    let centers = Index::build(Columns::points(&x, &y)?)?;

    let ray = Ray::segment([0.3, 0.35], [11.8, 4.55]);
    let mut hits = Vec::new();
    index.cast_ray_all(ray, &mut hits)?;
    let first = index.cast_ray(ray)?;
    let end = first.map_or(1.0, |hit| hit.fraction);

    // For each row of cells: the part of the ray that is near it, and the columns near that part.
    let (mut tested, mut walked, mut bands) = (Vec::new(), 0, 0);
    let mut rows = Vec::new();
    for row in 0..CELLS[1] as usize {
        let low = row as f32;
        let at = |height: f32| ((height - ray.y) / ray.dy).clamp(0.0, 1.0);
        let (from, to) = (at(low - reach), at(low + 1.0 + reach));
        let left = (ray.at(from).x - reach).floor().max(0.0);
        let right = (ray.at(to).x + reach).floor().min(CELLS[0] - 1.0) + 1.0;
        let block = Aabb::new([left, low], [right, low + 1.0]);
        let class = if from <= end { "walked" } else { "unwalked" };
        picture.shape(class, block, [0.0, 0.0]);
        bands += 1;
        if from <= end {
            walked += 1;
            // A body is in the cell that its centre is in.
            centers.overlapping(block, &mut rows)?;
            tested.append(&mut rows);
        }
        let name = format_args!("{}", row + 1);
        picture.text("soft", [CELLS[0], low + 0.5], [6.0, 4.0], Anchor::Left, name);
    }
    for column in 0..=CELLS[0] as usize {
        picture.line("cell", [column as f32, 0.0], [column as f32, CELLS[1]]);
    }
    for row in 0..=CELLS[1] as usize {
        picture.line("cell", [0.0, row as f32], [CELLS[0], row as f32]);
    }
    for row in 0..BODIES {
        let hit = hits.iter().any(|hit| hit.row == row as u32);
        let class = match (hit, tested.contains(&(row as u32))) {
            (true, _) => "b",
            (_, true) => "a",
            _ => "far",
        };
        picture.shape(class, Circle::new([x[row], y[row]], radius[row]), [0.0, 0.0]);
    }
    let [tip, point] = [1.0, end].map(|fraction| ray.at(fraction).to_array());
    picture.line("zone", point, tip);
    picture.line("ray", [ray.x, ray.y], point);
    picture.disc("foot-a", [ray.x, ray.y], 3.5);
    for hit in &hits {
        let at = hit.position().to_array();
        picture.disc("found", at, 3.2);
    }
    if let Some(hit) = first {
        picture.arrow(point, hit.normal().to_array(), 30.0);
        picture.disc("point", point, 3.5);
        let fraction = hit.fraction;
        let text = format_args!("fraction {fraction:.2}");
        picture.text("red", point, [36.0, 10.0], Anchor::Left, text);
    }

    picture.look([24.0, 0.0], 1.0);
    let tested = tested.len();
    let lines = [
        format!(
            "The first hit ends the walk after {walked} rows: {tested} of {BODIES} circles are tested."
        ),
        format!(
            "All {} hits take {bands} rows. Circles reach up to {reach:.2} beyond their cells.",
            hits.len()
        ),
    ];
    for (row, line) in lines.into_iter().enumerate() {
        let down = 336.0 + 20.0 * row as f32;
        picture.text("", [0.0, 0.0], [0.0, down], Anchor::Left, format_args!("{line}"));
    }
    picture.look([24.0, 386.0], 1.0);
    let left = Anchor::Left;
    picture.disc("a", [6.0, 4.0], 6.0);
    picture.text("", [18.0, 0.0], [0.0, 0.0], left, format_args!("tested"));
    picture.disc("b", [90.0, 4.0], 6.0);
    picture.text("", [102.0, 0.0], [0.0, 0.0], left, format_args!("hit"));
    picture.disc("far", [150.0, 4.0], 6.0);
    picture.text("", [162.0, 0.0], [0.0, 0.0], left, format_args!("not looked at"));
    picture.disc("found", [280.0, 4.0], 3.2);
    picture.text("", [290.0, 0.0], [0.0, 0.0], left, format_args!("where the ray enters"));
    picture.disc("point", [440.0, 4.0], 3.5);
    picture.text("", [450.0, 0.0], [0.0, 0.0], left, format_args!("the first hit and its normal"));
    Ok(picture.finish(
        "A ray among circles on a grid: the blocks of cells that it passes, row by row, and the \
         points where it enters circles",
    ))
}
