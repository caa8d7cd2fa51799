import type { Budget } from '../budget.js'
import type { MarkdownContext } from '../context.js'
import type { FormulaRenderer } from '../math/formulas.js'
import type { SideData } from '../rendered-markdown.js'
import type { LinkUse, TokenText } from './token-text.js'

/** The input of inline rules besides the text. */
export interface InlineScope {
  readonly context: MarkdownContext
  readonly sideData: SideData
  readonly budget: Budget
  readonly formulas: FormulaRenderer
  /** Mentions in a quote are silent. */
  readonly isInQuote: boolean
}

/** Rendered inline HTML. */
export interface Fragment {
  readonly html: string
  /** The links inside, in the order of the text. */
  readonly links: readonly LinkUse[]
  /** Set if the fragment is only a link that shows its own address. */
  readonly bareLink: LinkUse | undefined
}

/**
 * One inline rule: replaces all its matches in `source`. Content that is not atomic is passed to
 * `renderContent`, which applies the later rules.
 */
export type ApplyInlineRule = (
  source: TokenText,
  scope: InlineScope,
  renderContent: (content: TokenText) => Fragment,
) => TokenText
