//! Which faces of a triangulation are inside of outlines, or the fault that makes it unclear.

use spade::Triangulation;

use super::{Area, Mesh, RingSide, rings::refuse, unsolved};
use crate::{
    error::{Error, OutlineFault},
    simd::map_each,
};

/// Where a face is.
#[derive(Clone, Copy, PartialEq)]
enum FacePlace {
    /// In no area. If the last side on the way there is a side of a hole, in that hole.
    Gap(Option<usize>),
    /// In the area of the outline with this ring.
    Inside(usize),
}

/// For each face, the faces next to it, and the points at the ends of the side between, from where
/// the face is on the left.
type Beside = Vec<Vec<(usize, [usize; 2])>>;

fn beside(mesh: &Mesh) -> Beside {
    let mut beside = vec![Vec::new(); mesh.num_all_faces()];
    for edge in mesh.directed_edges() {
        let (from, to) = (edge.face().fix().index(), edge.rev().face().fix().index());
        beside[from].push((to, map_each([edge.from(), edge.to()], |vertex| vertex.fix().index())));
    }
    beside
}

impl Area {
    /// Which faces are inside, of sides that border the area: each side leads in or out.
    pub(super) fn inside(&self, mesh: &Mesh) -> Vec<bool> {
        let beside = beside(mesh);
        let (mut inside, mut known) = (vec![false; beside.len()], vec![false; beside.len()]);
        let mut stack = vec![mesh.outer_face().fix().index()];
        known[stack[0]] = true;
        while let Some(face) = stack.pop() {
            for &(other, ends) in &beside[face] {
                if !std::mem::replace(&mut known[other], true) {
                    inside[other] = inside[face] == self.sides_between(ends).is_empty();
                    stack.push(other);
                }
            }
        }
        inside
    }

    /// Checks that each ring goes round the points within once, that holes are within their
    /// outlines and apart from each other, and that no two outlines have a common area.
    pub(super) fn check_faces(&self, mesh: &Mesh) -> Result<(), Error> {
        let beside = beside(mesh);
        let mut regions = vec![None; beside.len()];
        let outer = mesh.outer_face().fix().index();
        regions[outer] = Some(FacePlace::Gap(None));
        let mut stack = vec![(outer, FacePlace::Gap(None))];
        // Whether the inside of each ring is to the left of its sides.
        let mut within_left = vec![None; self.outlines.len()];
        while let Some((face, region)) = stack.pop() {
            for &(other, ends) in &beside[face] {
                let beyond = self.across(region, ends, &mut within_left)?;
                match regions[other] {
                    None => {
                        regions[other] = Some(beyond);
                        stack.push((other, beyond));
                    }
                    Some(known) if known.outline() == beyond.outline() => {}
                    Some(_) => return Err(unsolved(0)),
                }
            }
        }
        Ok(())
    }

    /// The region beyond the sides between two points, seen from a region to the left of the way
    /// between them.
    fn across(
        &self,
        mut region: FacePlace,
        ends: [usize; 2],
        within_left: &mut [Option<bool>],
    ) -> Result<FacePlace, Error> {
        let sides = self.sides_between(ends);
        // A way across the side of a ring that was never crossed leads from without to within.
        let mut enters = |side: &RingSide| {
            let left = side.from != ends[0];
            *within_left[side.name.0].get_or_insert(left) == left
        };
        // Of several sides, first a side that leads out of an area.
        for out in [true, false] {
            for side in sides {
                let enters = enters(side);
                if (enters == self.is_hole(side.name.0)) == out {
                    region = self.step(region, side, enters)?;
                }
            }
        }
        Ok(region)
    }

    /// The region across a side, which leads into its ring or out of it.
    fn step(&self, region: FacePlace, side: &RingSide, enters: bool) -> Result<FacePlace, Error> {
        let ring = side.name.0;
        let outline = self.outlines[ring];
        let not_within =
            |ring: usize| Error::InvalidOutline { ring, vertex: 0, fault: OutlineFault::NotWithin };
        match region {
            FacePlace::Inside(other) if other != outline => {
                let (ring, vertex) = side.name;
                let fault = OutlineFault::InArea { ring: other };
                Err(Error::InvalidOutline { ring, vertex, fault })
            }
            FacePlace::Inside(_) if enters == self.is_hole(ring) => {
                Ok(FacePlace::Gap(enters.then_some(ring)))
            }
            FacePlace::Gap(Some(hole)) if hole != ring && self.outlines[hole] == outline => {
                Err(not_within(if self.is_hole(ring) { ring } else { hole }))
            }
            FacePlace::Gap(hole) if enters && self.is_hole(ring) && hole != Some(ring) => {
                Err(not_within(ring))
            }
            FacePlace::Gap(_) if enters != self.is_hole(ring) => Ok(FacePlace::Inside(outline)),
            _ => Err(self.winds_twice(ring)),
        }
    }

    fn is_hole(&self, ring: usize) -> bool {
        self.outlines[ring] != ring
    }

    /// The error of a ring that goes round some points twice, or round some points to the left and
    /// some to the right. It does not cross itself, so it is in pieces that it joins by bridges.
    fn winds_twice(&self, ring: usize) -> Error {
        match self.bridges.iter().find(|bridge| bridge[0].0 == ring) {
            Some(&bridge) => refuse(bridge, true),
            None => unsolved(ring),
        }
    }
}

impl FacePlace {
    fn outline(self) -> Option<usize> {
        match self {
            FacePlace::Gap(_) => None,
            FacePlace::Inside(outline) => Some(outline),
        }
    }
}
