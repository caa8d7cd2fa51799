import type { Steps } from './budget.js'
import type { Block, BlockContainer, List, ListItem, Table } from './blocks/tree.js'
import { codeBlockHtml } from './code/code-block.js'
import type { HtmlWriter } from './html-writer.js'
import { renderInline } from './inline/inline-rules.js'
import type { Fragment, InlineScope } from './inline/inline-scope.js'
import type { LinkUse } from './inline/token-text.js'
import { mathBlockHtml } from './math/math-block.js'

/** Collects the previews of links outside a paragraph. */
interface PreviewTarget {
  readonly links: LinkUse[]
  /** Inside a list item, all previews are written at the end of the item. */
  readonly isItem: boolean
}

/** Writes blocks as HTML: each is followed by a newline, and so is the start of a container. */
export class BlockWriter {
  /** All links outside of quotes, in the order of the text. */
  readonly links: LinkUse[] = []

  constructor(
    private readonly out: HtmlWriter,
    private readonly scope: InlineScope,
    private readonly quoteScope: InlineScope,
  ) {}

  /** Writes a whole document. */
  *writeDocument(root: BlockContainer): Steps {
    yield* this.writeContainer(root, this.scope)
  }

  private *writeContainer({ children }: BlockContainer, scope: InlineScope): Steps {
    const target: PreviewTarget = { links: [], isItem: false }
    for (const child of children) yield* this.writeBlock(child, scope, target)
    this.out.writePreviews(target.links)
  }

  private *writeBlock(block: Block, scope: InlineScope, target: PreviewTarget): Steps {
    if (scope.budget.isYieldDue) yield
    const { out } = this
    switch (block.kind) {
      case 'paragraph':
        this.writeText(block.source, '<p>', '</p>\n', scope, target)
        break
      case 'text':
        this.writeText(block.source, '', '\n', scope, target)
        break
      case 'heading': {
        const { html, links } = this.renderText(block.source, scope)
        target.links.push(...links)
        out.write(`<h${block.level}>${html}</h${block.level}>\n`)
        break
      }
      case 'rule':
        out.write('<hr>\n')
        break
      case 'code':
        out.write(`${codeBlockHtml(block.lines, block.language, scope)}\n`)
        break
      case 'math':
        out.write(`${mathBlockHtml(block.lines, scope)}\n`)
        break
      case 'quote':
        out.write('<blockquote>\n')
        yield* this.writeContainer(block, this.quoteScope)
        out.write('</blockquote>\n')
        break
      case 'spoiler':
        out.write('<div class="spoiler-block"><div class="spoiler-header">\n')
        yield* this.writeContainer(block.header, scope)
        out.write('</div><div class="spoiler-content" aria-hidden="true">\n')
        yield* this.writeContainer(block.body, scope)
        out.write('</div></div>\n')
        break
      case 'list':
        yield* this.writeList(block, scope)
        break
      case 'table':
        yield* this.writeTable(block, scope, target)
        break
    }
  }

  private writeText(
    source: string,
    openTag: string,
    closeTag: string,
    scope: InlineScope,
    target: PreviewTarget,
  ): void {
    const fragment = this.renderText(source, scope)
    const html = openTag + fragment.html + closeTag
    if (fragment.bareLink === undefined || scope.isInQuote) this.out.write(html)
    else this.out.writeUnlessReplaced(fragment.bareLink, html)
    if (target.isItem) target.links.push(...fragment.links)
    else if (!scope.isInQuote) this.out.writePreviews(fragment.links)
  }

  private *writeList({ isOrdered, start, items }: List, scope: InlineScope): Steps {
    const tag = isOrdered ? 'ol' : 'ul'
    this.out.write(start === undefined ? `<${tag}>\n` : `<${tag} start="${start}">\n`)
    for (const item of items) yield* this.writeItem(item, scope)
    this.out.write(`</${tag}>\n`)
  }

  private *writeItem({ text, children }: ListItem, scope: InlineScope): Steps {
    if (scope.budget.isYieldDue) yield
    const target: PreviewTarget = { links: [], isItem: true }
    this.out.write('<li>')
    if (text) this.writeText(text, '', '', scope, target)
    else if (children.length > 0) this.out.write('\n')
    for (const child of children) yield* this.writeBlock(child, scope, target)
    if (!scope.isInQuote) this.out.writePreviews(target.links)
    this.out.write('</li>\n')
  }

  private *writeTable(
    { alignments, header, rows }: Table,
    scope: InlineScope,
    target: PreviewTarget,
  ): Steps {
    this.out.write('<table>\n<thead>\n')
    yield* this.writeRow('th', header, alignments, scope, target)
    this.out.write('</thead>\n<tbody>\n')
    for (const row of rows) yield* this.writeRow('td', row, alignments, scope, target)
    this.out.write('</tbody>\n</table>\n')
  }

  private *writeRow(
    tag: string,
    cells: readonly string[],
    alignments: Table['alignments'],
    scope: InlineScope,
    target: PreviewTarget,
  ): Steps {
    this.out.write('<tr>\n')
    for (const [column, cell] of cells.entries()) {
      if (scope.budget.isYieldDue) yield
      const { html, links } = this.renderText(cell, scope)
      target.links.push(...links)
      const alignment = alignments[column]
      const style = alignment === undefined ? '' : ` style="text-align: ${alignment};"`
      this.out.write(`<${tag}${style}>${html}</${tag}>\n`)
    }
    this.out.write('</tr>\n')
  }

  private renderText(source: string, scope: InlineScope): Fragment {
    const fragment = renderInline(source, scope)
    if (!scope.isInQuote) {
      for (const link of fragment.links) this.links.push(link)
    }
    return fragment
  }
}
