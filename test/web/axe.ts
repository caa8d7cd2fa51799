import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import type { AxeResults } from 'axe-core'

import type { TestPage } from './browser.js'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const colorRules = ['color-contrast', 'link-in-text-block']

/**
 * What axe finds wrong in the present state of a window. With a dark color scheme only the rules
 * about colors are checked: the others are the same in a light one, where all are.
 */
export async function violations(page: TestPage): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.addScriptTag({ content: axe })
  const results = await page.evaluate<AxeResults, Record<'tags' | 'colorRules', string[]>>(
    ({ tags, colorRules }) => {
      // The script has added it.
      const { axe } = window as unknown as {
        readonly axe: { run(root: Document, options: object): Promise<AxeResults> }
      }
      const isDark = matchMedia('(prefers-color-scheme: dark)').matches
      const runOnly = isDark ? { type: 'rule', values: colorRules } : tags
      return axe.run(document, { runOnly, resultTypes: ['violations'] })
    },
    { tags, colorRules },
  )
  // Only HTML's own rules have no combobox of several lines; ARIA has.
  const relevant = results.violations.filter(({ id, nodes }) => {
    return id !== 'aria-allowed-role' || nodes.some(({ html }) => !html.includes('role="combobox"'))
  })
  return relevant.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ html, any, all }) =>
        `${id}: ${html.slice(0, 200)} ${[...any, ...all].map(({ message }) => message).join('; ')}`,
    ),
  )
}
