/** Maximum height of a formula with all its lines, in ems of the text around it. */
const maxHeightEms = 100

/** How far a formula may be painted above or below its own box, as `\smash` does. */
const maxVerticalOverflowEms = 1.5

/** How far a formula may be painted to the left or right of its own box, as `\llap` does. */
const maxHorizontalOverflowEms = 5

/** Width of a character without metrics, such as one of a script that KaTeX has no font for. */
const unknownWidthEms = 1

/** Least mean width of the letters of a word: KaTeX keeps the metrics of its first letter only. */
const letterWidthEms = 0.6

/** KaTeX's font sizes 1 to 11, in ems. */
const fontSizes = [0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.2, 1.44, 1.728, 2.074, 2.488]

/** The part of KaTeX's nodes that is used here. Lengths are in ems of the node's parent. */
export interface FormulaNode {
  readonly classes?: readonly string[]
  readonly style?: Readonly<Record<string, string | undefined>>
  readonly children?: readonly FormulaNode[]
  readonly height?: number
  readonly depth?: number
  readonly text?: string
  readonly width?: number
}

/** The painted area, relative to the start of the baseline, and the start of the next node. */
interface Extent {
  left: number
  right: number
  above: number
  below: number
  advance: number
}

/**
 * Whether a formula is painted where its box is: commands such as `\raisebox`, `\smash`, `\kern` and
 * `\llap` could otherwise paint it over other parts of a page.
 *
 * @param tree KaTeX's HTML of the formula, as nodes: parts of lines, and line breaks.
 */
export function isWithinItsBox(tree: FormulaNode): boolean {
  let height = 0
  let lineHeight = 0
  let line = { left: 0, right: 0, advance: 0 }
  const isLineNarrow = (): boolean =>
    line.left >= -maxHorizontalOverflowEms &&
    line.right - Math.max(0, line.advance) <= maxHorizontalOverflowEms
  for (const part of tree.children ?? []) {
    if (part.classes?.includes('newline')) {
      if (!isLineNarrow()) return false
      // A negative distance moves all that follows upwards.
      const gap = ems(part.style?.['marginTop'])
      if (gap < -maxVerticalOverflowEms) return false
      height += lineHeight + Math.max(0, gap)
      lineHeight = 0
      line = { left: 0, right: 0, advance: 0 }
      continue
    }
    const { left, right, above, below, advance } = extentOf(part)
    const { height: boxAbove = 0, depth: boxBelow = 0 } = part
    if (above - boxAbove > maxVerticalOverflowEms) return false
    if (below - boxBelow > maxVerticalOverflowEms) return false
    lineHeight = Math.max(lineHeight, boxAbove + boxBelow)
    line.left = Math.min(line.left, line.advance + left)
    line.right = Math.max(line.right, line.advance + right)
    line.advance += advance
  }
  return isLineNarrow() && height + lineHeight <= maxHeightEms
}

function extentOf(node: FormulaNode): Extent {
  const { children = [], style = {}, classes = [] } = node
  const extent = ownExtent(node)
  const isStack = classes.includes('vlist') || classes.includes('vlist-t')
  for (const child of children) {
    const part = extentOf(child)
    const start = isStack ? 0 : extent.advance
    extent.left = Math.min(extent.left, start + part.left)
    extent.right = Math.max(extent.right, start + part.right)
    extent.above = Math.max(extent.above, part.above)
    extent.below = Math.max(extent.below, part.below)
    extent.advance = isStack ? Math.max(extent.advance, part.advance) : start + part.advance
  }
  scale(extent, scaleOf(classes))
  const [strut] = children
  const strutHeight = strut?.classes?.includes('pstrut') ? ems(strut.style?.['height']) : 0
  const down = ems(style['top']) + strutHeight
  const before = ems(style['marginLeft']) + ems(style['paddingLeft'])
  move(extent, before + ems(style['left']) - overlapOf(node, extent), down)
  if (isOverlap(classes)) extent.advance = 0
  else extent.advance += before + ems(style['marginRight'])
  return extent
}

/** The extent of a node without its children. */
function ownExtent(node: FormulaNode): Extent {
  const { style = {}, classes = [], text } = node
  const isRule = classes.includes('rule')
  const up = ems(style['bottom'])
  const above = isRule ? ems(style['borderTopWidth']) + up : paintedHeight(node)
  const below = isRule ? -up : text === undefined ? 0 : (node.depth ?? 0)
  const advance = text === undefined ? boxWidth(style) : textWidth(text, node.width)
  return { left: Math.min(0, advance), right: Math.max(0, advance), above, below, advance }
}

function boxWidth({ width, minWidth, borderRightWidth }: FormulaNode['style'] & object): number {
  return ems(width ?? minWidth) + ems(borderRightWidth)
}

function textWidth(text: string, widthOfFirst = 0): number {
  const letters = [...text].length
  if (letters === 1) return widthOfFirst || unknownWidthEms
  return letters * Math.max(widthOfFirst, letterWidthEms)
}

/** Letters and drawings are painted; other nodes only have a height for the layout. */
function paintedHeight({ text, children = [], height = 0, style = {} }: FormulaNode): number {
  if (text !== undefined) return height
  const isDrawing = children.some((child) => 'attributes' in child && child.classes === undefined)
  return isDrawing ? Math.max(height, ems(style['height'])) : 0
}

function isOverlap(classes: readonly string[]): boolean {
  return ['llap', 'rlap', 'clap'].some((name) => classes.includes(name))
}

/** How far to the left of its place a node of no width is painted. */
function overlapOf({ classes = [] }: FormulaNode, { advance }: Extent): number {
  return classes.includes('llap') ? advance : classes.includes('clap') ? advance / 2 : 0
}

function scaleOf(classes: readonly string[]): number {
  if (!classes.includes('sizing') && !classes.includes('fontsize-ensurer')) return 1
  const sizeAfter = (prefix: string): number => {
    const found = classes.find((name) => name.startsWith(prefix) && /\d$/.test(name))
    return fontSizes[Number(found?.slice(prefix.length)) - 1] ?? 1
  }
  return sizeAfter('size') / sizeAfter('reset-size')
}

function scale(extent: Extent, factor: number): void {
  extent.left *= factor
  extent.right *= factor
  extent.above *= factor
  extent.below *= factor
  extent.advance *= factor
}

function move(extent: Extent, right: number, down: number): void {
  extent.left += right
  extent.right += right
  extent.above -= down
  extent.below += down
}

function ems(length: string | undefined): number {
  return length?.endsWith('em') ? Number.parseFloat(length) : 0
}
