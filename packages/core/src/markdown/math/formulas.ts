import katex from 'katex'
import type { KatexOptions } from 'katex'
import { FormulaTooLong, measuredMacros } from './measured-macros.js'

/** Longest formula that is laid out, in UTF-16 units; longer ones are shown as an error. */
const maxFormulaLength = 5_000

/**
 * How many tokens one formula, and all formulas of a message, may have: of letters, commands and
 * braces, those that macros make included. Laying out a token takes some 15 µs, in one piece.
 */
const maxTokensPerFormula = 1_500
const maxTokensPerMessage = 4_000

/** What a formula counts for however short it is. */
const tokensPerFormula = 10

/** What a character counts at least: some commands read many of them as one token. */
const tokensPerCharacter = 0.1

/** KaTeX's own default for how many macros one formula may expand. */
const maxExpansions = 1_000

/** Largest size, in ems, that a formula may ask for. */
const maxSizeEms = 100

/** Body of a macro that takes one argument and leaves nothing. */
const swallow = String.raw`\@secondoftwo{#1}{}`

/** These print their argument, which is a user's text, on the console. */
const silentMacros = { '\\message': swallow, '\\errmessage': swallow, '\\show': swallow }

/** Turns formulas into HTML. */
export interface FormulaRenderer {
  /** HTML of a formula; undefined for one that cannot be shown as anything but its source. */
  toHtml(tex: string, isDisplayed: boolean): string | undefined
}

/**
 * The formulas of one message, each laid out once. What they take is bounded by their tokens, not by
 * time, so that the same text always gives the same HTML: those beyond the bound are shown as source.
 */
export class Formulas implements FormulaRenderer {
  readonly #known = new Map<string, string | undefined>()
  #tokensLeft = maxTokensPerMessage

  toHtml(tex: string, isDisplayed: boolean): string | undefined {
    const key = keyOf(tex, isDisplayed)
    if (this.#known.has(key)) return this.#known.get(key)
    const html = this.#layOut(tex, isDisplayed)
    this.#known.set(key, html)
    return html
  }

  #layOut(tex: string, displayMode: boolean): string | undefined {
    if (tex.length > maxFormulaLength || this.#tokensLeft <= 0) return undefined
    let tokensLeft = maxTokensPerFormula
    const meter = {
      spend: (tokens: number): void => {
        tokensLeft -= tokens
        this.#tokensLeft -= tokens
        if (tokensLeft < 0 || this.#tokensLeft < 0) throw new FormulaTooLong()
      },
    }
    try {
      meter.spend(tokensPerFormula + Math.floor(tex.length * tokensPerCharacter))
      const macros = measuredMacros(silentMacros, meter)
      return katex.renderToString(tex, { ...katexOptions, displayMode, macros })
    } catch {
      // Any failure is the formula's: what KaTeX cannot read it throws at, and its messages quote the
      // source, so they are not kept.
      return undefined
    }
  }
}

/** Lists the formulas of a message instead of laying them out. */
export class FormulaList implements FormulaRenderer {
  readonly #formulas = new Map<string, { readonly tex: string; readonly isDisplayed: boolean }>()

  /** Each once, in the order in which they are wanted first. */
  get formulas(): Iterable<{ readonly tex: string; readonly isDisplayed: boolean }> {
    return this.#formulas.values()
  }

  toHtml(tex: string, isDisplayed: boolean): undefined {
    const key = keyOf(tex, isDisplayed)
    if (!this.#formulas.has(key)) this.#formulas.set(key, { tex, isDisplayed })
  }
}

function keyOf(tex: string, isDisplayed: boolean): string {
  return (isDisplayed ? 'd' : 'i') + tex
}

const katexOptions: KatexOptions = {
  throwOnError: true,
  trust: false,
  maxExpand: maxExpansions,
  maxSize: maxSizeEms,
  // KaTeX warns on the console about input it accepts; characters it has no metrics for would be
  // printed there too, so they make the formula an error.
  strict: (errorCode: string) => (errorCode === 'unknownSymbol' ? 'error' : 'ignore'),
}
