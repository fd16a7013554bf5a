// One circle and one box: all verdicts beside each other, and the nine zones.

import { $ } from './panel.js'

/** Milliseconds after which an answer does not come any more. */
const LATE = 1000
const BOX = [-20, -20, 20, 20]
/** Positions to try: name, circle, box. */
const PLACES = [
  ['touches a side', [35, 0, 15], BOX],
  ['touches a corner', [29, 32, 15], BOX],
  ['only its square meets the corner', [34, 34, 15], BOX],
  ['one unit inside the corner', [28, 32, 15], BOX],
  ['one unit away', [36, 0, 15], BOX],
  ['centre on a side', [20, 6, 15], BOX],
  ['centre inside', [4, 6, 9], BOX],
  ['covers the box', [0, 0, 40], BOX],
  ['a point on the corner', [20, 20, 0], BOX],
]
const MOVES = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }
const ZONES = ['corner', 'side', 'corner', 'side', 'inside', 'side', 'corner', 'side', 'corner']

export class Exhibit {
  constructor(send) {
    Object.assign(this, {
      send,
      circle: [...PLACES[0][1]],
      box: [...PLACES[0][2]],
      asked: -LATE,
      due: false,
    })
    const zone = '<rect class="zone"/>'.repeat(9)
    $('zones').innerHTML = `<g transform="scale(1 -1)">${zone}
      <path class="line"/>
      <g class="grab box" tabindex="0" role="button"><rect class="shape" rx=".6"/></g>
      <g class="grab circle" tabindex="0" role="button"><circle class="shape"/></g>
      <g pointer-events="none"><rect class="square"/><path class="gap"/><circle class="near" r="1.1"/><circle class="mid" r="1.1"/></g>
      </g>${ZONES.map((zone) => `<text>${zone}</text>`).join('')}<text x="-77" y="61"></text>`
    const find = (name) => $('zones').querySelector(name)
    this.parts = Object.fromEntries(
      ['line', 'square', 'gap', 'near', 'mid'].map((name) => [name, find(`.${name}`)]),
    )
    this.grabs = { circle: find('.circle'), box: find('.box') }
    this.zones = [...$('zones').querySelectorAll('.zone')]
    ;[this.names, this.label] = [[...$('zones').querySelectorAll('text')], find('text:last-child')]
    for (const [name, element] of Object.entries(this.grabs)) this.grab(name, element)
    for (const input of $('values').querySelectorAll('input')) {
      const list = input.dataset.circle ? 'circle' : 'box'
      input.addEventListener('change', () => {
        if (!Number.isFinite(input.valueAsNumber)) return this.unknown()
        this[list][Number(input.dataset[list])] = input.valueAsNumber
        this.show()
      })
    }
    $('values').addEventListener('submit', (event) => event.preventDefault())
    for (const [name, circle, box] of PLACES) {
      const button = Object.assign(document.createElement('button'), {
        type: 'button',
        textContent: name,
      })
      button.addEventListener('click', () => {
        Object.assign(this, { circle: [...circle], box: [...box] })
        this.show()
      })
      $('places').append(button)
    }
    this.show()
  }

  /** Dragging and arrow keys move by whole units, so that touches are met exactly. */
  grab(name, element) {
    let from = null
    element.addEventListener('pointerdown', (event) => {
      element.setPointerCapture(event.pointerId)
      element.focus({ focusVisible: false })
      event.preventDefault()
      from = { at: this.place(event), was: [...this[name]] }
    })
    element.addEventListener('pointermove', (event) => {
      if (!from) return
      const at = this.place(event)
      this.move(
        name,
        from.was,
        [0, 1].map((k) => Math.round(at[k] - from.at[k])),
      )
    })
    for (const type of ['pointerup', 'pointercancel'])
      element.addEventListener(type, () => (from = null))
    element.addEventListener('keydown', (event) => {
      const by = MOVES[event.key]
      if (!by) return
      event.preventDefault()
      this.move(
        name,
        this[name],
        by.map((by) => by * (event.shiftKey ? 10 : 1)),
      )
    })
  }

  place({ clientX, clientY }) {
    const at = new DOMPoint(clientX, clientY).matrixTransform($('zones').getScreenCTM().inverse())
    return [at.x, -at.y]
  }

  move(name, was, by) {
    const clamp = (value) => Math.min(Math.max(value, -1000), 1000)
    this[name] = was.map((value, k) =>
      name === 'circle' && k === 2 ? value : clamp(value + by[k % 2]),
    )
    this.show()
  }

  /** Draws, and asks. */
  show() {
    const {
      circle: [x, y, r],
      box: [minX, minY, maxX, maxY],
      parts,
      grabs,
    } = this
    const set = (element, fields) =>
      Object.entries(fields).forEach(([name, value]) => element.setAttribute(name, value))
    const rect = (a, b, c, d) => ({
      x: a,
      y: b,
      width: Math.max(c - a, 0),
      height: Math.max(d - b, 0),
    })
    const [xs, ys] = [
      [-200, minX, maxX, 200],
      [-200, minY, maxY, 200],
    ]
    this.zones.forEach((zone, at) => {
      const [column, row] = [at % 3, Math.floor(at / 3)]
      set(zone, rect(xs[column], ys[row], xs[column + 1], ys[row + 1]))
      // Its name stands at the rim of the picture, away from the shapes.
      const middle = (list, at, rim) => [-rim, (list[1] + list[2]) / 2, rim][at]
      set(this.names[at], { x: middle(xs, column, 70), y: 1 - middle(ys, row, 52) })
    })
    set(parts.line, { d: `M${minX}-200V200M${maxX}-200V200M-200 ${minY}H200M-200 ${maxY}H200` })
    set(grabs.box.firstChild, rect(minX, minY, maxX, maxY))
    set(grabs.circle.firstChild, { cx: x, cy: y, r: Math.max(r, 0.8) })
    set(parts.square, rect(x - r, y - r, x + r, y + r))
    const near = [Math.min(Math.max(x, minX), maxX), Math.min(Math.max(y, minY), maxY)]
    set(parts.gap, { d: `M${x} ${y}L${near}` })
    set(parts.near, { cx: near[0], cy: near[1] })
    set(parts.mid, { cx: x, cy: y })
    const far = Math.hypot(x - near[0], y - near[1])
    this.label.textContent = `distance ${+far.toFixed(3)} · radius ${+r.toFixed(3)}`
    grabs.circle.setAttribute(
      'aria-label',
      `Circle at ${x}, ${y}, radius ${r}. Arrow keys move it.`,
    )
    grabs.box.setAttribute(
      'aria-label',
      `Box from ${minX}, ${minY} to ${maxX}, ${maxY}. Arrow keys move it.`,
    )
    for (const input of $('values').querySelectorAll('input')) {
      const { circle, box } = input.dataset
      const value = circle ? this.circle[circle] : this.box[box]
      if (document.activeElement !== input || input.valueAsNumber !== value) input.value = value
    }
    this.ask()
  }

  /** One question at a time; the last position is asked when the answer comes or is late. */
  ask() {
    const now = performance.now()
    this.due =
      now < this.asked + LATE || !this.send('exhibit', { circle: this.circle, box: this.box })
    if (!this.due) this.asked = now
  }

  /** The connection is new, or the question was refused: no answer will come. */
  again() {
    this.asked = -LATE
    this.ask()
  }

  refused() {
    this.asked = -LATE
  }

  /** A value is no number: there is nothing to say about such shapes. */
  unknown() {
    $('verdicts').tBodies[0].replaceChildren()
    $('summary').textContent = 'A value is not a number.'
    for (const zone of this.zones) zone.classList.remove('on')
  }

  heard({ zone, verdicts }) {
    this.asked = -LATE
    if (this.due) this.ask()
    this.zones.forEach((rect, at) => rect.classList.toggle('on', at === zone))
    const engine = verdicts[0]?.touches
    const rows = verdicts.map(({ name, touches, why }) => {
      const row = document.createElement('tr')
      row.className = touches === engine ? '' : 'other'
      const cell = (kind, text, className = '') => {
        const element = Object.assign(document.createElement(kind), {
          textContent: text,
          className,
        })
        row.append(element)
        return element
      }
      cell('th', name).scope = 'row'
      cell('td', touches ? '● touch' : '○ apart', touches ? 'yes' : 'no')
      cell('td', why)
      return row
    })
    $('verdicts').tBodies[0].replaceChildren(...rows)
    const other = verdicts.filter(({ touches }) => touches !== engine).length
    const said = engine ? 'They touch' : 'They are apart'
    $('summary').textContent =
      `${said}, says the engine; ` +
      (other ? `${other} of ${verdicts.length} say otherwise.` : `all ${verdicts.length} agree.`) +
      ` Zone: ${ZONES[zone] ?? '?'}.`
  }
}
