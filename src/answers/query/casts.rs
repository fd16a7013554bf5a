//! Casts: the shapes that a shape hits when it moves along a translation.

use std::cell::OnceCell;

use super::{
    IndexView,
    batch::{fill, list},
    rays::CastDisc,
    record::{First, keep_first_of_each_row},
    search::{IndexSearch, QueryShapes},
    solids::Solids,
};
use crate::{
    error::{
        Error, Field,
        limit::{no_memory, try_push, try_resize},
    },
    geometry::Vector,
    lists::Lists,
    narrowphase::{
        CastOptions, Contact, Hit, OneShape, PairQuery, Probe, RelativeMotion, Set, SolidWorkspace,
        Sources, each_part, stop_of_aligned,
    },
    shape::{Pose, Posed, RoundedBox},
    store::Columns,
};

pub(super) fn cast_shape(
    view: &IndexView<'_>,
    shape: Posed<'_>,
    translation: [f32; 2],
    options: CastOptions,
) -> Result<Option<Hit>, Error> {
    options.check(0, translation)?;
    let (mut first, mut workspace) = (First::default(), SolidWorkspace::default());
    let motion = RelativeMotion::new(translation, &options);
    view.with_shape(shape, |view, probe| {
        if view.covers(|| swept(probe, &motion, &first)) {
            let search = view.search();
            let solids = search.solids();
            Cast::new(&search, &solids, probe, &motion).first(&mut first, &mut workspace);
        }
    })?;
    Ok(first.hit())
}

pub(super) fn cast_shape_all(
    view: &IndexView<'_>,
    shape: Posed<'_>,
    translation: [f32; 2],
    options: CastOptions,
    hits: &mut Vec<Hit>,
) -> Result<(), Error> {
    hits.clear();
    options.check(0, translation)?;
    let (mut found, mut workspace) = (Ok(()), SolidWorkspace::default());
    let motion = RelativeMotion::new(translation, &options);
    view.with_shape(shape, |view, probe| {
        if view.covers(|| swept(probe, &motion, &First::default())) {
            let search = view.search();
            let solids = search.solids();
            let cast = Cast::new(&search, &solids, probe, &motion);
            found = found.and_then(|()| cast.all(&mut workspace, hits));
        }
    })?;
    if view.index.has_layers() {
        keep_first_of_each_row(hits, 0);
    }
    found.map_err(|len| {
        *hits = Vec::new();
        no_memory(len)
    })
}

pub(super) fn cast_shape_batch(
    view: &IndexView<'_>,
    shapes: Columns<'_>,
    translations: &[[f32; 2]],
    options: CastOptions,
    hits: &mut Vec<Option<Hit>>,
) -> Result<(), Error> {
    hits.clear();
    check(&shapes, translations, &options)?;
    let ask = &mut |view: &IndexView<'_>, hits: &mut Vec<Option<Hit>>| {
        QueryShapes::of(view, shapes, |search, batch| {
            try_resize(hits, translations.len(), None)?;
            fill(hits, batch.threads, &|query, hit, workspace| {
                let Some((search, probe)) = batch.query(search, query) else { return };
                let motion = RelativeMotion::new(translations[query], &options);
                let mut first = First(*hit);
                if search.covers(|| swept(&probe, &motion, &first)) {
                    let solids = search.solids();
                    Cast::new(&search, &solids, &probe, &motion).first(&mut first, workspace);
                    *hit = first.hit();
                }
            });
            Ok(())
        })?
    };
    view.best_of_layers(hits, ask)
}

pub(super) fn cast_shape_all_batch(
    view: &IndexView<'_>,
    shapes: Columns<'_>,
    translations: &[[f32; 2]],
    options: CastOptions,
    lists: &mut Lists<Hit>,
) -> Result<(), Error> {
    lists.clear();
    check(&shapes, translations, &options)?;
    let ask = &mut |view: &IndexView<'_>, _: Option<&_>, lists: &mut Lists<Hit>| {
        QueryShapes::of(view, shapes, |search, batch| {
            let (queries, threads) = (translations.len(), batch.threads);
            list(queries, threads, search.most(), lists, &|query, workspace, hits| {
                let Some((search, probe)) = batch.query(search, query) else { return Ok(()) };
                let motion = RelativeMotion::new(translations[query], &options);
                if !search.covers(|| swept(&probe, &motion, &First::default())) {
                    return Ok(());
                }
                let solids = search.solids();
                Cast::new(&search, &solids, &probe, &motion).all(workspace, hits)
            })
        })?
    };
    view.lists_of_layers(lists, view.search().most(), ask, &keep_first_of_each_row)
}

/// A shape that is moved by hand among the shapes that a view sees, cast by cast.
pub(crate) struct MovedShape<'a> {
    /// The search and the shapes of each layer.
    layers: Vec<(IndexSearch<'a>, Solids<'a>)>,
    shape: OneShape,
    workspace: SolidWorkspace,
}

impl<'a> MovedShape<'a> {
    pub(crate) fn new(view: &IndexView<'a>, shape: Posed<'_>) -> Result<Self, Error> {
        view.check(1)?;
        let searches = view.layers().map(|view| view.search());
        let layers = searches.map(|search| (search, search.solids())).collect();
        let shape = OneShape::new(0, shape)?;
        Ok(Self { layers, shape, workspace: SolidWorkspace::default() })
    }

    /// Moves the shape.
    pub(crate) fn set_pose(&mut self, pose: Pose) -> Result<(), Error> {
        self.shape.set_pose(pose)
    }

    /// The first shape that stops it on a translation: [`Queries::cast_shape`](crate::Queries).
    pub(crate) fn cast(
        &mut self,
        translation: [f32; 2],
        options: &CastOptions,
    ) -> Result<Option<Hit>, Error> {
        options.check(0, translation)?;
        let Self { layers, shape, workspace } = self;
        let (probe, mut first) = (shape.probe(), First::default());
        let motion = RelativeMotion::new(translation, options);
        for (search, solids) in layers {
            if search.covers(|| swept(&probe, &motion, &first)) {
                Cast::new(search, solids, &probe, &motion).first(&mut first, workspace);
            }
        }
        Ok(first.hit())
    }

    /// Replaces `hits` by each shape that stops it on a translation.
    pub(crate) fn cast_all(
        &mut self,
        translation: [f32; 2],
        options: &CastOptions,
        hits: &mut Vec<Hit>,
    ) -> Result<(), Error> {
        hits.clear();
        options.check(0, translation)?;
        let Self { layers, shape, workspace } = self;
        let (probe, motion) = (shape.probe(), RelativeMotion::new(translation, options));
        for (search, solids) in &*layers {
            if search.covers(|| swept(&probe, &motion, &First::default())) {
                let cast = Cast::new(search, solids, &probe, &motion);
                cast.all(workspace, hits).map_err(no_memory)?;
            }
        }
        if layers.len() > 1 {
            keep_first_of_each_row(hits, 0);
        }
        Ok(())
    }

    /// The deepest contact of it and a row, or `None` if they are more than `margin` apart:
    /// [`contact`](crate::narrowphase::contact()).
    pub(crate) fn contact(&self, row: u32, margin: f32) -> Option<Contact> {
        let probe = self.shape.probe();
        // The layers share the shapes by row.
        let (search, _) = self.layers.first()?;
        let query = search.contact_query(&probe, margin);
        if query.boxes_near([0, row as usize]) { query.deepest(row, &|_| true) } else { None }
    }
}

/// Checks that there is one translation for each shape, and their values.
fn check(
    shapes: &Columns<'_>,
    translations: &[[f32; 2]],
    options: &CastOptions,
) -> Result<(), Error> {
    Field::Dx.check_len(translations.len(), shapes.len())?;
    options.check(0, [0.0; 2])?;
    for (index, translation) in translations.iter().enumerate() {
        options.check(index, *translation)?;
    }
    Ok(())
}

/// A shape that is cast.
struct Cast<'a> {
    search: &'a IndexSearch<'a>,
    probe: &'a Probe<'a>,
    bounds: RoundedBox,
    solids: &'a Solids<'a>,
    motion: &'a RelativeMotion,
    /// Made when it is first wanted: between axis-aligned shapes, mostly only at the start.
    any_kind: OnceCell<AnyKind<'a>>,
}

/// The narrowphase query for shapes of any kinds.
struct AnyKind<'a> {
    query: PairQuery<'a>,
    own: Set<'a>,
    sources: Sources<'a>,
}

impl<'a> Cast<'a> {
    fn new(
        search: &'a IndexSearch<'a>,
        solids: &'a Solids<'a>,
        probe: &'a Probe<'a>,
        motion: &'a RelativeMotion,
    ) -> Self {
        let (bounds, any_kind) = (probe.bounds(), OnceCell::new());
        Self { search, probe, bounds, solids, motion, any_kind }
    }

    fn any_kind(&self) -> &AnyKind<'a> {
        self.any_kind.get_or_init(|| AnyKind {
            // The touching policy does not apply.
            query: self.search.contact_query(self.probe, 0.0),
            own: self.probe.set(),
            sources: self.probe.sources(),
        })
    }

    /// Offers each shape that may be the first one to stop it.
    fn first(&self, first: &mut First, workspace: &mut SolidWorkspace) {
        self.sweep(&mut |place, least| {
            let most = first.most(&self.motion.path);
            if least <= most {
                first.offer(self.hit(place, most, workspace));
            }
            first.limit(&self.motion.path)
        });
    }

    /// Appends a hit for each shape that stops it. On failure, returns the number for which there
    /// is no memory.
    fn all(&self, workspace: &mut SolidWorkspace, hits: &mut Vec<Hit>) -> Result<(), usize> {
        let (first, mut result) = (hits.len(), Ok(()));
        self.sweep(&mut |place, _| {
            if let Some(hit) = self.hit(place, self.motion.path.limit, workspace) {
                result = result.and_then(|()| try_push(hits, hit));
            }
            self.motion.path.limit
        });
        keep_first_of_each_row(hits, first);
        result
    }

    /// Passes the places of all shapes that the box around the moving shape may touch, and the
    /// least fraction at which they may touch.
    fn sweep(&self, each: &mut dyn FnMut(usize, f64) -> f64) {
        let (bounds, motion) = (&self.bounds, self.motion);
        if let Some(circles) = self.solids.circles()
            && let Some(center) = self.center_of_disc()
        {
            let (radius, gap) = (f64::from(bounds.radius), motion.gap);
            let disc = CastDisc { center, radius, gap, widened: motion.widened(bounds.radius) };
            return self.search.along_circles(&disc, &motion.path, circles, each);
        }
        let middle = |min: f32, max: f32| ((f64::from(min) + f64::from(max)) * 0.5) as f32;
        let center = [middle(bounds.min_x, bounds.max_x), middle(bounds.min_y, bounds.max_y)];
        // A core without an extent keeps it: arithmetic on the number next to 0 takes a CPU a
        // hundred times as long.
        let reach = |half: f32| if half == 0.0 { 0.0 } else { half.next_up() };
        let half = [
            reach((bounds.max_x - center[0]).max(center[0] - bounds.min_x)),
            reach((bounds.max_y - center[1]).max(center[1] - bounds.min_y)),
        ];
        let radius = motion.widened(bounds.radius);
        self.search.along(Vector::wide(center), half, radius, &motion.path, each);
    }

    /// The centre, if it is a disc.
    fn center_of_disc(&self) -> Option<Vector> {
        let RoundedBox { min_x, min_y, max_x, max_y, .. } = self.bounds;
        let is_disc = !self.probe.rotates() && min_x == max_x && min_y == max_y;
        is_disc.then(|| Vector::wide([min_x, min_y]))
    }

    /// Where the shape at a place stops it, at most at the fraction `most`.
    fn hit(&self, place: usize, most: f64, workspace: &mut SolidWorkspace) -> Option<Hit> {
        let Self { solids, motion, bounds, .. } = self;
        let row = !self.search.ids()[place];
        if let Some(other) = solids.aligned(place).filter(|_| !self.probe.rotates()) {
            let query = || &self.any_kind().query;
            return stop_of_aligned(motion, query, row, [*bounds, other], workspace);
        }
        let AnyKind { query, own, sources } = self.any_kind();
        motion.hit(query, row, most, workspace, &mut |[parts, own_parts], take| {
            let own_bounds = || motion.bounds_of_own(solids.near_box(place), most);
            each_part(own, 0, sources, own_bounds, f32::MAX, own_parts, &mut |part_a, solid| {
                let bounds = || motion.bounds(own.near_box_of(solid), most);
                solids.each(place, bounds, parts, &mut |part_b, other| {
                    take([part_a, part_b], solid, other);
                });
            });
        })
    }
}

/// The box around the shapes that may stop a shape before the first hit.
fn swept(probe: &Probe<'_>, motion: &RelativeMotion, first: &First) -> RoundedBox {
    let RoundedBox { min_x, min_y, max_x, max_y, radius } = probe.bounds();
    let (Vector { x, y }, most) = (motion.path.direction, first.most(&motion.path));
    let moved = |side: f32, by: f64| (f64::from(side) + by * most) as f32;
    RoundedBox {
        min_x: min_x.min(moved(min_x, x)),
        min_y: min_y.min(moved(min_y, y)),
        max_x: max_x.max(moved(max_x, x)),
        max_y: max_y.max(moved(max_y, y)),
        radius: motion.widened(radius),
    }
}
