// Ties the page together: one loop that draws, and what each message and each control does.

import { Argon } from './argon.js'
import { Camera } from './camera.js'
import { Renderer } from './draw.js'
import { Exhibit } from './exhibit.js'
import { Frames } from './frames.js'
import { Input } from './input.js'
import { Legend } from './legend.js'
import * as link from './link.js'
import { $, Panel, say } from './panel.js'
import { Stream } from './stream.js'

/** Milliseconds between messages about what is seen, while it moves. */
const LOOK_EVERY = 100
/** Milliseconds between two looks at what the legend must say. */
const LEGEND_EVERY = 250
const NO_WEBGL =
  'This browser has no WebGL2, so the world cannot be drawn. ' +
  'The numbers and the exhibit work all the same.'

const wanted = link.read()
const marks = document.documentElement.dataset
const camera = new Camera()
const frames = new Frames()
const legend = new Legend($('legend'))
const shown = {
  contacts: false,
  cells: false,
  bounds: false,
  rays: false,
  scalar: true,
  ...wanted.show,
}
let settings = wanted.settings
let playing = !wanted.paused
let connected = false
let lastScene = 'gas'
let renderer = null
let acked = 0
const drawn = { frames: 0, since: performance.now(), before: 0, bytes: 0, looked: 0, look: true, told: 0 }

const send = (type, fields) => connected && stream.send(type, fields)

let statusTimer = 0
function status(text, error = false) {
  say('status', text)
  $('status').classList.toggle('error', error)
  clearTimeout(statusTimer)
  // An error is read after the page has been looked at.
  if (text) statusTimer = setTimeout(status, error ? 20000 : 6000, '')
}

function message(text) {
  $('message').hidden = !text
  $('message').replaceChildren(Object.assign(document.createElement('p'), { textContent: text }))
}

const argon = new Argon(send)
argon.changed = remember
const exhibit = new Exhibit(send)

const actions = {
  set: (fields) => send('settings', fields),
  status,
  play(on = !playing) {
    playing = on
    panel.playing(playing)
    send('run', { playing })
    remember()
  },
  step() {
    if (playing) actions.play(false)
    send('step')
  },
  reset() {
    if (app.view === 'argon') argon.start()
    else if (settings.scene) send('settings', { scene: settings.scene })
  },
  show(name, on) {
    shown[name] = on
    panel.shown(shown)
    sendShown()
    remember()
  },
  spawn: (at) => send('spawn', { at, kind: $('kind').value }),
  fit: () => camera.fit(),
  zoom: (factor) => camera.zoom(factor),
  go(view) {
    app.view = view
    panel.view(view)
    if (view === 'argon') argon.start()
    else if (view === 'world' && settings.scene === 'argon') send('settings', { scene: lastScene })
    if (view === 'exhibit') exhibit.again()
    else $('world').focus({ focusVisible: false })
    remember()
  },
}

const app = {
  camera,
  frames,
  actions,
  argon,
  send,
  shown,
  view: wanted.view,
  get scene() {
    return settings.scene
  },
}

const panel = new Panel(actions)
const input = new Input($('world'), app)

function remember() {
  if (settings.bounds) link.write(settings, shown, argon.choice(), app.view, !playing)
}

function sendShown() {
  const { rays, ...rest } = shown
  send('show', rest)
  send('rays', { at: rays ? (input.at ?? input.middle()) : null })
}

/** What of the settings this machine can do; the rest is said. */
function possible({ level, threads, scene, n, ...rest }, hello) {
  const not = [...wanted.faults]
  const check = (name, value, ok) => {
    if (value === undefined) return
    if (ok) rest[name] = value
    else not.push(`${name} ${value}`)
  }
  check('level', level, hello.levels.includes(level))
  check('threads', threads, threads <= hello.cores)
  check(
    'scene',
    scene,
    hello.scenes.some(({ id }) => id === scene),
  )
  const most = hello.scenes.find(({ id }) => id === rest.scene)?.most ?? 100000
  check('n', n, n <= most)
  if (not.length) status(`The link asks for what is not here: ${not.join(', ')}.`, true)
  return rest
}

const stream = new Stream({
  hello(hello) {
    connected = true
    acked = 0
    frames.clear()
    message(renderer ? '' : NO_WEBGL)
    status('')
    panel.hello(hello)
    argon.hello(hello.argon, { ...wanted.argon, ...(settings.bounds && argon.choice()) })
    const { scene, n, level, threads, touching, seed } = settings
    send('settings', possible({ scene, n, level, threads, touching, seed }, hello))
    if (app.view === 'argon') argon.start()
    sendShown()
    send('run', { playing })
    exhibit.again()
  },
  settings({ type, ...now }) {
    const anew = now.scene !== settings.scene || String(now.bounds) !== String(settings.bounds)
    if (now.level !== settings.level || now.threads !== settings.threads) panel.steps = []
    settings = now
    if (now.scene !== 'argon') lastScene = now.scene
    const view = app.view === 'exhibit' ? app.view : now.scene === 'argon' ? 'argon' : 'world'
    if (view !== app.view) panel.view((app.view = view))
    if (anew) {
      camera.fit(now.bounds)
      panel.clear()
      legend.clear()
    }
    // A scene that starts anew knows neither what is seen nor the rays.
    drawn.look = true
    if (shown.rays) input.pending.rays ??= input.at ?? input.middle()
    panel.settings(now)
    playing = now.playing ?? playing
    panel.playing(playing)
    renderer?.border.write(new Float32Array(now.scene === 'argon' ? now.bounds : []))
    Object.assign(marks, { scene: now.scene, level: now.level })
    remember()
  },
  stats(stats) {
    panel.stats(stats)
    Object.assign(marks, { step: stats.step, level: stats.level, state: stats.state ?? '' })
  },
  argon: (answer) => argon.heard(answer),
  exhibit: (answer) => exhibit.heard(answer),
  error({ message: text }) {
    exhibit.refused()
    status(text, true)
  },
  frame(buffer) {
    frames.read(buffer)
  },
  lost(text) {
    connected = false
    message(text)
    status(text, true)
  },
})

/** Says that the last frame is done with, so that the next ones come. */
function acknowledge() {
  if (frames.frame === acked) return
  acked = frames.frame
  send('ack', { frame: acked })
}

function loop(now) {
  requestAnimationFrame(loop)
  if (app.view === 'exhibit') return
  if (app.view === 'argon' && connected && settings.bounds) argon.tick(now, frames, settings.bounds)
  input.flush()
  if (camera.changed) drawn.look = true
  if (drawn.look && now - drawn.looked > LOOK_EVERY && settings.bounds) {
    if (send('look', camera.look())) Object.assign(drawn, { look: false, looked: now })
  }
  if (renderer && (frames.fresh || camera.changed)) {
    const fresh = frames.fresh
    if (fresh) renderer.upload(frames)
    renderer.draw(camera, app.view === 'argon' ? 0.75 : 0)
    if (app.view === 'argon') argon.draw(camera, frames)
    if (fresh) drawn.frames += 1
    frames.fresh = camera.changed = false
    Object.assign(marks, { frames: drawn.frames, bytes: stream.bytes })
    if (drawn.frames) marks.ready = '1'
  }
  acknowledge()
  if (now - drawn.told > LEGEND_EVERY) {
    drawn.told = now
    const groups = panel.scenes?.find(({ id }) => id === settings.scene)?.groups ?? []
    legend.update(frames, { groups, shown, argon: app.view === 'argon', scale: camera.scale })
  }
  if (now - drawn.since > 1000) {
    const seconds = (now - drawn.since) / 1000
    const rate = (drawn.frames - drawn.before) / seconds
    say(
      'fps',
      `${rate.toFixed(0)}/s · ${((stream.bytes - drawn.bytes) / seconds / 1e6).toFixed(1)} MB/s`,
    )
    Object.assign(drawn, { since: now, before: drawn.frames, bytes: stream.bytes })
  }
}

try {
  renderer = new Renderer($('world'))
} catch (error) {
  console.warn(error)
  message(NO_WEBGL)
}
new ResizeObserver(([{ contentRect }]) => {
  const { width, height } = contentRect
  if (width < 2) return
  const first = camera.width < 2
  camera.resize(width, height)
  if (first) camera.fit()
}).observe($('stage'))
$('world').addEventListener('webglcontextlost', () => location.reload())
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  renderer?.theme()
  panel.chart.theme()
  camera.changed = true
})
addEventListener('hashchange', () => location.reload())
panel.view(app.view)
panel.shown(shown)
requestAnimationFrame(loop)
