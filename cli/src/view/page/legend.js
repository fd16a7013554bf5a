// The legend: the colours that are on the picture, and what they say.

const FLAG = { fixed: 4, none: 16, held: 32, group: 6 }
/** Numbers of a part, and of a vertex of the mesh; the first of each is the row, a u32. */
const PART = 8
const VERTEX = 3
/** Of a level of the grid: number, cells, whether they are drawn, width. */
const LEVEL = 4
/** Cells of fewer pixels are not drawn: shaders.js fades them out. */
const LEAST = 6
const KINDS = ['circle', 'box', 'capsule', 'polygon']
/** Levels with a colour of their own. Coarser ones have that of the last. */
export const CELL_COLORS = 8

const digits = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 })
/** A width. A half-plane has a cell that is larger than any world. */
const short = (width) => (width < 1e6 ? digits.format(width) : width.toExponential(0))

export class Legend {
  constructor(list) {
    this.list = list
    this.text = ''
    this.clear()
  }

  clear() {
    this.shapes = -1
    this.kinds = new Set()
  }

  /** Which kinds and groups of bodies there are; that is told with the shapes. */
  look(frames) {
    const { FLAG: flags, PART: parts, MESH: mesh, shapes } = frames
    if (!flags || this.shapes === shapes) return
    this.shapes = shapes
    this.kinds.clear()
    const see = (row, kind) => {
      const flag = flags[row]
      if (flag & FLAG.none) return
      this.kinds.add(flag & FLAG.fixed ? 'static' : flag >> FLAG.group || kind)
    }
    const partRows = new Uint32Array(parts.buffer, parts.byteOffset, parts.length)
    for (let at = 0; at < parts.length; at += PART) {
      const [width, height] = [parts[at + 5], parts[at + 6]]
      see(partRows[at], width === 0 && height === 0 ? 'circle' : height === 0 ? 'capsule' : 'box')
    }
    const meshRows = new Uint32Array(mesh.buffer, mesh.byteOffset, mesh.length)
    for (let at = 0; at < mesh.length; at += 3 * VERTEX) see(meshRows[at], 'polygon')
  }

  /** The entries: a class of the mark, its colour, and a text. */
  entries(frames, { groups, shown, argon, scale }) {
    this.look(frames)
    const { FLAG: flags } = frames
    const has = (kind) => this.kinds.has(kind)
    const entries = KINDS.filter(has).map((kind) => [kind, kind, kind])
    groups.forEach((name, at) => {
      if (has(at + 1)) entries.push(['group', `group-${at + 1}`, name])
    })
    if (has('static')) entries.push(['static', 'static', 'static'])
    // In Argon, what touches has a colour of its own.
    if (argon) entries.push(['touches', 'contact', 'touches'])
    else entries.push(['touches', 'soft', 'filled: touches'])
    if (!frames.still.matches) entries.push(['flash', 'flash', 'ringed: has begun to'])
    if (flags?.some((flag) => flag & FLAG.held)) entries.push(['held', 'ink', 'held'])
    if (shown.contacts) entries.push(['stem', 'contact', 'contact'])
    if (shown.rays) entries.push(['line', 'ray', 'ray'])
    if (shown.bounds) entries.push(['bound', 'bound', 'bounds'])
    return [...entries, ...(shown.cells ? levels(frames.GRID, scale) : [])]
  }

  /** Writes the list, if it has changed. */
  update(frames, look) {
    const entries = this.entries(frames, look)
    const text = entries.join(';')
    if (text === this.text) return
    this.text = text
    this.list.replaceChildren(
      ...entries.map(([mark, color, name]) => {
        const row = document.createElement('li')
        const sign = Object.assign(document.createElement('i'), { className: `mark ${mark}` })
        sign.style.setProperty('--c', `var(--${color})`)
        row.append(sign, name)
        return row
      }),
    )
  }
}

/** An entry for each level of the grid in the view, the finest first. */
function levels(grid, scale) {
  const words = new Uint32Array(grid.buffer, grid.byteOffset, grid.length)
  return Array.from({ length: grid.length / LEVEL }, (_, at) => {
    const [level, , drawn] = words.subarray(LEVEL * at, LEVEL * at + 3)
    const width = grid[LEVEL * at + 3]
    const note = drawn && width * scale >= LEAST ? '' : ': zoom in'
    const color = Math.min(level, CELL_COLORS - 1)
    const name = `level ${level}, cells ${short(width)} wide${note}`
    return [`cell level-${color}`, `cell-${color}`, name]
  })
}
