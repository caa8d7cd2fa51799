import { BlockParser } from './blocks/block-parser.js'
import { cutFences, type Segment } from './blocks/fences.js'
import type { BlockContainer } from './blocks/tree.js'
import { Budget } from './budget.js'
import type { MarkdownContext } from './context.js'
import { HtmlWriter } from './html-writer.js'
import { FormulaList, Formulas, type FormulaRenderer } from './math/formulas.js'
import { planPreviews } from './previews/preview-plan.js'
import { MarkdownRenderError, withoutMessage } from './render-error.js'
import { SideData, type RenderedMarkdown } from './rendered-markdown.js'
import { splitIntoLines } from './source-text.js'
import { BlockWriter } from './write-blocks.js'

/** Maximum ratio of the length of the HTML to the maximum length of a message. */
const maxOutputRatio = 100

/**
 * Renders the Markdown of a message (or of a description) to HTML that is safe to insert: allowed
 * tags, attributes and URL schemes only. Pure and synchronous; the same input gives the same bytes.
 *
 * `source` must not contain NUL or unpaired surrogates. Whitespace only yields `''`.
 *
 * @throws {MarkdownRenderError} after 5 seconds (with `context.clock`), when the HTML is longer
 *   than a hundred times `maxMessageLength`, or when rendering fails because of a bug. It contains
 *   none of the text.
 */
export function renderMarkdown(source: string, context: MarkdownContext): RenderedMarkdown {
  return renderWith(new Formulas(), source, context)
}

/** Lets a long computation yield to the event loop. */
export interface Yielder {
  /** Whether it is time to yield. */
  readonly isDue: boolean
  /** Resolves in a later tick of the event loop. */
  yield(): Promise<void>
}

/**
 * Same as {@link renderMarkdown}, but yields to the event loop between formulas, which take
 * longest.
 *
 * @throws {MarkdownRenderError} for the same reasons.
 */
export async function renderMarkdownAsync(
  source: string,
  context: MarkdownContext,
  yielder: Yielder,
): Promise<RenderedMarkdown> {
  if (!mayHoldFormulas(source, context)) return renderMarkdown(source, context)
  // Highlighting and linkifiers do not affect which parts are formulas.
  const { highlight: _highlight, linkifiers: _linkifiers, ...plain } = context
  const list = new FormulaList()
  renderWith(list, source, plain)
  const formulas = new Formulas()
  for (const { tex, isDisplayed } of list.formulas) {
    if (yielder.isDue) await yielder.yield()
    formulas.toHtml(tex, isDisplayed)
  }
  if (yielder.isDue) await yielder.yield()
  return renderWith(formulas, source, context)
}

function mayHoldFormulas(source: string, { settings }: MarkdownContext): boolean {
  return /\$\$|math/i.test(`${settings.defaultCodeBlockLanguage} ${source}`)
}

function renderWith(
  formulas: FormulaRenderer,
  source: string,
  context: MarkdownContext,
): RenderedMarkdown {
  const budget = new Budget(context.clock)
  try {
    const rendered = render(source, context, budget, formulas)
    if (rendered.html.length > context.settings.maxMessageLength * maxOutputRatio) {
      throw new MarkdownRenderError('output-too-long')
    }
    context.onOperationsCounted?.(budget.operations)
    return rendered
  } catch (error) {
    if (error instanceof MarkdownRenderError) throw error
    throw new MarkdownRenderError('internal-error', { cause: withoutMessage(error) })
  }
}

function render(
  source: string,
  context: MarkdownContext,
  budget: Budget,
  formulas: FormulaRenderer,
): RenderedMarkdown {
  const sideData = new SideData()
  budget.spend(source.length)
  const segments = cutFences(splitIntoLines(source), context.settings.defaultCodeBlockLanguage)
  if (context.alertWords !== undefined) collectAlerts(segments, context, sideData)

  const root: BlockContainer = { kind: 'root', children: [] }
  const allowsIndentedCode = context.isFromEmail !== true
  new BlockParser(budget, allowsIndentedCode).parseSegments(segments, root, 0)

  const out = new HtmlWriter()
  const scope = { context, sideData, budget, formulas, isInQuote: false }
  const writer = new BlockWriter(out, scope, { ...scope, isInQuote: true })
  writer.writeDocument(root)
  budget.checkTime()
  const html = out.finish(planPreviews(writer.links, context, sideData)).trim()
  return sideData.toRendered(html)
}

/** Alert words count in quotes and spoilers, but not in code and math. */
function collectAlerts(
  segments: readonly Segment[],
  context: MarkdownContext,
  sideData: SideData,
): void {
  for (const segment of segments) {
    if (segment.kind === 'text') {
      context.alertWords?.collectUsers(segment.lines.join('\n'), sideData.alertedUserIds)
    } else if (segment.kind === 'quote' || segment.kind === 'spoiler') {
      if (segment.kind === 'spoiler') {
        context.alertWords?.collectUsers(segment.header, sideData.alertedUserIds)
      }
      collectAlerts(segment.body, context, sideData)
    }
  }
}
