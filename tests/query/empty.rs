//! Queries of an index without shapes find nothing, whether it was built or not.

use widephase::{
    Columns, Fan, Hit, Index, Lists, Neighbor, Queries, Ray, Shapes,
    columns::ScanColumns,
    shape::{Circle, Obb, Point, Pose, Rotation},
};

/// Indexes without shapes: never built, built of nothing or of vacant rows, and emptied.
fn indexes() -> [Index; 4] {
    let mut vacant = Shapes::new();
    vacant.push(Circle::new([0.0, 0.0], 1.0)).unwrap();
    vacant.remove(0).unwrap();
    let nothing = Columns::points(&[], &[]).unwrap();
    let mut emptied = Index::build(Columns::points(&[0.0], &[0.0]).unwrap()).unwrap();
    emptied.rebuild(nothing).unwrap();
    [Index::new(), Index::build(nothing).unwrap(), Index::build(&vacant).unwrap(), emptied]
}

#[test]
fn nothing_is_found_where_nothing_is() {
    let mut shapes = Shapes::new();
    shapes.push(Point::new([0.0, 0.0])).unwrap();
    shapes.push(Obb::new([0.0, 0.0], [1.0, 1.0], Rotation::from_angle(1.0))).unwrap();
    let rays = [Ray::new([0.0, 0.0], [1.0, 1.0]), Ray::default()];
    for index in indexes() {
        let mut rows = Lists::new();
        index.overlapping_batch(&shapes, &mut rows).unwrap();
        assert_eq!(rows.offsets(), [0, 0, 0]);
        let mut any = Vec::new();
        index.any_overlapping_batch(&shapes, &mut any).unwrap();
        assert_eq!(any, [None, None]);
        let mut hits: Vec<Option<Hit>> = Vec::new();
        index.cast_ray_batch(&rays, &mut hits).unwrap();
        assert_eq!(hits, [None, None]);
        let mut all: Lists<Hit> = Lists::new();
        index.cast_ray_all_batch(&rays, &mut all).unwrap();
        assert_eq!(all.offsets(), [0, 0, 0]);
        index.cast_shape_batch(&shapes, &[[0.0, 0.0], [1.0, 0.0]], 1.0, &mut hits).unwrap();
        assert_eq!(hits, [None, None]);
        let mut near: Lists<Neighbor> = Lists::new();
        index.k_nearest_batch(&shapes, 3, f32::INFINITY, &mut near).unwrap();
        assert_eq!(near.offsets(), [0, 0, 0]);
        index.k_nearest_of_rows(3, f32::INFINITY, &mut near).unwrap();
        assert!(near.items().is_empty());
        assert_eq!(index.nearest(Point::new([0.0, 0.0]), 1.0).unwrap(), None);
        assert_eq!(index.nearest_iter(Point::new([0.0, 0.0]), 1.0).unwrap().next(), None);
        assert!(!index.hits_any(rays[0]).unwrap());
        let mut scan = ScanColumns::new();
        index.scan(&Fan::around(3, 9.0), &[Pose::default()], &mut scan).unwrap();
        assert_eq!((scan.range, scan.row), (vec![f32::INFINITY; 3], vec![ScanColumns::NO_ROW; 3]));
    }
}
