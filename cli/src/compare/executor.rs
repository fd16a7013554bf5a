//! A configuration that runs detections.

use crate::scene::Scene;
use anyhow::Result;
use widephase::{Contact, Detector, Error, Pair};

use crate::timing::Configuration;

/// A configuration with a detector and lists that are reused, as in an application.
pub(super) struct Executor {
    pub(super) configuration: Configuration,
    detector: Detector,
    lists: Lists,
}

/// The results of a detector.
#[derive(Debug, Default)]
pub(super) struct Lists {
    pub(super) pairs: Vec<Pair>,
    pub(super) contacts: Vec<Contact>,
}

impl Executor {
    /// An executor for each configuration.
    pub(super) fn all(configurations: Vec<Configuration>) -> Result<Vec<Self>> {
        let executor = |configuration: Configuration| {
            let detector = Detector::with_options(configuration.options())?;
            Ok(Executor { configuration, detector, lists: Lists::default() })
        };
        configurations.into_iter().map(executor).collect()
    }

    /// The pairs of `scene` in the order of the grid.
    pub(super) fn detect(&mut self, scene: &Scene) -> Result<&[Pair], Error> {
        self.within(|detector, lists| detector.pairs(scene.columns(), &mut lists.pairs))?;
        Ok(&self.lists.pairs)
    }

    /// The contacts of `scene` in the order of the grid.
    pub(super) fn contacts(&mut self, scene: &Scene) -> Result<&[Contact], Error> {
        self.within(|detector, lists| {
            detector.contacts(scene.columns(), 0.0, &mut lists.contacts)
        })?;
        Ok(&self.lists.contacts)
    }

    /// Runs `work` in the [configuration](Configuration::within).
    pub(super) fn within<R: Send>(
        &mut self,
        work: impl FnOnce(&mut Detector, &mut Lists) -> R + Send,
    ) -> R {
        let Self { configuration, detector, lists } = self;
        configuration.within(|| work(detector, lists))
    }
}
