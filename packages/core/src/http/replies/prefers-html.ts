import { weightedItems } from '../../kernel/weighted-items.js'

const maxHeaderLength = 1000

/** Whether a header `Accept` names HTML, and gives JSON no higher weight. */
export function prefersHtml(header: string | undefined): boolean {
  if (header === undefined || header.length > maxHeaderLength) return false
  const items = weightedItems(header)
  const weightOf = (type: string): number => items.find(({ name }) => name === type)?.weight ?? 0
  const html = weightOf('text/html')
  return html > 0 && html >= weightOf('application/json')
}
