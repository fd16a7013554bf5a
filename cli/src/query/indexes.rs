//! The shapes, sorted for queries: in their own numbers, and in `f32`.

use anyhow::{Context, Result};
use widephase::{
    Index, IndexOptions, Options,
    doubles::{DoubleIndex, Origin},
};

use crate::{
    earth::{Globe, Places},
    table::Bodies,
};

/// The indexes of the shapes that some queries need.
pub(super) struct Indexes {
    /// In the numbers of the file, if the shapes are points, circles, boxes and rounded boxes.
    pub(super) exact: Option<DoubleIndex>,
    /// In `f32`, relative to an origin, if a query needs that.
    single: Option<(Index, Origin)>,
    /// As places on the globe, if that is asked for.
    pub(super) globe: Option<(Globe, Options)>,
}

impl Indexes {
    /// Sorts the shapes. `single`: whether a query needs an index in `f32` in any case. Also
    /// returns what to know about the numbers of that.
    pub(super) fn build(
        bodies: &Bodies,
        options: IndexOptions,
        single: bool,
    ) -> Result<(Self, Option<String>)> {
        let mut indexes = Self { exact: None, single: None, globe: None };
        if let Some(shapes) = bodies.exact() {
            let mut index = DoubleIndex::with_options(options)?;
            index.rebuild(shapes)?;
            indexes.exact = Some(index);
        }
        let mut note = None;
        if single || indexes.exact.is_none() {
            let range = bodies.range();
            let origin = range.origin();
            note = range.note(origin);
            let mut index = Index::with_options(options)?;
            index.rebuild(&bodies.shapes(origin)?)?;
            indexes.single = Some((index, origin));
        }
        Ok((indexes, note))
    }

    /// Sorts shapes that are places on the globe.
    pub(super) fn of_places(bodies: &Bodies, options: IndexOptions) -> Result<Self> {
        let places = Places::of(bodies.boxes().iter().map(|shape| shape.min));
        let globe = Globe::new(places, options)?;
        let options = Options { simd_level: options.simd_level, ..Options::default() };
        Ok(Self { exact: None, single: None, globe: Some((globe, options)) })
    }

    /// The index in `f32`, and what it is relative to.
    pub(super) fn single(&self) -> Result<&(Index, Origin)> {
        self.single.as_ref().context("no query was said to need an index in f32")
    }
}
