// Makes the pictures of README.md and docs/cli.md: `npm run pictures [NAME...]`. Without names, all of them.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

import { command, newBrowser, root, run } from './program.mjs'

/** The most bytes of a picture. */
const MOST = 250_000

/** Each picture with the function that makes it: it gets a browser and the path of the PNG. */
const pictures = { report, view }

/** A report of `bench`, to the end of its first case. */
async function report(browser, picture) {
  const at = await mkdtemp(path.join(os.tmpdir(), 'widephase-picture-'))
  try {
    const html = path.join(at, 'report.html')
    await run(['bench', '--what', 'pairs,step', '--scene', 's1', '--html', 'report.html'], at)
    const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } })
    await page.goto(pathToFileURL(html).href)
    const { y, height } = await page.locator('section').first().boundingBox()
    const clip = { x: 0, y: 0, width: 1400, height: Math.ceil(y + height) }
    await page.screenshot({ path: picture, clip })
  } finally {
    await rm(at, { recursive: true, force: true })
  }
}

/** The page of `view`, when the bodies have fallen into the pit. */
async function view(browser, picture) {
  const child = spawn(command, ['view', '--no-open', '--port', '0'], { cwd: root })
  try {
    const [address] = await once(createInterface(child.stdout), 'line')
    const page = await browser.newPage({
      viewport: { width: 1280, height: 700 },
      reducedMotion: 'reduce',
    })
    await page.goto(`${address}#scene=pit&n=300&show=contacts`)
    const step = () => page.evaluate(() => Number(document.documentElement.dataset.step ?? 0))
    while ((await step()) < 320) await page.waitForTimeout(200)
    await page.screenshot({ path: picture })
  } finally {
    child.kill()
  }
}

const browser = await newBrowser()
const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(pictures)
try {
  for (const name of names) {
    const make = pictures[name]
    if (!make) throw new Error(`no picture ${name}; there are: ${Object.keys(pictures).join(', ')}`)
    const file = path.join(root, 'docs', 'figures', `${name}.png`)
    await make(browser, file)
    const { size } = await stat(file)
    console.log(`${path.relative(root, file)}: ${size} bytes`)
    if (size > MOST) throw new Error(`${name} has more than ${MOST} bytes`)
  }
} finally {
  await browser.close()
}
