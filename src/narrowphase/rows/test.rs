//! Whether rows of any shapes touch.

use std::ops::Range;

use crate::{
    Batch, Columns, Error, Narrowphase, Pair,
    batch::BLOCK,
    narrowphase::{View, batch::between, jobs::MAX_JOBS},
};

impl Narrowphase {
    /// Replaces the content of `mask` by one bit for each of `rows`: whether row `i` of `a` touches row `i` of `b`. The
    /// row `rows.start + k` is bit `k % 64` of word `k / 64`. Bits past the last row are 0, and so is that of a row
    /// that is vacant in `a` or in `b`.
    ///
    /// What [`test`](Narrowphase::pairs) says of the same two shapes, for callers whose pairs lie side by side in two
    /// stores, or in a store and columns; of compounds, too. For columns of shapes that do not turn there is
    /// [`Batch::pairwise_mask`], too, for columns that have been checked.
    ///
    /// On the calling thread, in time linear in the number of `rows`: values of borrowed columns are checked in these
    /// rows only. (Where the kind of each row has to be looked at, as described [there](Narrowphase#cost), that is
    /// of all rows.) The boxes of all rows are tested, and then the shapes of those rows whose boxes touch. Nothing
    /// is allocated from the second call like it on.
    ///
    /// ```
    /// use widephase::{Columns, Narrowphase, Shapes, shape::{Capsule, Obb, Rotation}};
    ///
    /// let mut walls = Shapes::new();
    /// walls.push(Capsule::new([-5.0, 0.0], [5.0, 0.0], 0.25))?;
    /// walls.push(Obb::new([9.0, 0.0], [1.0, 1.0], Rotation::from_angle(0.5)))?;
    /// let drops = Columns::circles(&[1.0, 9.0], &[1.0, 4.0], &[1.0, 1.0])?;
    /// let mut mask = Vec::new();
    /// Narrowphase::new().pairwise_mask(&walls, drops, 0..2, &mut mask)?;
    /// assert_eq!(mask, [0b01]);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoSuchShape`] if `rows` ends beyond the rows of either; [`Error::InvalidShape`] for borrowed columns
    /// with a bad value in one of them; the errors of [`SimdLevel::preferred`](crate::Level::preferred). `mask` is then as it
    /// was.
    pub fn pairwise_mask<'a, 'b>(
        &mut self,
        a: impl Into<Columns<'a>>,
        b: impl Into<Columns<'b>>,
        rows: Range<usize>,
        mask: &mut Vec<u64>,
    ) -> Result<(), Error> {
        self.test_rows([a.into(), b.into()], rows, mask)
    }

    /// The same: not generic, so that it is compiled here and not where it is called.
    fn test_rows(
        &mut self,
        [a, b]: [Columns<'_>; 2],
        rows: Range<usize>,
        mask: &mut Vec<u64>,
    ) -> Result<(), Error> {
        let (isa, inclusive) = (self.isa()?, self.inclusive());
        let boxes = Batch { isa, touching: self.options.touching };
        let Self { candidates, near, place_on_demand, turned: [first, second], .. } = self;
        let a = a.checked_rows(isa, rows.clone(), first)?;
        let b = b.checked_rows(isa, rows.clone(), second)?;
        let (views, lives) = ([View::of(&a), View::of(&b)], [a.live, b.live]);
        let layouts = [a.layout, b.layout];
        mask.clear();
        if !views.iter().any(View::rotates) {
            boxes.rows(layouts, lives, rows, &mut |_, words| mask.extend_from_slice(words));
            return Ok(());
        }
        let rule = between(isa, views, inclusive, 0.0);
        boxes.rows(layouts, lives, rows, &mut |first, words| {
            near.clear();
            near.reserve_exact(BLOCK);
            for (begin, &word) in (first as u32..).step_by(64).zip(words) {
                let mut bits = word;
                while bits != 0 {
                    let row = begin + bits.trailing_zeros();
                    near.push(Pair { a: row, b: row });
                    bits &= bits - 1;
                }
            }
            let begin = mask.len();
            mask.resize(begin + words.len(), 0);
            for pairs in near.chunks_mut(MAX_JOBS) {
                let kept = place_on_demand.refine(candidates, &rule, pairs);
                for pair in &pairs[..kept] {
                    let number = pair.a as usize - first;
                    mask[begin + number / 64] |= 1 << (number % 64);
                }
            }
        });
        Ok(())
    }
}
