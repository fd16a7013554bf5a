//! The outlines of shapes, to be drawn.

use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use widephase::{
    reference::separating_axes::corners,
    shape::{Aabb, HalfPlane, OwnedShape, Part},
};

use crate::{arrays, errors::Failure, shapes::Shapes};

/// Rows, numbers of vertices, radii and vertices.
type PartArrays<'py> = (
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<f32>>,
    Bound<'py, PyArray2<f64>>,
);

#[pymethods]
impl Shapes {
    /// The convex parts of all rows: the row of each part, the number of its vertices, the radius
    /// around them, and the vertices of all parts. A half-plane has an infinite radius, a point of
    /// its border and its normal.
    fn parts<'py>(&self, py: Python<'py>) -> PyResult<PartArrays<'py>> {
        let held = self.hold(py)?;
        let origin = held.origin().map_err(Failure::from)?;
        let mut shapes = widephase::Shapes::new();
        held.relative(origin, |columns| shapes.extend_from_columns(columns))
            .map_err(|error| held.failure(error))?;
        let mut parts = Parts { origin, ..Parts::default() };
        for row in 0..shapes.rows() as u32 {
            let pose = shapes.pose(row).unwrap_or_default();
            parts.row = row;
            match shapes.get(row) {
                Some(OwnedShape::Compound(compound)) => {
                    for part in compound.parts() {
                        parts.add(part, [pose.x, pose.y]);
                    }
                }
                Some(OwnedShape::ChainSegment(segment)) => {
                    parts.push(&[segment.a.to_array(), segment.b.to_array()], 0.0, [0.0; 2]);
                }
                Some(OwnedShape::HalfPlane(half_plane)) => {
                    parts.add_half_plane(half_plane, [pose.x, pose.y]);
                }
                Some(OwnedShape::Single(part @ Part::Polygon(_))) => {
                    parts.add(&part, [pose.x, pose.y]);
                }
                Some(OwnedShape::Single(part)) => parts.add(&part, [0.0; 2]),
                _ => {}
            }
        }
        let Parts { rows, counts, radii, vertices, .. } = parts;
        Ok((
            arrays::array(py, rows)?,
            arrays::array(py, counts)?,
            arrays::array(py, radii)?,
            arrays::rows(py, bytemuck::allocation::cast_vec(vertices), 2)?,
        ))
    }
}

#[derive(Default)]
struct Parts {
    origin: [f64; 2],
    row: u32,
    rows: Vec<u32>,
    counts: Vec<i64>,
    radii: Vec<f32>,
    vertices: Vec<[f64; 2]>,
}

impl Parts {
    /// Adds a part that is moved by a vector.
    fn add(&mut self, part: &Part, by: [f32; 2]) {
        match part {
            Part::Point(point) => self.push(&[[point.x, point.y]], 0.0, by),
            Part::Circle(circle) => self.push(&[[circle.x, circle.y]], circle.radius, by),
            Part::Aabb(aabb) => self.push(&sides(*aabb), 0.0, by),
            Part::RoundedBox(rounded) => self.push(&sides(rounded.core()), rounded.radius, by),
            Part::Obb(obb) => self.push(&corners(*obb), 0.0, by),
            Part::Capsule(capsule) => {
                let core = capsule.core();
                self.push(&[[core.ax, core.ay], [core.bx, core.by]], capsule.radius, by);
            }
            Part::Segment(segment) => {
                self.push(&[[segment.ax, segment.ay], [segment.bx, segment.by]], 0.0, by);
            }
            Part::Polygon(polygon) => {
                let vertices: Vec<[f32; 2]> =
                    polygon.vertices().iter().map(|at| at.to_array()).collect();
                self.push(&vertices, polygon.radius(), by);
            }
            _ => {}
        }
    }

    fn add_half_plane(&mut self, half_plane: HalfPlane, by: [f32; 2]) {
        let normal = half_plane.normal().to_array();
        self.push(&[normal.map(|axis| axis * half_plane.offset)], f32::INFINITY, by);
        self.vertices.push(normal.map(f64::from));
        if let Some(count) = self.counts.last_mut() {
            *count += 1;
        }
    }

    fn push(&mut self, vertices: &[[f32; 2]], radius: f32, by: [f32; 2]) {
        self.rows.push(self.row);
        self.counts.push(vertices.len() as i64);
        self.radii.push(radius);
        let place =
            |axis: usize, at: f32| self.origin[axis] + (f64::from(at) + f64::from(by[axis]));
        self.vertices.extend(vertices.iter().map(|at| [place(0, at[0]), place(1, at[1])]));
    }
}

fn sides(aabb: Aabb) -> [[f32; 2]; 4] {
    let Aabb { min_x, min_y, max_x, max_y } = aabb;
    [[min_x, min_y], [max_x, min_y], [max_x, max_y], [min_x, max_y]]
}
