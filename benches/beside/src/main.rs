//! Two builds of widephase in one process, in turns.

use anyhow::{Result, ensure};
use clap::Parser;
use cpu_time::ThreadTime;

/// Times this build beside an earlier build.
#[derive(Debug, Parser)]
struct Args {
    /// How often each call is timed.
    #[arg(long, default_value_t = 15)]
    rounds: usize,
    /// The SIMD level; the best level if none is given.
    #[arg(long)]
    level: Option<String>,
    /// Parts of the names of rows; all rows if none is given.
    names: Vec<String>,
}

/// A name, the number of items of a call, and the call, which takes the number of the round and
/// returns a hash of the answers.
type Row = (String, f64, Box<dyn FnMut(usize) -> u64>);

/// The CPU time of a call, in nanoseconds an item, and the hash of its answers.
fn time(row: &mut Row, round: usize) -> (f64, u64) {
    let start = ThreadTime::now();
    let hash = (row.2)(round);
    (start.elapsed().as_nanos() as f64 / row.1, hash)
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() -> Result<()> {
    let Args { rounds, level, names } = Args::parse();
    ensure!(rounds > 0, "at least one round");
    let wanted = |name: &str| names.is_empty() || names.iter().any(|part| name.contains(part));
    let level = level.as_deref();
    println!("{:<44} {:>9} {:>9} {:>6}", "ns an item", "new", "old", "ratio");
    for group in 0..new::GROUPS {
        let rows = [new::rows(group, level), old::rows(group, level)];
        let [new, old] = rows;
        for (mut new, mut old) in new.into_iter().zip(old) {
            if !wanted(&new.0) {
                continue;
            }
            let [mut times, mut earlier, mut ratios] = [const { Vec::new() }; 3];
            let mut differ = 0;
            for round in 0..rounds {
                let ((now, hash), (then, other)) = (time(&mut new, round), time(&mut old, round));
                times.push(now);
                earlier.push(then);
                ratios.push(now / then);
                differ += usize::from(hash != other);
            }
            let [now, then, ratio] = [&mut times, &mut earlier, &mut ratios].map(|all| median(all));
            let note = if differ > 0 { "  other answers" } else { "" };
            println!("{:<44} {now:>9.1} {then:>9.1} {ratio:>6.2}{note}", new.0);
        }
    }
    Ok(())
}
