import { findChromium, findWholeChromium } from '../../scripts/find-program.mjs'

/**
 * @param isWhole with its user interface, for notifications.
 * @throws {Error} if there is no Chromium: a test without it would check nothing.
 */
export function requireChromium(isWhole = false): string {
  const found = isWhole ? findWholeChromium() : findChromium()
  if (found === undefined) throw new Error('There is no Chromium: install the package chromium')
  return found
}
