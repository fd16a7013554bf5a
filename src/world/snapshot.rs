//! Snapshots: a world as bytes, and a world from bytes.
//!
//! ```text
//! header     magic, version, number of bytes behind it, their hash (bytes/hash.rs)
//! options    the options that results depend on, the margin, and the tag of the handles
//! state      what the hash of a state covers
//!   bodies   handles of all rows, values, motions, velocities, spaces, filters if any is not
//!            the default, shapes; the rows that are free
//!   results  of the last step: pairs, contacts, their values, events
//!   changes  since that step: removed bodies, replaced shapes
//! rest       which bodies that do not move have changed since these were sorted, and what was
//!            there then: it decides the order of lists
//! ```
//!
//! Everything else that a world has is computed from them, or is workspace.

use super::{
    PairEvent, StopEvent, StopReason, Velocity, World,
    bodies::{Bodies, WorldTag},
    carried_values::CarriedValues,
    fields::{
        read_filter, read_handle, read_motion, read_options, read_values, write_filter,
        write_options, write_values,
    },
    found::{Changes, StepLists, Version},
};
use crate::{
    base::{Handle, Pair, handle::MAX_GENERATION},
    bytes::{ByteSink, FileKind, Reader, Xxh64},
    error::{Error, limit::ask},
    filter::Filter,
    grid::{Arrangement, LayoutKind},
    index::{RemovedShape, SortedRows},
    narrowphase::contact::Contact,
    options::Options,
    shape::RoundedBox,
};

const REASONS: [StopReason; 4] =
    [StopReason::Removed, StopReason::Filtered, StopReason::Changed, StopReason::Apart];

/// The words of a contact, and which of them are the features of a point.
const CONTACT_WORDS: usize = size_of::<Contact>() / 4;
const FEATURES: [usize; 2] = [11, 15];

impl World {
    /// The world as bytes: its bodies with their handles, values, motions, spaces and filters, the
    /// results of the last step with the values of contacts, and the options that decide results.
    /// [`restore`](World::restore) makes a world of it that goes on as this world does, to the last
    /// bit.
    ///
    /// Not in it: the SIMD level and the threads, which change no result; a recording.
    ///
    /// The bytes are equal on every machine: little-endian, with a version of the format and a
    /// hash. They are a function of the calls so far and of the [tag](World::tag).
    ///
    /// O(bodies + pairs + contacts) time. Allocates the bytes: about 30 for a circle, 90 for a
    /// pair with a contact.
    ///
    /// ```
    /// use widephase::{Body, World, shape::{Circle, Pose}};
    ///
    /// let mut world = World::new();
    /// let ball = world.insert(Circle::new([0.0, 0.0], 1.0), Body { user: 7, ..Body::default() })?;
    /// world.insert(Circle::new([1.5, 0.0], 1.0), Body::default())?;
    /// world.step()?;
    /// let saved = world.snapshot();
    ///
    /// world.set_pose(ball, Pose::at([9.0, 0.0]))?;
    /// world.remove(ball)?;
    /// let mut again = World::restore(&saved)?;
    /// assert_eq!(again.snapshot(), saved);
    /// assert_eq!(again.body(ball)?.user, 7); // the handle lives on
    /// again.step()?;
    /// assert_eq!(again.persisted().count(), 1); // and so does the pair
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn snapshot(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.snapshot_into(&mut bytes);
        bytes
    }

    /// Replaces `bytes` by the [`snapshot`](World::snapshot), and reuses its memory.
    pub fn snapshot_into(&self, bytes: &mut Vec<u8>) {
        FileKind::begin(bytes);
        write_options(self.options(), bytes);
        bytes.f32s(&[self.margin]);
        bytes.byte(self.bodies.tag.0);
        self.write_state(bytes);
        self.write_rest(bytes);
        FileKind::Snapshot.finish(bytes);
    }

    /// The world of a [`snapshot`](World::snapshot). It goes on as the world of the snapshot did:
    /// the same calls have the same results, to the last bit, on any SIMD level and any number of
    /// threads.
    ///
    /// Handles of bodies of the snapshot name the same bodies. Handles that were stale are stale.
    /// So are handles that the other world gave out later, until this world gives them out: since
    /// it goes on in the same way, its next bodies get the handles that the next bodies of the
    /// other world got. Forget handles of a future that was taken back.
    ///
    /// All values are checked as they were when they were given, so the bytes may come from a
    /// stranger. Memory is at most a small multiple of theirs. Polygons are made again, in O(n log
    /// n) time for each.
    ///
    /// The SIMD level and the threads are the defaults; change them by
    /// [`set_options`](World::set_options).
    ///
    /// # Errors
    /// [`Error::InvalidFile`] for bytes that are no snapshot, of another version, too few, too many
    /// or damaged, or whose values contradict each other. The errors of a shape or an option that
    /// is not valid, with its row.
    pub fn restore(bytes: &[u8]) -> Result<Self, Error> {
        Self::read(Reader::new(bytes))
    }

    /// Reads a snapshot, behind which no bytes follow.
    pub(super) fn read(reader: Reader<'_>) -> Result<Self, Error> {
        let mut world = Self::default();
        world.read_into(reader)?;
        Ok(world)
    }

    /// Restores into this world, as [`restore`](World::restore) does, which keeps its SIMD level,
    /// its threads and its memory. Handles of this world that the snapshot does not have are stale
    /// then. A recording of this world ends.
    ///
    /// During the call two worlds are held, the world that is read and the world before, so that an
    /// error changes nothing.
    ///
    /// # Errors
    /// The errors of [`restore`](World::restore); the world is then as before.
    ///
    /// ```
    /// use widephase::{Body, World, shape::{Circle, Pose}};
    ///
    /// let mut world = World::new();
    /// let ball = world.insert(Circle::new([0.0, 0.0], 1.0), Body::default())?;
    /// let saved = world.snapshot();
    /// world.set_pose(ball, Pose::at([9.0, 0.0]))?;
    /// world.restore_into(&saved)?;
    /// assert_eq!(world.pose(ball)?, Pose::at([0.0, 0.0]));
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn restore_into(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let mut other = self.other.take().unwrap_or_default();
        other.clear();
        let result = other.read_into(Reader::new(bytes));
        if result.is_ok() {
            let Options { simd_level, threads, timings, .. } = *self.options();
            let options = Options { simd_level, threads, timings, ..*other.options() };
            other.set_options(options)?;
            std::mem::swap(self, &mut other);
            other.log = None;
        }
        self.other = Some(other);
        result
    }

    /// Removes everything, and keeps the memory.
    fn clear(&mut self) {
        self.bodies.clear();
        self.found.lists_mut().clear();
        self.diff.clear();
        self.kept.clear();
        self.changes.clear();
        self.bodies.index.forget_moving();
        self.log = None;
    }

    /// Reads a snapshot, behind which no bytes follow, into an empty world.
    fn read_into(&mut self, mut reader: Reader<'_>) -> Result<(), Error> {
        // The memory of the lists and tables that the bytes may hold.
        ask(reader.left(), reader.left().saturating_mul(11).saturating_add(1 << 16))?;
        FileKind::Snapshot.open(&mut reader)?;
        let options = read_options(&mut reader)?;
        self.set_options(options)?;
        let [margin] = reader.f32s()?;
        self.set_margin(margin)?;
        self.bodies.tag.0 = reader.byte()?;
        self.read_state(&mut reader)?;
        self.read_rest(&mut reader)?;
        reader.end()
    }

    /// A hash of a snapshot without the options: bodies with their shapes, poses, handles, values,
    /// motions and filters, and the results of the last step. Worlds with the same calls have the
    /// same hash, on every machine, SIMD level and number of threads. Compare it after each step,
    /// in lockstep over a network, or with a recording.
    ///
    /// It is XXH64 of the bytes that a snapshot would have. O(bodies + pairs + contacts) time;
    /// allocates nothing.
    ///
    /// ```
    /// use widephase::{Body, World, shape::{Circle, Pose}};
    ///
    /// let mut world = World::new();
    /// let ball = world.insert(Circle::new([0.0, 0.0], 1.0), Body::default())?;
    /// let mut other = World::restore(&world.snapshot())?;
    /// assert_eq!(world.state_hash(), other.state_hash());
    /// other.set_pose(ball, Pose::at([1.0e-30, 0.0]))?;
    /// assert_ne!(world.state_hash(), other.state_hash());
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn state_hash(&self) -> u64 {
        let mut hash = Xxh64::new();
        self.write_state(&mut hash);
        hash.finish()
    }

    fn write_state(&self, sink: &mut impl ByteSink) {
        self.bodies.write(sink);
        sink.flag(self.near.counted);
        self.found.0.write(self.diff.places(), &self.kept, sink);
        self.changes.write(sink);
    }

    fn read_state(&mut self, reader: &mut Reader<'_>) -> Result<(), Error> {
        let Self { bodies, found, diff, kept, changes, near, .. } = self;
        let found = found.lists_mut();
        bodies.read(reader)?;
        let at = reader.clone();
        near.counted = reader.flag()?;
        let places = found.read(kept, bodies.tag, reader)?;
        changes.read(reader, bodies)?;
        // The handle of each row in the last step: the handle of the first body that was removed
        // since then, or of the body that is there; 0 if there was no body.
        let mut last: Vec<u64> = (0..bodies.ids.len() as u32)
            .map(|row| bodies.handle(row).map_or(0, Handle::id))
            .collect();
        for (handle, _) in &changes.removed {
            let last = &mut last[handle.row() as usize];
            if *last == 0 || handle.id() < *last {
                *last = handle.id();
            }
        }
        let missing = |row: u32| last.get(row as usize).is_none_or(|handle| *handle == 0);
        let wrong = |pair: &&Pair| pair.a >= pair.b || missing(pair.a) || missing(pair.b);
        diff.update(&found.pairs)?;
        let mut listed = vec![(&*diff, &found.pairs)];
        if near.counted {
            near.begin(&found.contacts)?;
            listed.push((&near.diff, &near.pairs));
        }
        for (diff, pairs) in &listed {
            if let Some(pair) = pairs.iter().find(wrong) {
                return Err(at.wrong(pair.b));
            }
            // Each pair starts once, unless it is listed twice.
            if diff.started().len() < pairs.len() {
                return Err(at.wrong(pairs.len() as u64));
            }
        }
        let (_, pairs) = listed[listed.len() - 1];
        if !kept.count(&found.contacts, pairs) {
            return Err(at.wrong(found.contacts.len() as u64));
        }
        if !diff.restore_places(places) {
            return Err(at.wrong(u64::from(u32::MAX)));
        }
        Ok(())
    }

    /// Writes how the bodies that do not move are sorted.
    fn write_rest(&self, sink: &mut impl ByteSink) {
        let Self { resting, bodies, .. } = self;
        sink.flag(resting.anew);
        sink.u64s(&[resting.work as u64]);
        let mut touched = bodies.touched.clone();
        touched.sort_unstable();
        touched.dedup();
        sink.count(touched.len());
        sink.u32s(&touched);
        let SortedRows { layout, rotates, removed, beside, untried, inserted, arranged } =
            bodies.index.how_sorted();
        sink.byte(layout as u8);
        sink.flag(rotates);
        sink.count(removed.len());
        for RemovedShape { row, space, sides } in &removed {
            let RoundedBox { min_x, min_y, max_x, max_y, radius } = *sides;
            sink.u32s(&[*row, *space]);
            sink.f32s(&[min_x, min_y, max_x, max_y, radius]);
        }
        for rows in [&beside, &untried, &inserted] {
            sink.count(rows.len());
            sink.u32s(rows);
        }
        sink.count(arranged.len());
        for (space, Arrangement { levels, items, holes }) in &arranged {
            sink.u32s(&[*space]);
            // The complement of no row is an id.
            let ids: Vec<u32> = items.iter().map(|id| id.unwrap_or_default()).collect();
            for words in [levels, &ids, holes] {
                sink.count(words.len());
                sink.u32s(words);
            }
        }
    }

    /// Sorts the bodies that do not move as they were when that was written.
    fn read_rest(&mut self, reader: &mut Reader<'_>) -> Result<(), Error> {
        let Self { resting, bodies, found, margin, .. } = self;
        resting.clear();
        resting.anew = reader.flag()?;
        resting.work = reader.u64()? as usize;
        let at = reader.clone();
        let count = reader.count(4)?;
        bodies.touched = reader.u32_list(count)?;
        if let Some(row) = bodies.touched.iter().find(|row| **row as usize >= bodies.ids.len()) {
            return Err(at.wrong(*row));
        }
        let layout = reader.one_of(&[LayoutKind::Circle, LayoutKind::Box, LayoutKind::Rounded])?;
        let rotates = reader.flag()?;
        let count = reader.count(28)?;
        let mut removed = Vec::with_capacity(count);
        for _ in 0..count {
            let [row, space] = reader.words()?;
            let [min_x, min_y, max_x, max_y, radius] = reader.f32s()?;
            let sides = RoundedBox { min_x, min_y, max_x, max_y, radius };
            removed.push(RemovedShape { row, space, sides });
        }
        let at = reader.clone();
        let list = |reader: &mut Reader<'_>| {
            let count = reader.count(4)?;
            reader.u32_list(count)
        };
        let (beside, untried, inserted) = (list(reader)?, list(reader)?, list(reader)?);
        let mut arranged = Vec::new();
        for _ in 0..reader.count(16)? {
            let [space] = reader.words()?;
            let (levels, ids, holes) = (list(reader)?, list(reader)?, list(reader)?);
            let items = ids.into_iter().map(|id| (id != 0).then_some(id)).collect();
            arranged.push((space, Arrangement { levels, items, holes }));
        }
        let mut sorted: Vec<bool> = vec![false; bodies.ids.len()];
        for row in bodies.resting_rows() {
            sorted[row as usize] = true;
        }
        let leave = |row: u32| sorted.get_mut(row as usize).is_some_and(std::mem::take);
        let mut others = beside.iter().chain(&inserted).copied();
        if !beside.is_sorted()
            || !untried.is_sorted()
            || !inserted.is_sorted()
            || !others.all(leave)
        {
            return Err(at.wrong(beside.len() as u64));
        }
        for RemovedShape { row, .. } in &removed {
            match sorted.get_mut(*row as usize) {
                Some(sorted) if !*sorted => *sorted = true,
                _ => return Err(at.wrong(*row)),
            }
        }
        let listed = (0..).zip(&sorted).filter(|(_, sorted)| **sorted);
        let rows: Vec<u32> = listed.map(|(row, _)| row).collect();
        let sorted = SortedRows { layout, rotates, removed, beside, untried, inserted, arranged };
        if !bodies.index.sort_as_before(&rows, &sorted)? {
            return Err(at.wrong(layout as u8));
        }
        resting.restore(bodies, found, *margin)
    }
}

impl Bodies {
    fn clear(&mut self) {
        let Self { index, ids, users, motions, velocities, free, .. } = self;
        index.clear();
        ids.clear();
        users.clear();
        motions.clear();
        velocities.clear();
        free.clear();
        self.forget_moving();
    }

    fn write(&self, sink: &mut impl ByteSink) {
        let rows = self.ids.len();
        sink.count(rows);
        sink.u64s(&self.ids);
        sink.u64s(&self.users);
        sink.bytes(self.motions.iter().map(|motion| *motion as u8));
        sink.count(self.velocities.len());
        sink.f32s(bytemuck::cast_slice(&self.velocities));
        sink.count(self.index.row_spaces.len());
        sink.u32s(&self.index.row_spaces);
        let filter = |row: usize| self.index.shapes.filter(row as u32).unwrap_or_default();
        let filtered = (0..rows).any(|row| filter(row) != Filter::ALL);
        sink.flag(filtered);
        if filtered {
            for row in 0..rows {
                write_filter(&filter(row), sink);
            }
        }
        for row in 0..rows {
            self.index.shapes.write_row(row, sink);
        }
        sink.count(self.free.len());
        sink.u32s(&self.free);
    }

    /// Reads the bodies into an empty list.
    fn read(&mut self, reader: &mut Reader<'_>) -> Result<(), Error> {
        /// The bytes of a row: a handle, a value, a motion and a kind.
        const ROW_BYTES: usize = 18;
        let rows = reader.count(ROW_BYTES)?;
        let at = reader.clone();
        self.ids = reader.u64_list(rows)?;
        for (row, id) in (0_u64..).zip(&self.ids) {
            let handle = Handle::from_bits(*id);
            if handle.is_none_or(|handle| u64::from(handle.row()) != row || handle.tag() != 0) {
                return Err(at.wrong(*id));
            }
        }
        self.users = reader.u64_list(rows)?;
        self.motions = (0..rows).map(|_| read_motion(reader)).collect::<Result<_, Error>>()?;
        let at = reader.clone();
        let count = reader.count(size_of::<Velocity>())?;
        let numbers = reader.f32_list(3 * count)?;
        if count > rows || !numbers.iter().all(|number| number.is_finite()) {
            return Err(at.wrong(count as u64));
        }
        self.velocities = bytemuck::cast_slice(&numbers).to_vec();
        let at = reader.clone();
        let count = reader.count(size_of::<u32>())?;
        if count != 0 && count != rows {
            return Err(at.wrong(count as u64));
        }
        self.index.row_spaces = reader.u32_list(count)?;
        let at = reader.clone();
        let filters = match reader.flag()? {
            true => (0..rows).map(|_| read_filter(reader)).collect::<Result<_, Error>>()?,
            false => Vec::new(),
        };
        self.index.shapes.reserve(rows);
        for row in 0..rows {
            self.index.shapes.push_vacant()?;
            let vacant = !self.index.shapes.read_row(row, reader)?;
            if vacant && filters.get(row).is_some_and(|filter| *filter != Filter::ALL) {
                return Err(at.wrong(row as u64));
            }
        }
        if !filters.is_empty() {
            self.index.shapes.set_filters(&filters)?;
        }
        self.unlisted.extend(0..self.ids.len() as u32);
        let at = reader.clone();
        let count = reader.count(4)?;
        self.free = reader.u32_list(count)?;
        // Each vacant row once, unless it has had all its generations.
        let is_free = |row: u32| {
            let used_up =
                self.ids.get(row as usize).is_none_or(|id| id >> 32 == u64::from(MAX_GENERATION));
            !used_up && self.index.shapes.kind(row).is_none()
        };
        let mut left: Vec<bool> = (0..rows as u32).map(is_free).collect();
        for &row in &self.free {
            match left.get_mut(row as usize) {
                Some(left) if *left => *left = false,
                _ => return Err(at.wrong(row)),
            }
        }
        match left.iter().position(|left| *left) {
            Some(row) => Err(at.wrong(row as u64)),
            None => Ok(()),
        }
    }
}

impl StepLists {
    fn clear(&mut self) {
        let Self { pairs, contacts, started, stopped, begin } = self;
        *begin = Version::default();
        pairs.clear();
        contacts.clear();
        started.clear();
        stopped.clear();
    }

    fn write(
        &self,
        places: impl Iterator<Item = u32>,
        kept: &CarriedValues,
        sink: &mut impl ByteSink,
    ) {
        let Self { pairs, contacts, started, stopped, .. } = self;
        sink.count(pairs.len());
        sink.u32s(bytemuck::cast_slice(pairs));
        sink.bytes(places.flat_map(u32::to_le_bytes));
        sink.count(contacts.len());
        for contact in contacts {
            sink.u32s(&words(*contact));
        }
        write_values(&kept.values, sink);
        sink.count(started.len());
        for event in started {
            let PairEvent { a, b, user_a, user_b, index, contact, speed, senses } = *event;
            sink.u64s(&[a.id(), b.id(), user_a, user_b]);
            sink.u32s(&[index, contact, speed.to_bits(), senses]);
        }
        sink.count(stopped.len());
        for StopEvent { a, b, user_a, user_b, reason } in stopped {
            sink.u64s(&[a.id(), b.id(), *user_a, *user_b, *reason as u64]);
        }
    }

    /// Reads the results of a step into a world without any.
    /// Returns the place of each pair in the list of the step before.
    fn read(
        &mut self,
        kept: &mut CarriedValues,
        tag: WorldTag,
        reader: &mut Reader<'_>,
    ) -> Result<Vec<u32>, Error> {
        let Self { pairs, contacts, started, stopped, .. } = self;
        let count = reader.count(size_of::<Pair>() + size_of::<u32>())?;
        let rows = reader.u32_list(2 * count)?;
        pairs.extend_from_slice(bytemuck::cast_slice(&rows));
        let places = reader.u32_list(count)?;
        let count = reader.count(CONTACT_WORDS * 4)?;
        contacts.reserve_exact(count);
        for _ in 0..count {
            let at = reader.clone();
            let contact = read_contact(reader)?;
            if !is_whole(&contact) {
                return Err(at.wrong(contact.count));
            }
            contacts.push(contact);
        }
        kept.set(read_values(count, reader)?);
        let count = reader.count(size_of::<PairEvent>())?;
        started.reserve_exact(count);
        for _ in 0..count {
            let [a, b] = [read_handle(tag, reader)?, read_handle(tag, reader)?];
            let [user_a, user_b] = [reader.u64()?, reader.u64()?];
            let at = reader.clone();
            let [index, contact, speed, senses] = reader.words::<4>()?;
            let speed = f32::from_bits(speed);
            let has_contact =
                contact == PairEvent::NO_CONTACT || (contact as usize) < contacts.len();
            let known = (index as usize) < pairs.len() && has_contact && senses <= 1;
            if !known || !(0.0..=f32::MAX).contains(&speed) {
                return Err(at.wrong(index));
            }
            started.push(PairEvent { a, b, user_a, user_b, index, contact, speed, senses });
        }
        let count = reader.count(size_of::<StopEvent>())?;
        stopped.reserve_exact(count);
        for _ in 0..count {
            let [a, b] = [read_handle(tag, reader)?, read_handle(tag, reader)?];
            let [user_a, user_b] = [reader.u64()?, reader.u64()?];
            let at = reader.clone();
            let number = reader.u64()?;
            let reason = usize::try_from(number).ok().and_then(|number| REASONS.get(number));
            let reason = *reason.ok_or_else(|| at.wrong(number))?;
            stopped.push(StopEvent { a, b, user_a, user_b, reason });
        }
        Ok(places)
    }
}

/// A contact as words. The two features of a point are one word, the first feature in the lower
/// half.
fn words(contact: Contact) -> [u32; CONTACT_WORDS] {
    let mut words: [u32; CONTACT_WORDS] = bytemuck::cast(contact);
    if cfg!(target_endian = "big") {
        for at in FEATURES {
            words[at] = words[at].rotate_left(16);
        }
    }
    words
}

fn read_contact(reader: &mut Reader<'_>) -> Result<Contact, Error> {
    let mut words = reader.words::<CONTACT_WORDS>()?;
    if cfg!(target_endian = "big") {
        for at in FEATURES {
            words[at] = words[at].rotate_left(16);
        }
    }
    Ok(bytemuck::cast(words))
}

/// Whether a contact has one point or two, and only finite numbers.
fn is_whole(contact: &Contact) -> bool {
    let normal = contact.normal();
    let numbers = [normal.x, normal.y, contact.depth].into_iter();
    let points = contact.point.iter().flat_map(|point| [point.x, point.y, point.depth]);
    matches!(contact.count, 1 | 2) && numbers.chain(points).all(f32::is_finite)
}

impl Changes {
    fn clear(&mut self) {
        self.removed.clear();
        self.reshaped.clear();
    }

    fn write(&self, sink: &mut impl ByteSink) {
        let Self { removed, reshaped, .. } = self;
        sink.count(removed.len());
        for (handle, user) in removed {
            sink.u64s(&[handle.id(), *user]);
        }
        sink.count(reshaped.len());
        sink.u64s(reshaped);
    }

    /// Reads the changes of a world with these bodies, which have no noted changes.
    fn read(&mut self, reader: &mut Reader<'_>, bodies: &Bodies) -> Result<(), Error> {
        // A body of this row, which may be gone.
        let known = |handle: Handle| {
            let last = bodies.ids.get(handle.row() as usize);
            last.is_some_and(|last| handle.id() <= *last)
        };
        let count = reader.count(16)?;
        self.removed.reserve_exact(count);
        for _ in 0..count {
            let at = reader.clone();
            let handle = read_handle(bodies.tag, reader)?;
            if !known(handle) || bodies.contains(handle) {
                return Err(at.wrong(handle.id()));
            }
            self.removed.push((handle, reader.u64()?));
        }
        let count = reader.count(8)?;
        self.reshaped.reserve_exact(count);
        for _ in 0..count {
            let at = reader.clone();
            let handle = read_handle(bodies.tag, reader)?;
            if !known(handle) {
                return Err(at.wrong(handle.id()));
            }
            self.reshaped.push(handle.id());
        }
        Ok(())
    }
}
