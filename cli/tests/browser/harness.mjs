// What the tests of pages share: the command, a browser, and what every page must keep to.
//
// A test calls `run` or `start` for the command, `open` for a page, and the checks at the end.
// All that they make is gone when the test ends.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { after } from 'node:test'

import { command, newBrowser, root } from './program.mjs'

export { command, root, run } from './program.mjs'

/** The sizes of screens, in CSS pixels: a phone, and a desktop. */
export const PHONE = { width: 390, height: 844 }
export const DESKTOP = { width: 1400, height: 900 }

/**
 * Starts the command and waits until its output matches `ready`. Returns the match, all output so
 * far as a function, and the child. It is ended with the test.
 */
export async function start(test, args, ready, seconds = 20) {
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  test.after(() => child.kill('SIGKILL'))
  const match = await new Promise((resolve, reject) => {
    const fail = (reason) => {
      clearTimeout(timer)
      reject(new Error(`widephase ${args.join(' ')} ${reason}:\n${text}`))
    }
    const timer = setTimeout(() => fail(`is not ready after ${seconds} s`), seconds * 1000)
    const read = (bytes) => {
      text += bytes
      const found = text.match(ready)
      if (found) {
        clearTimeout(timer)
        resolve(found)
      }
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.on('error', (error) => fail(error.message))
    child.on('exit', (code, signal) => fail(`has ended with ${code ?? signal}`))
  })
  return { match, output: () => text, child }
}

/** A new folder, which is removed with the test. */
export async function folder(test) {
  const name = await mkdtemp(path.join(os.tmpdir(), 'widephase-browser-'))
  test.after(() => rm(name, { recursive: true, force: true }))
  return name
}

let browser

/** The browser of this file of tests. */
export function launch() {
  browser ??= newBrowser()
  return browser
}

after(async () => (await browser)?.close())

/**
 * Opens a page. Options: `screen` (default: DESKTOP), `dark`, and `touch`.
 *
 * Requests to any place but that of the page are refused, and listed in `refused`; of a file, all.
 * `errors` lists what the console shows as an error, exceptions that nothing catches, and requests
 * that fail. A test checks them by `quiet`.
 */
export async function open(test, address, { screen = DESKTOP, dark = false, touch = false } = {}) {
  const context = await (await launch()).newContext({
    viewport: screen,
    colorScheme: dark ? 'dark' : 'light',
    hasTouch: touch,
    isMobile: touch,
    reducedMotion: 'reduce',
  })
  test.after(() => context.close())
  const [errors, refused] = [[], []]
  const at = new URL(address)
  const own = (url) => (at.protocol === 'file:' ? url.href === at.href : url.host === at.host)
  await context.route('**/*', (route) => {
    const url = new URL(route.request().url())
    if (own(url)) return route.continue()
    refused.push(url.href)
    return route.abort()
  })
  const page = await context.newPage()
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  page.on('pageerror', (error) => errors.push(String(error)))
  page.on('requestfailed', (request) => errors.push(`failed: ${request.url()}`))
  await page.goto(address)
  return { page, context, errors, refused }
}

/** Checks that a page has shown no error and asked for nothing elsewhere. */
export function quiet({ errors, refused }) {
  assert.deepEqual(errors, [])
  assert.deepEqual(refused, [])
}

/** Checks that a page is not wider than the screen, so that nobody has to scroll sideways. */
export async function fits(page) {
  const wide = await page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const isWide = (element) => element.getBoundingClientRect().right > clientWidth + 0.5
    const names = [...document.body.querySelectorAll('*')].filter(isWide)
    return [`${scrollWidth} > ${clientWidth}`, ...names.map((e) => e.outerHTML.slice(0, 90))]
  })
  assert.deepEqual(wide.slice(0, 5), [], 'the page is wider than the screen')
}

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** Checks that axe finds nothing serious: contrast, names, roles, focus, order of headings. */
export async function accessible(page, options = {}) {
  await page.addScriptTag({ path: axe })
  const { violations } = await page.evaluate((options) => globalThis.axe.run(options), options)
  const serious = violations.filter(({ impact }) => ['serious', 'critical'].includes(impact))
  const found = serious.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help}: ${node.target.join(' ')} ${node.failureSummary}`),
  )
  assert.deepEqual(found, [])
}

/**
 * Presses Tab until the focus is back at the start, and returns what had it: the text, the label or
 * the name of each element. Each of them must be seen while it has the focus.
 */
export async function tabThrough(page, most = 500) {
  const names = []
  await page.evaluate(() => document.activeElement?.blur())
  for (let count = 0; count < most; count++) {
    await page.keyboard.press('Tab')
    const focus = await page.evaluate(() => {
      const element = document.activeElement
      if (!element || element === document.body) return null
      const first = !window.widephaseFirst
      window.widephaseFirst ??= element
      if (!first && element === window.widephaseFirst) return null
      const { left, right, top, bottom } = element.getBoundingClientRect()
      const seen = right > 0 && bottom > 0 && left < innerWidth && top < innerHeight
      const outline = getComputedStyle(element).outlineStyle
      const name = element.getAttribute('aria-label') ?? element.textContent.trim()
      return { name: name || element.tagName.toLowerCase(), seen, outline }
    })
    if (!focus) return names
    assert.ok(focus.seen, `${focus.name} has the focus and is not on the screen`)
    assert.notEqual(focus.outline, 'none', `${focus.name} does not show that it has the focus`)
    names.push(focus.name)
  }
  assert.fail(`more than ${most} elements have the focus in turn`)
}
