//! The positions of the bodies of each scene, and the regions that they stay in.

use crate::{
    MAX_SPEED, SceneKind,
    density::{self, lattice_side},
    random::Random,
    sizes,
};

/// The region that one body stays in: along each axis, the centre is `home` plus an offset of at
/// most `reach` in magnitude.
///
/// The offset is stored separately from `home`. So a body far from the origin can move by steps
/// smaller than the distance of `f32` values there: its offset adds them up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Room {
    pub(crate) home: [f32; 2],
    pub(crate) reach: [f32; 2],
    /// The largest speed, in units of length per step.
    pub(crate) pace: [f32; 2],
}

/// The placement of the bodies of one scene.
pub(crate) struct Placement {
    kind: SceneKind,
    len: u32,
    half_spread: f32,
}

/// For bodies that stay near their initial position, the largest distance from it along each axis.
pub(crate) const KEPT: f32 = 0.5;

impl Placement {
    pub(crate) fn new(kind: SceneKind, len: u32) -> Self {
        Self { kind, len, half_spread: density::half_spread(kind, len) }
    }

    /// The region of body `index`.
    pub(crate) fn room(&self, index: u32, random: &mut Random) -> Room {
        let half = self.half_spread;
        let square = Room { home: [0.0; 2], reach: [half; 2], pace: [MAX_SPEED; 2] };
        match self.kind {
            SceneKind::GaussianClusters => {
                // Up to 1.5 · 10⁵ from the origin, where `f32` has 64 values per unit.
                let cluster = [index % 4, index / 4 % 4];
                let home = cluster.map(|at| (at as f32 - 1.5) * 1e5 + half * random.bell());
                Room { home, reach: [KEPT; 2], ..square }
            }
            SceneKind::Coincident => Room { reach: [1.0; 2], ..square },
            SceneKind::Line => Room { reach: [half, 0.0], pace: [MAX_SPEED, 0.0], ..square },
            SceneKind::TwoClusters if sizes::is_far(index) => {
                // `s1`, 64 times as large. `f32` rounds positions to a lattice of pitch 64, on
                // which a circle of radius 32 touches the circles at its own point and at the four
                // nearest points. So one pair per body takes 0.4 bodies per point.
                let points = f64::from(self.len) / 2.0 / 0.4;
                let reach = (64.0 * points.sqrt() / 2.0) as f32;
                Room { home: [1e9; 2], reach: [reach; 2], pace: [64.0 * MAX_SPEED; 2] }
            }
            SceneKind::Fast if sizes::is_fast(index) => {
                let mut pace = square.pace;
                pace[(index / 10 % 2) as usize] = 19.0;
                Room { pace, ..square }
            }
            SceneKind::BorderLattice => {
                let home = lattice_point(index, lattice_side(self.len));
                Room { home, reach: [KEPT; 2], ..square }
            }
            SceneKind::PowerOfTwo => {
                // Three circles of radius 0.5 touch as long as each stays within 0.25 of the point
                // along each axis.
                let side = lattice_side(self.len.div_ceil(3));
                let home = lattice_point(index / 3, side).map(|at| at * 1024.0);
                Room { home, reach: [0.25; 2], ..square }
            }
            _ => square,
        }
    }

    /// The initial offset of a body in its region.
    pub(crate) fn offset(&self, room: &Room, random: &mut Random) -> [f32; 2] {
        match self.kind {
            SceneKind::GaussianClusters | SceneKind::BorderLattice | SceneKind::PowerOfTwo => {
                [0.0; 2]
            }
            _ => room.reach.map(|reach| random.between(-reach, reach)),
        }
    }

    /// Half the side of the square that a uniform scene fills.
    pub(crate) fn half_spread(&self) -> f32 {
        self.half_spread
    }
}

/// Point `index` of a lattice of pitch 1 around the origin, row by row.
fn lattice_point(index: u32, side: u32) -> [f32; 2] {
    [index % side, index / side].map(|at| at as f32 - (side / 2) as f32)
}
