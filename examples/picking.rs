//! Picking: shapes under the mouse, shapes in a drag box, and who can see whom.
//!
//! `cargo run --release --example picking`
//!
//! It shows the overlap queries and the ray of an `Index`. The shapes are of mixed kinds, and one
//! of them is rotated. Later rows are drawn on top of earlier rows. The output is equal on every
//! machine.

use widephase::{
    Error, Index, Options, Order, Queries, Ray, Shapes,
    shape::{Aabb, Capsule, Circle, ConvexPolygon, Obb, Point, Rotation},
};

/// The names of the shapes, by row.
const NAMES: [&str; 6] = ["lawn", "house", "fence", "tree", "rock", "guard"];
const GUARD: u32 = 5;

fn main() -> Result<(), Error> {
    let mut shapes = Shapes::new();
    shapes.push(Aabb::new([-10.0, -8.0], [10.0, -2.0]))?; // lawn
    shapes.push(Obb::new([-4.0, 1.0], [2.0, 1.5], Rotation { cos: 0.8, sin: 0.6 }))?; // house
    shapes.push(Capsule::new([1.0, -3.0], [1.0, 3.0], 0.1))?; // fence
    shapes.push(Circle::new([4.0, -2.0], 1.5))?; // tree
    let rock = ConvexPolygon::new(&[[5.0, -3.0], [8.0, -3.0], [7.0, -1.0], [5.0, -1.5]])?;
    shapes.push(&rock)?;
    shapes.push(Circle::new([6.0, 4.0], 0.5))?; // guard

    // Sorted: the rows of each answer ascend, so the last row is on top.
    let options = Options { order: Order::Sorted, ..Options::default() };
    let mut index = Index::with_options(options.into())?;
    // Do this again when shapes have moved.
    index.rebuild(&shapes)?;
    let mut rows = Vec::new();

    // A click: all shapes under the mouse, and the one on top.
    let mouse = [4.75, -2.25];
    index.overlapping(Point::new(mouse), &mut rows)?;
    println!("under {mouse:?}: {}; on top: {}", names(&rows), name(rows.last().copied()));

    // A finger is not a point: a circle around it. One answer is enough for a tooltip.
    let finger = Circle::new([1.25, 0.0], 0.25);
    println!("under the finger: {}", name(index.any_overlapping(finger)?));

    // A drag box selects the shapes that it touches (dragged to the left), or only shapes that are
    // wholly inside it (dragged to the right). The box around a shape decides whether it is inside.
    let drag = Aabb::new([2.0, -4.0], [9.0, 6.0]);
    index.overlapping(drag, &mut rows)?;
    println!("touched by the drag box: {}", names(&rows));
    rows.retain(|row| {
        shapes.bounds(*row).is_some_and(|sides| {
            // The sides of a rounded box are the sides of its core.
            let [left, right] = [sides.min_x - sides.radius, sides.max_x + sides.radius];
            let [low, high] = [sides.min_y - sides.radius, sides.max_y + sides.radius];
            left >= drag.min_x && right <= drag.max_x && low >= drag.min_y && high <= drag.max_y
        })
    });
    println!("wholly inside: {}", names(&rows));

    // Lines of sight: the first shape between an eye and the centre of the guard. The guard is
    // visible if that is the guard. The eyes are outside all shapes: a ray that starts in a shape
    // hits that shape at once.
    for eye in [[-9.0, 2.0], [-1.0, 4.0], [9.0, -1.5]] {
        let hit = index.cast_ray(Ray::segment(eye, [6.0, 4.0]))?;
        match hit {
            Some(hit) if hit.row == GUARD => println!("{eye:?} sees the guard"),
            Some(hit) => {
                let [x, y] = hit.position().to_array();
                println!("{eye:?} sees the {} at {x:.2}, {y:.2}", name(Some(hit.row)));
            }
            None => println!("{eye:?} sees nothing"),
        }
    }
    Ok(())
}

fn name(row: Option<u32>) -> &'static str {
    row.map_or("nothing", |row| NAMES[row as usize])
}

fn names(rows: &[u32]) -> String {
    rows.iter().map(|row| name(Some(*row))).collect::<Vec<_>>().join(", ")
}
