// The page of `widephase view`, driven in a browser against the real engine.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

import { PHONE, accessible, command, fits, open, quiet, root, start } from './harness.mjs'

/** A small screen, because the browser of the tests draws on the CPU. */
const SMALL = { width: 900, height: 560 }
const ADDRESS = /http:\/\/127\.0\.0\.1:\d+\/\?token=\S+/

/** The page with these settings, once it shows a frame (or at once, if it shows none). */
async function view(test, hash = '', { drawn = true, ...options } = {}) {
  const { match, child } = await start(test, ['view', '--no-open'], ADDRESS)
  const opened = await open(test, `${match[0]}#${hash}`, { screen: SMALL, ...options })
  opened.page.setDefaultTimeout(30_000)
  // The policy of the page refuses the tag by which the harness brings axe in.
  opened.page.addScriptTag = ({ path }) => opened.page.evaluate(readFileSync(path, 'utf8'))
  await beyond(opened.page, drawn ? 'frames' : 'step', drawn ? 0 : -1)
  return { ...opened, child }
}

/**
 * Waits until a condition on the page holds. (Not by `waitForFunction`, which the policy of the
 * page refuses.)
 */
async function until(page, condition, argument) {
  const end = Date.now() + 30_000
  while (!(await page.evaluate(condition, argument))) {
    assert.ok(Date.now() < end, `waited too long for ${condition} with ${JSON.stringify(argument)}`)
    await page.waitForTimeout(50)
  }
}

/** Waits until a mark that the page leaves for tests has this value. */
const marked = (page, name, value) =>
  until(page, ([name, value]) => document.documentElement.dataset[name] === value, [name, value])

/** Waits until a mark, a number, is above this. */
const beyond = (page, name, value) =>
  until(page, ([name, value]) => Number(document.documentElement.dataset[name]) > value, [
    name,
    value,
  ])

const marks = (page) => page.evaluate(() => ({ ...document.documentElement.dataset }))

/** Pauses, starts the scene anew, and makes steps; returns the state after them. */
async function stepTo(page, steps) {
  const now = await marks(page)
  for (let step = Number(now.step); step < steps; step++) {
    await page.keyboard.press('.')
    await marked(page, 'step', String(step + 1))
  }
  return (await marks(page)).state
}

async function pause(page) {
  await page.locator('#world').focus()
  await page.keyboard.press('p')
  await page.getByRole('button', { name: 'Play' }).waitFor()
}

async function reset(page) {
  await page.keyboard.press('r')
  await marked(page, 'step', '0')
}

/** What the canvas shows in a frame that it has just drawn: how many pixels, and their sum. */
function pixels(page) {
  return page.evaluate(async () => {
    const canvas = document.getElementById('world')
    const gl = canvas.getContext('webgl2')
    const data = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight)
    for (let tries = 0; tries < 300; tries++) {
      await new Promise((resolve) => requestAnimationFrame(resolve))
      gl.readPixels(
        0,
        0,
        gl.drawingBufferWidth,
        gl.drawingBufferHeight,
        gl.RGBA,
        gl.UNSIGNED_BYTE,
        data,
      )
      let [count, sum] = [0, 0]
      for (let at = 0; at < data.length; at += 4) {
        count += data[at + 3] > 0
        sum = (sum * 31 + data[at] + data[at + 3]) % 1_000_000_007
      }
      if (count) return { count, sum }
    }
    return { count: 0, sum: 0 }
  })
}

test('the page draws a moving world, without an error', async (t) => {
  const opened = await view(t, 'scene=pit&n=400')
  const first = await pixels(opened.page)
  assert.ok(first.count > 2000, `${first.count} pixels are drawn`)
  const { frames, step } = await marks(opened.page)
  await beyond(opened.page, 'frames', Number(frames) + 2)
  const second = await pixels(opened.page)
  assert.notEqual(second.sum, first.sum)
  await beyond(opened.page, 'step', Number(step))
  assert.match(await opened.page.locator('#bodies').textContent(), /^\d/)
  assert.match(await opened.page.locator('#ms').textContent(), /s$/)
  quiet(opened)
})

test('a switch of level changes the shown level and not the state', async (t) => {
  const opened = await view(t, 'scene=pit&n=300&seed=7&level=scalar')
  const { page } = opened
  const levels = await page.locator('#level option').allTextContents()
  assert.equal(levels[0], 'scalar')
  const fastest = levels.at(-1)
  await pause(page)
  await reset(page)
  const half = await stepTo(page, 4)
  const scalar = await stepTo(page, 8)
  assert.notEqual(half, scalar)

  await page.locator('#level').selectOption(fastest)
  await marked(page, 'level', fastest)
  const now = await marks(page)
  assert.deepEqual([now.step, now.state], ['8', scalar], 'the same bodies go on')
  assert.match(page.url(), new RegExp(`level=${fastest}`))

  await page.locator('#world').focus()
  await reset(page)
  assert.equal(await stepTo(page, 4), half)
  assert.equal(await stepTo(page, 8), scalar)
  quiet(opened)
})

test('the link holds the settings', async (t) => {
  const wanted =
    'scene=pebbles&n=1200&level=scalar&threads=1&touching=exclusive&seed=5&show=contacts,cells'
  const opened = await view(t, wanted)
  const { page } = opened
  // The first frames may be of the world that the engine begins with.
  await until(page, () => document.getElementById('scene').value === 'pebbles')
  const values = await page.evaluate(() =>
    ['scene', 'level', 'threads', 'touch', 'seed'].map((id) => document.getElementById(id).value),
  )
  assert.deepEqual(values, ['pebbles', 'scalar', '1', 'exclusive', '5'])
  assert.equal(await page.locator('#n-out').textContent(), '1,200')
  const shown = await page
    .locator('[data-show]:checked')
    .evaluateAll((all) => all.map((box) => box.dataset.show))
  assert.deepEqual(shown, ['contacts', 'cells'])

  await page.locator('#touch').selectOption('inclusive')
  await page.getByLabel('bounds').check()
  await until(page, () => location.hash.includes('touching=inclusive'))
  const fields = new URLSearchParams(new URL(page.url()).hash.slice(1))
  assert.equal(fields.get('show'), 'contacts,cells,bounds')
  assert.deepEqual(
    [fields.get('scene'), fields.get('n'), fields.get('seed')],
    ['pebbles', '1200', '5'],
  )
  assert.ok(new URL(page.url()).searchParams.has('token'), 'the token stays')
  quiet(opened)
})

test('a link with a bad field keeps the others, and the pause', async (t) => {
  const opened = await view(t, 'scene=pebbles&n=many&seed=7&touching=maybe&show=cells,ghosts&paused=1')
  const { page } = opened
  await page
    .getByText('The link asks for what is not here: n many, touching maybe, show ghosts.')
    .waitFor()
  await until(page, () => document.getElementById('scene').value === 'pebbles')
  assert.equal(await page.locator('#seed').inputValue(), '7')
  await until(page, () => location.hash.includes('paused=1'))
  // A step of the first scene may still be shown when the link has been read.
  const shown = () => page.evaluate(() => document.documentElement.dataset.step)
  let [before, step] = [await shown(), undefined]
  for (let tries = 0; tries < 10 && before !== step; tries++) {
    step = before
    await page.waitForTimeout(300)
    before = await shown()
  }
  assert.equal(before, step)
  quiet(opened)
})

test('a link with what this machine does not have says so', async (t) => {
  const opened = await view(t, 'scene=gas&n=500&level=abacus')
  await opened.page.getByText('The link asks for what is not here: level abacus.').waitFor()
  quiet(opened)
})

/** Waits until the legend has these entries, and no other ones. */
const legend = (page, wanted) =>
  until(
    page,
    (wanted) =>
      [...document.querySelectorAll('#legend li')].map((row) => row.textContent).join() === wanted,
    wanted.join(),
  )

/** How many pixels of the canvas have about the colour of a custom property of the page. */
function colored(page, name) {
  return page.evaluate(async (name) => {
    const hex = getComputedStyle(document.documentElement).getPropertyValue(name).trim()
    const wanted = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16))
    const canvas = document.getElementById('world')
    const gl = canvas.getContext('webgl2')
    const data = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight)
    let count = 0
    for (let tries = 0; tries < 300 && !count; tries++) {
      await new Promise((resolve) => requestAnimationFrame(resolve))
      gl.readPixels(
        0,
        0,
        gl.drawingBufferWidth,
        gl.drawingBufferHeight,
        gl.RGBA,
        gl.UNSIGNED_BYTE,
        data,
      )
      for (let at = 0; at < data.length; at += 4) {
        const alpha = data[at + 3] / 255
        if (alpha < 0.5) continue
        const far = wanted.map((part, k) => Math.abs(data[at + k] / alpha - part))
        count += Math.max(...far) < 12
      }
    }
    return count
  }, name)
}

test('the legend has the colours of the picture', async (t) => {
  const opened = await view(t, 'scene=shooter&show=')
  const { page } = opened
  await legend(page, ['left team', 'right team', 'bullet', 'static', 'filled: touches'])
  for (const group of [1, 2, 3]) {
    const count = await colored(page, `--group-${group}`)
    assert.ok(count > 20, `group ${group}: ${count} pixels`)
  }
  await page.locator('#scene').selectOption('pit')
  const kinds = ['circle', 'box', 'capsule', 'polygon', 'static', 'filled: touches']
  await legend(page, kinds)
  await page.getByLabel('contacts').check()
  await page.getByLabel('rays').check()
  await page.getByLabel('bounds').check()
  await legend(page, [...kinds, 'contact', 'ray', 'bounds'])
  quiet(opened)
})

test('levels of cells have colours, and no tint', async (t) => {
  const opened = await view(t, 'scene=pebbles&n=1000&show=cells')
  const { page } = opened
  const rows = page.locator('#legend li', { hasText: 'wide' })
  await rows.first().waitFor()
  const texts = await rows.allTextContents()
  assert.ok(texts.length >= 2, String(texts))
  texts.forEach((text, at) => assert.match(text, new RegExp(`^level ${at}, cells [\\d.]+ wide$`)))
  for (const at of texts.keys()) assert.ok((await colored(page, `--cell-${at}`)) > 100, texts[at])
  const { count } = await pixels(page)
  const share = await page.evaluate((count) => {
    const { width, height } = document.getElementById('world')
    return count / (width * height)
  }, count)
  assert.ok(share < 0.5, `${share} of the picture is not empty`)
  // From far away, the fine cells are too small.
  await page.locator('#world').focus()
  for (let key = 0; key < 6; key++) await page.keyboard.press('-')
  await rows.first().filter({ hasText: 'zoom in' }).waitFor()
  quiet(opened)
})

/** What `examples/argon` prints: [ship and targets, verdict] to its lines. */
async function example() {
  const made = path.join(path.dirname(command), 'examples', 'argon')
  const cargo = ['run', '--release', '--quiet', '--example', 'argon']
  const [program, args] = existsSync(made) ? [made, []] : ['cargo', cargo]
  const { stdout } = await promisify(execFile)(program, args, { cwd: root })
  const rounds = new Map()
  const kebab = (name) => name.replace(/(?<=.)[A-Z]/g, '-$&').toLowerCase()
  let [areas, verdicts] = ['', []]
  for (const line of stdout.split('\n')) {
    const title = line.match(/^ship and targets: \((\w+), (\w+)\)$/)
    if (title) areas = `${kebab(title[1])} ${kebab(title[2])}`
    else if (/^ {4}\S/.test(line)) {
      const event = line.trim().replace(/\s+/g, ' ')
      for (const verdict of verdicts) rounds.get(`${areas} ${verdict}`).push(event)
    } else if (/^ {2}\S/.test(line)) {
      verdicts = line.trim().split(', ')
      for (const verdict of verdicts) rounds.set(`${areas} ${verdict}`, [])
    }
  }
  return rounds
}

test('the script of Argon gives the states of the example', async (t) => {
  const rounds = await example()
  assert.ok(rounds.size > 30, `${rounds.size} rounds`)
  const opened = await view(t, 'scene=argon')
  const { page } = opened
  const tried = [
    ['circle', 'circle', 'engine (inclusive)'],
    ['circle', 'box', 'nine_zones'],
    ['two-circles', 'circle', 'compound_circles'],
    ['box', 'box', 'expanded_rect_strict'],
    ['rotated-box', 'box', 'separating_axes'],
    ['rotated-box', 'circle', 'engine (exclusive)'],
  ]
  for (const [area, target, verdict] of tried) {
    await page.locator('#area').selectOption(area)
    await page.locator('#target').selectOption(target)
    await page.locator('#judge').selectOption(verdict)
    await page.getByRole('button', { name: 'Play the script' }).click()
    await marked(page, 'script', 'done')
    const wanted = rounds.get(`${area} ${target} ${verdict}`)
    const log = page.locator('#argon-log li')
    await log.nth(wanted.length - 1).waitFor()
    assert.deepEqual(await log.allTextContents(), wanted, `${area} ${target} ${verdict}`)
    const last = wanted.findLast((event) => /(hit|safe)$/.test(event))
    assert.equal((await marks(page)).argon, last.endsWith('hit') ? 'hit' : 'safe')
  }
  // Only the verdicts that are for the areas are offered.
  const offered = [...rounds.keys()].filter((key) => key.startsWith('rotated-box circle '))
  assert.equal(await page.locator('#judge option').count(), offered.length)
  quiet(opened)
})

test('Argon is played by keyboard', async (t) => {
  const opened = await view(t, 'scene=argon&area=circle&target=box')
  const { page } = opened
  const log = page.locator('#argon-log li')
  await page.locator('#verdict', { hasText: '안전 / safe' }).waitFor()
  const fonts = (text) => document.fonts.load('15px "Noto Sans KR"', text).then((all) => all.length)
  assert.deepEqual(
    [await page.evaluate(fonts, '안전'), await page.evaluate(fonts, '충돌')],
    [1, 1],
    'the syllables are in the page',
  )
  await page.locator('#world').focus()
  // The first target is above the way to the right: 15 away, which touches.
  await page.keyboard.down('ArrowRight')
  await log.filter({ hasText: '충돌 / hit' }).first().waitFor()
  await page.keyboard.up('ArrowRight')
  // A rocket into the targets that come next, up and down.
  await page.keyboard.press('r')
  await marked(page, 'argon', 'safe')
  await until(page, () => document.querySelectorAll('#argon-log li').length === 0)
  await page.keyboard.down('ArrowRight')
  await page.keyboard.down(' ')
  await log.filter({ hasText: 'a rocket and target' }).first().waitFor()
  await page.keyboard.up(' ')
  await page.keyboard.up('ArrowRight')
  quiet(opened)
})

test('the exhibit says who says what', async (t) => {
  const opened = await view(t, 'view=exhibit', { drawn: false })
  const { page } = opened
  const said = (name) =>
    page
      .getByRole('row', { name: new RegExp(`^${name.replace(/[()]/g, '\\$&')}`) })
      .locator('td')
      .first()
  const expect = async (name, text) => {
    await said(name).filter({ hasText: text }).waitFor()
  }
  // The first position touches a side.
  await expect('engine (inclusive)', 'touch')
  await expect('engine (exclusive)', 'apart')

  // A unit by the keyboard, and back.
  const circle = page.getByRole('button', { name: /^Circle at/ })
  await circle.focus()
  await page.keyboard.press('ArrowRight')
  await expect('engine (inclusive)', 'apart')
  await page.keyboard.press('ArrowLeft')
  await expect('engine (inclusive)', 'touch')

  // Dragged away by the mouse, and then the box by a position of the list.
  const place = await circle.boundingBox()
  const [x, y] = [place.x + place.width / 2, place.y + place.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + place.width, y, { steps: 4 })
  await page.mouse.up()
  await expect('engine (inclusive)', 'apart')
  assert.ok(Number(await page.getByLabel('x', { exact: true }).inputValue()) > 45)
  await page.getByRole('button', { name: 'touches a corner' }).click()
  await expect('engine (inclusive)', 'touch')
  await page.getByText('Zone: corner.').waitFor()
  await page.getByRole('button', { name: 'only its square meets the corner' }).click()
  await expect('engine (inclusive)', 'apart')
  await expect('min_max', 'touch')

  await page.getByLabel('r', { exact: true }).fill('-1')
  await page.getByLabel('r', { exact: true }).press('Enter')
  await page.locator('#status.error').waitFor()
  quiet(opened)
})

test('mouse and keyboard move the picture and the bodies', async (t) => {
  const opened = await view(t, 'scene=gas&n=60')
  const { page } = opened
  const bodies = () => page.locator('#bodies').textContent().then(Number)
  const count = (wanted) =>
    until(page, (n) => document.getElementById('bodies').textContent === n, String(wanted))
  const canvas = page.locator('#world')
  await pause(page)
  const changes = async (act) => {
    const before = await canvas.screenshot()
    await act()
    await page.waitForTimeout(400)
    assert.notEqual(Buffer.compare(before, await canvas.screenshot()), 0, String(act))
  }
  await changes(() => page.keyboard.press('+'))
  await changes(() => page.keyboard.press('ArrowLeft'))
  await changes(() => page.keyboard.press('b'))
  assert.ok(await page.getByLabel('bounds').isChecked())
  await page.keyboard.press('0')
  const { x, y, width, height } = await canvas.boundingBox()
  const middle = [x + width / 2, y + height / 2]
  await page.mouse.move(...middle)
  await changes(() => page.mouse.wheel(0, -300))
  await changes(async () => {
    await page.getByLabel('rays').check()
    await page.mouse.move(middle[0] + 30, middle[1])
  })

  // A body at the cross, dragged by the mouse to another place and removed there.
  const before = await bodies()
  await canvas.focus()
  for (let key = 0; key < 4; key++) await page.keyboard.press('+')
  await page.keyboard.press('n')
  await count(before + 1)
  await changes(async () => {
    await page.mouse.move(...middle)
    await page.mouse.down()
    await page.mouse.move(middle[0] + 90, middle[1] + 20, { steps: 6 })
    await page.mouse.up()
  })
  await page.locator('label', { hasText: 'Remove' }).click()
  await page.mouse.click(middle[0] + 90, middle[1] + 20)
  await count(before)

  await page.keyboard.press('?')
  await page.getByRole('heading', { name: 'Keys' }).waitFor()
  await page.keyboard.press('Escape')
  await canvas.focus()
  await page.keyboard.press(' ')
  await page.getByRole('button', { name: 'Pause' }).waitFor()
  quiet(opened)
})

for (const dark of [false, true]) {
  test(`nothing serious for axe, ${dark ? 'dark' : 'light'}`, async (t) => {
    const opened = await view(t, 'scene=pit&n=200&show=contacts', { dark })
    const { page } = opened
    await accessible(page)
    await page.keyboard.press('?')
    await accessible(page)
    await page.keyboard.press('Escape')
    for (const name of ['Argon', 'Exhibit']) {
      await page.getByRole('button', { name, exact: true }).click()
      await page.waitForTimeout(500)
      await accessible(page)
    }
    quiet(opened)
  })
}

test('a phone has no horizontal scroll, a drawer, and touch', async (t) => {
  const opened = await view(t, 'scene=pit&n=200', { screen: PHONE, touch: true })
  const { page } = opened
  await fits(page)
  await page.getByRole('button', { name: 'Controls' }).tap()
  await page.locator('#panel.open').waitFor()
  await page.waitForTimeout(300)
  await fits(page)
  await accessible(page)
  await page.touchscreen.tap(195, 200)
  await page.locator('#panel:not(.open)').waitFor({ state: 'attached' })
  for (const name of ['Argon', 'Exhibit', 'World']) {
    await page.getByRole('button', { name, exact: true }).tap()
    await page.waitForTimeout(400)
    await fits(page)
  }
  quiet(opened)
})

test('50,000 bodies come as frames', async (t) => {
  const screen = { width: 640, height: 360 }
  const opened = await view(t, 'scene=gas&n=50000&show=', { screen })
  const { page } = opened
  // Drawing on the CPU is slow, so these are few frames.
  await beyond(page, 'frames', 5)

  // What the engine sends to a page that draws at once.
  await page.getByRole('button', { name: 'Exhibit' }).click()
  const { seconds, bytes } = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const socket = new WebSocket(`ws://${location.host}/ws${location.search}`)
        socket.binaryType = 'arraybuffer'
        const send = (message) => socket.send(JSON.stringify(message))
        let [start, bytes] = [0, 0]
        socket.onmessage = ({ data }) => {
          if (typeof data === 'string') {
            if (JSON.parse(data).type !== 'hello') return
            send({ type: 'settings', scene: 'gas', n: 50000 })
            send({ type: 'run', playing: true })
            return
          }
          const [, frame, , rows] = new Uint32Array(data, 0, 4)
          send({ type: 'ack', frame })
          if (rows < 50000) return
          start ||= frame
          if (frame === start) socket.begun = performance.now()
          else bytes += data.byteLength
          if (frame < start + 60) return
          socket.close()
          resolve({ seconds: (performance.now() - socket.begun) / 1000, bytes: bytes / 60 })
        }
      }),
  )
  t.diagnostic(`${(60 / seconds).toFixed(1)} frames of 50,000 bodies a second`)
  assert.ok(seconds < 30, `60 frames in ${seconds} s`)
  // 8 bytes of position and a flag for each body, and 4 of rotation if they rotate.
  assert.ok(bytes >= 50_000 * 9 && bytes < 50_000 * 14, `${bytes} bytes a frame`)
  quiet(opened)
})

test('the page says when the engine is gone', async (t) => {
  const { page, child } = await view(t, 'scene=gas&n=200')
  child.kill('SIGINT')
  await page.locator('#message').getByText('The connection to the engine is lost').waitFor()
  assert.equal(await page.locator('#status').getAttribute('role'), 'status')
})

test('without WebGL2 the page says so, and the numbers go on', async (t) => {
  const { match } = await start(t, ['view', '--no-open'], ADDRESS)
  const { page, context } = await open(t, 'about:blank')
  await context.unrouteAll()
  await page.addInitScript(() => {
    const get = HTMLCanvasElement.prototype.getContext
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
      return kind === 'webgl2' ? null : get.call(this, kind, ...rest)
    }
  })
  await page.goto(match[0])
  await page.getByText('This browser has no WebGL2').waitFor()
  await beyond(page, 'step', 2)
})
