//! A segment is hit from both sides, and its normal is the normal of the side that the ray comes
//! from.

use widephase::{Columns, Index, Queries, Ray};

#[test]
fn normals_of_segments_face_the_ray() {
    let up = 0.5_f32.sqrt();
    // Two diagonals, each in both directions.
    for ([ax, ay], [bx, by], [normal_x, normal_y]) in [
        ([6.0, -1.0], [8.0, 1.0], [-up, up]),
        ([8.0, 1.0], [6.0, -1.0], [-up, up]),
        ([6.0, 1.0], [8.0, -1.0], [-up, -up]),
        ([8.0, -1.0], [6.0, 1.0], [-up, -up]),
    ] {
        let index = Index::build(Columns::segments(&[ax], &[ay], &[bx], &[by]).unwrap()).unwrap();
        for (x, direction, sign) in [(0.0, 1.0, 1.0), (9.0, -1.0, -1.0)] {
            // Through the middle, and through each end.
            for at in [[7.0, 0.0], [ax, ay], [bx, by]] {
                let ray = Ray::new([x, at[1]], [direction, 0.0]);
                let hit = index.cast_ray(ray).unwrap().unwrap();
                assert_eq!(hit.position().to_array(), at);
                let expected = [sign * normal_x, sign * normal_y];
                assert_eq!(hit.normal().to_array(), expected, "{ray:?} to {at:?}");
            }
        }
    }
}
