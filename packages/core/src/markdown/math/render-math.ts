import { escapeText } from '../html.js'
import type { InlineScope } from '../inline/inline-scope.js'

/** Operations counted per character of a formula: layout costs far more than parsing. */
const operationsPerCharacter = 50

/** HTML of a formula within a line. One that cannot be laid out is shown as its source. */
export function renderInlineMath(tex: string, scope: InlineScope): string {
  return render(tex, false, scope) ?? `<span class="tex-error">$$${escapeText(tex)}$$</span>`
}

/** HTML of a formula on a line of its own. One that cannot be laid out is shown as its source. */
export function renderDisplayMath(tex: string, scope: InlineScope): string {
  return render(tex, true, scope) ?? `<span class="tex-error">${escapeText(tex)}</span>`
}

function render(
  tex: string,
  isDisplayed: boolean,
  { budget, formulas }: InlineScope,
): string | undefined {
  budget.spend(tex.length * operationsPerCharacter)
  budget.checkTime()
  const html = formulas.toHtml(tex, isDisplayed)
  return html === undefined || budget.mayAddFormula(html.length) ? html : undefined
}
