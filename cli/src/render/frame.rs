//! The coordinates on the frame of a picture.

/// The room for a mark along an axis, in pixels.
const ROOM: f64 = 110.0;

/// Coordinates of round distance between two ends, on this many pixels.
pub(super) fn marks([low, high]: [f64; 2], pixels: f64) -> Vec<f64> {
    let least = (high - low) * ROOM / pixels;
    if !(least > 0.0 && least.is_finite()) {
        return Vec::new();
    }
    let unit = 10.0_f64.powf(least.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|times| times * unit);
    let step = step.into_iter().find(|step| *step >= least).unwrap_or(10.0 * unit);
    let first = (low / step).ceil();
    let marks = (0..100).map(|number| (first + f64::from(number)) * step);
    marks.take_while(|mark| *mark <= high).collect()
}

/// A coordinate for people, if marks are this far apart.
pub(super) fn text(mark: f64, step: f64) -> String {
    // Zero has no sign.
    let mark = mark + 0.0;
    if mark.abs() >= 1e10 || step < 1e-6 {
        return format!("{mark:.3e}");
    }
    let decimals = (-step.log10().floor()).max(0.0) as usize;
    format!("{mark:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_round() {
        assert_eq!(marks([-1.0, 9.0], 500.0), [0.0, 5.0]);
        let fine = marks([4_500_000.15, 4_500_000.45], 400.0);
        let fine: Vec<String> = fine.into_iter().map(|mark| text(mark, 0.1)).collect();
        assert_eq!(fine, ["4500000.2", "4500000.3", "4500000.4"]);
        assert_eq!(marks([0.0, 0.0], 600.0), [0.0; 0]);
        let texts = [(4_500_000.25, 0.05), (-0.0, 1.0), (3e12, 1e12), (20.0, 10.0)];
        let texts = texts.map(|(mark, step)| text(mark, step));
        assert_eq!(texts, ["4500000.25", "0", "3.000e12", "20"]);
    }
}
