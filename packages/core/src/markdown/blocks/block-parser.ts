import type { Budget, Steps } from '../budget.js'
import { countLeadingSpaces } from '../characters.js'
import { splitIntoChunks, splitIntoChunksWithHangingLists, type Chunk } from './chunks.js'
import type { Segment } from './fences.js'
import { isHeading, readHeading } from './heading.js'
import { continueList, readList } from './list.js'
import { findQuoteStart, isEmptyQuoteLine, stripQuoteMark } from './quote.js'
import { isRule } from './rule.js'
import { readTable } from './table.js'
import { lastChild, maxNesting, type BlockContainer, type ListItem } from './tree.js'

/**
 * How text is put into its container: `tight` text goes directly into a list item, and a chunk
 * whose list indentation was removed (`dedented`) is not compared with open lists again.
 */
export type ChunkMode = 'normal' | 'tight' | 'dedented'

const codeIndent = 4

/** Parses segments into blocks. The rules are those of Python-Markdown with 'sane lists'. */
export class BlockParser {
  constructor(
    private readonly budget: Budget,
    private readonly allowsIndentedCode: boolean,
  ) {}

  /** Appends the blocks of `segments` to `parent`. */
  *parseSegments(segments: readonly Segment[], parent: BlockContainer, depth: number): Steps {
    for (const segment of segments) {
      switch (segment.kind) {
        case 'text':
          this.budget.spend(segment.lines.length)
          yield* this.parseChunks(splitIntoChunksWithHangingLists(segment.lines), parent, depth)
          break
        case 'quote': {
          const quote = { kind: 'quote' as const, children: [] }
          yield* this.parseSegments(segment.body, quote, depth + 1)
          if (quote.children.length > 0) parent.children.push(quote)
          break
        }
        case 'spoiler': {
          if (segment.body.length === 0 && segment.header === '') break
          const header = { kind: 'root' as const, children: [] }
          const body = { kind: 'root' as const, children: [] }
          yield* this.parseChunks(splitIntoChunks([segment.header]), header, depth + 1)
          yield* this.parseSegments(segment.body, body, depth + 1)
          parent.children.push({ kind: 'spoiler', header, body })
          break
        }
        case 'math':
          if (segment.lines.length > 0) parent.children.push(segment)
          break
        case 'code':
          if (segment.lines.length > 0) parent.children.push({ ...segment, isIndented: false })
          break
      }
    }
  }

  private *parseChunks(chunks: readonly Chunk[], parent: BlockContainer, depth: number): Steps {
    for (const { lines, blankLinesBefore } of chunks) {
      yield* this.parseChunk(parent, lines, 'normal', depth, blankLinesBefore)
    }
  }

  /** Appends the blocks of one chunk to `parent`. */
  *parseChunk(
    parent: BlockContainer,
    lines: readonly string[],
    mode: ChunkMode,
    depth: number,
    blankLinesBefore = 1,
  ): Steps {
    if (this.budget.isYieldDue) yield
    this.budget.spend(lines.length)
    yield* new ChunkParser(this, parent, lines, mode, depth, this.allowsIndentedCode).parse(
      blankLinesBefore,
    )
  }

  /** Appends a quote of `lines` (still with their marks) to `parent`. */
  *parseQuote(parent: BlockContainer, lines: readonly string[], depth: number): Steps {
    this.budget.spend(lines.length)
    const quote = { kind: 'quote' as const, children: [] }
    parent.children.push(quote)
    yield* this.parseChunks(splitIntoChunks(lines.map(stripQuoteMark)), quote, depth + 1)
  }
}

/**
 * Applies the block rules to the lines of one chunk. Headings split the chunk first, then rules
 * split the text between them; both are searched in one pass, because restarting the search after
 * each would be quadratic.
 */
class ChunkParser {
  private readonly headings: LineFinder
  private readonly rules: LineFinder

  constructor(
    private readonly blocks: BlockParser,
    private readonly parent: BlockContainer,
    private readonly lines: readonly string[],
    private readonly mode: ChunkMode,
    private readonly depth: number,
    private readonly allowsIndentedCode: boolean,
  ) {
    this.headings = new LineFinder(lines, isHeading)
    this.rules = new LineFinder(lines, isRule)
  }

  *parse(blankLinesBefore: number): Steps {
    let from = 0
    let blankLines = blankLinesBefore
    const to = this.lines.length
    while (from < to) {
      const next = yield* this.parseIndented(from, to, blankLines)
      blankLines = 0
      if (next > from) {
        from = next
        continue
      }
      const heading = this.headings.next(from)
      yield* this.parseBetweenHeadings(from, heading ?? to)
      if (heading === undefined) return
      this.parent.children.push(readHeading(this.lines[heading]!))
      from = heading + 1
    }
  }

  private *parseBetweenHeadings(start: number, to: number): Steps {
    let from = start
    while (from < to) {
      const next = yield* this.parseIndented(from, to, 0)
      if (next > from) {
        from = next
        continue
      }
      const table = readTable(this.lines, from, to)
      if (table !== undefined) {
        this.parent.children.push(table)
        return
      }
      const rule = this.rules.next(from)
      const end = rule === undefined || rule >= to ? to : rule
      yield* this.parseText(from, end)
      if (end === to) return
      this.parent.children.push({ kind: 'rule' })
      from = end + 1
    }
  }

  private *parseText(from: number, to: number): Steps {
    if (from >= to) return
    const canNest = this.depth < maxNesting
    if (canNest && (yield* readList(this.blocks, this.parent, this.lines, from, to, this.depth))) {
      return
    }
    const quote = canNest ? findQuoteStart(this.lines, from, to) : undefined
    if (quote === undefined) {
      this.parseParagraph(from, to)
      return
    }
    const table = readTable(this.lines, from, quote)
    if (table !== undefined) this.parent.children.push(table)
    else if (quote > from) this.parseParagraph(from, quote)
    yield* this.blocks.parseQuote(this.parent, this.lines.slice(quote, to), this.depth)
  }

  /** Applies the rules that depend on indentation only. Returns where the rest begins. */
  private *parseIndented(from: number, to: number, blankLines: number): Steps<number> {
    const indent = countLeadingSpaces(this.lines[from]!)
    if (indent < 2) return from
    if (this.mode !== 'dedented' && this.depth < maxNesting) {
      const lines = () => this.lines.slice(from, to)
      if (yield* continueList(this.blocks, this.parent, lines, indent, this.mode, this.depth)) {
        return to
      }
    }
    if (indent < codeIndent || !this.allowsIndentedCode) return from
    let end = from
    const code: string[] = []
    while (end < to && this.lines[end]!.startsWith('    ')) {
      code.push(this.lines[end]!.slice(codeIndent))
      end += 1
    }
    const last = lastChild(this.parent)
    if (last?.kind === 'code' && last.isIndented) {
      for (let count = 0; count < blankLines; count += 1) last.lines.push('')
      for (const line of code) last.lines.push(line)
    } else {
      this.parent.children.push({
        kind: 'code',
        language: undefined,
        isIndented: true,
        lines: code,
      })
    }
    return end
  }

  private parseParagraph(from: number, to: number): void {
    // A chunk that begins with `>` without being a quote has nothing else in it. Only its last mark
    // is shown, as existing clients expect.
    const isBareQuoteMark =
      isEmptyQuoteLine(this.lines[from]!) && this.depth < maxNesting && this.mode !== 'tight'
    const first = isBareQuoteMark ? to - 1 : from
    const source = this.lines.slice(first, to).join('\n').trimStart()
    if (this.mode === 'tight' && this.parent.kind === 'item') {
      appendTightText(this.parent, source)
    } else {
      this.parent.children.push({ kind: 'paragraph', source })
    }
  }
}

function appendTightText(item: ListItem, source: string): void {
  const last = lastChild(item)
  if (last === undefined) {
    item.text = item.text ? `${item.text}\n${source}` : source
  } else if (last.kind === 'text') {
    last.source += `\n${source}`
  } else {
    item.children.push({ kind: 'text', source })
  }
}

/** Finds the next line of a kind. Called with increasing positions, it reads each line once. */
class LineFinder {
  private position = -1
  private found: number | undefined

  constructor(
    private readonly lines: readonly string[],
    private readonly matches: (line: string) => boolean,
  ) {}

  /** The first matching line at or after `from`. */
  next(from: number): number | undefined {
    if (this.position < 0 || (this.found !== undefined && this.found < from)) {
      this.found = undefined
      for (let index = Math.max(from, this.position); index < this.lines.length; index += 1) {
        if (!this.matches(this.lines[index]!)) continue
        this.found = index
        break
      }
      this.position = this.found ?? this.lines.length
    }
    return this.found
  }
}
