//! Tests row by row whether shapes touch, for any shapes.

use std::ops::Range;

use super::overlap::{ROWS_PER_MASK_BLOCK, RowTest};
use crate::{
    base::{NARROWPHASE, Pair},
    error::Error,
    narrowphase::{
        View,
        jobs::MAX_JOBS,
        listed_pairs::{Narrowphase, PairTests, between},
    },
    store::Columns,
};

impl Narrowphase {
    /// Replaces the content of `mask` by one bit for each row `i` of `rows`: whether row `i` of `a`
    /// touches row `i` of `b`. Row `rows.start + k` is bit `k % 64` of word `k / 64`. Bits past the
    /// last row, and bits of rows that are vacant in `a` or in `b`, are 0.
    ///
    /// The result equals [`pairs`](Narrowphase::pairs) of the same two shapes, compounds
    /// included. For callers whose pairs are in corresponding rows of two sets, each a store or
    /// columns. The number of rows that touch is the number of bits that are set.
    ///
    /// Runs on the calling thread, in time linear in the number of `rows`: only the values of these
    /// rows of borrowed columns are checked, and no values of columns that are
    /// [checked](Columns::check) already. (If the kind of each row must be read, as described under
    /// [cost](Narrowphase#cost), the time is linear in the number of all rows.) The boxes of all
    /// `rows` are tested, and then the shapes whose boxes touch. Nothing is allocated from the
    /// second similar call on.
    ///
    /// ```
    /// use widephase::{Columns, Narrowphase};
    ///
    /// let circles = Columns::circles(&[0.0, 0.0], &[0.0, 0.0], &[1.0, 1.0])?.check()?;
    /// let boxes = Columns::aabbs(&[0.75, 3.0], &[-1.0, 3.0], &[2.0, 4.0], &[1.0, 4.0])?.check()?;
    /// let mut mask = Vec::new();
    /// Narrowphase::new().row_mask(circles, boxes, 0..2, &mut mask)?;
    /// assert_eq!(mask, [0b01]);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoSuchShape`] if `rows` ends beyond the rows of `a` or `b`; [`Error::InvalidShape`]
    /// for borrowed columns with an invalid value in `rows`; the errors of
    /// [`SimdLevel::preferred`](crate::SimdLevel::preferred). `mask` then stays as it was.
    pub fn row_mask<'a, 'b>(
        &mut self,
        a: impl Into<Columns<'a>>,
        b: impl Into<Columns<'b>>,
        rows: Range<usize>,
        mask: &mut Vec<u64>,
    ) -> Result<(), Error> {
        self.test_rows([&a.into(), &b.into()], rows, mask)
    }

    /// Does the work of `row_mask`. Not generic, so that it is compiled in this crate and not
    /// in the crate of the caller.
    fn test_rows(
        &mut self,
        [a, b]: [&Columns<'_>; 2],
        rows: Range<usize>,
        mask: &mut Vec<u64>,
    ) -> Result<(), Error> {
        let (isa, inclusive) = (self.isa()?, self.inclusive());
        let boxes = RowTest { isa, inclusive };
        let Self { tests, rotated: [first, second], .. } = self;
        let PairTests { candidates, near, place_on_demand } = tests;
        let a = a.checked_rows(isa, rows.clone(), first)?;
        let b = b.checked_rows(isa, rows.clone(), second)?;
        let (layouts, lives) = ([a.layout, b.layout], [a.live, b.live]);
        mask.clear();
        if !NARROWPHASE || !(a.rotates() || b.rotates()) {
            boxes.run(layouts, lives, rows, &mut |_, words| mask.extend_from_slice(words));
            return Ok(());
        }
        let query = between(isa, [View::of(&a), View::of(&b)], inclusive, 0.0);
        boxes.run(layouts, lives, rows, &mut |first, words| {
            near.clear();
            near.reserve_exact(ROWS_PER_MASK_BLOCK);
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
                let kept = place_on_demand.refine(candidates, &query, pairs);
                for pair in &pairs[..kept] {
                    let number = pair.a as usize - first;
                    mask[begin + number / 64] |= 1 << (number % 64);
                }
            }
        });
        Ok(())
    }
}
