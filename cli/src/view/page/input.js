// Mouse, touch and keyboard on the picture.

const TAP = { ms: 250, pixels: 6 }
const ARROWS = { ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down' }
const SHOWS = { c: 'contacts', g: 'cells', b: 'bounds', y: 'rays' }

export class Input {
  /** `app` has the camera, frames, actions, `send`, `argon`, and what is shown and played. */
  constructor(canvas, app) {
    Object.assign(this, {
      canvas,
      app,
      pointers: new Map(),
      held: null,
      at: null,
      pressed: {},
      pending: {},
    })
    canvas.addEventListener('pointerdown', (event) => this.down(event))
    canvas.addEventListener('pointermove', (event) => this.move(event))
    for (const type of ['pointerup', 'pointercancel'])
      canvas.addEventListener(type, (event) => this.up(event))
    canvas.addEventListener('contextmenu', (event) => event.preventDefault())
    canvas.addEventListener('wheel', (event) => this.wheel(event), { passive: false })
    addEventListener('keydown', (event) => this.key(event))
    addEventListener('keyup', (event) => this.press(event, false))
    addEventListener('blur', () => this.release())
  }

  /** Where an event is, in CSS pixels of the canvas. */
  place({ clientX, clientY }) {
    const { left, top } = this.canvas.getBoundingClientRect()
    return [clientX - left, clientY - top]
  }

  /** The point of the plane that keys speak of: the middle of the picture. */
  middle() {
    return [this.app.camera.x, this.app.camera.y]
  }

  down(event) {
    const { app, canvas, pointers } = this
    const at = this.place(event)
    const world = app.camera.toWorld(...at)
    pointers.set(event.pointerId, { at, start: at, time: event.timeStamp })
    // An event that was made by a script has no pointer to capture.
    try {
      canvas.setPointerCapture(event.pointerId)
    } catch {}
    canvas.focus({ focusVisible: false })
    if (pointers.size > 1) {
      app.argon.aim = null
      return this.drop()
    }
    const tool = document.body.dataset.tool ?? 'hand'
    if (app.view === 'argon') app.argon.aim = world
    else if (event.button !== 0) return
    else if (tool === 'spawn') app.actions.spawn(world)
    else if (tool === 'remove') app.send('remove', { at: world })
    else if (app.frames.hits(world, 4 / app.camera.scale)) this.hold(world, event.pointerId)
  }

  hold(at, pointer) {
    this.held = pointer
    this.canvas.classList.add('holding')
    this.app.send('grab', { at })
  }

  drop() {
    if (this.held === null) return
    this.flush()
    this.app.send('drop')
    this.held = null
    this.canvas.classList.remove('holding')
  }

  move(event) {
    const { app, pointers } = this
    const at = this.place(event)
    const pointer = pointers.get(event.pointerId)
    this.at = app.camera.toWorld(...at)
    if (app.shown.rays) this.pending.rays = this.at
    if (!pointer) return
    const before = [...pointers.values()].map((p) => p.at)
    pointer.at = at
    if (pointers.size === 2) {
      const after = [...pointers.values()].map((p) => p.at)
      const middle = ([a, b]) => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]
      const size = ([a, b]) => Math.hypot(a[0] - b[0], a[1] - b[1]) || 1
      const [from, to] = [middle(before), middle(after)]
      app.camera.pan(to[0] - from[0], to[1] - from[1])
      app.camera.zoom(size(after) / size(before), ...to)
    } else if (this.held === event.pointerId) this.pending.drag = this.at
    else if (app.view === 'argon') app.argon.aim = this.at
    else if (pointers.size === 1) app.camera.pan(at[0] - before[0][0], at[1] - before[0][1])
  }

  up(event) {
    const pointer = this.pointers.get(event.pointerId)
    this.pointers.delete(event.pointerId)
    if (this.held === event.pointerId) this.drop()
    if (this.app.view !== 'argon' || !pointer) return
    this.app.argon.aim = null
    const moved = Math.hypot(pointer.at[0] - pointer.start[0], pointer.at[1] - pointer.start[1])
    if (event.timeStamp - pointer.time < TAP.ms && moved < TAP.pixels) this.app.argon.fire = true
  }

  wheel(event) {
    event.preventDefault()
    const lines = event.deltaMode === 1 ? 18 : 1
    this.app.camera.zoom(Math.exp(-0.0016 * lines * event.deltaY), ...this.place(event))
  }

  /** Sends the last of what has moved since the last picture. */
  flush() {
    const { drag, rays } = this.pending
    if (drag) this.app.send('drag', { at: drag })
    if (rays) this.app.send('rays', { at: rays })
    this.pending = {}
  }

  /** Arrows and space, where they play. */
  press(event, down) {
    const name =
      ARROWS[event.key] ?? (event.key === ' ' ? 'fire' : event.key === 'Shift' ? 'slow' : null)
    if (!name || Boolean(this.pressed[name]) === down) return
    this.pressed[name] = down
    if (this.app.view === 'argon') this.app.argon.press(name, down)
    else if (this.app.scene === 'shooter') this.keys()
  }

  /** Steers a unit of the shooter. */
  keys() {
    const { left = false, right = false, up = false, down = false } = this.pressed
    this.app.send('keys', { left, right, up, down })
  }

  release() {
    for (const name of Object.keys(this.pressed)) this.app.argon.press(name, false)
    this.pressed = {}
    if (this.app.scene === 'shooter') this.keys()
  }

  key(event) {
    const { app, canvas } = this
    const { actions, camera } = app
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]'))
      return
    const target = event.target
    if (event.key === '?' || event.key === 'h')
      return target.matches('input, select') || document.getElementById('help').showModal()
    if (app.view === 'exhibit' || target.matches('input:not([type=checkbox]), select')) return
    if (target !== canvas && [' ', 'Enter'].includes(event.key) && target.matches('button, input'))
      return
    if (
      target !== canvas &&
      event.key in ARROWS &&
      target.scrollHeight > target.clientHeight + 1 &&
      target !== document.body
    )
      return
    const plays =
      app.view === 'argon'
        ? event.key in ARROWS || event.key === ' '
        : app.scene === 'shooter' && event.key in ARROWS && !event.shiftKey
    if (plays) event.preventDefault()
    if (plays || event.key === 'Shift') return this.press(event, true)
    const by = 48
    const inWorld = app.view === 'world'
    const act =
      {
        ArrowLeft: () => this.pan(by, 0),
        ArrowRight: () => this.pan(-by, 0),
        ArrowUp: () => this.pan(0, by),
        ArrowDown: () => this.pan(0, -by),
        '+': () => actions.zoom(1.25),
        '=': () => actions.zoom(1.25),
        '-': () => actions.zoom(0.8),
        0: () => actions.fit(),
        r: () => actions.reset(),
        ...(inWorld && {
          ' ': () => actions.play(),
          p: () => actions.play(),
          '.': () => actions.step(),
          n: () => actions.spawn(this.middle()),
          x: () => app.send('remove', { at: this.middle() }),
          Delete: () => app.send('remove', { at: this.middle() }),
          Enter: () => (this.held === null ? this.hold(this.middle(), 'key') : this.drop()),
          Escape: () => this.drop(),
        }),
      }[event.key] ??
      (SHOWS[event.key] && (() => actions.show(SHOWS[event.key], !app.shown[SHOWS[event.key]])))
    if (!act) return
    event.preventDefault()
    act()
  }

  /** Moves the picture; what a key holds stays at its middle. */
  pan(dx, dy) {
    this.app.camera.pan(dx, dy)
    if (this.held === 'key') this.pending.drag = this.middle()
  }
}
