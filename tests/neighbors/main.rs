//! Neighbour lists, adjacency, islands and periodic boxes, beside brute force, on every SIMD level
//! and any number of threads.

mod doubles;
mod islands;
mod lists;
mod nearest_images;
mod periodic;
mod periods;
mod row_lists;
mod seam;
