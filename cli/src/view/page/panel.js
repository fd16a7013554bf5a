// The controls, and the numbers beside them.

import { Chart, time } from './chart.js'

export const $ = (id) => document.getElementById(id)
/** Times are shown as medians of so many: one step tells little. */
const MEDIAN_OF = 15
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)]
const count = new Intl.NumberFormat('en')

/** Writes only what has changed, so that nothing is laid out anew. */
export function say(id, text) {
  const element = $(id)
  if (element.textContent !== text) element.textContent = text
}

export function options(select, list) {
  select.replaceChildren(...list.map(([value, text]) => new Option(text, value)))
}

/** Bodies from the place of the slider: even in the logarithm, two digits. */
const fromSlider = (at, most) => {
  const n = most ** (at / 100)
  const unit = 10 ** Math.max(Math.floor(Math.log10(n)) - 1, 0)
  return Math.min(most, Math.max(1, Math.round(n / unit) * unit))
}

export class Panel {
  constructor(actions) {
    this.chart = new Chart($('chart'), $('phases'))
    this.most = 100000
    this.clear()
    const on = (id, event, act) => $(id).addEventListener(event, act)
    on('scene', 'change', () => actions.set({ scene: $('scene').value }))
    on('level', 'change', () => actions.set({ level: $('level').value }))
    on('threads', 'change', () => actions.set({ threads: Number($('threads').value) }))
    on('touch', 'change', () => actions.set({ touching: $('touch').value }))
    on('seed', 'change', () => actions.set({ seed: Math.trunc(Number($('seed').value)) || 0 }))
    on('n-range', 'input', () => say('n-out', count.format(this.wanted())))
    on('n-range', 'change', () => actions.set({ n: this.wanted() }))
    for (const box of document.querySelectorAll('[data-show]')) {
      box.addEventListener('change', () => actions.show(box.dataset.show, box.checked))
    }
    for (const radio of document.getElementsByName('tool')) {
      radio.addEventListener('change', () => (document.body.dataset.tool = radio.value))
    }
    for (const button of document.querySelectorAll('[data-go]')) {
      button.addEventListener('click', () => actions.go(button.dataset.go))
    }
    on('pause', 'click', () => actions.play())
    on('step', 'click', () => actions.step())
    on('reset', 'click', () => actions.reset())
    on('fit', 'click', () => actions.fit())
    on('zoom-in', 'click', () => actions.zoom(1.4))
    on('zoom-out', 'click', () => actions.zoom(1 / 1.4))
    for (const id of ['help-open', 'help-more']) on(id, 'click', () => $('help').showModal())
    on('link', 'click', async () => {
      await navigator.clipboard?.writeText(location.href).catch(() => {})
      actions.status('The address holds the settings; it is copied.')
    })
    on('drawer', 'click', () => this.drawer(!$('panel').classList.contains('open')))
    for (const id of ['stage', 'script']) on(id, 'pointerdown', () => this.drawer(false))
  }

  drawer(open) {
    $('panel').classList.toggle('open', open)
    $('drawer').setAttribute('aria-expanded', open)
  }

  wanted() {
    return fromSlider(Number($('n-range').value), this.most)
  }

  hello({ scenes, levels, cores, cpu, version }) {
    this.scenes = scenes
    options(
      $('scene'),
      scenes.filter(({ id }) => id !== 'argon').map(({ id, title }) => [id, title || id]),
    )
    options(
      $('level'),
      levels.map((level) => [level, level]),
    )
    options(
      $('threads'),
      Array.from({ length: cores }, (_, at) => [at + 1, at + 1]),
    )
    say('machine', `${cpu} · widephase ${version}`)
  }

  settings({ scene, n, level, threads, touching, seed }) {
    this.most = this.scenes.find(({ id }) => id === scene)?.most ?? 100000
    if (scene !== 'argon') $('scene').value = scene
    $('level').value = level
    $('threads').value = threads
    $('touch').value = touching
    $('seed').value = seed
    $('n-range').value = Math.round((100 * Math.log(n)) / Math.log(Math.max(this.most, 2)))
    $('n-range').setAttribute('aria-valuetext', `${count.format(n)} bodies`)
    say('n-out', count.format(n))
  }

  playing(playing) {
    const word = playing ? 'Pause' : 'Play'
    $('pause').firstChild.textContent = playing ? '❚❚' : '▶'
    $('pause').lastChild.textContent = word
    $('pause').setAttribute('aria-label', word)
  }

  /** The times so far are of another scene or with other settings. */
  clear() {
    this.steps = []
    this.chart.clear()
  }

  shown(show) {
    for (const box of document.querySelectorAll('[data-show]')) box.checked = show[box.dataset.show]
  }

  view(view) {
    document.body.dataset.view = view
    $('exhibit').hidden = view !== 'exhibit'
    for (const button of document.querySelectorAll('[data-go]'))
      button.setAttribute('aria-pressed', button.dataset.go === view)
    this.drawer(false)
  }

  stats(stats) {
    for (const id of ['bodies', 'touching', 'pairs', 'contacts']) say(id, count.format(stats[id]))
    say('steps', count.format(stats.step))
    say('events', `${count.format(stats.started)} / ${count.format(stats.stopped)}`)
    // The state comes once a second.
    if (stats.state) say('state', stats.state.slice(0, 8))
    this.steps.push(stats.step_ns)
    if (this.steps.length > MEDIAN_OF) this.steps.shift()
    say('ms', time(median(this.steps)))
    // Medians of the last steps at both levels, which are made in turns.
    const times = stats.scalar_ns ? stats.scalar_ns / stats.level_ns : 0
    say('times', times ? `${times.toFixed(times < 9.95 ? 1 : 0)}×` : '')
    say('times-word', times ? 'scalar' : stats.level)
    this.chart.push(stats.phases)
  }
}
