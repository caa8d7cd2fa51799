import { BlockParser } from './blocks/block-parser.js'
import { cutFences, type Segment } from './blocks/fences.js'
import type { BlockContainer } from './blocks/tree.js'
import { Budget, type Steps, type Yielder } from './budget.js'
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
  const steps = renderInSteps(new Formulas(), source, context, new Budget(context.clock))
  const { done, value } = steps.next()
  // Without a yielder nothing is due.
  if (done !== true) throw new MarkdownRenderError('internal-error')
  return value
}

/**
 * Same as {@link renderMarkdown}, but yields to the event loop between blocks, and between formulas,
 * which take longest. The time that others take meanwhile does not count.
 *
 * @throws {MarkdownRenderError} for the same reasons.
 */
export async function renderMarkdownAsync(
  source: string,
  context: MarkdownContext,
  yielder: Yielder,
): Promise<RenderedMarkdown> {
  if (!mayHoldFormulas(source, context)) {
    return inSteps(new Formulas(), source, context, yielder)
  }
  const formulas = new Formulas()
  for (const { tex, isDisplayed } of await renderWithoutFormulas(source, context, yielder)) {
    if (yielder.isDue) await yielder.yield()
    formulas.toHtml(tex, isDisplayed)
  }
  if (yielder.isDue) await yielder.yield()
  return inSteps(formulas, source, context, yielder)
}

/**
 * Looks up everything that {@link renderMarkdownAsync} would, but lays out no formula.
 *
 * @returns the formulas.
 * @throws {MarkdownRenderError} for the same reasons.
 */
export async function renderWithoutFormulas(
  source: string,
  context: MarkdownContext,
  yielder: Yielder,
): Promise<FormulaList['formulas']> {
  // Highlighting and linkifiers do not affect which parts are formulas or mentions.
  const { highlight: _highlight, linkifiers: _linkifiers, ...plain } = context
  const list = new FormulaList()
  await inSteps(list, source, plain, yielder)
  return list.formulas
}

async function inSteps(
  formulas: FormulaRenderer,
  source: string,
  context: MarkdownContext,
  yielder: Yielder,
): Promise<RenderedMarkdown> {
  const budget = new Budget(context.clock, yielder)
  const steps = renderInSteps(formulas, source, context, budget)
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value
    await budget.yield()
  }
}

function mayHoldFormulas(source: string, { settings }: MarkdownContext): boolean {
  return /\$\$|math/i.test(`${settings.defaultCodeBlockLanguage} ${source}`)
}

function* renderInSteps(
  formulas: FormulaRenderer,
  source: string,
  context: MarkdownContext,
  budget: Budget,
): Steps<RenderedMarkdown> {
  try {
    const rendered = yield* render(source, context, budget, formulas)
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

function* render(
  source: string,
  context: MarkdownContext,
  budget: Budget,
  formulas: FormulaRenderer,
): Steps<RenderedMarkdown> {
  const sideData = new SideData()
  budget.spend(source.length)
  const segments = cutFences(splitIntoLines(source), context.settings.defaultCodeBlockLanguage)
  if (context.alertWords !== undefined) collectAlerts(segments, context, sideData)

  const root: BlockContainer = { kind: 'root', children: [] }
  const allowsIndentedCode = context.isFromEmail !== true
  yield* new BlockParser(budget, allowsIndentedCode).parseSegments(segments, root, 0)

  const out = new HtmlWriter()
  const scope = { context, sideData, budget, formulas, isInQuote: false }
  const writer = new BlockWriter(out, scope, { ...scope, isInQuote: true })
  yield* writer.writeDocument(root)
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
