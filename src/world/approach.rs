//! How fast bodies that touch approach each other.

use super::{Velocity, bodies::Bodies};
use crate::{base::Pair, narrowphase::contact::Contact, simd::map_each};

impl Bodies {
    /// The velocity of the body in a row.
    pub(super) fn velocity(&self, row: u32) -> Velocity {
        self.velocities.get(row as usize).copied().unwrap_or_default()
    }

    /// How fast the bodies of a pair, whose contacts begin at a place, approach each other.
    #[inline]
    pub(super) fn approach(&self, contacts: &[Contact], first: u32) -> f32 {
        if self.velocities.is_empty() {
            return 0.0;
        }
        let mut fastest = 0.0_f32;
        for contact in contacts_from(contacts, first) {
            let Pair { a, b } = contact.pair;
            let [(a, own_a), (b, own_b)] = map_each([a, b], |row| {
                let pose = self.index.shapes.pose(row).unwrap_or_default();
                ([pose.x, pose.y], self.velocity(row))
            });
            for point in contact.points() {
                let at = [point.x, point.y];
                let ([ax, ay], [bx, by]) = (own_a.at(a, at), own_b.at(b, at));
                fastest = fastest.max((ax - bx) * contact.normal_x + (ay - by) * contact.normal_y);
            }
        }
        if fastest.is_finite() { fastest } else { f32::MAX }
    }
}

/// The contacts of the pair of the contact at a place, which are in a row.
fn contacts_from(contacts: &[Contact], first: u32) -> &[Contact] {
    let Some(own) = contacts.get(first as usize..).filter(|own| !own.is_empty()) else {
        return &[];
    };
    let more = own.iter().take_while(|contact| contact.pair == own[0].pair);
    &own[..more.count()]
}
