import hooks from 'node:async_hooks'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import './uncaught-errors.mjs'

/** Loads compiled test files into this process: `node load-tests.mjs FOLDER FILE…`. */

const { createHook } = hooks
let following
/**
 * Node's test runner follows every promise, to tell of which test an uncaught error is. That takes a
 * sixth of the time of a run. Tests need it only to know of which suite they are, while files are
 * loaded; an uncaught error is printed, and fails the process.
 */
hooks.createHook = ({ init }) => {
  hooks.createHook = createHook
  following = createHook({
    init(id, type, triggerId, resource) {
      if (type === 'Test') init(id, type, triggerId, resource)
    },
  })
  return following
}

const [folder, ...files] = process.argv.slice(2)
// Not before: it keeps the function that makes hooks.
const { before, test } = await import('node:test')
let isLoaded = () => {}
const loaded = new Promise((resolve) => (isLoaded = resolve))
// Node's test runner takes tests for all there are if they have ended before others are loaded.
before(() => loaded)
for (const file of files) {
  const compiled = pathToFileURL(join(folder, file.replace(/\.ts$/, '.mjs')))
  // A file that cannot be loaded fails alone.
  await import(compiled).catch((/** @type {unknown} */ error) => {
    void test(`${file} can be loaded`, () => {
      throw error
    })
  })
}
following?.disable()
isLoaded()
