import { readFileSync } from 'node:fs'

import type { PageFiles } from './page.js'

/**
 * The files of the page, as `scripts/web-page.mjs` has written them. A build of the package has
 * another module in the place of this one, which contains them.
 */
export function readPageFiles(): PageFiles {
  // The script has written it.
  return JSON.parse(
    readFileSync(new URL('../../dist/page.json', import.meta.url), 'utf8'),
  ) as PageFiles
}
