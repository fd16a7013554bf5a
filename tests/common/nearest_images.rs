//! The nearest images of shapes in a periodic box, by brute force.

use widephase::{
    Periodic,
    periodic::PeriodicNeighbor,
    reference::{neighbors, periodic::wrapped},
    shape::{Aabb, RoundedBox},
};

/// By how many periods a shape is moved into the box.
fn wraps(shape: RoundedBox, periodic: &Periodic) -> [i16; 2] {
    let (inside, [x, y]) = (wrapped(shape, periodic), periodic.period());
    let periods =
        |by: f32, period: f32| if period > 0.0 { (by / period).round() as i16 } else { 0 };
    [periods(inside.min_x - shape.min_x, x), periods(inside.min_y - shape.min_y, y)]
}

/// All images by brute force. Of two opposite shifts, the row is moved instead of the other shape.
pub fn brute_force(
    shapes: &[RoundedBox],
    periodic: &Periodic,
    (k, max_distance, most): (usize, f32, i16),
) -> Vec<Vec<PeriodicNeighbor>> {
    let wraps: Vec<_> = shapes.iter().map(|shape| wraps(*shape, periodic)).collect();
    let shapes: Vec<_> = shapes.iter().map(|shape| wrapped(*shape, periodic)).collect();
    let moved = |row: usize, shift: [i16; 2]| {
        let ([x, y], RoundedBox { min_x, min_y, max_x, max_y, radius }) =
            (periodic.offset(shift), shapes[row]);
        let core = Aabb { min_x: min_x + x, min_y: min_y + y, max_x: max_x + x, max_y: max_y + y };
        RoundedBox::new(core, radius)
    };
    let shifts = |axis: usize| if periodic.wrap[axis] { -most..=most } else { 0..=0 };
    let of_row = |row: usize| {
        let mut found = Vec::new();
        for other in 0..shapes.len() {
            for x in shifts(0) {
                for y in shifts(1) {
                    let distance = if [x, y] == [0, 0] && row == other {
                        continue;
                    } else if x < 0 || (x == 0 && y < 0) {
                        neighbors::distance(moved(row, [-x, -y]), shapes[other])
                    } else {
                        neighbors::distance(shapes[row], moved(other, [x, y]))
                    };
                    if distance <= max_distance {
                        let given = [0, 1].map(|axis: usize| {
                            [x, y][axis] + wraps[other][axis] - wraps[row][axis]
                        });
                        found.push(PeriodicNeighbor { row: other as u32, distance, shift: given });
                    }
                }
            }
        }
        found.sort_by(|a, b| {
            a.distance.total_cmp(&b.distance).then((a.row, a.shift).cmp(&(b.row, b.shift)))
        });
        found.truncate(k);
        found
    };
    (0..shapes.len()).map(of_row).collect()
}
