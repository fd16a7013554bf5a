//! Plans made by hand.

use super::*;

/// Whatever the numbers of cells and items, the number of a cell within its band fits into a tag.
#[test]
fn bands_of_any_number_of_cells() {
    let wide = 1_u32 << 10;
    for (rows, count, shift) in [
        // A band for every 1,024 items, or 512 bands; or as many as tags require.
        (100, 1 << 11, 16),
        (100, 1 << 17, 10),
        (1 << 13, 1 << 30, 15),
        (1 << 15, 1 << 30, 17),
        (1 << 18, 1 << 30, 17),
        (1 << 18, 1 << 10, 17),
    ] {
        let uppers = GridLevels::One.uppers(&Sample::default(), 1.0, 1.0);
        let mut plan = Plan { uppers, ..Plan::default() };
        plan.levels[0] = Cells::plain(wide, rows);
        plan.number(count);
        assert_eq!(plan.band_shift, shift, "{rows} rows, {count} items");
        assert!(plan.band_shift <= CELL_BITS);
    }
}
