//! `Detector::grid_cells`: each shape is in one cell, the cell of its centre.
#![allow(clippy::unwrap_used, reason = "a panic is a failed test, in its helpers too")]

use common::{
    product,
    scene::{Scene, SceneKind},
};
use widephase::{Columns, Detector, GridCell, Options, options::CellSize};

/// The cells of a scene, and the centres of its shapes.
fn cells(kind: SceneKind, n: u32, cell_size: CellSize) -> (Vec<GridCell>, Vec<[f64; 2]>) {
    let scene = Scene::generate(kind, n, 5);
    let mut detector = Detector::with_options(Options { cell_size, ..Options::default() }).unwrap();
    detector.count(scene.columns()).unwrap();
    let mut cells = Vec::new();
    detector.grid_cells(&mut cells);
    let middle = |min: f32, max: f32| (f64::from(min) + f64::from(max)) / 2.0;
    let boxes = scene.rounded_boxes();
    let centers = boxes.iter().map(|b| [middle(b.min_x, b.max_x), middle(b.min_y, b.max_y)]);
    (cells, centers.collect())
}

/// The shapes with a centre in the cell whose sides are moved out by `by` of its size.
fn within(cell: &GridCell, centers: &[[f64; 2]], by: f64) -> u32 {
    let area = cell.area;
    let is_in = |at: f64, min: f32, max: f32| {
        let (min, max) = (f64::from(min), f64::from(max));
        let slack = (max - min) * by;
        min - slack <= at && at <= max + slack
    };
    let inside = centers
        .iter()
        .filter(|[x, y]| is_in(*x, area.min_x, area.max_x) && is_in(*y, area.min_y, area.max_y));
    inside.count() as u32
}

/// Cells hold shapes in their area; in a scene of one level, all of them.
#[test]
fn cells_hold_the_centres_in_their_area() {
    use SceneKind::{BorderLattice, GaussianClusters, MixedRotating, UniformBoxes, UniformCircles};
    let kinds = [UniformCircles, UniformBoxes, BorderLattice, MixedRotating, GaussianClusters];
    let cell_sizes = [CellSize::Auto, CellSize::Fixed(4.0)];
    for (kind, n, cell_size) in product((kinds, [65, 100, 1000], cell_sizes)) {
        let (cells, centers) = cells(kind, n, cell_size);
        assert_eq!(cells.iter().map(|cell| cell.shapes).sum::<u32>(), n);
        let one_level = cells.iter().all(|cell| cell.level == 0);
        assert!(one_level || kind == MixedRotating, "{kind} {n}");
        for cell in &cells {
            // Coordinates of clusters are up to 1.5e5, where numbers are 1/64 apart.
            let slack = if kind == GaussianClusters { 0.02 } else { 1e-4 };
            let [least, most] = [-slack, slack].map(|slack| within(cell, &centers, slack));
            let least = if one_level { least } else { 1 };
            let holds = (least..=most).contains(&cell.shapes);
            assert!(holds, "{kind} {n}: {cell:?}, {least} to {most}");
        }
    }
}

/// Sizes of 1 to 32 are in two levels, and the cells of the coarser level are larger.
#[test]
fn sizes_have_levels() {
    let (cells, centers) = cells(SceneKind::BimodalCircles, 2000, CellSize::Auto);
    let width = |cell: &GridCell| cell.area.max_x - cell.area.min_x;
    let of = |level| cells.iter().filter(move |cell| cell.level == level);
    let shapes = [0, 1].map(|level| of(level).map(|cell| cell.shapes).sum::<u32>());
    assert_eq!(shapes, [1980, 20]);
    assert!(cells.is_sorted_by_key(|cell| cell.level));
    assert!(of(0).map(width).fold(0.0, f32::max) < 16.0);
    assert!(of(1).map(width).fold(f32::INFINITY, f32::min) > 16.0);
    assert!(cells.iter().all(|cell| within(cell, &centers, 1e-4) >= cell.shapes));
}

#[test]
fn few_shapes_are_in_one_cell() {
    let mut detector = Detector::new();
    let mut cells = vec![GridCell { level: 0, area: Default::default(), shapes: 1 }];
    detector.grid_cells(&mut cells);
    assert_eq!(cells, []);
    detector.count(Columns::points(&[0.0, 9.0], &[1.0; 2]).unwrap()).unwrap();
    detector.grid_cells(&mut cells);
    let [GridCell { level: 0, area, shapes: 2 }] = cells[..] else { panic!("{cells:?}") };
    let sides = [area.min_x, area.min_y, -area.max_x, -area.max_y];
    assert_eq!(sides, [f32::NEG_INFINITY; 4]);
    detector.count(Columns::points(&[], &[]).unwrap()).unwrap();
    detector.grid_cells(&mut cells);
    assert_eq!(cells, []);
}
