//! `World::sweep`: the first impacts of bodies during a step.

use super::{World, first_impacts::FirstImpacts, found::senses};
use crate::{
    base::{Handle, Pair},
    error::{Error, Field},
    motion::{Bullets, Displacements, Impact},
    simd::map_each,
};

/// The first impact of a body on its way: a result of [`World::sweep`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BodyImpact {
    /// The body that moves.
    pub body: Handle,
    /// The body that it hits, which may move as well.
    pub other: Handle,
    /// The value of the caller of the other body.
    pub user: u64,
    /// When they meet, as a fraction of the step: from 0 to 1; 0 if they touch at the start.
    pub fraction: f32,
    /// Horizontal coordinate of the point where they touch, at that time.
    pub x: f32,
    /// Vertical coordinate of the point.
    pub y: f32,
    /// Horizontal part of the outward normal of the other body: it points towards the body.
    pub normal_x: f32,
    /// Vertical part of the normal, which has length 1.
    pub normal_y: f32,
    /// How fast they approach each other along the normal, in the unit of length by step; at least
    /// 0.
    pub speed: f32,
}

impl World {
    /// Finds the first impact of each of some bodies that move during a step, each by its
    /// displacement and all at the same time; the other bodies stand still. Nothing tunnels,
    /// however fast it is. `impacts` has an entry for each body. If a body is listed twice, its
    /// last displacement counts.
    ///
    /// The impacts are the impacts of [`Detector::swept_pairs`](crate::Detector::swept_pairs) at
    /// the current poses. So bodies whose filters do not meet stop nothing, sensors stop nothing,
    /// and a segment of a chain with one side stops bodies that come against it. Of several impacts
    /// at the same time, a body has the impact with the smallest row. Each way goes on behind its
    /// impacts: a body that another body would have stopped before still hits the bodies on its
    /// way.
    ///
    /// Nothing is moved: set the poses afterwards. `displacements` are in the unit of length. Costs
    /// as much as `swept_pairs` for all bodies, where bodies that are not listed are no bullets.
    ///
    /// # Errors
    /// [`Error::UnequalColumns`] for [`Field::Dx`] unless each body has a displacement;
    /// [`Error::StaleHandle`]; the errors of `swept_pairs`, with the place of a displacement in
    /// `displacements`. `impacts` is then empty.
    ///
    /// ```
    /// use widephase::{Body, Motion, World, shape::{Aabb, Circle}};
    ///
    /// let mut world = World::new();
    /// let wall = Body { motion: Motion::Static, user: 9, ..Body::default() };
    /// let wall = world.insert(Aabb::new([24.5, -5.0], [24.75, 5.0]), wall)?;
    /// let shot = world.insert(Circle::new([0.0, 0.0], 0.5), Body::default())?;
    /// let bird = world.insert(Circle::new([12.0, 3.0], 0.5), Body::default())?;
    ///
    /// let mut impacts = Vec::new();
    /// world.sweep(&[shot, bird], &[[96.0, 0.0], [0.0, 1.0]], &mut impacts)?;
    /// let hit = impacts[0].expect("the wall is in the way");
    /// assert_eq!((hit.other, hit.user, hit.fraction, hit.speed), (wall, 9, 0.25, 96.0));
    /// assert_eq!(impacts[1], None);
    /// # Ok::<(), widephase::Error>(())
    /// ```
    pub fn sweep(
        &mut self,
        bodies: &[Handle],
        displacements: &[[f32; 2]],
        impacts: &mut Vec<Option<BodyImpact>>,
    ) -> Result<(), Error> {
        impacts.clear();
        Field::Dx.check_len(displacements.len(), bodies.len())?;
        for body in bodies {
            self.bodies.row(*body)?;
        }
        let Self { bodies: stored, detector, sweep, .. } = self;
        let shapes = &stored.index.shapes;
        sweep.begin(shapes.rows(), bodies, displacements);
        let FirstImpacts { by: [x, y], moves, impacts: found, .. } = sweep;
        let accept = |a: u32, b: u32| {
            (moves[a as usize] || moves[b as usize]) && !senses(shapes, Pair { a, b })
        };
        let columns = stored.columns()?.with_predicate(&accept);
        let by = Displacements { x, y, bullets: Bullets::Rows(moves), ..Displacements::default() };
        let swept = detector.swept_pairs(columns, by, found);
        let place = |row| bodies.iter().rposition(|body| body.row() as usize == row);
        swept.map_err(|error| error.in_row(|row| place(row).unwrap_or(row)))?;
        sweep.find_first();
        impacts.extend(bodies.iter().map(|body| self.first_impact(*body)));
        Ok(())
    }

    /// The first impact of a body in the last sweep.
    fn first_impact(&self, body: Handle) -> Option<BodyImpact> {
        let FirstImpacts { by, impacts, first, .. } = &self.sweep;
        let row = body.row();
        let impact = impacts.get(first[row as usize] as usize)?;
        let Impact { pair, fraction, x, y, .. } = *impact;
        // The normal of an impact is the normal of its second shape.
        let (other, sign) = if pair.a == row { (pair.b, 1.0) } else { (pair.a, -1.0) };
        let [normal_x, normal_y] =
            map_each([impact.normal_x, impact.normal_y], |part| part * sign + 0.0);
        let relative = |axis: usize| by[axis][row as usize] - by[axis][other as usize];
        let speed = -(relative(0) * normal_x + relative(1) * normal_y);
        let user = self.bodies.users[other as usize];
        let other = self.handle(other)?;
        let speed = speed.max(0.0);
        Some(BodyImpact { body, other, user, fraction, x, y, normal_x, normal_y, speed })
    }
}
