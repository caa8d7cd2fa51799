import { createRequire } from 'node:module'

import type { KatexOptions } from 'katex'

import { type FormulaNode, isWithinItsBox } from './formula-extent.js'
import { FormulaTooLong, measuredMacros } from './measured-macros.js'

/**
 * Maximum depth of KaTeX's parse tree, in which most commands with an argument are two levels. The
 * layout of a level takes longer, the more levels there are: 0.1 s for 450 nested `\overline`.
 */
const maxDepth = 100

/** Whether commands, braces or environments of a formula are nested too deeply to be laid out. */
function isTooDeep(parseTree: unknown): boolean {
  return hasMoreLevels(parseTree, maxDepth)
}

function hasMoreLevels(part: unknown, levels: number): boolean {
  if (typeof part !== 'object' || part === null) return false
  const left = 'type' in part ? levels - 1 : levels
  if (left < 0) return true
  // The place in the source is no part of the tree.
  return Object.entries(part).some(([key, value]) => key !== 'loc' && hasMoreLevels(value, left))
}

const require = createRequire(import.meta.url)

/** Maximum length of a formula, in UTF-16 units; longer ones are shown as an error. */
const maxFormulaLength = 5_000

/**
 * Maximum number of tokens of one formula, and of all formulas of a message: letters, commands and
 * braces, including those that macros generate. Layout takes some 15 µs per token, without
 * interruption.
 */
const maxTokensPerFormula = 1_500
const maxTokensPerMessage = 4_000

/** Fixed count of each formula. */
const tokensPerFormula = 10

/** Additional count per character: some commands read many characters as one token. */
const tokensPerCharacter = 0.1

/** KaTeX's own default for the number of macro expansions in one formula. */
const maxExpansions = 1_000

/** Maximum of each length that a formula specifies, in ems; KaTeX shortens longer ones. */
const maxSizeEms = 20

/** Body of a macro that takes one argument and expands to nothing. */
const swallow = String.raw`\@secondoftwo{#1}{}`

/** These would print their argument, which is a user's text, on the console. */
const silentMacros = { '\\message': swallow, '\\errmessage': swallow, '\\show': swallow }

/** Renders formulas as HTML. */
export interface FormulaRenderer {
  /** HTML of a formula; undefined if only its source can be shown. */
  toHtml(tex: string, isDisplayed: boolean): string | undefined
}

/**
 * The formulas of one message, each laid out once. The cost is limited by tokens, not by time, so
 * that the same text always yields the same HTML: formulas beyond the limit are shown as source.
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
    // Loaded on first use, and outside the block that takes every error for the formula's.
    const katex = loadKatex()
    try {
      meter.spend(tokensPerFormula + Math.floor(tex.length * tokensPerCharacter))
      const macros = measuredMacros(silentMacros, meter)
      if (isTooDeep(katex.__parse(tex, { ...katexOptions, displayMode, macros }))) return undefined
      // Parses again, the same tokens, which are counted already.
      const options = { ...katexOptions, displayMode, macros: { ...silentMacros } }
      const tree = katex.__renderToDomTree(tex, options)
      return isWithinItsBox(htmlOf(tree)) ? tree.toMarkup() : undefined
    } catch {
      // Any failure is caused by the formula: KaTeX throws for invalid input. Its messages quote
      // the source, so they are discarded.
      return undefined
    }
  }
}

/** Lists the formulas of a message instead of laying them out. */
export class FormulaList implements FormulaRenderer {
  readonly #formulas = new Map<string, { readonly tex: string; readonly isDisplayed: boolean }>()

  /** Each once, in the order of their first use. */
  get formulas(): Iterable<{ readonly tex: string; readonly isDisplayed: boolean }> {
    return this.#formulas.values()
  }

  toHtml(tex: string, isDisplayed: boolean): undefined {
    const key = keyOf(tex, isDisplayed)
    if (!this.#formulas.has(key)) this.#formulas.set(key, { tex, isDisplayed })
  }
}

/** Functions of KaTeX that its types omit; `renderToString` calls the second. */
interface Katex {
  __parse(tex: string, options: KatexOptions): unknown
  __renderToDomTree(tex: string, options: KatexOptions): FormulaTree
}

interface FormulaTree extends FormulaNode {
  toMarkup(): string
}

function loadKatex(): Katex {
  return require('katex')
}

/** A tree's part that is painted: beside it is MathML, and around it `katex-display`. */
function htmlOf(tree: FormulaNode): FormulaNode {
  const last = tree.children?.at(-1)
  return last === undefined || tree.classes?.includes('katex-html') ? tree : htmlOf(last)
}

function keyOf(tex: string, isDisplayed: boolean): string {
  return (isDisplayed ? 'd' : 'i') + tex
}

const katexOptions: KatexOptions = {
  throwOnError: true,
  trust: false,
  maxExpand: maxExpansions,
  maxSize: maxSizeEms,
  // KaTeX warns on the console about input that it accepts, and about characters without metrics.
  // The latter make the formula an error instead.
  strict: (errorCode: string) => (errorCode === 'unknownSymbol' ? 'error' : 'ignore'),
}
