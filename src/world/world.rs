//! `World`: the public calls.

#[cfg(feature = "queries")]
use super::first_impacts::FirstImpacts;
use super::{
    Body, Motion, Step,
    bodies::Bodies,
    carried_values::{CarriedValue, CarriedValues},
    events::PairEvent,
    fields::Log,
    found::{Changes, FoundPairs, persisted},
    named::HasRow,
    near::NearBodies,
    resting_pairs::RestingPairs,
};
use crate::{
    base::{Handle, Held, Pair, Timings, held, pair::pair_key, timings::Stopwatch},
    detector::Detector,
    error::{Error, Field, limit::Granted},
    events::pair_diff::PairDiff,
    filter::Filter,
    index::Index,
    lists::Islands,
    narrowphase::{check_margin, contact::Contact, listed_pairs::Narrowphase},
    options::{CandidateLists, IndexOptions, Options},
    shape::{OwnedShape, Pose, Shape},
    store::Shapes,
};

/// Bodies with handles, detected at every step: pairs, contacts, and which pairs started, persisted
/// or stopped.
///
/// A world detects; it moves nothing. At each step, give the bodies their new poses, call
/// [`step`](World::step), and read the [`Step`]. Bodies have [handles](Handle) that outlive their
/// removal, and a value of the caller that events hand back. Bodies that do not move cost nothing
/// in a step until one of them changes.
///
/// It is made of parts that also work alone: a [`Shapes`] store, a [`Detector`], an [`Index`] of
/// the bodies that do not move, a [`Narrowphase`] and a [`PairDiff`](crate::PairDiff).
///
/// All results are a function of the calls so far, and the same bits on every SIMD level and any
/// number of threads. (Handles also have the [tag](World::tag) of their world.)
///
/// ```
/// use widephase::{Body, Motion, World, shape::{Aabb, Circle, Pose}, world::StopReason};
///
/// let mut world = World::new();
/// let floor = Body { motion: Motion::Static, user: 1, ..Body::default() };
/// world.insert(Aabb::new([-9.0, -1.0], [9.0, 0.0]), floor)?;
/// let ball = world.insert(Circle::new([0.0, 2.0], 1.0), Body { user: 2, ..Body::default() })?;
/// assert!(world.step()?.started().is_empty());
///
/// world.set_pose(ball, Pose::at([0.0, 1.0]))?;
/// let step = world.step()?;
/// let hit = step.started()[0];
/// assert_eq!((hit.user_a, hit.user_b), (1, 2));
/// assert_eq!(step.contacts()[0].normal().to_array(), [0.0, 1.0]);
///
/// world.remove(ball)?;
/// let stopped = world.step()?.stopped()[0];
/// assert_eq!((stopped.b, stopped.user_b, stopped.reason), (ball, 2, StopReason::Removed));
/// # Ok::<(), widephase::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct World {
    pub(super) bodies: Bodies,
    pub(super) detector: Detector,
    pub(super) narrowphase: Narrowphase,
    pub(super) resting: RestingPairs,
    /// The lists of the last step, and the memory of the lists of the next step.
    pub(super) found: Step,
    pub(super) spare: Step,
    pub(super) diff: PairDiff,
    pub(super) kept: CarriedValues,
    pub(super) changes: Changes,
    /// The largest distance of bodies that have a contact.
    pub(super) margin: f32,
    pub(super) near: NearBodies,
    #[cfg(feature = "queries")]
    pub(super) sweep: FirstImpacts,
    pub(super) stopwatch: Stopwatch,
    /// Workspace of [`step`](World::step): pairs of moving bodies with the other bodies, and pairs
    /// without a sensor.
    pub(super) against: Vec<Pair>,
    pub(super) solid: Vec<Pair>,
    /// Workspace: the pairs and contacts of moving bodies, if there are pairs of resting bodies.
    pub(super) moving: FoundPairs,
    pub(super) granted: Granted,
    /// Workspace of [`set_poses`](World::set_poses).
    checked_poses: Vec<Pose>,
    /// The calls since [`start_recording`](World::start_recording).
    pub(super) log: Option<Box<Log>>,
    /// The memory of the world that [`restore_into`](World::restore_into) makes next.
    pub(super) other: Option<Box<World>>,
}

held!(World {
    bodies,
    detector,
    narrowphase,
    resting,
    found,
    spare,
    diff,
    kept,
    changes,
    margin,
    near,
    #[cfg(feature = "queries")]
    sweep,
    stopwatch,
    against,
    solid,
    moving,
    granted,
    checked_poses,
    log,
    other
});

/// A copy has the same bodies, handles, options and last step, and goes on in the same way. It is
/// not recorded.
impl Clone for World {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    /// Makes this world a copy, in its memory: a rollback is a ring of worlds. A recording of this
    /// world ends.
    ///
    /// O(bodies + pairs) time. The lists of the last step are shared.
    ///
    /// ```
    /// use widephase::{Body, World, shape::{Circle, Pose}};
    ///
    /// let mut world = World::new();
    /// let ball = world.insert(Circle::new([0.0, 0.0], 1.0), Body::default())?;
    /// let mut ring = vec![World::new(); 8];
    /// for frame in 0..20 {
    ///     ring[frame % 8].clone_from(&world);
    ///     world.set_pose(ball, Pose::at([frame as f32, 0.0]))?;
    ///     world.step()?;
    /// }
    /// // An input for frame 15 comes late.
    /// world.clone_from(&ring[15 % 8]);
    /// assert_eq!(world.pose(ball)?, Pose::at([14.0, 0.0]));
    /// # Ok::<(), widephase::Error>(())
    /// ```
    fn clone_from(&mut self, source: &Self) {
        let Self { bodies, resting, found, diff, kept, changes, margin, near, .. } = source;
        self.log = None;
        let options = self.set_options(*source.options());
        options.unwrap_or_else(|error| unreachable!("they are options of a world: {error}"));
        self.bodies.clone_from(bodies);
        self.resting.clone_from(resting);
        self.found.clone_from(found);
        self.diff.clone_from(diff);
        self.kept.clone_from(kept);
        self.changes.clone_from(changes);
        self.margin = *margin;
        self.near.clone_from(near);
    }
}

impl World {
    /// An empty world with the default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty world with these options.
    ///
    /// # Errors
    /// The errors of [`Options::check`].
    pub fn with_options(options: Options) -> Result<Self, Error> {
        let mut world = Self::default();
        world.set_options(options)?;
        Ok(world)
    }

    /// The options.
    pub fn options(&self) -> &Options {
        self.detector.options()
    }

    /// Replaces the options. The next step compares its pairs with the pairs of the last step, also
    /// if [`Options::touching`] has changed.
    ///
    /// # Errors
    /// The errors of [`Options::check`]; the options are then as before.
    pub fn set_options(&mut self, options: Options) -> Result<(), Error> {
        let Self { bodies, detector, narrowphase, resting, .. } = self;
        let Options { touching, order, cell_size, grid_levels, .. } = *detector.options();
        let before = Options { touching, order, cell_size, grid_levels, ..options };
        detector.set_options(options)?;
        narrowphase.set_options(options.into())?;
        let candidate_lists = CandidateLists::Never;
        bodies.index.set_options(IndexOptions { candidate_lists, ..options.into() })?;
        bodies.index.forget_level();
        resting.anew |= before != options;
        if let Some(log) = &mut self.log {
            log.options(self.detector.options());
        }
        Ok(())
    }

    /// The margin: see [`set_margin`](World::set_margin). It is 0 unless it was set.
    pub fn margin(&self) -> f32 {
        self.margin
    }

    /// Sets how far apart bodies may be and have a contact, in the unit of length. A contact of
    /// bodies that are apart has a depth below 0, minus their distance: solvers call it
    /// speculative. With such a margin, bodies are stopped before they overlap, and stacks drift
    /// less. Its [values](World::contacts_mut) are carried on like other values.
    ///
    /// Pairs and events stay pairs and events of touching. With a margin, a step searches twice,
    /// and takes about the time of [`Detector::contacts`] longer.
    ///
    /// # Errors
    /// [`Error::InvalidMargin`] unless it is at least 0 and at most 2^60; it is then as before.
    ///
    /// ```
    /// use widephase::{Body, World, shape::Circle};
    ///
    /// let mut world = World::new();
    /// for x in [0.0, 2.25] {
    ///     world.insert(Circle::new([x, 0.0], 1.0), Body::default())?;
    /// }
    /// world.set_margin(0.5)?;
    /// let step = world.step()?;
    /// assert!(step.pairs().is_empty() && step.started().is_empty());
    /// assert_eq!(step.contacts()[0].depth, -0.25);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn set_margin(&mut self, margin: f32) -> Result<(), Error> {
        check_margin(margin)?;
        self.margin = margin;
        self.resting.anew = true;
        if let Some(log) = &mut self.log {
            log.margin(margin);
        }
        Ok(())
    }

    /// Inserts a body, and returns its handle. The rows of removed bodies are used again.
    ///
    /// O(1) time, and more for polygons and compounds, as [`Shapes::push`].
    ///
    /// # Errors
    /// [`Error::InvalidShape`] for a value of the shape or the pose, with the row that the body
    /// would have had: [`Fault::SecondRotation`](crate::error::Fault::SecondRotation) if the pose
    /// would replace the rotation of the shape,
    /// [`Fault::CannotRotate`](crate::error::Fault::CannotRotate) if an axis-aligned box gets one;
    /// [`Error::TooManyShapes`]. The world is then as before.
    pub fn insert(&mut self, shape: impl Shape, body: Body) -> Result<Handle, Error> {
        let handle = self.bodies.insert(shape, body)?;
        self.inserted(handle, body);
        Ok(handle)
    }

    /// Notes that a body is new.
    pub(super) fn inserted(&mut self, handle: Handle, body: Body) {
        self.bodies.index.forget_moving();
        if let Some(log) = &mut self.log {
            log.insert(&self.bodies, handle, body);
        }
    }

    /// Removes a body. Its pairs stop with the next step, with the value of the caller.
    ///
    /// # Errors
    /// [`Error::StaleHandle`].
    pub fn remove(&mut self, handle: Handle) -> Result<(), Error> {
        let user = self.bodies.remove(handle)?;
        self.changes.removed.push((handle, user));
        self.bodies.index.forget_moving();
        if let Some(log) = &mut self.log {
            log.remove(handle);
        }
        Ok(())
    }

    /// Replaces the shape of a body, at its own coordinates. Handle, filter, motion and value stay.
    ///
    /// # Errors
    /// [`Error::StaleHandle`]; [`Error::InvalidShape`], and the shape is then as before.
    pub fn set_shape(&mut self, handle: Handle, shape: impl Shape) -> Result<(), Error> {
        let row = self.bodies.row(handle)?;
        self.bodies.index.shapes.set(row, shape)?;
        self.reshaped(handle);
        Ok(())
    }

    /// Notes that a body has another shape.
    pub(super) fn reshaped(&mut self, handle: Handle) {
        self.changes.reshaped.push(handle.id());
        self.bodies.changed(handle.row());
        self.bodies.index.forget_moving();
        if let Some(log) = &mut self.log {
            log.set_shape(&self.bodies, handle);
        }
    }

    /// Moves a body: see [`Shapes::set_pose`].
    ///
    /// # Errors
    /// [`Error::StaleHandle`]; [`Error::InvalidShape`], and the pose is then as before.
    pub fn set_pose(&mut self, handle: Handle, pose: Pose) -> Result<(), Error> {
        let checked = self.bodies.check_pose(handle, pose)?;
        self.bodies.place(handle, checked);
        self.bodies.index.forget_moving();
        if let Some(log) = &mut self.log {
            log.set_pose(handle, pose);
        }
        Ok(())
    }

    /// Moves some bodies, or no body: a pose for each handle. If a handle is listed twice, the last
    /// pose counts. Five to ten times as fast for handles whose rows follow each other: of bodies
    /// that were inserted one after the other, and not into rows of removed bodies.
    ///
    /// # Errors
    /// [`Error::UnequalColumns`] for [`Field::X`] unless there are as many poses as handles;
    /// [`Error::StaleHandle`]; [`Error::InvalidShape`] with the place of the first invalid pose in
    /// `poses`. All poses are then as before.
    pub fn set_poses(&mut self, handles: &[Handle], poses: &[Pose]) -> Result<(), Error> {
        Field::X.check_len(poses.len(), handles.len())?;
        let Self { bodies, checked_poses, .. } = self;
        if let Some(result) = bodies.place_rows(handles, poses) {
            result?;
        } else {
            checked_poses.clear();
            for (place, (&handle, &pose)) in handles.iter().zip(poses).enumerate() {
                let checked = bodies.check_pose(handle, pose);
                checked_poses.push(checked.map_err(|error| error.in_row(|_| place))?);
            }
            for (&handle, &pose) in handles.iter().zip(&*checked_poses) {
                bodies.place(handle, pose);
            }
        }
        self.bodies.index.forget_moving();
        if let Some(log) = &mut self.log {
            log.set_poses(handles, poses);
        }
        Ok(())
    }

    /// Moves all bodies, or no body: body `i` of [`handles`](World::handles) gets the position
    /// `x[i], y[i]`. Rotations stay. Bodies that do not move cost nothing in the next step if they
    /// all keep their positions to the last bit.
    ///
    /// O(bodies) time: half of the time of [`set_poses`](World::set_poses) for points and circles
    /// alone, else nine tenths.
    ///
    /// # Errors
    /// [`Error::UnequalColumns`] unless both columns have a value for each body;
    /// [`Error::InvalidShape`] for the first body that would leave the range of coordinates, with
    /// its place in the columns. All positions are then as before.
    ///
    /// ```
    /// use widephase::{Body, World, shape::Circle};
    ///
    /// let mut world = World::new();
    /// for x in [0.0, 5.0, 9.0] {
    ///     world.insert(Circle::new([x, 0.0], 1.0), Body::default())?;
    /// }
    /// let first = world.handles().next().expect("three bodies");
    /// world.remove(first)?;
    /// world.set_positions_of_all(&[1.0, 2.5], &[0.0, 0.0])?; // of the other two
    /// assert_eq!(world.step()?.pairs().len(), 1);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn set_positions_of_all(&mut self, x: &[f32], y: &[f32]) -> Result<(), Error> {
        self.move_all([x, y], None)
    }

    /// As [`set_positions_of_all`](World::set_positions_of_all), with rotations: body `i` of
    /// [`handles`](World::handles) gets the pose `x[i], y[i], cos[i], sin[i]`, as by
    /// [`set_pose`](World::set_pose).
    ///
    /// # Errors
    /// [`Error::UnequalColumns`] for the first column of the wrong length;
    /// [`Error::InvalidShape`] for the first invalid pose, with its place in the columns. All poses
    /// are then as before.
    pub fn set_poses_of_all(
        &mut self,
        x: &[f32],
        y: &[f32],
        cos: &[f32],
        sin: &[f32],
    ) -> Result<(), Error> {
        self.move_all([x, y], Some([cos, sin]))
    }

    fn move_all(
        &mut self,
        positions: [&[f32]; 2],
        rotations: Option<[&[f32]; 2]>,
    ) -> Result<(), Error> {
        self.bodies.move_all(positions, rotations)?;
        self.bodies.index.forget_moving();
        if let Some(log) = &mut self.log {
            log.move_all(positions, rotations);
        }
        Ok(())
    }

    /// Sets whether a body moves.
    ///
    /// # Errors
    /// [`Error::StaleHandle`].
    pub fn set_motion(&mut self, handle: Handle, motion: Motion) -> Result<(), Error> {
        self.bodies.set_motion(handle, motion)?;
        self.bodies.index.forget_moving();
        if let Some(log) = &mut self.log {
            log.set_motion(handle, motion);
        }
        Ok(())
    }

    /// Sets which bodies a body meets.
    ///
    /// # Errors
    /// [`Error::StaleHandle`].
    pub fn set_filter(&mut self, handle: Handle, filter: Filter) -> Result<(), Error> {
        let row = self.bodies.row(handle)?;
        self.bodies.index.shapes.set_filter(row, filter)?;
        self.bodies.index.filter_changed(row);
        self.bodies.changed(row);
        self.bodies.index.forget_moving();
        if let Some(log) = &mut self.log {
            log.set_filter(handle, &filter);
        }
        Ok(())
    }

    /// Sets the value of the caller.
    ///
    /// # Errors
    /// [`Error::StaleHandle`].
    pub fn set_user(&mut self, handle: Handle, user: u64) -> Result<(), Error> {
        let row = self.bodies.row(handle)?;
        self.bodies.users[row as usize] = user;
        if let Some(log) = &mut self.log {
            log.set_user(handle, user);
        }
        Ok(())
    }

    /// Whether a body exists.
    pub fn contains(&self, handle: Handle) -> bool {
        self.bodies.contains(handle)
    }

    /// The handle of the body in a row; `None` if there is no body. Pairs, contacts and queries
    /// name rows.
    pub fn handle(&self, row: u32) -> Option<Handle> {
        self.bodies.handle(row)
    }

    /// The properties of a body besides its shape.
    ///
    /// # Errors
    /// [`Error::StaleHandle`].
    pub fn body(&self, handle: Handle) -> Result<Body, Error> {
        let row = self.bodies.row(handle)?;
        Ok(Body {
            pose: self.bodies.index.shapes.pose(row),
            motion: self.bodies.motion(row),
            filter: self.bodies.index.shapes.filter(row).unwrap_or_default(),
            space: self.bodies.space(row),
            user: self.bodies.users[row as usize],
        })
    }

    /// The pose of a body.
    ///
    /// # Errors
    /// [`Error::StaleHandle`].
    pub fn pose(&self, handle: Handle) -> Result<Pose, Error> {
        let row = self.bodies.row(handle)?;
        Ok(self.bodies.index.shapes.pose(row).unwrap_or_default())
    }

    /// The shape of a body: see [`Shapes::get`].
    ///
    /// # Errors
    /// [`Error::StaleHandle`].
    pub fn shape(&self, handle: Handle) -> Result<OwnedShape, Error> {
        let row = self.bodies.row(handle)?;
        self.bodies.index.shapes.get(row).ok_or(Error::StaleHandle { handle })
    }

    /// The handles of all bodies, in the order of their rows.
    pub fn handles(&self) -> impl Iterator<Item = Handle> {
        (0..self.rows() as u32).filter_map(|row| self.handle(row))
    }

    /// The number of bodies.
    pub fn len(&self) -> usize {
        self.bodies.index.shapes.len()
    }

    /// Whether there are no bodies.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of rows, vacant rows included.
    pub fn rows(&self) -> usize {
        self.bodies.index.shapes.rows()
    }

    /// The shapes by row.
    pub fn shapes(&self) -> &Shapes {
        &self.bodies.index.shapes
    }

    /// The results of the last step.
    pub fn last_step(&self) -> &Step {
        &self.found
    }

    /// The pairs that touched in the last two steps, by handles, in the order of
    /// [`pairs`](Step::pairs).
    ///
    /// The values of the caller and the sensors are the present values; for a body that was removed
    /// after the step, its last values. Allocates.
    pub fn persisted(&self) -> impl Iterator<Item = PairEvent> {
        let Self { found, diff, bodies, changes, near, kept, .. } = self;
        let (pairs, contacts) = (found.pairs(), found.contacts());
        let sorted = near.counted.then(|| NearBodies::sorted_firsts(contacts));
        let counted = near.counted || kept.is_counted(pairs.len());
        let places = (!counted).then(|| CarriedValues::of_places(contacts, pairs));
        let first = move |index: u32| match &sorted {
            Some(sorted) => {
                let key = pair_key(&pairs[index as usize]);
                let place = sorted.binary_search_by_key(&key, |(key, _)| *key);
                place.map_or(PairEvent::NO_CONTACT, |place| sorted[place].1)
            }
            None => places.as_ref().unwrap_or(kept).first(index),
        };
        persisted(diff, contacts, bodies, changes, first)
    }

    /// How long the phases of the last step have taken, if [`Options::timings`] is set; else zeros.
    /// The cost of a recording is not in them. After an error, they cover a part of the step.
    pub fn timings(&self) -> &Timings {
        self.stopwatch.timings()
    }

    /// The contacts of the last step, and a value for each point of a contact: two numbers, as the
    /// impulses of a solver along the normal and perpendicular to it. The next step carries a value
    /// to the point with the same [id](crate::ContactPoint::id) of the contact of the same parts,
    /// if the pair persists. Other values begin as zeros.
    pub fn contacts_mut(&mut self) -> (&[Contact], &mut [CarriedValue]) {
        if let Some(log) = &mut self.log {
            log.lent = true;
        }
        let Self { found, kept, near, .. } = self;
        if !near.counted {
            kept.count(found.contacts(), found.pairs());
        }
        (found.contacts(), kept.lend())
    }

    /// The values of the contacts: see [`contacts_mut`](World::contacts_mut).
    pub fn contact_values(&self) -> &[CarriedValue] {
        &self.kept.values
    }

    /// Finds the islands of moving bodies by the contacts of the last step whose depth is at least
    /// 0: see [`Islands`].
    ///
    /// # Errors
    /// The errors of [`Islands::find`].
    pub fn find_islands(&self, islands: &mut Islands) -> Result<(), Error> {
        let moves = |row: u32| self.bodies.motion(row) == Motion::Moving;
        let touching = self.found.contacts().iter().filter(|contact| contact.depth >= 0.0);
        let pairs: Vec<Pair> = touching.map(|contact| contact.pair).collect();
        islands.find(self.rows(), &pairs, moves)
    }

    /// An index of all bodies, for [queries](Index) as of now. Any number of threads may ask it.
    /// The first call after a change sorts the moving bodies, and the resting bodies that have
    /// changed since their sort: about 10 ns each. The other bodies are sorted already. The rows of
    /// the index are the rows of the bodies: see [`named`](World::named). If a body is in another
    /// [space](Body::space) than 0, name the space of a query: [`in_space`](Index::in_space).
    ///
    /// # Errors
    /// The errors of [`Index::rebuild`].
    ///
    /// ```
    /// use widephase::{Body, Queries, Ray, World, shape::Circle};
    ///
    /// let mut world = World::new();
    /// let near = world.insert(Circle::new([5.0, 0.0], 1.0), Body::default())?;
    /// let far = world.insert(Circle::new([9.0, 0.0], 1.0), Body::default())?;
    /// let mut hits = Vec::new();
    /// world.index()?.cast_ray_all(Ray::new([0.0, 0.0], [1.0, 0.0]), &mut hits)?;
    /// for (body, hit) in world.named(&hits) {
    ///     let pose = world.pose(body)?;
    ///     assert_eq!(hit.fraction, pose.x - 1.0);
    /// }
    /// # let _ = (near, far);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn index(&self) -> Result<&Index, Error> {
        let Bodies { index, .. } = &self.bodies;
        index.see_moving(|rows| self.bodies.list_moving(rows))?;
        index.ready()?;
        Ok(index)
    }

    /// The answers of a query, each answer with the handle of its body. Answers of rows without a
    /// body, which no query of this world has, are left out.
    pub fn named<'a, T: HasRow>(
        &self,
        answers: &'a [T],
    ) -> impl Iterator<Item = (Handle, &'a T)> + use<'a, '_, T> {
        answers.iter().filter_map(|answer| Some((self.handle(answer.row())?, answer)))
    }

    /// The tag of the handles of this world: a number from 1 to 255 that worlds are given in turn.
    /// Calls with the handle of a world of another tag fail, as with a stale handle.
    ///
    /// A [restored](World::restore) world and a clone have the tag of the world that they are
    /// copies of. The [hash](World::state_hash) does not depend on it.
    pub fn tag(&self) -> u8 {
        self.bodies.tag.0
    }

    /// Replaces the [tag](World::tag): handles that were given out before fail from now on.
    /// Programs that exchange handles give their worlds the same tag before they insert bodies.
    pub fn set_tag(&mut self, tag: u8) {
        self.bodies.tag.0 = tag;
        for (handle, _) in &mut self.changes.removed {
            *handle = handle.with_tag(tag);
        }
    }

    /// The bytes of memory held.
    pub fn bytes(&self) -> usize {
        Held::bytes(self)
    }
}
