//! The long texts of `--help`. A paragraph is one line, which wraps at the width of the terminal.

/// Of `detect`.
pub(crate) const DETECT: &str = "\
Find the pairs of touching shapes in a CSV file, or their contacts

Writes the pairs as CSV, `a,b` with a < b: row numbers, which start at 0 for the first row below the \
header (blank lines are no rows). With --contacts, how they touch, too:

  part_a, part_b
      which parts touch, from 0; 0 for a shape of one row (see `body`)
  normal_x, normal_y
      the direction from a to b, of length 1
  depth
      how far to move b along it to part them; below 0, how far they are apart
  x1, y1, depth1, feature_a1, feature_b1
      a point between both, how deep they are there, and what meets: v3 is vertex 3, s2 the side from \
      vertex 2 to the next
  x2, y2, depth2, feature_a2, feature_b2
      the same; empty if there is one point only

Vertices are counted from 0, counter-clockwise; those of a box from the lower left one.

The header names the columns, in any order; standard error says which of them are used. A file of \
shapes has a column `kind`, and the columns that its kinds need:

  point        x, y
  circle       x, y, radius
  aabb         min_x, min_y, max_x, max_y
  rounded_box  min_x, min_y, max_x, max_y, radius
  obb          x, y, half_width, half_height, angle (or cos, sin)
  capsule      ax, ay, bx, by, radius
  segment      ax, ay, bx, by
  polygon      vertices; if wanted, x, y, angle (or cos, sin), radius

An angle is in radians, counter-clockwise where y points up. Vertices are numbers with blanks \
between, x y x y x y, of a convex polygon in either direction.

Rows with the same value in a column `body` are the parts of one compound: a shape that touches \
whatever any of them touches. They have to be next to each other. The value is any text; where it is \
empty, or there is no such column, a row is a shape of its own. In the lists, a compound is the number \
of its first row, so that row a + part_a touches row b + part_b. Parts are not paired with each other, \
and two compounds are one pair however many of their parts touch. Parts are where their rows say; a \
polygon is where its vertices say, and x, y and angle are empty or 0. An aabb or a rounded_box becomes \
an obb there: its centre and half of its size are rounded.

Any other table can be read as points or circles, each row on its own, such as the airports within \
0.4 degrees of each other:

  widephase detect us-airports.csv --x lon --y lat --radius 0.2

The radius of each is in the column `radius` or in that of --radius-column, or all have that of \
--radius; --radius 0 makes points of rows that have one.

Files are UTF-8, columns are separated by commas, and numbers have a decimal point. A row takes 64 KiB \
at most.";

/// Of `compare --scene`.
pub(crate) const SCENES: &str = "\
Scenes, by name, or in groups: `standard` is s1 to s8, and `adversaries` is what breaks broadphases

The standard ones, in short and in long:
  s1  uniform-circles      one pair a body
  s2  uniform-boxes        one
  s3  mixed-circles-boxes  one
  s4  bimodal-circles      two; 1 % of the circles are 32 times as large as the others
  s5  power-law-circles    three; radii from 0.1 to 50
  s6  gaussian-clusters    four; 16 clusters far apart
  s7  mixed-rotating       one; boxes, polygons and capsules that turn
  s8  compounds            one; three circles a body, which turn as one

The adversaries: giant, far-body, coincident, line, diagonal, two-clusters, six-decades, fast, sorted, \
reversed, shuffled, border-lattice, power-of-two, pile.

A scene with more than 32 pairs for each body asked for gets fewer bodies.";
