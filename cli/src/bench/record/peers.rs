//! The results of other libraries: `results.csv` of `benches/peers`.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

/// The time of another library.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(in crate::bench) struct Peer {
    pub(in crate::bench) scene: String,
    pub(in crate::bench) n: u32,
    pub(in crate::bench) executor: String,
    /// Missing if it was left out.
    pub(in crate::bench) median_ns_per_body: Option<f64>,
}

/// Reads the measured rows of other libraries: rows of widephase are left out.
pub(in crate::bench) fn read(path: &Path) -> Result<Vec<Peer>> {
    let told = || {
        let path = path.display();
        format!("--peers {path}: not the file results.csv that benches/peers writes with --out")
    };
    let mut reader = csv::Reader::from_path(path).with_context(told)?;
    let header = reader.headers().with_context(told)?;
    for column in ["scene", "n", "executor", "median_ns_per_body"] {
        ensure!(header.iter().any(|name| name == column), "{}: no column {column}", told());
    }
    let mut peers = Vec::new();
    for row in reader.deserialize() {
        let peer: Peer = row.with_context(told)?;
        if let Some(time) = peer.median_ns_per_body {
            let good = peer.n > 0 && time.is_finite() && time > 0.0;
            ensure!(good, "{}: a time or a number of bodies is not above 0", told());
            if !peer.executor.starts_with("widephase") {
                peers.push(peer);
            }
        }
    }
    Ok(peers)
}
