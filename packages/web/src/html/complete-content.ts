import { addCodeButtons } from './code-buttons.js'

/** Completes what a message shows with what is not needed to read it. */
export async function completeContent(element: Element): Promise<void> {
  addCodeButtons(element)
  if (element.querySelector('.katex') === null) return
  const { showFormulas } = await import('../formulas/index.js')
  await showFormulas(element)
}
