import type { Steps } from '../budget.js'
import type { BlockParser, ChunkMode } from './block-parser.js'
import { readListMark } from './list-mark.js'
import { lastChild, type BlockContainer, type List, type ListItem } from './tree.js'

/** Columns per level, for bullets and numbers alike. */
const indentPerLevel = 2

interface RawItem {
  readonly lines: string[]
  /** Whether this is nested content of the preceding item. */
  readonly isNested: boolean
}

/**
 * Parses `lines[from, to)` as a list and appends it to `parent`; false if its first line is not an
 * item indented by at most one space. A list of the same kind at the end of the preceding chunk is
 * continued, and then its items get paragraphs.
 */
export function* readList(
  blocks: BlockParser,
  parent: BlockContainer,
  lines: readonly string[],
  from: number,
  to: number,
  depth: number,
): Steps<boolean> {
  const first = readListMark(lines[from]!)
  if (first === undefined || first.indent >= indentPerLevel) return false
  const open = lastChild(parent)
  const items = splitIntoItems(lines.slice(from, to), first.isOrdered)
  if (open?.kind === 'list' && open.isOrdered === first.isOrdered) {
    wrapText(open.items[open.items.length - 1]!)
    yield* appendItems(blocks, open, items, 'normal', depth)
    return true
  }
  const list: List = {
    kind: 'list',
    isOrdered: first.isOrdered,
    start: first.isOrdered && first.number !== '1' ? first.number : undefined,
    items: [],
  }
  parent.children.push(list)
  yield* appendItems(blocks, list, items, 'tight', depth)
  return true
}

/**
 * Puts an indented chunk into the list item it belongs to; false if no list is open. Two spaces are
 * one level. Directly under a tight item, nested items continue the list nested there.
 *
 * @param lines Called only if there is an item, because copying the lines takes time linear in
 *   their number.
 */
export function* continueList(
  blocks: BlockParser,
  parent: BlockContainer,
  lines: () => readonly string[],
  indent: number,
  mode: ChunkMode,
  depth: number,
): Steps<boolean> {
  const isInItem = parent.kind === 'item'
  const open = lastChild(parent)
  if (!isInItem && open?.kind !== 'list') return false

  const wantedLevel = Math.floor(indent / indentPerLevel)
  let level = isInItem && mode === 'tight' ? 1 : 0
  let item = isInItem ? parent : undefined
  let list = open?.kind === 'list' ? open : undefined
  while (level < wantedLevel && list !== undefined) {
    level += 1
    item = list.items[list.items.length - 1]!
    const last = lastChild(item)
    list = last?.kind === 'list' ? last : undefined
  }
  if (item === undefined) return false

  const dedented = lines().map((line) => dedent(line, level * indentPerLevel))
  const nestedList = item === parent ? list : undefined
  const mark = nestedList && readListMark(dedented[0]!)
  if (nestedList !== undefined && mark !== undefined && mark.indent < indentPerLevel) {
    const items = splitIntoItems(dedented, mark.isOrdered)
    yield* appendItems(blocks, nestedList, items, 'tight', depth + 1)
    return true
  }
  if (item !== parent) wrapText(item)
  yield* blocks.parseChunk(item, dedented, 'dedented', depth + 1)
  return true
}

function* appendItems(
  blocks: BlockParser,
  list: List,
  items: readonly RawItem[],
  mode: ChunkMode,
  depth: number,
): Steps {
  for (const { lines, isNested } of items) {
    let item = isNested ? list.items[list.items.length - 1] : undefined
    if (item === undefined) {
      item = { kind: 'item', text: undefined, children: [] }
      list.items.push(item)
    }
    yield* blocks.parseChunk(item, lines, isNested ? 'tight' : mode, depth + 1)
  }
}

/**
 * Splits the lines of a list. A mark of the list's own kind begins an item; a mark of either kind
 * indented by two or three spaces begins or continues nested content; every other line belongs to
 * the preceding one.
 */
function splitIntoItems(lines: readonly string[], isOrdered: boolean): RawItem[] {
  const items: RawItem[] = []
  for (const line of lines) {
    const last = items[items.length - 1]
    const mark = readListMark(line)
    if (mark !== undefined && mark.indent < indentPerLevel && mark.isOrdered === isOrdered) {
      const content = line.slice(mark.contentStart)
      items.push({ lines: content === '' ? [] : [content], isNested: false })
    } else if (mark !== undefined && isNestedIndent(mark.indent) && last?.isNested === false) {
      items.push({ lines: [line], isNested: true })
    } else {
      last?.lines.push(line)
    }
  }
  return items
}

function isNestedIndent(indent: number): boolean {
  return indent >= indentPerLevel && indent < 2 * indentPerLevel
}

/** Converts the bare text of an item to a paragraph, because blocks follow it. */
function wrapText(item: ListItem): void {
  if (item.text === undefined || item.text === '') return
  item.children.unshift({ kind: 'paragraph', source: item.text })
  item.text = undefined
}

function dedent(line: string, width: number): string {
  for (let index = 0; index < width; index += 1) {
    if (line.charCodeAt(index) !== 0x20) return line
  }
  return line.slice(width)
}
