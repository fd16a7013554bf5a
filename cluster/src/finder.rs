//! `Finder`: the contacts that a tile reports.

use anyhow::Result;
use widephase::{Contact, Detector, Narrowphase, Options, Pair, tiles::Tile};

use crate::{
    bodies::{Bodies, Role},
    digest::Digest,
};

/// Detects rows, with contacts as one process has them: the body with the smaller id comes first.
#[derive(Debug)]
pub(crate) struct Finder {
    detector: Detector,
    narrowphase: Narrowphase,
    contacts: Vec<Contact>,
    /// Pairs whose rows are not in the order of their ids.
    inverted: Vec<Pair>,
}

impl Finder {
    pub(crate) fn new() -> Result<Self> {
        let options = Options { max_contacts: u64::MAX, ..Options::default() };
        Ok(Self {
            detector: Detector::with_options(options)?,
            narrowphase: Narrowphase::with_options(options.into())?,
            contacts: vec![],
            inverted: vec![],
        })
    }

    /// Detects all rows, and digests the contacts that the tile reports.
    ///
    /// The tile reports each pair with an inner body, because the corner that decides is in the
    /// bounds of both bodies ([`Tile::reports`]). It is computed only for two bodies at the border.
    pub(crate) fn run(&mut self, bodies: &Bodies, tile: Tile, margin: f32) -> Result<Digest> {
        let Self { detector, narrowphase, contacts, inverted } = self;
        let shapes = &bodies.shapes;
        detector.contacts(shapes, margin, contacts)?;
        let (mut digest, mut last) = (Digest::default(), None);
        let mut add = |contact: &Contact| {
            digest.add(ids(bodies, contact.pair), contact);
            // The contacts of a pair follow each other.
            digest.pairs += u64::from(last.replace(contact.pair) != Some(contact.pair));
        };
        inverted.clear();
        for contact in &*contacts {
            let Pair { a, b } = contact.pair;
            let is_inner = |row: u32| bodies.roles[row as usize] == Role::Inner;
            if !is_inner(a) && !is_inner(b) {
                let bounds = shapes.bounds(a).zip(shapes.bounds(b));
                if !bounds.is_some_and(|(a, b)| tile.reports([a, b], margin)) {
                    continue;
                }
            }
            let [first, second] = ids(bodies, contact.pair);
            match first < second {
                true => add(contact),
                false => inverted.push(Pair { a: b, b: a }),
            }
        }
        // Pairs of compounds may have several contacts.
        inverted.sort_unstable();
        inverted.dedup();
        narrowphase.contacts(shapes, inverted, margin, contacts)?;
        for contact in &*contacts {
            add(contact);
        }
        Ok(digest)
    }
}

fn ids(bodies: &Bodies, pair: Pair) -> [u64; 2] {
    [pair.a, pair.b].map(|row| bodies.records[row as usize].id)
}
