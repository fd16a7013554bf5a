//! The long texts of `--help`. Each paragraph is one line, which wraps at the width of the
//! terminal.

/// The long help of `bench`.
pub(crate) const BENCH: &str = "\
Measure calls on seeded scenes: tables and files; compare with a saved run

The bodies move one step before each call, which is not timed. SIMD levels and numbers of threads take \
turns of several calls, so that a slow moment of the machine affects all of them. A sample is the \
median of a turn, in nanoseconds per body; the first turn warms up and is dropped. All cases are \
measured in six passes. Rows are printed in the last one, with --baseline at the end.

  pairs      the list of pairs, from unsorted columns
  contacts   the list of contacts, from unsorted columns
  step       a step of a world: poses of all bodies, pairs, contacts and events
  rays       a ray for each body, 100 units long, in an index; sorting the index is not timed
  nearest    the nearest body of a point for each body, in an index; sorting it is not timed
  neighbors  the bodies within half a unit of length of each body, from unsorted columns

In a level, only step is measured: the new poses of its movers, the changes of the level, pairs, \
contacts and events, and its rays; in nanoseconds per mover.

On one thread, times are CPU times, and calls that were interrupted are dropped. A row with ~ is noisy: \
its quartiles are 1.2 times apart or more.

With --baseline, a time improved or regressed if its median and its least sample moved by more \
than 5 %, if both medians are outside the quartiles of the other run, if all passes of one run are \
beyond all passes of the other, and if the Mann-Whitney test finds that the samples differ (p < \
0.05 for all rows together, by Holm). Else there is no change, if a change of 10 % would have been \
found; too few samples, with the time that enough would take; or it is too noisy. The exit status \
does not depend on it.

  widephase bench --save before.json
  widephase bench --baseline before.json

Files are written when the run is complete; after an error or Ctrl-C the old files are unchanged. \
compare verifies that all levels give the same results; bench does not.";

/// The long help of `detect`.
pub(crate) const DETECT: &str = "\
Find the pairs of touching shapes in a CSV file, or their contacts

Writes the pairs as CSV, `a,b` with a < b: row numbers, which start at 0 for the first row below the \
header (blank lines are not rows). With --contacts, it also writes how they touch:

  part_a, part_b
      which parts touch, from 0; 0 for a shape of one row (see `body`)
  normal_x, normal_y
      the direction from a to b, of length 1
  depth
      how far to move b along the normal to separate them; below 0, how far apart they are
  x1, y1, depth1, feature_a1, feature_b1
      a point between both shapes, the depth there, and the features that meet: v3 is vertex 3, s2 \
      the side from vertex 2 to the next
  x2, y2, depth2, feature_a2, feature_b2
      the second point; empty if there is only one point

Vertices are numbered from 0, counter-clockwise; the vertices of a box from the lower left.

The header names the columns, in any order; standard error names the columns that are used. A file \
of shapes has a column `kind`, and the columns that its kinds need:

  point        x, y
  circle       x, y, radius
  aabb         min_x, min_y, max_x, max_y
  rounded_box  min_x, min_y, max_x, max_y, radius
  obb          x, y, half_width, half_height, angle (or cos, sin)
  capsule      ax, ay, bx, by, radius
  segment      ax, ay, bx, by
  polygon      vertices; optionally x, y, angle (or cos, sin), radius

An angle is in radians, counter-clockwise where y points up. Vertices are numbers \
separated by blanks, x y x y x y, of a convex polygon in either direction.

Rows with the same value in a column `body` are the parts of one compound: a shape that touches \
every shape that one of its parts touches. These rows must be adjacent. The value is any text; if it \
is empty, or there is no such column, the row is a single shape. In the lists, a compound has the \
number of its first row, so that row a + part_a touches row b + part_b. Parts of one compound are not \
paired with each other, and two compounds are one pair however many of their parts touch. Parts are \
at the coordinates of their rows. A polygon is at its vertices, and x, y and angle must be empty or \
0. An aabb or a rounded_box becomes an obb in a compound: its centre and half its size are rounded.

Without a column `kind`, a table has the boxes of min_x, min_y, max_x, max_y, the points or \
circles of x, y and radius, or the geometries in WKT of a column `wkt` or `geometry`: points, \
lines, and polygons with holes. Names are found in any case, and so are usual names such as lon \
and lat, longitude and latitude, easting and northing, or xmin, ymin, xmax, ymax. Other names are \
given by options, such as of the airports within 0.4 degrees of each other:

  widephase detect us-airports.csv --x lon --y lat --within 0.4 --distance --id code

The radius of each row is in the column `radius` or in the column of --radius-column, or all rows \
have the radius of --radius; --radius 0 makes points of rows that have a radius.

With --metres, x and y are degrees of longitude and latitude, and distances are along a sphere of the \
mean radius of the Earth, 6,371,008.7714 m.

A header without rows is an empty set. With --skip-invalid, rows that are refused are left out, and \
standard error names and counts them.

Numbers are f64. Pairs and distances are decided by the numbers as they are written. Contacts are \
computed in f32, relative to a place among the shapes if they are far from 0; standard error says \
so, and whether that is coarse beside the shapes.

With --exclusive, insides must meet: a line is a pair with an area if one of its points is inside, and \
with a line if they have a point in common that is an end of neither; a point only with an area.

A file may be compressed by gzip. A file that begins with { is read as GeoJSON, one document, or a \
document a line: each feature is a body, and --id names a property, or id. A file of the format \
Parquet is read as a table. `widephase --help` says whether this build reads GeoJSON, WKT and \
Parquet.

A folder is read as columns: a file of numpy.float32 or numpy.float64 for each field, like x.npy \
and radius.npy, as numpy.save writes it. The fields are the fields of a kind above, or x, y, \
half_width and half_height for boxes. The files are mapped into memory, and no other program may \
change them meanwhile. With --memory or --tiles, they may be far more shapes than memory holds.

Files are UTF-8, columns are separated by commas or by --delimiter, and numbers have a decimal \
point. A row has at most 64 MiB in the columns that are used, and any length in the other columns. \
Names of rows may be in another encoding than UTF-8, unless they are written as JSON.";

/// The long help of `query`.
pub(crate) const QUERY: &str = "\
Find which shapes of a CSV file the points, regions, circles and rays of another file meet

SHAPES is a file of shapes, or a table of points, as `widephase help detect` describes. The header of \
the file of queries names its columns, in any order. It has a column `query`, and the columns that \
its queries need:

  point    x, y
      all shapes that hold the point
  region   min_x, min_y, max_x, max_y
      all shapes that touch the box
  circle   x, y, radius
      all shapes that touch the circle
  polygon  vertices
      all shapes that touch the polygon
  geometry wkt
      all shapes that touch the geometry: points, lines, and polygons with holes
  ray      x, y, dx, dy; optionally max
      the first shape on the way from x, y along dx, dy; with --all, every shape. max is the largest \
      fraction of dx, dy, by default 1; inf for a ray without an end
  nearest  x, y; optionally k, max_distance
      the nearest k shapes at most max_distance away; by default one shape, at any distance
  cast     x, y, radius, dx, dy; optionally max
      the first shape that the circle touches when it moves by dx, dy; max is as for a ray

Writes the answers as CSV, in the order of queries, then of fraction or distance, then of rows. A \
column that a query does not have is empty:

  query
      the number of the query, from 0
  row
      the row number of the shape, from 0; of a compound the number of its first row
  fraction
      of a ray or a cast: the fraction of dx, dy at which it hits; 0 if it starts in the shape
  distance
      of nearest: the distance to the shape; 0 if it holds the point
  x, y
      of a ray or a cast: where it hits
  normal_x, normal_y
      of a ray or a cast: the direction out of the shape at that point, of length 1

Rays and casts are computed in f32, relative to a place among the shapes if they are far from 0. \
All other answers are decided by the numbers as they are written.

With --metres, x and y of shapes and queries are degrees of longitude and latitude, and radius, \
max_distance and distance are metres along the globe. Queries are then of the kinds point, circle and \
nearest: the nearest station of each town.

Files are UTF-8, columns are separated by commas or by --delimiter, and numbers have a decimal point. \
A row has at most 64 MiB in the columns that are used.";

/// The long help of `replay`.
pub(crate) const REPLAY: &str = "\
Make the calls of a recorded world again, and compare the state after each step

FILE is a recording of a program that uses the library: the bytes of `World::stop_recording`. It \
has a snapshot of a world, all calls that changed it, and a hash of the state after each step. The \
state is equal on every machine, SIMD level and number of threads, so each hash must be the \
recorded one.

Prints the steps, the bodies at the end, the pairs of the last step, and the hash of the last state. \
Exit status 1 if a state differs, with the first step after which it does, or if the file is damaged.

The example `recording` of the library writes such a file:

  cargo run --release --example recording -- FILE";

/// The long help of `render`.
#[cfg(feature = "pictures")]
pub(crate) const RENDER: &str = "\
Draw shapes as SVG or PNG: which touch, contacts, the grid, rays

Draws one of: a scene of `compare` (--scene), a file of shapes or a table of points as for `detect` \
(--input), a step of a recording as for `replay` (--recording). The ending of FILE decides whether it \
is an SVG or a PNG.

Each kind of shape has a colour, and shapes that touch another shape have a strong outline. \
Options draw more:

  --contacts
      each contact point, and the normal, from a to b
  --grid
      the cells of the grid that hold shapes, the fuller the darker, with the number of shapes \
where there is room; cells of coarser levels have thicker lines. The grid of a recording is a grid \
of all bodies
  --ids
      the row number of each shape, as in lists; with --contacts also which features meet at a point: \
v3 is vertex 3, s2 the side from vertex 2 to the next
  --rays N
      N rays in all directions, from near the middle where there is room between the shapes; where they \
hit, and the normal there

The legend has the number of shapes of each kind, of shapes that touch, of contacts and hits, the \
size and filling of the cells of each level, and a scale. In an SVG, the pointer shows what a \
shape, cell or contact is. A picture has at most 100,000 shapes, and as many contacts.

  widephase render --scene s3 -n 300 --contacts -o s3.png
  widephase render --recording heap.recording --step 10 --contacts --ids -o heap.svg";

/// The long help of `view`.
#[cfg(feature = "view")]
pub(crate) const VIEW: &str = "\
Open a page in the browser that draws a live world, which this command runs

Prints the address of the page, and opens it unless --no-open is given. The server listens on \
127.0.0.1 only. The address has a token; without it, and from pages of other servers, nothing is \
answered. Ctrl-C ends the server.

Each page, of which there are at most eight, has a world of its own, on a thread of its own. The \
scene, the number of bodies, the SIMD level, the number of threads and the rule of touching are \
changed on the page; a change of level or threads changes no result. The scenes:

  gas      circles that bounce in a box
  pit      boxes, capsules, polygons and circles that fall into a pit and come to rest
  crowd    two crowds that walk through each other
  shooter  the game of the example `shooter`, in which the keys steer one unit
  pebbles  giants among pebbles
  argon    the game of the example `argon`, judged by the engine or by the test of a tutorial

and the adversaries, of which `widephase help compare` has the names.

  widephase view --scene pit -n 3000
  widephase view --no-open --port 8000";

/// The long help of `render --scene`.
#[cfg(feature = "pictures")]
pub(crate) const SCENE: &str = "\
Draw a scene of `compare`, by name: s1 to s8 or an adversary (`widephase help compare` describes them)";

/// The long help of `compare --scene`.
pub(crate) const SCENES: &str = "\
Scenes, by name, or in groups: `standard` is s1 to s8, and `adversaries` are hard cases for broadphases

The standard scenes, with short and long names, and pairs per body:
  s1  uniform-circles      one
  s2  uniform-boxes        one
  s3  mixed-circles-boxes  one
  s4  bimodal-circles      two; 1 % of the circles are 32 times as large as the other circles
  s5  power-law-circles    three; radii from 0.1 to 50
  s6  gaussian-clusters    four; 16 clusters far apart
  s7  mixed-rotating       one; rotating boxes, polygons and capsules
  s8  compounds            one; three circles a body, which rotate as one

The adversaries: giant, far-body, coincident, line, diagonal, two-clusters, six-decades, fast, sorted, \
reversed, shuffled, border-lattice, power-of-two, pile.

A scene with more than 32 pairs for each requested body gets fewer bodies.

The levels, in whose steps a world moves its movers, changes other bodies of the level, and finds \
pairs, contacts and events:
  cave   1,000 circles and boxes in a tunnel, which is one outline of 3,004 vertices
  tiles  1,000 that walk on 10,000 tiles; doors move, coins are picked up and appear
  pit    1,000 between three half-planes: a floor and two slanted walls
  map    500 among 300,000 circles and boxes that rest; a hundred rays a step

-n is the number of movers of a level, and the number of resting bodies grows with it.";
