//! Ground of three kinds: a floor without an end, a chain of hills, and a rock with a hole.
//!
//! Run with `cargo run --release --example terrain --features outlines`.

use widephase::{
    Detector, Index, Queries, Ray, Shapes,
    shape::{Aabb, Chain, Circle, Compound, HalfPlane, Pose, Sides},
};

fn main() -> Result<(), widephase::Error> {
    // Hills from x = 0 to 1000, drawn from left to right: the left side is the upper side.
    let hills: Vec<[f32; 2]> =
        (0..=1000).map(|x| [x as f32, if x % 20 < 10 { 2.0 } else { 3.0 }]).collect();
    let mut ground = Shapes::new();
    let rows = ground.push_chain(&Chain::open(&hills)?.with_sides(Sides::Left))?;
    let floor = ground.push(HalfPlane::new([0.0, 1.0], -10.0))?;

    // A rock like a U, with a hole at the bottom: one body of convex parts.
    let outline = [
        [0.0, 0.0],
        [6.0, 0.0],
        [6.0, 6.0],
        [4.0, 6.0],
        [4.0, 3.0],
        [2.0, 3.0],
        [2.0, 6.0],
        [0.0, 6.0],
    ];
    let hole = [[2.0, 1.0], [4.0, 1.0], [3.0, 2.0]];
    let rock = Compound::from_outline(&outline, &[&hole])?;
    println!("the rock has {} convex parts", rock.parts().len());
    let rock_row = ground.push_at(&rock, Pose::at([30.0, -10.0]))?;
    println!("{} rows of ground: {} segments of a chain", ground.len(), rows.len());
    let index = Index::build(&ground)?;

    // A box that slides over the joints of a plain, sunk in by 0.1, and two balls below: one ball
    // has fallen into the rock, the other lies on the floor.
    let mut bodies = Shapes::new();
    for step in 0..80 {
        bodies.push(Aabb::new([1.0 + step as f32 * 0.05, 1.9], [2.5 + step as f32 * 0.05, 2.9]))?;
    }
    let ball = bodies.push(Circle::new([33.0, -6.05], 1.0))?;
    let stone = bodies.push(Circle::new([70.0, -9.5], 1.0))?;

    let (mut detector, mut contacts) = (Detector::new(), Vec::new());
    detector.contacts((&bodies, &index), 0.0, &mut contacts)?;
    let of = |row: u32| contacts.iter().filter(move |contact| contact.pair.a == row);
    let mut touched = 0;
    for row in 0..80 {
        assert!(of(row).count() > 0);
        for contact in of(row) {
            // From the box down to the ground, at every joint.
            assert_eq!(contact.normal().to_array(), [0.0, -1.0]);
            assert!((contact.depth - 0.1).abs() < 1e-6);
            touched += 1;
        }
    }
    println!("80 places of a box: {touched} contacts, all straight down");
    assert!(of(ball).all(|contact| contact.pair.b == rock_row));
    println!("the ball touches {} parts of the rock", of(ball).count());
    let resting: Vec<_> = of(stone).collect();
    assert_eq!((resting.len(), resting[0].pair.b, resting[0].depth), (1, floor, 0.5));

    // A ray from above ends at the chain; from below it passes, because only one side is solid.
    let down = index.cast_ray(Ray::new([505.0, 50.0], [0.0, -1.0]))?;
    assert_eq!(down.map(|hit| (rows.contains(&hit.row), hit.fraction)), Some((true, 48.0)));
    let up = index.cast_ray(Ray::new([505.0, -5.0], [0.0, 1.0]))?;
    assert_eq!(up, None);
    println!("a ray from above stops at the hills, and one from below passes them");
    Ok(())
}
