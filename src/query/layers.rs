//! The layers of an index: each is asked, and the answers are put together.

use super::IndexView;
use crate::{Error, Pair, error::limit::Listed, lists::Lists};

/// Replaces answers by the answers of a layer.
type AskLayer<'f, 'a, A> = dyn FnMut(&IndexView<'a>, &mut A) -> Result<(), Error> + 'f;

impl<'a> IndexView<'a> {
    /// The same shapes, layer by layer.
    #[inline]
    pub(super) fn layers(&self) -> impl Iterator<Item = IndexView<'a>> + use<'a> {
        let view = *self;
        view.index.layers().map(move |layer| Self { layer, ..view })
    }

    /// Replaces `out` by the answers of a batch, for each query the better one of all layers: the
    /// first one, unless it is `worse` than the second one.
    pub(super) fn best_of_layers<T: Copy>(
        &self,
        out: &mut Vec<T>,
        ask: &mut AskLayer<'_, 'a, Vec<T>>,
        worse: &dyn Fn(&T, &T) -> bool,
    ) -> Result<(), Error> {
        self.index.ready()?;
        for view in self.layers() {
            if view.layer == 0 {
                ask(&view, out)?;
                continue;
            }
            let mut more = Vec::new();
            if let Err(error) = ask(&view, &mut more) {
                out.clear();
                return Err(error);
            }
            for (best, other) in out.iter_mut().zip(&more) {
                if worse(best, other) {
                    *best = *other;
                }
            }
        }
        Ok(())
    }

    /// Replaces `lists` by the lists of a batch: those of all layers, each in order by `arrange`,
    /// which gets the items of a list and may drop the last ones. There are at most `most` items.
    pub(super) fn lists_of_layers<T: Copy>(
        &self,
        lists: &mut Lists<T>,
        most: usize,
        ask: &mut AskLayer<'_, 'a, Lists<T>>,
        arrange: &dyn Fn(&mut Vec<T>, usize),
    ) -> Result<(), Error> {
        self.index.ready()?;
        if !self.index.has_changed() {
            return ask(self, lists);
        }
        let (mut found, mut beyond) = (0, false);
        let mut all: Vec<Lists<T>> = Vec::new();
        for view in self.layers() {
            let mut own = Lists::new();
            match ask(&view, &mut own) {
                Ok(()) => found += own.items().len() as u64,
                Err(Error::TooManyPairs { found: own, .. }) => {
                    (found, beyond) = (found + own, true)
                }
                Err(error) => {
                    lists.clear();
                    return Err(error);
                }
            }
            all.push(own);
        }
        lists.clear();
        if beyond || found > most as u64 {
            lists.give_back();
            return Err(Pair::too_many(most, found));
        }
        let queries = all.first().map_or(0, Lists::len);
        lists.make_room(queries, found as usize).map_err(|len| Error::OutOfMemory { len })?;
        for query in 0..queries {
            let begin = lists.items().len();
            for own in &all {
                lists.open().extend_from_slice(own.get(query));
            }
            arrange(lists.open(), begin);
            lists.end_list();
        }
        Ok(())
    }
}
