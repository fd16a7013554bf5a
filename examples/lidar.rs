//! Lidars: robots that scan a map of walls and bodies that move in it. The last scans are drawn
//! into `target/lidar.svg`.
//!
//! `cargo run --release --example lidar`
//!
//! It shows two indexes: an index of the walls, which is built once, and an index of the bodies,
//! which is rebuilt at each step. Each index is scanned for all robots in one call. A ray ends at
//! the smaller of its two ranges. It also shows shape casts: no body tunnels through a wall,
//! however fast it is.

use std::{fmt::Write, fs, time::Instant};

use widephase::{
    Columns, Fan, Index, Queries,
    columns::ScanColumns,
    shape::{Pose, Rotation},
};

const BODIES: usize = 150;
const RADIUS: f32 = 0.3;
const ROBOTS: usize = 4;
const RAYS: usize = 360;
const RANGE: f32 = 12.0;
const STEPS: usize = 200;

/// The walls, as polylines: the room, and the obstacles in it.
const WALLS: [&[[f32; 2]]; 4] = [
    &[
        [-20.0, -12.0],
        [14.0, -12.0],
        [20.0, -6.0],
        [20.0, 12.0],
        [-14.0, 12.0],
        [-20.0, 6.0],
        [-20.0, -12.0],
    ],
    &[[-14.0, -4.0], [-8.0, -4.0], [-8.0, 3.0], [-11.0, 5.0]],
    &[[2.0, 12.0], [2.0, 5.0], [5.0, 5.0]],
    &[[4.0, -8.0], [9.0, -3.0], [14.0, -3.0], [14.0, 2.0]],
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Each two points in turn of a polyline are a segment. No ray passes between two segments that
    // share a point.
    let ends = WALLS.iter().flat_map(|line| line.windows(2));
    let [mut ax, mut ay, mut bx, mut by] = [const { Vec::new() }; 4];
    for end in ends {
        ax.push(end[0][0]);
        ay.push(end[0][1]);
        bx.push(end[1][0]);
        by.push(end[1][1]);
    }
    let map = Index::build(Columns::segments(&ax, &ay, &bx, &by)?)?;

    let mut x: Vec<f32> = (0..BODIES).map(|i| (i % 15) as f32 * 2.0 - 15.4).collect();
    let mut y: Vec<f32> = (0..BODIES).map(|i| (i / 15) as f32 * 2.0 - 9.3).collect();
    let mut speeds: Vec<[f32; 2]> =
        (0..BODIES).map(|i| [(i % 7) as f32 * 0.05 - 0.15, (i % 5) as f32 * 0.06 - 0.11]).collect();
    let radius = vec![RADIUS; BODIES];

    // Keep the values that have memory.
    let (mut bodies, mut hits) = (Index::new(), Vec::new());
    let fan = Fan::around(RAYS, RANGE);
    let (mut walls_seen, mut scan) = (ScanColumns::new(), ScanColumns::new());
    let mut robots = [Pose::at([0.0, 0.0]); ROBOTS];
    let start = Instant::now();
    for step in 0..STEPS {
        // A body whose way is free takes it. A body that hits a wall on the way is reflected there.
        map.cast_shape_batch(Columns::circles(&x, &y, &radius)?, &speeds, 1.0, &mut hits)?;
        for (body, hit) in hits.iter().enumerate() {
            let [dx, dy] = speeds[body];
            let towards = hit.map_or(0.0, |hit| dx * hit.normal_x + dy * hit.normal_y);
            match hit {
                Some(hit) if towards < 0.0 => {
                    let back = -2.0 * towards;
                    speeds[body] = [dx + back * hit.normal_x, dy + back * hit.normal_y];
                }
                _ => {
                    x[body] += dx;
                    y[body] += dy;
                }
            }
        }
        bodies.rebuild(Columns::circles(&x, &y, &radius)?)?;

        // The robots drive in circles. They are not in the index: each would see itself at range 0.
        for (number, robot) in robots.iter_mut().enumerate() {
            let heading = Rotation::from_angle(0.02 * step as f32 + number as f32);
            let middle = [[-15.0, 0.0], [-2.0, -5.0], [-3.0, 7.0], [15.0, 7.0]][number];
            let [out_x, out_y] = heading.apply([0.0, -2.0]);
            *robot = Pose::new([middle[0] + out_x, middle[1] + out_y], heading);
        }
        map.scan(&fan, &robots, &mut walls_seen)?;
        bodies.scan(&fan, &robots, &mut scan)?;
        for (range, wall) in scan.range.iter_mut().zip(&walls_seen.range) {
            *range = range.min(*wall);
        }
    }
    let micros = start.elapsed().as_secs_f64() * 1e6 / STEPS as f64;
    let rays = ROBOTS * RAYS;
    let hit = scan.range.iter().filter(|range| range.is_finite()).count();
    println!("{STEPS} steps of {BODIES} bodies and {rays} rays: {micros:.0} µs a step");
    println!("{hit} rays of the last step hit something within {RANGE}");

    fs::create_dir_all("target")?;
    fs::write("target/lidar.svg", picture([&x, &y], &fan, &robots, &scan.range)?)?;
    println!("drawn: target/lidar.svg");
    Ok(())
}

/// The walls, the bodies, and the scan of each robot.
fn picture(
    [x, y]: [&[f32]; 2],
    fan: &Fan,
    robots: &[Pose],
    ranges: &[f32],
) -> Result<String, std::fmt::Error> {
    let mut svg = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-21 -13 42 26\" width=\"840\" height=\"520\">\n\
         <g transform=\"scale(1 -1)\" stroke-width=\"0.06\">\n",
    );
    for (robot, ranges) in robots.iter().zip(ranges.chunks_exact(fan.rays())) {
        // The corners of the area that the robot sees: where its rays end.
        write!(svg, "<polygon fill=\"#2a5a9c\" fill-opacity=\"0.2\" points=\"")?;
        for (number, range) in ranges.iter().enumerate() {
            // A ray of a fan has a direction of length 1, so a fraction is a distance.
            let end = fan.ray(*robot, number).at(range.min(RANGE));
            write!(svg, "{:.2},{:.2} ", end.x, end.y)?;
        }
        writeln!(svg, "\"/>")?;
        let [x, y] = [robot.x, robot.y];
        writeln!(svg, "<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"0.25\" fill=\"#c1272d\"/>")?;
    }
    for (x, y) in x.iter().zip(y) {
        writeln!(svg, "<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{RADIUS}\" fill=\"#a85f14\"/>")?;
    }
    for line in WALLS {
        let points: Vec<String> = line.iter().map(|[x, y]| format!("{x},{y}")).collect();
        let points = points.join(" ");
        writeln!(svg, "<polyline fill=\"none\" stroke=\"#222\" points=\"{points}\"/>")?;
    }
    svg.push_str("</g>\n</svg>\n");
    Ok(svg)
}
