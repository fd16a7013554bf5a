// The programs of draw.js. Each draws instanced quads, except `mesh`; colours come premultiplied.

const HEAD = `#version 300 es
precision highp float; precision highp int; precision highp isampler2D; precision highp usampler2D;
uniform vec4 view;       // centre of the camera, and clip units a unit of the plane
uniform float px;        // device pixels a unit of the plane
uniform vec2 screen;     // 2 / size of the canvas, in device pixels
uniform float dpr;
uniform vec3 palette[21]; // as draw.js lists them
`

/** Where a body is and how it looks: shared by parts and the mesh. */
const BODY = `
uniform sampler2D xs, ys, heats; uniform isampler2D cosines, sines; uniform usampler2D flags;
uniform bool turns; uniform float calm; // calm: 0 to 1, how faint fillings are
flat out vec4 fill; flat out vec4 rim; flat out float width;
struct Placed { vec2 at; vec2 turn; uint flag; };
Placed place(uint row) {
  ivec2 t = ivec2(int(row & 1023u), int(row >> 10));
  vec2 turn = turns ? vec2(texelFetch(cosines, t, 0).r, texelFetch(sines, t, 0).r) / 32767.0 : vec2(1, 0);
  return Placed(vec2(texelFetch(xs, t, 0).r, texelFetch(ys, t, 0).r) - view.xy, turn, texelFetch(flags, t, 0).r);
}
vec2 rotated(vec2 q, vec2 by) { return vec2(by.x * q.x - by.y * q.y, by.y * q.x + by.x * q.y); }
void paint(uint row, uint flag, int kind, float size) {
  float heat = texelFetch(heats, ivec2(int(row & 1023u), int(row >> 10)), 0).r;
  // Walls and ground neither flash nor fill.
  bool still = (flag & 4u) != 0u, touches = (flag & 1u) != 0u && (!still || calm > 0.0);
  heat = still ? 0.0 : 0.8 * heat;
  bool sensor = (flag & 8u) != 0u, held = (flag & 32u) != 0u;
  uint group = flag >> 6;
  vec3 own = group == 0u ? palette[kind] : palette[9u + group];
  vec3 color = still ? palette[4] : calm > 0.0 && touches ? palette[7] : own;
  float alpha = touches ? 0.78 : sensor ? 0.06 : still ? 0.32 : 0.20;
  // Bodies of few pixels have no rim: their filling alone says what it says.
  float small = clamp(1.0 - (size - 2.0) / 6.0, 0.0, 1.0);
  alpha = mix(mix(alpha, max(alpha, group == 0u ? 0.45 : 0.8), small), alpha * 0.4, calm);
  // What covers much of the picture must not hide the rest of it.
  alpha *= 1.0 - 0.75 * smoothstep(0.03, 0.5, size * dpr * screen.y);
  // A touch that has just started flashes: the rim, and of a small body the filling.
  fill = vec4(mix(color, palette[5], heat * small), max(alpha, heat * small));
  vec3 edge = mix(mix(color, palette[6], touches ? 0.2 : 0.0), palette[5], heat);
  rim = held ? vec4(palette[6], 1) : vec4(edge, mix(0.95, 0.0, small * small));
  width = (held ? 3.0 : min(1.3 + 1.7 * heat + calm, 0.3 * size)) * dpr;
}
`

const SURFACE = `
flat in vec4 fill; flat in vec4 rim; flat in float width; out vec4 color;
// e: distance from the border in pixels, negative inside.
void shade(float e) {
  float inside = clamp(0.5 - e, 0.0, 1.0), ring = clamp(e + width + 0.5, 0.0, 1.0) * rim.a;
  float alpha = mix(fill.a, 1.0, ring) * inside;
  color = vec4(mix(fill.rgb, rim.rgb, ring) * alpha, alpha);
}
`

const part = [
  `${HEAD}${BODY}
in uint row; in vec2 at; in vec2 turn; in vec2 halves; in float radius;
out vec2 p; flat out vec2 h; flat out float r;
void main() {
  Placed body = place(row);
  if ((body.flag & 16u) != 0u) { gl_Position = vec4(2, 2, 2, 1); return; }
  h = halves; r = max(radius, 1.0 * dpr / px - min(halves.x, halves.y));
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  p = corner * (h + r + dpr / px);
  vec2 q = body.at + rotated(at + rotated(p, turn), body.turn);
  gl_Position = vec4(q * view.zw, 0, 1);
  int kind = halves == vec2(0) ? 0 : halves.y == 0.0 ? 2 : 1;
  paint(row, body.flag, kind, (min(h.x, h.y) + r) * px / dpr);
}`,
  `${HEAD}${SURFACE}
in vec2 p; flat in vec2 h; flat in float r;
void main() {
  vec2 d = abs(p) - h;
  shade((length(max(d, 0.0)) + min(max(d.x, d.y), 0.0) - r) * px);
}`,
]

const mesh = [
  `${HEAD}${BODY}
in uint row; in vec2 at; in vec3 edge;
out vec3 e;
void main() {
  Placed body = place(row);
  if ((body.flag & 16u) != 0u) { gl_Position = vec4(2, 2, 2, 1); return; }
  e = edge;
  gl_Position = vec4((body.at + rotated(at, body.turn)) * view.zw, 0, 1);
  paint(row, body.flag, 3, length(at) * px / dpr);
}`,
  `${HEAD}${SURFACE}
in vec3 e;
void main() {
  vec3 d = e / max(fwidth(e), vec3(1e-7));
  shade(-min(d.x, min(d.y, d.z)) - 0.5);
}`,
]

/** The sides of cells by level; bounds; the field of Argon. */
const rect = [
  `${HEAD}
uniform int kind; // 0 cells, 1 bounds, 2 the field of Argon
in vec4 box; in uvec2 info;
out vec2 p; flat out vec2 h; flat out vec4 rim; flat out float width;
void main() {
  // Cut a little outside the picture: distances in huge cells would be too coarse.
  vec2 most = 2.0 / view.zw, low = clamp(box.xy - view.xy, -most, most), high = clamp(box.zw - view.xy, -most, most);
  vec2 middle = (low + high) / 2.0;
  h = (high - low) / 2.0;
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  p = corner * (h + dpr / px);
  gl_Position = vec4((middle + p) * view.zw, 0, 1);
  float size = min(h.x, h.y) * px / dpr;
  // Coarse levels have thick sides. Sides of cells of few pixels would hide all else.
  uint level = min(info.x, 7u);
  width = kind == 0 ? (1.0 + 0.4 * float(level)) * dpr : dpr;
  float fade = clamp(size / 4.0 - 0.25, 0.0, 1.0), few = clamp((size - 3.0) / 7.0, 0.0, 1.0);
  rim = kind == 0 ? vec4(palette[13u + level], mix(0.25, 0.75, few) * step(3.0, size))
    : kind == 1 ? vec4(palette[8], 0.65 * fade) : vec4(palette[4], 0.55);
}`,
  `${HEAD}
in vec2 p; flat in vec2 h; flat in vec4 rim; flat in float width; out vec4 color;
void main() {
  vec2 d = abs(p) - h;
  float e = max(d.x, d.y) * px, half_width = 0.5 * width;
  float alpha = clamp(half_width + 0.5 * dpr - abs(e + half_width), 0.0, dpr) / dpr * rim.a;
  color = vec4(rim.rgb * alpha, alpha);
}`,
]

/** Contacts: a point and its normal. Rays: a line, and a point where it hits. */
const line = [
  `${HEAD}
uniform bool ray; uniform float size; // size: of a normal, in device pixels
in vec2 from; in vec2 to; in uint hit;
out vec2 p; flat out float far; flat out float disc;
void main() {
  vec2 a = (from - view.xy) * px, along = ray ? (to - from) * px : to * size;
  far = max(length(along), 1e-6); disc = ray ? (hit == 0xffffffffu ? 0.0 : 3.2 * dpr) : clamp(size * 0.16, 0.8 * dpr, 2.3 * dpr);
  vec2 d = along / far, n = vec2(-d.y, d.x);
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  p = vec2(mix(-4.0 * dpr, far + 4.0 * dpr, corner.x), (corner.y * 2.0 - 1.0) * 4.0 * dpr);
  gl_Position = vec4((a + d * p.x + n * p.y) * screen, 0, 1);
}`,
  `${HEAD}
uniform bool ray; uniform float size; in vec2 p; flat in float far; flat in float disc; out vec4 color;
void main() {
  float thick = (ray ? 0.55 : 0.7) * dpr;
  float stem = clamp(0.5 + thick - length(vec2(p.x - clamp(p.x, 0.0, far), p.y)), 0.0, 1.0) * (ray ? 0.6 : 0.9);
  float head = clamp(0.5 + disc - length(p - vec2(ray ? far : 0.0, 0.0)), 0.0, 1.0) * (disc > 0.0 ? 1.0 : 0.0);
  // Many small normals would hide the bodies.
  float alpha = max(stem, head) * (ray ? 1.0 : clamp(size / (8.0 * dpr), 0.3, 1.0));
  color = vec4(palette[ray ? 9 : 7] * alpha, alpha);
}`,
]

export const PROGRAMS = { part, mesh, rect, line }
