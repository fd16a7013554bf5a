//! Shapes inflated by a margin: shapes within the margin of each other then touch.

use crate::{
    base::{buffer::grow, held},
    error::Error,
    kernel::{BoxColumns, CenteredColumns, CircleColumns, ColumnSet, RoundedColumns},
    shape::{Kind, MAX_COORDINATE},
    simd::Isa,
    store::{Checked, Layout, Rows},
};

/// The radii of inflated shapes; for boxes given by their centres, also the sides.
#[derive(Debug, Default)]
pub(super) struct Widen {
    radius: Vec<f32>,
    sides: [Vec<f32>; 4],
}

held!(Widen { radius, sides });

impl Widen {
    /// Returns `shapes` with `margin` added to their radii, up to [`MAX_COORDINATE`].
    pub(super) fn by<'a>(
        &'a mut self,
        margin: f32,
        shapes: Checked<'a>,
        isa: Isa,
        threads: bool,
    ) -> Result<Checked<'a>, Error> {
        let Self { radius, sides } = self;
        let len = shapes.len();
        let wide = |radius: f32| (radius + margin).min(MAX_COORDINATE);
        // As many values as the other columns have, padding included, because kernels load whole
        // vectors from all columns.
        let whole = match shapes.layout {
            Layout::Circles(set) => set.len(),
            Layout::Boxes(set) => set.len(),
            Layout::Centered(_) => len,
            Layout::Rounded(set) => set.len(),
        };
        grow(radius, whole);
        let radius = &mut radius[..whole];
        let (used, slack) = radius.split_at_mut(len);
        match shapes.layout {
            Layout::Circles(CircleColumns { radius: own, .. })
            | Layout::Rounded(RoundedColumns { radius: own, .. }) => {
                for (radius, own) in used.iter_mut().zip(own) {
                    *radius = wide(*own);
                }
            }
            Layout::Boxes(_) | Layout::Centered(_) => used.fill(wide(0.0)),
        }
        slack.fill(0.0);
        let radius = &*radius;
        let layout = match shapes.layout {
            Layout::Circles(set) => Layout::Circles(CircleColumns { radius, ..set }),
            // Circles are three columns instead of five.
            Layout::Boxes(BoxColumns { min_x: x, min_y: y, .. }) if shapes.kind == Kind::Point => {
                Layout::Circles(CircleColumns { x, y, radius })
            }
            Layout::Rounded(set) => Layout::Rounded(RoundedColumns { radius, ..set }),
            Layout::Boxes(core) => Layout::Rounded(RoundedColumns { core, radius }),
            Layout::Centered(CenteredColumns { x, y, half_width, half_height }) => {
                let [min_x, min_y, max_x, max_y] = sides;
                let core = BoxColumns {
                    min_x: combine(min_x, x, half_width, len, |center, half| center - half),
                    min_y: combine(min_y, y, half_height, len, |center, half| center - half),
                    max_x: combine(max_x, x, half_width, len, |center, half| center + half),
                    max_y: combine(max_y, y, half_height, len, |center, half| center + half),
                };
                Layout::Rounded(RoundedColumns { core, radius })
            }
        };
        Rows::closed(layout, len).check_on(isa, threads)
    }
}

/// Writes `with(a[i], b[i])` to `to[i]` for the first `len` rows, and returns this part of `to`.
fn combine<'a>(
    to: &'a mut Vec<f32>,
    a: &[f32],
    b: &[f32],
    len: usize,
    with: impl Fn(f32, f32) -> f32,
) -> &'a [f32] {
    grow(to, len);
    let to = &mut to[..len];
    for (to, (a, b)) in to.iter_mut().zip(a.iter().zip(b)) {
        *to = with(*a, *b);
    }
    to
}
