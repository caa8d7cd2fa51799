import katex from 'katex'
import type { KatexOptions } from 'katex'
import type { Budget } from '../budget.js'
import { escapeText } from '../html.js'

/** Longest formula that is laid out, in UTF-16 units; longer ones are shown as an error. */
const maxFormulaLength = 5_000

/** KaTeX's own default for how many macros one formula may expand. */
const maxExpansions = 1_000

/** Largest size, in ems, that a formula may ask for. */
const maxSizeEms = 100

/** Operations counted per character of a formula: laying out costs far more than reading. */
const operationsPerCharacter = 50

/** Body of a macro that takes one argument and leaves nothing. */
const swallow = String.raw`\@secondoftwo{#1}{}`

/** HTML of a formula within a line. One that KaTeX rejects is shown as its source. */
export function renderInlineMath(tex: string, budget: Budget): string {
  return render(tex, false, budget) ?? `<span class="tex-error">$$${escapeText(tex)}$$</span>`
}

/** HTML of a formula on a line of its own. One that KaTeX rejects is shown as its source. */
export function renderDisplayMath(tex: string, budget: Budget): string {
  return render(tex, true, budget) ?? `<span class="tex-error">${escapeText(tex)}</span>`
}

function render(tex: string, displayMode: boolean, budget: Budget): string | undefined {
  budget.spend(tex.length * operationsPerCharacter)
  budget.checkTime()
  if (tex.length > maxFormulaLength) return undefined
  try {
    return katex.renderToString(tex, { ...katexOptions(), displayMode })
  } catch {
    // Any failure is the formula's: what KaTeX cannot read it throws at, and its messages quote the
    // source, so they are not kept.
    return undefined
  }
}

function katexOptions(): KatexOptions {
  return {
    throwOnError: true,
    trust: false,
    maxExpand: maxExpansions,
    maxSize: maxSizeEms,
    // KaTeX warns on the console about input it accepts; characters it has no metrics for would be
    // printed there too, so they make the formula an error.
    strict: (errorCode: string) => (errorCode === 'unknownSymbol' ? 'error' : 'ignore'),
    // Made anew for each formula: `\gdef` writes into it. The three commands below print their
    // argument, which is a user's text, on the console.
    macros: { '\\message': swallow, '\\errmessage': swallow, '\\show': swallow },
  }
}
