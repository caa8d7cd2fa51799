import { createRequire } from 'node:module'

import type { Ajv } from 'ajv'

const require = createRequire(import.meta.url)

interface Library {
  readonly Ajv: typeof Ajv
}

/** The library that compiles schemas, loaded on first use: it takes a tenth of the core's import. */
export function loadAjv(): typeof Ajv {
  const library: Library = require('ajv')
  return library.Ajv
}
