//! The queries of an index, beside brute force, on every SIMD level.

mod any_bits;
mod bits;
mod edits;
mod empty;
mod far;
mod grazing;
mod made;
mod many_parts;
mod max_distance;
mod nearest;
mod nearest_batches;
mod outlines;
mod overlap_batches;
mod own_spaces;
mod ray_ends;
mod scan;
mod seams;
mod seeded;
mod segment_ends;
mod segments;
mod stops;
mod ties;
mod too_many;
mod truth_geometry;
mod truth_numbers;
mod truth_parry;
mod two_shapes;
mod walk;

use common::twins;
