//! The Minkowski sum of two rounded boxes: the positions of one centre at which the boxes touch.

use widephase::{
    Error, Touching,
    narrowphase::touches,
    shape::{Aabb, Pose, Posed, RoundedBox},
};

use super::{
    contact_of,
    picture::{Anchor, Picture},
};

/// The numbers of the positions at which the moving shape is drawn.
const SHOWN: [usize; 5] = [10, 18, 27, 34, 43];

pub(crate) fn figure() -> Result<String, Error> {
    let mut picture = Picture::new(720.0, 540.0);
    picture.look([360.0, 232.0], 66.0);
    let fixed = RoundedBox::new(Aabb::new([-1.2, -0.6], [1.2, 0.6]), 0.4);
    let half = [0.5, 0.55];
    let moving = RoundedBox::new(Aabb::new([-half[0], -half[1]], half), 0.25);

    // The first position, from far out towards the centre, at which the engine reports a touch.
    let mut border = Vec::new();
    for i in 0..48 {
        border.push(first_touch(fixed, moving, around(i as f32 / 48.0))?);
    }

    for i in SHOWN {
        picture.shape("b", moving, border[i]);
    }
    picture.shape("a", fixed, [0.0, 0.0]);
    picture.shape("core", fixed.core(), [0.0, 0.0]);
    let core = Aabb::new(
        [fixed.min_x - half[0], fixed.min_y - half[1]],
        [fixed.max_x + half[0], fixed.max_y + half[1]],
    );
    let sum = RoundedBox::new(core, fixed.radius + moving.radius);
    picture.shape("core", core, [0.0, 0.0]);
    picture.shape("sum", sum, [0.0, 0.0]);
    for (i, &center) in border.iter().enumerate() {
        let placed = moved(moving, center);
        let contact = contact_of(fixed, placed, 0.01)?;
        if SHOWN.contains(&i)
            && let Some(contact) = contact
        {
            picture.shape("core", placed.core(), [0.0, 0.0]);
            for point in contact.points() {
                picture.disc("point", [point.x, point.y], 3.5);
            }
        }
        picture.disc("found", center, 3.2);
    }

    let left = Anchor::Left;
    picture.text("", [0.0, 0.0], [0.0, 4.0], Anchor::Middle, format_args!("fixed"));
    picture.text("", border[SHOWN[0]], [56.0, 4.0], left, format_args!("moving"));
    let (width, height) = (core.max_x - core.min_x, core.max_y - core.min_y);
    picture.look([20.0, 0.0], 1.0);
    let mut row = 0.0;
    let mut say = |picture: &mut Picture, class: &str, line: String| {
        row += 20.0;
        picture.text(class, [0.0, -row], [0.0, 428.0], left, format_args!("{line}"));
    };
    let say_size = |name: &str, shape: RoundedBox| {
        let (width, height) = (shape.max_x - shape.min_x, shape.max_y - shape.min_y);
        format!("{name}: core {width:.1} × {height:.1}, radius {:.2}", shape.radius)
    };
    say(&mut picture, "", say_size("fixed", fixed));
    say(&mut picture, "", say_size("moving", moving));
    say(
        &mut picture,
        "title",
        format!("sum: core {width:.1} × {height:.1}, radius {:.2}", sum.radius),
    );
    picture.look([20.0, 524.0], 1.0);
    picture.disc("found", [5.0, 4.0], 3.2);
    picture.text(
        "",
        [15.0, 0.0],
        [0.0, 0.0],
        left,
        format_args!("centre where the test first says yes"),
    );
    picture.disc("point", [310.0, 4.0], 3.5);
    picture.text("", [320.0, 0.0], [0.0, 0.0], left, format_args!("contact points there"));
    Ok(picture.finish(
        "The Minkowski sum of two rounded boxes is a rounded box: the centre of the moving one traces \
         its border",
    ))
}

fn moved(shape: RoundedBox, [x, y]: [f32; 2]) -> RoundedBox {
    let RoundedBox { min_x, min_y, max_x, max_y, radius } = shape;
    RoundedBox { min_x: min_x + x, min_y: min_y + y, max_x: max_x + x, max_y: max_y + y, radius }
}

/// A point on a large square around the origin, `share` of the way round.
fn around(share: f32) -> [f32; 2] {
    let along = share * 4.0;
    let side = along as u32;
    let t = (along - side as f32) * 2.0 - 1.0;
    match side {
        0 => [5.0, 5.0 * t],
        1 => [-5.0 * t, 5.0],
        2 => [-5.0, -5.0 * t],
        _ => [5.0 * t, -5.0],
    }
}

/// The first position of the centre of `moving`, from `far` to the origin, at which it touches
/// `fixed`.
fn first_touch(fixed: RoundedBox, moving: RoundedBox, far: [f32; 2]) -> Result<[f32; 2], Error> {
    let fixed = Posed::from(fixed);
    let mut moving = Posed::from(moving);
    let (mut inside, mut outside) = (0.0, 1.0);
    for _ in 0..20 {
        let share = 0.5 * (inside + outside);
        moving.pose = Some(Pose::at(far.map(|value| value * share)));
        if touches(fixed, moving, Touching::Inclusive)? {
            inside = share;
        } else {
            outside = share;
        }
    }
    Ok(far.map(|value| value * inside))
}
