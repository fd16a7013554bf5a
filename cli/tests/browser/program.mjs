// The command and the browser.

import { execFile } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { chromium } from 'playwright-core'

/** The folder of the repository. */
export const root = fileURLToPath(new URL('../../..', import.meta.url))

/** The command: $WIDEPHASE, or what `cargo build --release -p widephase-cli` makes. */
export const command =
  process.env.WIDEPHASE ??
  path.resolve(root, process.env.CARGO_TARGET_DIR ?? 'target', 'release', 'widephase')

/** Runs the command to its end in `folder`, and returns its standard output. */
export async function run(args, folder = root) {
  const { stdout } = await promisify(execFile)(command, args, { cwd: folder })
  return stdout
}

/** Starts a browser: $CHROMIUM, or that of Debian. WebGL runs on the CPU. */
export function newBrowser() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  })
}
