// Argon: the clock of the game, the drawn ship and targets, and the list of what changed.

import { $, options, say } from './panel.js'

const STEP = 1000 / 60
/** A step of the ship, in whole numbers, as the test in whole numbers wants them. */
const SPEED = 3
/** The most steps that a picture which comes late makes up for. */
const MOST = 15
/** Steps between rockets while the key is held. */
const RELOAD = 15
const TARGETS = 5
const GONE = 16
const SHIP = 'M30 0 14 4.6 5 6 -6 13.5 -10 13 -6.5 4 -10 3 -10-3 -6.5-4 -10-13 -6-13.5 5-6 14-4.6Z'

export class Argon {
  constructor(send) {
    Object.assign(this, {
      send,
      script: [],
      pressed: {},
      aim: null,
      fire: false,
      heading: [1, 0],
      reload: 0,
      due: 0,
      last: 0,
      // The steps of the script that are still to come, or null.
      playing: null,
      // Whether the clock stands.
      idle: false,
    })
    const target =
      '<g class="target"><rect x="-20" y="-20" width="40" height="40" rx="3"/>' +
      '<circle r="20"/><circle r="7"/></g>'
    const ship = `<g class="ship"><path d="${SHIP}"/><ellipse cx="13" rx="5" ry="2.2"/></g>`
    $('scenery').innerHTML = `<g>${target.repeat(TARGETS)}${ship}</g>`
    for (const id of ['area', 'target', 'judge']) {
      $(id).addEventListener('change', () => {
        this.choose()
        this.start()
      })
    }
    $('script').addEventListener('click', () => {
      this.start()
      this.playing = this.script[Symbol.iterator]()
      document.documentElement.dataset.script = 'playing'
      $('world').focus({ focusVisible: false })
    })
  }

  hello({ areas, targets, verdicts, script }, wanted) {
    Object.assign(this, { verdicts, script })
    const words = (names) => names.map((name) => [name, name.replaceAll('-', ' ')])
    options($('area'), words(areas))
    options($('target'), words(targets))
    if (areas.includes(wanted.area)) $('area').value = wanted.area
    if (targets.includes(wanted.target)) $('target').value = wanted.target
    this.choose(wanted.verdict)
  }

  /** Offers the verdicts that are for these areas. */
  choose(wanted = $('judge').value) {
    const { area, target } = this.choice()
    const fit = this.verdicts
      .filter((v) => v.for.some(([a, b]) => a === area && b === target))
      .map(({ name }) => name)
    options(
      $('judge'),
      fit.map((name) => [name, name]),
    )
    $('judge').value = fit.includes(wanted) ? wanted : fit[0]
  }

  choice() {
    return { area: $('area').value, target: $('target').value, verdict: $('judge').value }
  }

  /** A new round. */
  start() {
    this.send('argon', this.choice())
    Object.assign(this, { playing: null, idle: false, heading: [1, 0], fire: false, awaited: true })
    document.documentElement.dataset.script = ''
    $('argon-log').replaceChildren()
    this.state('safe', '안전 / safe')
    this.changed?.()
  }

  state(state, label) {
    document.documentElement.dataset.argon = state
    say('verdict', label)
    $('verdict').className = state
  }

  /** An answer of the engine. Until step 0 of a new round, those are of the round before. */
  heard({ step, state, label, events, over }) {
    if (step === 0) this.awaited = false
    if (this.awaited) return
    this.state(state, label)
    const log = $('argon-log')
    const add = (text, className) =>
      log.append(Object.assign(document.createElement('li'), { textContent: text, className }))
    for (const text of events)
      add(
        `step ${step}: ${text}`,
        text.endsWith('hit') ? 'hit' : text.endsWith('safe') ? 'safe' : '',
      )
    if (over && !this.over) add(`step ${step}: the round is over`, '')
    this.over = over
    if (events.length) log.scrollTop = log.scrollHeight
  }

  press(name, down) {
    this.pressed[name] = down
    if (down) this.idle = false
    if (name === 'fire' && down) this.fire = true
  }

  /** Sends the steps that are due. */
  tick(now, frames, bounds) {
    this.due = Math.min(this.due + now - this.last, MOST * STEP)
    this.last = now
    if (this.aim || this.fire) this.idle = false
    // Where the ship will be: the frames follow the steps.
    const at = frames.POSE ? [frames.POSE[0], frames.POSE[frames.rows]] : [0, 0]
    for (; this.due >= STEP; this.due -= STEP) {
      if (!this.idle) this.step(at, bounds)
    }
  }

  /** Sends a step of the ship, which is at `at`, and moves that. */
  step(at, bounds) {
    if (this.playing) {
      const { value, done } = this.playing.next()
      if (!done) {
        this.heading = value.heading
        return this.send('argon-step', { by: value.by, heading: value.heading, fire: value.fire })
      }
      this.playing = null
      // The clock stands until the next key, so that nothing follows the script.
      this.idle = true
      this.fire = false
      document.documentElement.dataset.script = 'done'
      return
    }
    const { left, right, up, down, fire, slow } = this.pressed
    const speed = slow ? 1 : SPEED
    let by = [speed * ((right ? 1 : 0) - (left ? 1 : 0)), speed * ((up ? 1 : 0) - (down ? 1 : 0))]
    if (this.aim)
      by = this.aim.map(
        (aim, k) => Math.sign(aim - at[k]) * Math.min(Math.round(Math.abs(aim - at[k])), SPEED),
      )
    by = by.map((by, k) => (at[k] + by < bounds[k] || at[k] + by > bounds[k + 2] ? 0 : by))
    by.forEach((by, k) => (at[k] += by))
    const length = Math.hypot(...by)
    if (length) this.heading = by.map((by) => by / length)
    this.reload -= 1
    const fires = this.fire || (Boolean(fire) && this.reload <= 0)
    if (fires) this.reload = RELOAD
    this.fire = false
    this.send('argon-step', { by, heading: this.heading, fire: fires })
  }

  /** The ship and the targets, below the areas that the engine tells. */
  draw(camera, { POSE: pose, FLAG: flags, rows }) {
    if (!pose || rows <= TARGETS) return
    const place = $('scenery').firstChild
    const { scale, x, y, width, height } = camera
    place.setAttribute(
      'transform',
      `matrix(${scale} 0 0 ${-scale} ${width / 2 - x * scale} ${height / 2 + y * scale})`,
    )
    const [cos, sin] = this.heading
    place.lastChild.setAttribute(
      'transform',
      `matrix(${cos} ${sin} ${-sin} ${cos} ${pose[0]} ${pose[rows]})`,
    )
    for (let row = 1; row <= TARGETS; row++) {
      const target = place.children[row - 1]
      target.setAttribute('transform', `translate(${pose[row]} ${pose[rows + row]})`)
      target.setAttribute('visibility', flags[row] & GONE ? 'hidden' : 'visible')
    }
  }
}
