//! Labels that give way to each other.

use std::collections::HashMap;

/// The size of the squares by which labels are looked up, in pixels.
const SQUARE: f64 = 40.0;

/// The labels on a picture.
#[derive(Default)]
pub(super) struct Labels {
    /// The left, upper, right and lower sides of labels, by the squares that they touch.
    squares: HashMap<[i32; 2], Vec<[f64; 4]>>,
    /// The number of labels that had no room.
    pub(super) left_out: u64,
}

impl Labels {
    /// Whether there is room for a label between these sides, which is then taken.
    pub(super) fn take(&mut self, sides: [f64; 4]) -> bool {
        let [left, upper, right, lower] = sides.map(|side| (side / SQUARE).floor() as i32);
        let squares = || (left..=right).flat_map(move |x| (upper..=lower).map(move |y| [x, y]));
        let [x0, y0, x1, y1] = sides;
        let meets =
            |other: &[f64; 4]| x0 < other[2] && other[0] < x1 && y0 < other[3] && other[1] < y1;
        let taken = |square: [i32; 2]| {
            self.squares.get(&square).is_some_and(|labels| labels.iter().any(meets))
        };
        if squares().any(taken) {
            self.left_out += 1;
            return false;
        }
        for square in squares() {
            self.squares.entry(square).or_default().push(sides);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_labels_give_way() {
        let mut labels = Labels::default();
        assert!(labels.take([0.0, 0.0, 90.0, 10.0]) && labels.take([90.0, 0.0, 95.0, 10.0]));
        assert!(!labels.take([85.0, 5.0, 100.0, 15.0]) && labels.take([0.0, 10.0, 90.0, 20.0]));
        assert_eq!(labels.left_out, 1);
    }
}
