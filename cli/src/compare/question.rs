//! The queries that `compare --queries` asks, and their answers.

use crate::scene::Scene;
use widephase::{
    Columns, Error, Fan, Hit, Index, Lists, Neighbor, Queries, columns::ScanColumns, shape::Pose,
};

use crate::{asked::Asked, bodies::center};

/// A query that is asked in batches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Question {
    Rays,
    Scans,
    Nearest,
    EightNearest,
    Overlaps,
    Casts,
}

/// The rays of a scan, and their range.
const BEAMS: usize = 90;
const RANGE: f32 = 30.0;

/// The share of a ray that a circle moves along it.
const MOVED: f32 = 0.1;

/// The size of boxes, and the radius of circles.
const SIDE: f32 = 2.0;
const RADIUS: f32 = 0.5;

impl Question {
    pub(super) const ALL: [Self; 6] =
        [Self::Rays, Self::Scans, Self::Nearest, Self::EightNearest, Self::Overlaps, Self::Casts];

    /// The name in tables and in JSON.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Rays => "rays",
            Self::Scans => "scans",
            Self::Nearest => "nearest",
            Self::EightNearest => "8-nearest",
            Self::Overlaps => "overlaps",
            Self::Casts => "casts",
        }
    }
}

/// The queries about a scene, as many of each kind as it has bodies; for scans, as many rays or up
/// to 89 more.
#[derive(Debug, Default)]
pub(super) struct Questions {
    asked: Asked,
    /// The sides of boxes around the points: left, lower, right, upper.
    boxes: [Vec<f32>; 4],
    sensors: Vec<Pose>,
    moves: Vec<[f32; 2]>,
}

impl Questions {
    /// Asks about the bodies where they are now.
    pub(super) fn fill(&mut self, scene: &Scene) {
        let centers: Vec<[f32; 2]> = match scene.shapes() {
            Some(shapes) => {
                let poses = (0..shapes.rows() as u32).filter_map(|row| shapes.pose(row));
                poses.map(|pose| [pose.x, pose.y]).collect()
            }
            None => scene.rounded_boxes().into_iter().map(center).collect(),
        };
        let [x, y] = [0, 1].map(|axis| centers.iter().map(|at| at[axis]).collect::<Vec<f32>>());
        let Self { asked, boxes, sensors, moves } = self;
        asked.fill_points([&x, &y]);
        asked.fill_rays([&x, &y]);
        let [x, y] = &asked.points;
        for (number, side) in boxes.iter_mut().enumerate() {
            let offset = if number < 2 { -SIDE / 2.0 } else { SIDE / 2.0 };
            side.clear();
            side.extend([x, y][number % 2].iter().map(|at| at + offset));
        }
        sensors.clear();
        let every = x.iter().zip(y).step_by(BEAMS);
        sensors.extend(every.map(|(&x, &y)| Pose::at([x, y])));
        moves.clear();
        moves.extend(asked.rays.iter().map(|ray| [ray.dx * MOVED, ray.dy * MOVED]));
    }

    /// How many there are of a query.
    pub(super) fn len(&self, question: Question) -> usize {
        match question {
            Question::Scans => self.sensors.len() * BEAMS,
            _ => self.asked.rays.len(),
        }
    }
}

/// The answers to each query, the memory of which is reused.
#[derive(Debug, Default)]
pub(super) struct Answers {
    hits: Vec<Option<Hit>>,
    scan: ScanColumns,
    nearest: Vec<Option<Neighbor>>,
    eight: Lists<Neighbor>,
    rows: Lists<u32>,
}

impl Answers {
    /// Replaces the answers to a query.
    pub(super) fn ask(
        &mut self,
        index: &Index,
        question: Question,
        questions: &Questions,
    ) -> Result<(), Error> {
        let Questions { asked: Asked { points: [x, y], rays }, boxes, sensors, moves } = questions;
        match question {
            Question::Rays => index.cast_ray_batch(rays, &mut self.hits),
            Question::Scans => index.scan(&Fan::around(BEAMS, RANGE), sensors, &mut self.scan),
            Question::Nearest => {
                index.nearest_batch(Columns::points(x, y)?, f32::INFINITY, &mut self.nearest)
            }
            Question::EightNearest => {
                index.k_nearest_batch(Columns::points(x, y)?, 8, f32::INFINITY, &mut self.eight)
            }
            Question::Overlaps => {
                let [left, lower, right, upper] = boxes;
                let boxes = Columns::aabbs(left, lower, right, upper)?;
                index.overlapping_batch(boxes, &mut self.rows)
            }
            Question::Casts => {
                let circles = Columns::circles(x, y, RADIUS)?;
                index.cast_shape_batch(circles, moves, 1.0, &mut self.hits)
            }
        }
    }

    /// The bytes of each answer to the query that was asked last.
    pub(super) fn bytes(&self, question: Question) -> Vec<Vec<u8>> {
        match question {
            Question::Rays | Question::Casts => self.hits.iter().map(of_some).collect(),
            Question::Nearest => self.nearest.iter().map(of_some).collect(),
            Question::Scans => {
                let rays = self.scan.range.iter().zip(&self.scan.row);
                rays.map(|(range, row)| [range.to_le_bytes(), row.to_le_bytes()].concat()).collect()
            }
            Question::EightNearest => {
                self.eight.iter().map(|near| bytemuck::cast_slice(near).to_vec()).collect()
            }
            Question::Overlaps => {
                self.rows.iter().map(|rows| bytemuck::cast_slice(rows).to_vec()).collect()
            }
        }
    }
}

/// The bytes of an answer; none if there is no answer.
fn of_some<T: bytemuck::NoUninit>(answer: &Option<T>) -> Vec<u8> {
    answer.as_ref().map_or(Vec::new(), |answer| bytemuck::bytes_of(answer).to_vec())
}
