import { markAlertWords } from './alert-words.js'
import { addCodeButtons } from './code-buttons.js'
import { widenCells } from './wide-cells.js'

/** Adds the parts to a shown message that are not needed to read it. */
export async function completeContent(
  element: Element,
  words: readonly string[] = [],
): Promise<void> {
  markAlertWords(element, words)
  addCodeButtons(element)
  widenCells(element)
  if (element.querySelector('.katex') === null) return
  const { showFormulas } = await import('../formulas/index.js')
  await showFormulas(element)
}
