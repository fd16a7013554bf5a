// The report of `widephase bench`, in a browser.

import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'

import { DESKTOP, PHONE, accessible, fits, folder, open, quiet } from './harness.mjs'
import { run, tabThrough } from './harness.mjs'

const PEERS = `scene,n,executor,median_ns_per_body
s1,1000,tree,90
s1,2000,tree,110
s1,1000,hash map,190
s1,2000,hash map,240
`

// With all kinds of charts, and with a baseline in which all was ten times as fast.
const at = await folder({ after })
const [html, save, peers] = ['report.html', 'run.json', 'peers.csv'].map((n) => path.join(at, n))
const what = ['--what', 'pairs,step,rays', '--scene', 's1,s7', '-n', '1k,2k']
const bench = ['bench', ...what, '--time', '0']
await run([...bench, '--save', save])
const saved = JSON.parse(await readFile(save, 'utf8'))
for (const row of saved.rows) row.samples = row.samples.map((sample) => sample / 10)
await writeFile(save, JSON.stringify(saved))
await writeFile(peers, PEERS)
await run([...bench, '--html', html, '--baseline', save, '--peers', peers])
const address = pathToFileURL(html).href

test('loads nothing, and shows charts that are not empty', async (t) => {
  const opened = await open(t, address)
  const { page } = opened
  const sections = await page.locator('h2').allTextContents()
  const scenes = ['s1 (uniform-circles)', 's7 (mixed-rotating)']
  const cases = ['pairs', 'step', 'rays'].flatMap((call) => scenes.map((s) => `${call}, ${s}`))
  assert.deepEqual(sections, ['Changes from the baseline', ...cases, 'Cells'])

  const charts = await page.locator('section[aria-labelledby="case-0"] h3').allTextContents()
  assert.equal(charts.length, 4, charts.join())
  assert.match(charts.join(), /Time against.*Speed-up by level.*Phases of.*Phases by level/)
  const drawn = await page.locator('figure > svg').evaluateAll((drawings) =>
    drawings.map((svg) => {
      const shapes = [...svg.querySelectorAll('polyline, circle, rect, polygon, text')]
      const { width, height } = svg.getBoundingClientRect()
      const inside = shapes.filter((shape) => {
        const box = shape.getBoundingClientRect()
        return box.width + box.height > 0
      })
      return { width, height, shapes: inside.length }
    }),
  )
  assert.equal(drawn.length, await page.locator('figure').count())
  for (const { width, height, shapes } of drawn) {
    assert.ok(width > 300 && height > 60 && shapes > 8, JSON.stringify({ width, height, shapes }))
  }
  quiet(opened)
})

test('texts stay inside of their drawings and do not overlap', async (t) => {
  for (const screen of [DESKTOP, PHONE]) {
    const { page } = await open(t, address, { screen })
    const faults = await page.locator('figure > svg').evaluateAll((drawings) => {
      const faults = []
      for (const svg of drawings) {
        const frame = svg.getBoundingClientRect()
        const texts = [...svg.querySelectorAll('text')].map((text) => {
          const hint = text.closest('.hint') !== null
          return { name: text.textContent, box: text.getBoundingClientRect(), hint }
        })
        texts.forEach(({ name, box, hint }, number) => {
          const { left, right, top, bottom } = box
          const out = left < frame.left || right > frame.right || bottom > frame.bottom
          if (out || top < frame.top) faults.push(`${name} is cut off`)
          // A hint shows above what is there.
          for (const { name: other, box: b, hint: above } of texts.slice(number + 1)) {
            if (hint || above) continue
            const apart = right < b.left || b.right < left || bottom < b.top || b.bottom < top
            if (!apart) faults.push(`${name} and ${other} overlap`)
          }
        })
      }
      return faults
    })
    assert.deepEqual(faults, [])
  }
})

test('a value shows under the pointer and with the focus', async (t) => {
  const { page } = await open(t, address)
  // The last one is above the others.
  const hints = page.locator('figure').first().locator('.hint')
  const hint = hints.last()
  const shown = () => hint.locator('text').evaluate((text) => getComputedStyle(text).visibility)
  assert.equal(await shown(), 'hidden')
  await hint.focus()
  assert.equal(await shown(), 'visible')
  assert.match(await hints.first().getAttribute('aria-label'), /^scalar, .*: [0-9.]+ \([0-9.]+ to [0-9.]+\)$/)
  await page.locator('h1').first().hover()
  await page.evaluate(() => document.activeElement.blur())
  assert.equal(await shown(), 'hidden')
  await hint.locator('circle').hover()
  assert.equal(await shown(), 'visible')
})

test('has no serious finding of axe, in light and dark mode, with all tables open', async (t) => {
  for (const dark of [false, true]) {
    for (const screen of [DESKTOP, PHONE]) {
      const { page } = await open(t, address, { dark, screen })
      await page.locator('details').evaluateAll((all) => all.forEach((one) => (one.open = true)))
      await accessible(page)
    }
  }
})

// axe does not judge the texts of drawings.
test('texts of drawings have contrast in light and dark mode', async (t) => {
  for (const dark of [false, true]) {
    const { page } = await open(t, address, { dark })
    const faint = await page.locator('figure > svg').evaluateAll((drawings) => {
      const rgb = (color) => color.match(/[\d.]+/g).slice(0, 3).map(Number)
      const luminance = (color) => {
        const [red, green, blue] = rgb(color).map((value) => {
          const part = value / 255
          return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
        })
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue
      }
      const contrast = (a, b) => {
        const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y)
        return (high + 0.05) / (low + 0.05)
      }
      const faint = []
      for (const svg of drawings) {
        const parts = [...svg.querySelectorAll('rect')].filter((part) => {
          return getComputedStyle(part).fill !== 'none' && part.getAttribute('opacity') !== '0'
        })
        for (const text of svg.querySelectorAll('text')) {
          const { left, right, top, bottom } = text.getBoundingClientRect()
          const [x, y] = [(left + right) / 2, (top + bottom) / 2]
          const below = parts.findLast((part) => {
            const box = part.getBoundingClientRect()
            return box.left <= x && x <= box.right && box.top <= y && y <= box.bottom
          })
          const paper = getComputedStyle(document.body).backgroundColor
          const under = below ? getComputedStyle(below).fill : paper
          const ratio = contrast(getComputedStyle(text).fill, under)
          if (ratio < 4.5) faint.push(`${text.textContent}: ${ratio.toFixed(2)} on ${under}`)
        }
      }
      return faint
    })
    assert.deepEqual(faint, [])
  }
})

test('no two lines of a chart look the same without colours', async (t) => {
  const { page } = await open(t, address)
  const same = await page.locator('.legend').evaluateAll((legends) => {
    const look = (key) => {
      const line = key.querySelector('polyline')
      if (!line) return null
      const mark = [...key.querySelectorAll('*')].filter((part) => part !== line)
      const filled = (part) => `${part.tagName} ${part.getAttribute('fill') === 'none'}`
      return `${getComputedStyle(line).strokeDasharray} ${mark.map(filled)}`
    }
    return legends.flatMap((legend) => {
      const looks = [...legend.querySelectorAll('svg')].map(look).filter((look) => look)
      return looks.filter((one, number) => looks.indexOf(one) !== number)
    })
  })
  assert.deepEqual(same, [])
})

test('is as wide as a phone, with all tables open', async (t) => {
  const { page } = await open(t, address, { screen: PHONE, touch: true })
  await fits(page)
  await page.locator('details').evaluateAll((all) => all.forEach((one) => (one.open = true)))
  await fits(page)
  const cells = await page.locator('th, td').evaluateAll((cells) =>
    cells.filter((cell) => cell.clientHeight > 40).map((cell) => cell.textContent),
  )
  assert.deepEqual(cells, [], 'these cells break their text')
  const narrow = await open(t, address, { screen: { width: 320, height: 600 } })
  await fits(narrow.page)
})

test('is used by keyboard alone', async (t) => {
  const { page } = await open(t, address)
  const names = await tabThrough(page)
  assert.equal(names[0], 'Skip to the results')
  const links = await page.locator('nav a').allTextContents()
  assert.deepEqual(names.slice(1, 1 + links.length), links)
  const charts = await page.locator('summary').allTextContents()
  assert.deepEqual(names.filter((name) => name.startsWith('Values: ')), charts)

  // A table opens by Enter, and then has the focus next, so that arrows scroll it.
  await page.locator('summary').first().focus()
  await page.keyboard.press('Enter')
  assert.ok(await page.locator('details').first().evaluate((details) => details.open))
  await page.keyboard.press('Tab')
  const role = await page.evaluate(() => document.activeElement.getAttribute('role'))
  assert.equal(role, 'region')

  await page.locator('nav a').last().focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/#cells$/)
})
