//! `Manifest`: what a checkpoint is of.

use std::{collections::HashMap, fmt, str::FromStr};

use anyhow::{Context, Error, Result, ensure};

use crate::source::Source;

const TITLE: &str = "widephase-cluster checkpoint 1";

/// What a checkpoint is of: a line for each field, its name and its value. `f32` are written such
/// that they are read as the same bits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Manifest {
    pub(crate) source: Source,
    pub(crate) half_world: f32,
    /// The number of the last step.
    pub(crate) step: u64,
    pub(crate) parts: u32,
}

impl fmt::Display for Manifest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { source: Source { scene, bodies, seed, margin, speed }, .. } = self;
        let Self { half_world, step, parts, .. } = self;
        writeln!(f, "{TITLE}\nscene {scene}\nbodies {bodies}\nseed {seed}\nmargin {margin}")?;
        writeln!(f, "speed {speed}\nhalf-world {half_world}\nstep {step}\nparts {parts}")
    }
}

impl FromStr for Manifest {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let mut lines = text.lines();
        ensure!(
            lines.next() == Some(TITLE),
            "not a checkpoint: it does not begin with \"{TITLE}\""
        );
        let fields: HashMap<&str, &str> = lines.filter_map(|line| line.split_once(' ')).collect();
        Ok(Self {
            source: Source {
                scene: field(&fields, "scene")?,
                bodies: field(&fields, "bodies")?,
                seed: field(&fields, "seed")?,
                margin: field(&fields, "margin")?,
                speed: field(&fields, "speed")?,
            },
            half_world: field(&fields, "half-world")?,
            step: field(&fields, "step")?,
            parts: field(&fields, "parts")?,
        })
    }
}

fn field<T: FromStr>(fields: &HashMap<&str, &str>, name: &str) -> Result<T> {
    let value = fields.get(name).with_context(|| format!("no {name}"))?;
    value.parse().ok().with_context(|| format!("{name}: \"{value}\""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::SceneKind;

    #[test]
    fn read_as_written() {
        let source = Source {
            scene: SceneKind::GaussianClusters,
            bodies: 12,
            seed: u64::MAX,
            margin: 0.1,
            speed: 1e-30,
        };
        let manifest = Manifest { source, half_world: 1.0 / 3.0, step: 4, parts: 2 };
        assert_eq!(manifest.to_string().parse::<Manifest>().unwrap(), manifest);
        let cut = manifest.to_string().replace("parts 2\n", "");
        assert_eq!(cut.parse::<Manifest>().unwrap_err().to_string(), "no parts");
        assert!("".parse::<Manifest>().is_err());
    }
}
