// What the binary frames say: views of their sections, kept until the next frame, without copies.

const MAGIC = 0x31465057
const FLAG = { touches: 1, started: 2, fixed: 4, none: 16 }
/** Floats of a part, and of a vertex of the mesh; the first of each is the row, a u32. */
const PART = 8
const VERTEX = 3
/** How long a touch that has just started flashes. */
const FLASH_MS = 220
const NOTHING = new Float32Array(0)

/** The tag as it stands in the buffer, little endian. */
const tag = (text) =>
  [...text].reduce((sum, letter, at) => sum + letter.charCodeAt(0) * 2 ** (8 * at), 0)
const TAGS = new Map(
  ['PART', 'MESH', 'POSE', 'TURN', 'FLAG', 'CONT', 'GRID', 'CELL', 'BOND', 'RAYS'].map((t) => [tag(t), t]),
)

export class Frames {
  constructor() {
    this.rows = 0
    this.heat = new Uint8Array(0)
    this.warmed = 0
    this.still = matchMedia('(prefers-reduced-motion: reduce)')
    this.clear()
  }

  clear() {
    Object.assign(this, {
      frame: 0,
      step: 0,
      PART: NOTHING,
      MESH: NOTHING,
      shapes: 0,
      fresh: false,
    })
    Object.assign(this, {
      POSE: null,
      TURN: null,
      FLAG: null,
      CONT: NOTHING,
      GRID: NOTHING,
      CELL: NOTHING,
      BOND: NOTHING,
      RAYS: NOTHING,
    })
  }

  /** Takes a frame; false if it is none. */
  read(buffer) {
    const head = new Uint32Array(buffer, 0, 4)
    if (head[0] !== MAGIC) return false
    ;[, this.frame, this.step, this.rows] = head
    const { PART: parts, MESH: mesh } = this
    this.TURN = null
    this.CONT = this.GRID = this.CELL = this.BOND = this.RAYS = NOTHING
    for (let at = 16; at + 8 <= buffer.byteLength;) {
      const [kind, bytes] = new Uint32Array(buffer, at, 2)
      const name = TAGS.get(kind)
      at += 8
      if (name === 'FLAG') this.FLAG = new Uint8Array(buffer, at, this.rows)
      else if (name === 'TURN') this.TURN = new Int16Array(buffer, at, 2 * this.rows)
      else if (name) this[name] = new Float32Array(buffer, at, bytes / 4)
      at += bytes
    }
    if (this.PART !== parts || this.MESH !== mesh) {
      // The shapes are told all at once: no mesh in this frame, no mesh at all.
      if (this.MESH === mesh) this.MESH = NOTHING
      if (this.PART === parts) this.PART = NOTHING
      this.shapes += 1
    }
    this.fresh = true
    this.warm()
    return true
  }

  /** Bodies whose touch has just started flash: their heat is 255, and fades. */
  warm() {
    if (this.heat.length !== this.rows) this.heat = new Uint8Array(this.rows)
    const { heat, FLAG: flags, rows } = this
    if (!flags || this.still.matches) return void heat.fill(0)
    const now = performance.now()
    const fade = Math.ceil((255 * (now - this.warmed)) / FLASH_MS)
    this.warmed = now
    for (let row = 0; row < rows; row++) {
      heat[row] = flags[row] & FLAG.started ? 255 : Math.max(0, heat[row] - fade)
    }
  }

  /** Whether a body that can be held is within `slack` of a point. */
  hits([x, y], slack) {
    const { POSE: pose, TURN: turn, FLAG: flags, rows } = this
    if (!pose || !flags) return false
    // The point as the body sees it.
    const local = [0, 0]
    const see = (row) => {
      if (flags[row] & (FLAG.fixed | FLAG.none)) return false
      const [dx, dy] = [x - pose[row], y - pose[rows + row]]
      const [cos, sin] = turn ? [turn[row] / 32767, turn[rows + row] / 32767] : [1, 0]
      local[0] = cos * dx + sin * dy
      local[1] = cos * dy - sin * dx
      return true
    }
    const parts = this.PART
    const partRows = new Uint32Array(parts.buffer, parts.byteOffset, parts.length)
    for (let at = 0; at < parts.length; at += PART) {
      if (!see(partRows[at])) continue
      const [dx, dy, cos, sin] = [
        local[0] - parts[at + 1],
        local[1] - parts[at + 2],
        parts[at + 3],
        parts[at + 4],
      ]
      const gapX = Math.max(Math.abs(cos * dx + sin * dy) - parts[at + 5], 0)
      const gapY = Math.max(Math.abs(cos * dy - sin * dx) - parts[at + 6], 0)
      if (Math.hypot(gapX, gapY) <= parts[at + 7] + slack) return true
    }
    const mesh = this.MESH
    const meshRows = new Uint32Array(mesh.buffer, mesh.byteOffset, mesh.length)
    for (let at = 0; at < mesh.length; at += 3 * VERTEX) {
      if (!see(meshRows[at])) continue
      const side = (a, b) =>
        (mesh[at + b + 1] - mesh[at + a + 1]) * (local[1] - mesh[at + a + 2]) -
        (mesh[at + b + 2] - mesh[at + a + 2]) * (local[0] - mesh[at + a + 1])
      const sides = [side(0, 3), side(3, 6), side(6, 0)]
      if (sides.every((s) => s >= 0) || sides.every((s) => s <= 0)) return true
    }
    return false
  }
}
