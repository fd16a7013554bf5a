//! The guides of the book, from `docs/` of the repository.
//!
//! | guide | content |
//! |---|---|
//! | [`tour`] | From nothing to a program that finds touching shapes; which part to use |
//! | [`shapes`] | Kinds of shapes, their values and poses, and how to move them |
//! | [`terrain`] | Chains, half-planes and outlines |
//! | [`queries`] | The queries of an index: what the answers mean, and what they cost |
//! | [`world`] | Bodies with handles, steps, events, snapshots |
//! | [`api`] | The rules behind the names, the verbs, errors, reasons |
//! | [`faq`] | Questions and answers |
//! | [`migration`] | The calls of other libraries, and the calls to write instead |
//! | [`numerics`] | The numeric contract |
//! | [`memory`] | Bytes and allocations |
//! | [`glossary`] | Terms |
//!
//! # Other pages
//!
//! These pages are only in the repository: `docs/grid.md` (the grid), `docs/cli.md` (the
//! command), `docs/narrowphase.md`, `docs/peers.md` and `docs/performance.md` (measurements),
//! `docs/portability.md`, `docs/scale.md` (more shapes than one call holds), `docs/simd.md`, and
//! `benches/peers/README.md`. Pictures of the guides are in `docs/figures`.
//!
//! # Programs
//!
//! `examples/` of the repository has the programs that guides name, `examples/ecs` has a program
//! with an ECS. `cargo run --release --example NAME` runs a program.

/// A module for each guide. Links of a guide are labels that its last lines define. The definitions
/// of `links.md` come first, so they take precedence, and lead to items of the documentation.
macro_rules! guides {
    ($($name:ident $file:literal)*) => {$(
        #[doc = include_str!("links.md")]
        #[doc = include_str!($file)]
        pub mod $name {}
    )*};
}

guides! {
    api "../../docs/api.md"
    faq "../../docs/faq.md"
    glossary "../../docs/glossary.md"
    memory "../../docs/memory.md"
    migration "../../docs/migration.md"
    numerics "../../docs/numerics.md"
    queries "../../docs/queries.md"
    shapes "../../docs/shapes.md"
    terrain "../../docs/terrain.md"
    tour "../../docs/tour.md"
    world "../../docs/world.md"
}
