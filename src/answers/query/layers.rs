//! The layers of an index: each layer is asked, and the answers are put together.

use super::IndexView;
use crate::{
    base::Pair,
    error::{Error, limit::Listed},
    lists::Lists,
};

/// Replaces answers by better answers of a layer. Before the first layer, there are no answers.
type AskLayer<'f, 'a, T> = dyn FnMut(&IndexView<'a>, &mut Vec<T>) -> Result<(), Error> + 'f;

/// Replaces lists by the lists of a layer. It also gets the lists of the first layer, but for the
/// first layer.
type ListLayer<'f, 'a, T> =
    dyn FnMut(&IndexView<'a>, Option<&Lists<T>>, &mut Lists<T>) -> Result<(), Error> + 'f;

impl<'a> IndexView<'a> {
    /// The same shapes, layer by layer.
    #[inline]
    pub(super) fn layers(&self) -> impl Iterator<Item = IndexView<'a>> + use<'a> {
        let view = *self;
        view.index.layers().map(move |layer| Self { layer, ..view })
    }

    /// Replaces `out` by the best answers of all layers to the queries of a batch.
    pub(super) fn best_of_layers<T>(
        &self,
        out: &mut Vec<T>,
        ask: &mut AskLayer<'_, 'a, T>,
    ) -> Result<(), Error> {
        out.clear();
        self.index.ready()?;
        let result = self.layers().try_for_each(|view| ask(&view, out));
        if result.is_err() {
            out.clear();
        }
        result
    }

    /// Replaces `lists` by the lists of a batch, joined from the lists of all layers. `arrange`
    /// gets the items of a list, orders them, and may drop the last items. There are at most `most`
    /// items.
    pub(super) fn lists_of_layers<T: Copy>(
        &self,
        lists: &mut Lists<T>,
        most: usize,
        ask: &mut ListLayer<'_, 'a, T>,
        arrange: &dyn Fn(&mut Vec<T>, usize),
    ) -> Result<(), Error> {
        self.index.ready()?;
        if !self.index.has_layers() {
            return ask(self, None, lists);
        }
        let (mut found, mut beyond) = (0, false);
        let mut all: Vec<Lists<T>> = Vec::new();
        for view in self.layers() {
            let mut own = Lists::new();
            match ask(&view, all.first(), &mut own) {
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
