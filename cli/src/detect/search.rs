//! Pairs and contacts of the inputs.

use anyhow::Result;
use widephase::{
    Columns, Contact, Detector, Index, Options, Pair, Scope,
    doubles::{DoubleDetector, DoubleIndex, DoubleScope, Origin},
};

use super::{
    decided::{Decided, Rule},
    distances::Distances,
    list::{Listed, Values},
    shapes::{Exact, Single, Source},
    tiled,
};
use crate::{
    args::DetectArgs,
    earth::{Globe, Near, Places},
    table::ShapeRange,
};

/// The shapes to detect, and how.
pub(super) struct Search<'a> {
    pub(super) shapes: &'a Source,
    /// The shapes that they are paired with, unless with each other.
    pub(super) against: Option<&'a Source>,
    numbers: Numbers<'a>,
    options: Options,
    /// The number of tiles, unless all shapes are detected at once.
    pub(super) tiles: Option<usize>,
    /// A note about the numbers.
    pub(super) note: Option<String>,
    pub(super) args: &'a DetectArgs,
}

/// The numbers of the shapes.
enum Numbers<'a> {
    /// Their own.
    Exact(Exact<'a>, Box<DoubleIndex>),
    /// Degrees: places on the globe, and other places that they are paired with.
    Degrees { globe: Box<Globe>, from: Option<Places> },
    /// `f32`, relative to an origin.
    Single { columns: Columns<'a>, index: Option<Box<Index>>, origin: Origin },
}

/// The memory of a search.
#[derive(Default)]
pub(super) struct Work<'a> {
    shapes: Option<Single<'a>>,
}

impl<'a> Search<'a> {
    /// Chooses the numbers and the tiles, and sorts the shapes that other shapes are paired with.
    pub(super) fn new(
        shapes: &'a Source,
        against: Option<&'a Source>,
        options: Options,
        args: &'a DetectArgs,
        work: &'a mut Work<'a>,
    ) -> Result<Self> {
        let figures = shapes.figures().zip(against.unwrap_or(shapes).figures());
        let figures = figures.map(|(own, others)| [own, others]);
        let both = match (shapes.exact()?, against.map(Source::exact).transpose()?) {
            (Some(shapes), None) => Some(Exact { shapes, against: None, figures }),
            (Some(shapes), Some(Some(others))) => {
                Some(Exact { shapes, against: Some(others), figures })
            }
            _ => None,
        };
        let mut note = None;
        let numbers = match both.filter(|_| !args.contacts) {
            Some(_) if args.metres => degrees(shapes, against, options)?,
            Some(exact) => {
                let options = exact.options(options);
                let mut index = Box::new(DoubleIndex::with_options(options.into())?);
                if let Some(others) = exact.against {
                    index.rebuild(others)?;
                }
                Numbers::Exact(exact, index)
            }
            None => {
                let ranges = [Some(shapes), against].into_iter().flatten().map(Source::range);
                // Columns of f32 stay as they are, so other shapes are not moved either.
                let ranges: Vec<_> = ranges.collect::<Option<_>>().unwrap_or_default();
                let mut origins = ranges.iter().map(|range: &ShapeRange| range.origin());
                let is_far = |origin: &Origin| *origin != Origin::default();
                let origin = origins.find(is_far).unwrap_or_default();
                note = ranges.iter().find_map(|range| range.note(origin));
                let index = match against {
                    Some(others) => {
                        let mut index = Box::new(Index::with_options(options.into())?);
                        index.rebuild(others.single(origin)?.columns()?)?;
                        Some(index)
                    }
                    None => None,
                };
                let columns = work.shapes.insert(shapes.single(origin)?).columns()?;
                Numbers::Single { columns, index, origin }
            }
        };
        let is_double = matches!(numbers, Numbers::Exact(..));
        let tiles = match (args.tiles, args.memory) {
            (Some(tiles), _) => Some(tiles.get() as usize),
            (None, Some(memory)) => Some(tiled::tiles_within(memory, shapes.len(), is_double)?),
            (None, None) => None,
        };
        Ok(Self { shapes, against, numbers, options, tiles, note, args })
    }

    /// Where the values of items come from.
    pub(super) fn values(&self) -> Values<'_> {
        let values = match &self.numbers {
            Numbers::Exact(exact, _) => {
                Values { origin: Origin::default(), distance: Some(Distances::Exact(exact)) }
            }
            Numbers::Degrees { globe, from } => {
                let from = from.as_ref().unwrap_or(globe.places());
                let distance = Some(Distances::Degrees(from, globe.places()));
                Values { origin: Origin::default(), distance }
            }
            Numbers::Single { origin, .. } => Values { origin: *origin, distance: None },
        };
        Values { distance: values.distance.filter(|_| self.args.distance), ..values }
    }

    /// Calls `each` with all pairs of shapes in their own numbers, or of boxes around figures.
    fn each_exact(
        &self,
        exact: &Exact<'_>,
        index: &DoubleIndex,
        distance: f64,
        each: &mut dyn FnMut(Pair) -> Result<()>,
    ) -> Result<u64> {
        let options = exact.options(self.options);
        if let Some(tiles) = self.tiles {
            return tiled::each_exact(exact.shapes, distance, tiles, &options, each);
        }
        let mut detector = DoubleDetector::with_options(options)?;
        let scope = match exact.against {
            Some(_) => DoubleScope::from((exact.shapes, index)),
            None => exact.shapes.into(),
        };
        detector.for_each_pair(scope.within(distance), each)?
    }

    /// Calls `each` with all items in `f32`.
    fn each_single<T: Listed>(&self, each: impl FnMut(T) -> Result<()>) -> Result<u64> {
        let Self { numbers, options, tiles, args, .. } = self;
        let Numbers::Single { columns, index, .. } = numbers else { return Ok(0) };
        if let Some(tiles) = tiles {
            return tiled::each(*columns, *tiles, options, args.margin, each);
        }
        let mut detector = Detector::with_options(*options)?;
        let scope: Scope<'_> = match index {
            Some(index) => (*columns, &**index).into(),
            None => (*columns).into(),
        };
        T::find(&mut detector, scope, args.margin, each)?
    }
}

/// An item that a search finds.
pub(super) trait Found: Listed {
    /// Calls `each` with all items. Returns their number.
    fn each(search: &Search<'_>, each: impl FnMut(Self) -> Result<()>) -> Result<u64>;
}

impl Found for Contact {
    fn each(search: &Search<'_>, each: impl FnMut(Self) -> Result<()>) -> Result<u64> {
        search.each_single(each)
    }
}

impl Found for Pair {
    fn each(search: &Search<'_>, mut each: impl FnMut(Self) -> Result<()>) -> Result<u64> {
        let Search { numbers, options, args, .. } = search;
        let distance = args.within.unwrap_or(0.0);
        if let Numbers::Degrees { globe, from } = numbers {
            return each_near(globe, from.as_ref(), distance, *options, each);
        }
        let Numbers::Exact(exact, index) = numbers else { return search.each_single(each) };
        let Some(figures) = exact.figures else {
            return search.each_exact(exact, index, distance, &mut each);
        };
        let rule = Rule { figures, margin: distance, touching: options.touching };
        let mut decided = Decided::new(rule, each);
        search.each_exact(exact, index, distance, &mut |pair| decided.take(pair))?;
        decided.finish()
    }
}

/// The places of one or two sources on the globe.
fn degrees<'a>(shapes: &Source, against: Option<&Source>, options: Options) -> Result<Numbers<'a>> {
    let places = |source: &Source| Places::of(source.boxes().iter().map(|shape| shape.min));
    let globe = Globe::new(places(against.unwrap_or(shapes)), options.into())?;
    Ok(Numbers::Degrees { globe: globe.into(), from: against.map(|_| places(shapes)) })
}

/// Calls `each` with the pairs of places within a distance in metres: of places `from` with places
/// of a globe, or of the places of the globe with each other. Returns their number.
fn each_near(
    globe: &Globe,
    from: Option<&Places>,
    distance: f64,
    options: Options,
    mut each: impl FnMut(Pair) -> Result<()>,
) -> Result<u64> {
    let mut found = 0;
    let is_one = from.is_none();
    globe.each_within(
        from.unwrap_or(globe.places()),
        |_| distance,
        options,
        |near| {
            let Near { a, b, .. } = near;
            // In one set, each place is also near itself, and each pair comes in both orders.
            if is_one && a >= b {
                return Ok(());
            }
            found += 1;
            each(Pair { a, b })
        },
    )?;
    Ok(found)
}
