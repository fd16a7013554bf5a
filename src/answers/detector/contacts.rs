//! Contacts: lists and callbacks.

use super::{Detector, Flow, flow::call};
use crate::{
    base::Pair,
    detect::{ResultSink, Scope, Take},
    error::Error,
    index::{Index, IndexPart},
    narrowphase::contact::Contact,
    options::{Order, uses_pool},
    store::Columns,
};

impl Detector {
    /// Replaces the content of `contacts` by the contacts of all shapes in a [scope](Scope) that
    /// touch or are at most `margin` apart. A contact of shapes that are apart has a depth of at
    /// most 0: solvers call it speculative.
    ///
    /// With a margin of 0, each pair of [`pairs`](Detector::pairs) has one contact, in the same
    /// order; a pair with a compound has a contact for each two parts that touch, and a pair with a
    /// [`ChainSegment`](crate::shape::ChainSegment) may have no contact
    /// ([terrain](crate::guide::terrain)). With a margin, the order comes from a grid of inflated
    /// shapes: in one set each shape by half of the margin, else the shapes of the first set by the
    /// whole margin.
    ///
    /// `margin` is in the unit of length, at least 0 and at most 2^60. Where a radius and the
    /// margin, in one set half of it, are more than 2^60 together, contacts of shapes that are
    /// apart may be missing. With a margin between two indexes, the shapes of the first index are
    /// copied and sorted. The algorithm for each two kinds, and its source, is in
    /// docs/narrowphase.md.
    ///
    /// Costs as much as `pairs`, and for each contact, measured with AVX-512: 10 ns among 10,000
    /// circles and axis-aligned boxes, 15 among 100,000, and 30 among rotated boxes, capsules and
    /// polygons of up to 8 vertices (docs/performance.md); for polygons of n and m vertices, O(n·m)
    /// time. A contact takes 64 bytes.
    ///
    /// # Errors
    /// The errors of [`pairs`](Detector::pairs), with [`Error::TooManyContacts`] beyond
    /// [`Options::max_contacts`]; [`Error::InvalidMargin`]. `contacts` is then empty.
    ///
    /// ```
    /// use widephase::{Detector, Shapes, shape::{Obb, Rotation}};
    ///
    /// // A box that stands on a corner, 0.25 above another box.
    /// let half = 0.5_f32.sqrt();
    /// let on_corner = Rotation { cos: half, sin: half };
    /// let mut shapes = Shapes::new();
    /// shapes.push(Obb::new([0.0, 0.0], [4.0, 1.0], Rotation::IDENTITY))?;
    /// shapes.push(Obb::new([0.0, 2.25], [half, half], on_corner))?;
    ///
    /// let (mut detector, mut contacts) = (Detector::new(), Vec::new());
    /// detector.contacts(&shapes, 0.0, &mut contacts)?;
    /// assert!(contacts.is_empty());
    /// detector.contacts(&shapes, 0.5, &mut contacts)?;
    /// assert_eq!(contacts[0].normal().to_array(), [0.0, 1.0]);
    /// assert!((contacts[0].depth + 0.25).abs() < 1e-6);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    ///
    /// [`Options::max_contacts`]: crate::Options::max_contacts
    pub fn contacts<'a>(
        &mut self,
        scope: impl Into<Scope<'a>>,
        margin: f32,
        contacts: &mut Vec<Contact>,
    ) -> Result<(), Error> {
        self.list_contacts(scope.into(), margin, contacts)
    }

    /// Writes the contacts of the shapes with each other to `among`, and their contacts with the
    /// index to `against`: both lists of [`contacts`](Detector::contacts), in one pass that sorts
    /// the shapes once. With a margin, the order of `among` may differ from the order of
    /// `contacts`.
    ///
    /// # Errors
    /// The errors of [`contacts`](Detector::contacts). [`Options::max_contacts`] holds for each
    /// list. Both lists are then empty.
    ///
    /// [`Options::max_contacts`]: crate::Options::max_contacts
    pub fn contacts_and_against<'a>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        index: &Index,
        margin: f32,
        among: &mut Vec<Contact>,
        against: &mut Vec<Contact>,
    ) -> Result<(), Error> {
        self.list_both_contacts(shapes.into(), index.part(0), margin, among, against)
    }

    /// Calls `each` for every contact in a [scope](Scope), until `each` ends the call: like
    /// [`for_each_pair`](Detector::for_each_pair), with the contacts of
    /// [`contacts`](Detector::contacts) in [`Order::Grid`].
    ///
    /// # Errors
    /// The errors of [`for_each_pair`](Detector::for_each_pair); [`Error::InvalidMargin`]. `each`
    /// has then not been called.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use widephase::{Columns, Detector};
    ///
    /// // Is any contact deeper than a tenth?
    /// let circles = Columns::circles(&[0.0, 1.0, 1.5], &[0.0; 3], &[0.5; 3])?;
    /// let deep = Detector::new().for_each_contact(circles, 0.0, |contact| {
    ///     if contact.depth > 0.1 { ControlFlow::Break(contact.pair) } else { ControlFlow::Continue(()) }
    /// })?;
    /// assert_eq!(deep.break_value().map(|pair| (pair.a, pair.b)), Some((1, 2)));
    /// # Ok::<(), widephase::Error>(())
    /// ```
    ///
    /// [`Order::Grid`]: crate::Order::Grid
    pub fn for_each_contact<'a, F: Flow>(
        &mut self,
        scope: impl Into<Scope<'a>>,
        margin: f32,
        each: impl FnMut(Contact) -> F,
    ) -> Result<F::Outcome, Error> {
        let scope = scope.into();
        call(each, |take| self.pass_contacts(scope, margin, take))
    }

    fn list_contacts(
        &mut self,
        scope: Scope<'_>,
        margin: f32,
        contacts: &mut Vec<Contact>,
    ) -> Result<(), Error> {
        if scope.has_two() {
            contacts.clear();
        }
        let Self { engine, options, index_rows, .. } = self;
        let scope = index_rows.open(scope, margin)?;
        let result = engine
            .open(options, margin)
            .and_then(|run| engine.detect(run, scope, margin, ResultSink::List(contacts), None));
        self.finish_contacts(contacts, &result);
        result.map(drop)
    }

    /// The contacts of shapes, and the contacts with shapes of a part of an index.
    pub(crate) fn list_both_contacts(
        &mut self,
        columns: Columns<'_>,
        part: IndexPart<'_>,
        margin: f32,
        among: &mut Vec<Contact>,
        against: &mut Vec<Contact>,
    ) -> Result<(), Error> {
        against.clear();
        let Self { engine, options, .. } = self;
        let [first, second] = [&mut *among, &mut *against].map(ResultSink::List);
        let result = engine.open(options, margin).and_then(|run| {
            engine.detect(run, Scope::with_part(columns, part), margin, second, Some(first))
        });
        self.finish_contacts(among, &result);
        self.finish_contacts(against, &result);
        result.map(drop)
    }

    fn pass_contacts(
        &mut self,
        scope: Scope<'_>,
        margin: f32,
        take: &mut Take<'_, Contact>,
    ) -> Result<(), Error> {
        let Self { engine, options, index_rows, .. } = self;
        let scope = index_rows.open(scope, margin)?;
        let run = engine.open(options, margin)?;
        engine.for_each(run, scope, margin, take)
    }

    /// Brings a list of contacts into its order; on an error, empties it.
    fn finish_contacts(&mut self, contacts: &mut Vec<Contact>, result: &Result<u64, Error>) {
        if result.is_err() {
            contacts.clear();
        }
        if self.options.order == Order::Sorted {
            self.sort_contacts(contacts);
        }
        self.engine.end_finish();
    }

    /// Sorts pairs and contacts of several detections, if lists are to be sorted. Returns whether
    /// they are.
    pub(crate) fn sort_lists(&mut self, pairs: &mut [Pair], contacts: &mut [Contact]) -> bool {
        let sorts = self.options.order == Order::Sorted;
        if sorts {
            self.sort_pairs(pairs);
            self.sort_contacts(contacts);
        }
        sorts
    }

    /// Sorts contacts by their pairs, then by their parts.
    fn sort_contacts(&mut self, contacts: &mut [Contact]) {
        let threads = uses_pool(self.options.threads, contacts.len());
        self.engine.sorter.contacts(contacts, threads);
    }
}
