// The time of each phase of the last steps, stacked.

const KEPT = 200

/** Nanoseconds with a unit. */
export function time(ns) {
  const [value, unit] = ns >= 1e6 ? [ns / 1e6, 'ms'] : ns >= 1e3 ? [ns / 1e3, 'µs'] : [ns, 'ns']
  return `${value >= 100 || unit === 'ns' ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)} ${unit}`
}

export class Chart {
  constructor(canvas, list) {
    Object.assign(this, { canvas, list, names: [], kept: [], top: 0 })
    this.theme()
  }

  theme() {
    const style = getComputedStyle(document.documentElement)
    const color = (name) => style.getPropertyValue(name).trim()
    this.colors = Array.from({ length: 8 }, (_, at) => color(`--p${at}`))
    ;[this.soft, this.line] = [color('--soft'), color('--line')]
    this.legend()
  }

  /** A row for each phase: its colour, name and time. */
  legend() {
    this.values = this.names.map((name, at) => {
      const row = Object.assign(document.createElement('li'), {
        innerHTML: '<i></i><span></span><b></b>',
      })
      row.children[0].style.background = this.colors[at % 8]
      row.children[1].textContent = name.replaceAll('_', ' ')
      return row
    })
    this.list.replaceChildren(...this.values)
  }

  clear() {
    Object.assign(this, { kept: [], top: 0 })
  }

  push(phases) {
    const names = phases.map(([name]) => name)
    if (names.join() !== this.names.join()) {
      Object.assign(this, { names, kept: [] })
      this.legend()
    }
    this.kept.push(phases.map(([, ns]) => ns))
    if (this.kept.length > KEPT) this.kept.shift()
    phases.forEach(([, ns], at) => (this.values[at].lastChild.textContent = time(ns)))
    this.draw()
  }

  draw() {
    const { canvas, kept, names } = this
    const [width, height, dpr] = [canvas.clientWidth, canvas.clientHeight, devicePixelRatio || 1]
    if (!width || !kept.length) return
    if (canvas.width !== Math.round(width * dpr))
      Object.assign(canvas, { width: Math.round(width * dpr), height: Math.round(height * dpr) })
    const to = canvas.getContext('2d')
    to.setTransform(dpr, 0, 0, dpr, 0, 0)
    to.clearRect(0, 0, width, height)
    // The top follows the times, slowly and without being led by a single slow step.
    const sums = kept.map((phases) => phases.reduce((sum, ns) => sum + ns, 0)).sort((a, b) => a - b)
    const goal = 1.35 * sums[Math.floor(0.9 * (sums.length - 1))] || 1
    this.top =
      this.top && goal < 4 * this.top && goal > this.top / 4
        ? this.top + 0.15 * (goal - this.top)
        : goal
    const x = (at) => width - ((kept.length - 1 - at) * width) / (KEPT - 1)
    const y = (ns) => height - 1 - Math.min(ns / this.top, 1) * (height - 16)
    const below = kept.map(() => 0)
    names.forEach((_, phase) => {
      to.beginPath()
      kept.forEach((phases, at) => to.lineTo(x(at), y(below[at])))
      for (let at = kept.length - 1; at >= 0; at--)
        to.lineTo(x(at), y((below[at] += kept[at][phase])))
      to.closePath()
      to.fillStyle = this.colors[phase % 8]
      to.fill()
    })
    to.strokeStyle = this.line
    to.beginPath()
    for (const level of [height - 0.5, 15.5]) {
      to.moveTo(0, level)
      to.lineTo(width, level)
    }
    to.stroke()
    to.fillStyle = this.soft
    to.font = '11px system-ui, sans-serif'
    to.fillText(time(this.top), 0, 11)
    to.textAlign = 'right'
    to.fillText('20 s', width, 11)
    to.textAlign = 'left'
  }
}
