//! Wrong answers, counted by question and pair of kinds.

use std::collections::BTreeMap;

/// How often each question was asked, and how often the answer was wrong.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    rows: BTreeMap<[&'static str; 3], Row>,
}

#[derive(Debug, Default)]
struct Row {
    asked: u64,
    wrong: u64,
    /// The first wrong answer.
    example: String,
}

impl Tally {
    /// Counts one answer to `question` about a pair of kinds, in either order.
    pub(crate) fn count(
        &mut self,
        question: &'static str,
        mut kinds: [&'static str; 2],
        right: bool,
        example: impl FnOnce() -> String,
    ) {
        kinds.sort_unstable();
        let row = self.rows.entry([question, kinds[0], kinds[1]]).or_default();
        row.asked += 1;
        if !right {
            row.wrong += 1;
            if row.example.is_empty() {
                row.example = example();
            }
        }
    }

    /// Fails if an answer was wrong.
    pub(crate) fn finish(self) {
        let asked: u64 = self.rows.values().map(|row| row.asked).sum();
        let mut table = String::new();
        for ([question, a, b], Row { asked, wrong, example }) in &self.rows {
            if *wrong > 0 {
                table += &format!("{question}: {a}, {b}: {wrong} of {asked}: {example}\n");
            }
        }
        assert!(asked > 0, "nothing was asked");
        assert!(table.is_empty(), "wrong answers:\n{table}");
    }
}
