import { fileURLToPath } from 'node:url'

import { bundleElements, writePage } from '../../scripts/web-page.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Bundles the page of `@parley/web` from its sources, because the examples run from sources. An
 * application installs the package, which contains the page.
 */
export async function buildPage(): Promise<void> {
  await writePage(root)
}

/** The files of the package's `dist/browser`, which applications serve as they are, by name. */
export async function buildElements(): Promise<ReadonlyMap<string, string>> {
  return new Map(Object.entries((await bundleElements(root)).files))
}
