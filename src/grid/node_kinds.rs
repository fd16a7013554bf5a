//! `NodeKinds`: the kinds of filters below each node of a tree.

use std::ops::Range;

use super::box_tree::{BoxTree, Children};
use crate::{
    base::held,
    filter::{FilterKind, MAX_CLASSES},
};

/// The kinds of filters below each node of a [`BoxTree`], one bit each. A search by distance passes
/// nodes below which it meets no kind.
///
/// Kinds tell owners apart if kinds are few, as the owners of armies are. The owners of bodies are
/// many, and only the parts of a body have its owner.
#[derive(Debug, Default)]
pub(crate) struct NodeKinds {
    /// The kinds, ascending. The number of a kind is its place.
    kinds: Vec<FilterKind>,
    /// The bits of each node, in `words` words, by the number of the node.
    sets: Vec<u32>,
    words: usize,
}

held!(NodeKinds { kinds, sets, words });

impl NodeKinds {
    /// Replaces the kinds by the kinds of the items of a tree, which are at these places. `kind_of`
    /// returns the kind of the item at a place.
    pub(in crate::grid) fn fill<P: Iterator<Item = usize>>(
        &mut self,
        tree: &BoxTree,
        places: impl Fn() -> P,
        kind_of: impl Fn(usize) -> FilterKind,
    ) {
        let owned = self.find(places().map(&kind_of));
        let kind_of = |place| if owned { kind_of(place) } else { kind_of(place).of_any_owner() };
        if !owned {
            self.find(places().map(kind_of));
        }
        let Self { kinds, sets, words } = self;
        *words = kinds.len().div_ceil(32);
        sets.clear();
        sets.resize(tree.len() * *words, 0);
        let (mut last, mut number) = (FilterKind::default(), 0);
        tree.each_node(|node| {
            let at = tree.number(node) * *words;
            match tree.children(node) {
                Children::Nodes(_, first, count) => {
                    let first = tree.number(first) * *words;
                    for word in 0..count * *words {
                        sets[at + word % *words] |= sets[first + word];
                    }
                }
                items => {
                    for item in 0..items.len() {
                        let kind = kind_of(items.place(item));
                        if kind != last {
                            (last, number) = (kind, kinds.partition_point(|other| *other < kind));
                        }
                        sets[at + number / 32] |= 1 << (number % 32);
                    }
                }
            }
        });
    }

    /// Lists the kinds of all items. Returns false if the kinds are too many.
    fn find(&mut self, kinds: impl Iterator<Item = FilterKind>) -> bool {
        self.kinds.clear();
        let mut last = None;
        for kind in kinds.filter(|kind| last.replace(*kind) != Some(*kind)) {
            if let Err(place) = self.kinds.binary_search(&kind) {
                // As many kinds as classes, and a kind for the filters without a class.
                if self.kinds.len() > MAX_CLASSES {
                    return false;
                }
                self.kinds.insert(place, kind);
            }
        }
        true
    }

    /// Adds the kinds of the items at some places to all nodes around them. Returns false if a kind
    /// is new.
    pub(in crate::grid) fn add(
        &mut self,
        tree: &BoxTree,
        places: Range<usize>,
        kind_of: impl Fn(usize) -> FilterKind,
    ) -> bool {
        let Self { kinds, sets, words } = self;
        for place in places {
            // A query that meets a kind also meets the kind without the owner.
            let kind = kind_of(place);
            let found = kinds.binary_search(&kind);
            let Ok(number) = found.or_else(|_| kinds.binary_search(&kind.of_any_owner())) else {
                return false;
            };
            tree.around(place, |node| sets[node * *words + number / 32] |= 1 << (number % 32));
        }
        true
    }

    /// Replaces `met` by the bits of the kinds that a query meets.
    pub(in crate::grid) fn list_met(&self, meets: &dyn Fn(FilterKind) -> bool, met: &mut Vec<u32>) {
        met.clear();
        met.resize(self.words, 0);
        for (number, kind) in self.kinds.iter().enumerate() {
            met[number / 32] |= u32::from(meets(*kind)) << (number % 32);
        }
    }

    /// Whether a kind of `met` is below the node with a number.
    #[inline]
    pub(in crate::grid) fn meet(&self, node: usize, met: &[u32]) -> bool {
        let below = &self.sets[node * self.words..][..self.words];
        below.iter().zip(met).any(|(below, met)| below & met != 0)
    }
}
