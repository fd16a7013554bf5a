//! Contacts: lists and callbacks.

use super::{Detector, Flow};
use crate::{
    Columns, Contact, Error, Index,
    detect::{Sets, Sink, contact_key, sort},
    options::uses_pool,
};

impl Detector {
    /// Replaces the content of `contacts` by the contacts of all shapes that touch or are at most
    /// `margin` apart. A contact of shapes that are apart has a depth of at most 0: solvers call it
    /// speculative.
    ///
    /// With a margin of 0, each pair of [`pairs`](Detector::pairs) has one contact, in the same
    /// order; a pair with a compound has one for each two parts that touch, and a pair with a
    /// [`ChainSegment`](crate::shape::ChainSegment) may have none (docs/terrain.md). With a margin,
    /// the order comes from a grid of shapes inflated by half of it.
    ///
    /// `margin` is in the unit of length, at least 0 and at most 2^60. Where a radius and half of
    /// the margin are more than 2^60 together, contacts of shapes that are apart may be missing.
    /// The algorithm for each two kinds, and its source, is in docs/narrowphase.md.
    ///
    /// Costs what `pairs` costs, and for each contact, measured with AVX-512: 10 ns among 10,000
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
        shapes: impl Into<Columns<'a>>,
        margin: f32,
        contacts: &mut Vec<Contact>,
    ) -> Result<(), Error> {
        self.list_contacts(shapes.into(), margin, contacts)
    }

    /// Replaces the content of `contacts` by the contacts of the shapes with the shapes of `index`:
    /// `a` is a row of the shapes, `b` a row of the index. Shapes of the same set are not tested
    /// against each other.
    ///
    /// Costs what [`pairs_against`](Detector::pairs_against) costs, and more for each contact, as
    /// [`contacts`](Detector::contacts) does. With a margin, the shapes are inflated by all of it,
    /// and the shapes of the index are not: where a radius and the margin are more than 2^60
    /// together, contacts of shapes that are apart may be missing.
    ///
    /// # Errors
    /// The errors of [`contacts`](Detector::contacts); [`Error::TooManyShapes`] if both sets
    /// together have more than [`u32::MAX`] rows. `contacts` is then empty.
    pub fn contacts_against<'a>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        index: &Index,
        margin: f32,
        contacts: &mut Vec<Contact>,
    ) -> Result<(), Error> {
        self.list_contacts_against(shapes.into(), index, margin, None, contacts)
    }

    /// Writes [`contacts`](Detector::contacts) to `among` and
    /// [`contacts_against`](Detector::contacts_against) to `against`, in one pass that sorts the
    /// shapes once. With a margin, the order of `among` may differ from the order of `contacts`.
    ///
    /// # Errors
    /// The errors of [`contacts_against`](Detector::contacts_against). [`Options::max_contacts`]
    /// holds for each list. Both lists are then empty.
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
        self.list_contacts_against(shapes.into(), index, margin, Some(among), against)
    }

    /// Replaces the content of `contacts` by the contacts of the shapes of `index` with the shapes
    /// of `other`: `a` is a row of `index`, `b` a row of `other`.
    ///
    /// There is no margin, because the shapes of an index are sorted as they are. For contacts
    /// within a margin, pass the shapes of one set to
    /// [`contacts_against`](Detector::contacts_against).
    ///
    /// # Errors
    /// The errors of [`contacts_against`](Detector::contacts_against).
    pub fn contacts_between(
        &mut self,
        index: &Index,
        other: &Index,
        contacts: &mut Vec<Contact>,
    ) -> Result<(), Error> {
        contacts.clear();
        let result = self.run_between([index, other], Sink::List(contacts));
        self.finish_contacts(contacts, &result);
        result.map(drop)
    }

    /// Calls `each` for every contact, until `each` ends the call: like
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
        shapes: impl Into<Columns<'a>>,
        margin: f32,
        each: impl FnMut(Contact) -> F,
    ) -> Result<F::Outcome, Error> {
        self.call(shapes.into(), None, margin, each)
    }

    /// Calls `each` for every contact of a shape with a shape of `index`, until `each` ends the
    /// call: like [`for_each_pair`](Detector::for_each_pair), with the contacts of
    /// [`contacts_against`](Detector::contacts_against).
    ///
    /// # Errors
    /// The errors of [`for_each_pair_against`](Detector::for_each_pair_against);
    /// [`Error::InvalidMargin`]. `each` has then not been called.
    pub fn for_each_contact_against<'a, F: Flow>(
        &mut self,
        shapes: impl Into<Columns<'a>>,
        index: &Index,
        margin: f32,
        each: impl FnMut(Contact) -> F,
    ) -> Result<F::Outcome, Error> {
        self.call(shapes.into(), Some(index), margin, each)
    }

    fn list_contacts(
        &mut self,
        columns: Columns<'_>,
        margin: f32,
        contacts: &mut Vec<Contact>,
    ) -> Result<(), Error> {
        let result = self.run(columns, margin, Sets::among(Sink::List(contacts)));
        self.finish_contacts(contacts, &result);
        result.map(drop)
    }

    fn list_contacts_against(
        &mut self,
        columns: Columns<'_>,
        index: &Index,
        margin: f32,
        mut among: Option<&mut Vec<Contact>>,
        against: &mut Vec<Contact>,
    ) -> Result<(), Error> {
        against.clear();
        let sets = Sets {
            among: among.as_deref_mut().map(Sink::List),
            against: Some((index.part(0), Sink::List(against))),
        };
        let result = self.run(columns, margin, sets);
        if let Some(among) = among {
            self.finish_contacts(among, &result);
        }
        self.finish_contacts(against, &result);
        result.map(drop)
    }

    /// Brings a list of contacts into its order; on an error, empties it.
    fn finish_contacts(&mut self, contacts: &mut Vec<Contact>, result: &Result<u64, Error>) {
        if result.is_err() {
            contacts.clear();
        }
        if self.engine.sorts(self.options.order) {
            let threads = uses_pool(self.options.threads, contacts.len());
            sort(contacts, threads, contact_key);
        }
        self.engine.end_finish();
    }
}
