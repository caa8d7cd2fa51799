import { isSpace } from '../characters.js'
import { BracketMap, TitleMap } from './bracket-map.js'
import { tokenMark } from './token-text.js'

/** The parts of `[text](address "title")`. */
export interface LinkSyntax {
  readonly textStart: number
  readonly textEnd: number
  readonly address: string
  readonly title: string | undefined
  /** Position after the closing parenthesis. */
  readonly end: number
}

/** Reads links of one text. The text is measured once, when the first link asks for it. */
export class LinkReader {
  private brackets: BracketMap | undefined
  private titles: TitleMap | undefined

  constructor(private readonly text: string) {}

  /**
   * Reads the link whose `[` is at `start`. Brackets in its text and parentheses in its address must
   * be balanced; the address may stand in `<…>`; it may not hold what an earlier rule matched.
   */
  read(start: number): LinkSyntax | undefined {
    this.brackets ??= new BracketMap(this.text)
    const textEnd = this.brackets.closingOf(start)
    if (textEnd === undefined || this.text.charCodeAt(textEnd + 1) !== 0x28) return undefined
    const destination = this.readDestination(textEnd + 1, this.brackets)
    if (destination === undefined || destination.address.includes(tokenMark)) return undefined
    return { textStart: start + 1, textEnd, ...destination }
  }

  private readDestination(
    opening: number,
    brackets: BracketMap,
  ): Pick<LinkSyntax, 'address' | 'title' | 'end'> | undefined {
    const start = this.skipSpace(opening + 1)
    if (this.text.charCodeAt(start) === 0x3c) {
      const inAngles = this.readAngleDestination(start)
      if (inAngles !== undefined) return inAngles
    }
    const closing = brackets.closingOf(opening)
    const title = this.readTitle(start, closing, brackets)
    if (title !== undefined) return title
    if (closing === undefined) return undefined
    return { address: this.text.slice(start, closing).trim(), title: undefined, end: closing + 1 }
  }

  private readTitle(
    start: number,
    closing: number | undefined,
    brackets: BracketMap,
  ): Pick<LinkSyntax, 'address' | 'title' | 'end'> | undefined {
    this.titles ??= new TitleMap(this.text)
    const titleStart = this.titles.startFrom(start)
    if (titleStart === -1 || (closing !== undefined && titleStart > closing)) return undefined
    if (!brackets.isBalanced(start, titleStart)) return undefined
    const titleEnd = this.titles.endOf(titleStart)
    if (titleEnd === -1) return undefined
    return {
      address: this.text.slice(start, titleStart).trim(),
      title: this.text.slice(titleStart + 1, titleEnd),
      end: this.skipSpace(titleEnd + 1) + 1,
    }
  }

  private readAngleDestination(
    start: number,
  ): Pick<LinkSyntax, 'address' | 'title' | 'end'> | undefined {
    let end = start + 1
    while (end < this.text.length && !isAngle(this.text.charCodeAt(end))) end += 1
    if (this.text.charCodeAt(end) !== 0x3e) return undefined
    const address = this.text.slice(start + 1, end).trim()
    const next = this.skipSpace(end + 1)
    if (this.text.charCodeAt(next) === 0x29) return { address, title: undefined, end: next + 1 }
    this.titles ??= new TitleMap(this.text)
    const isTitle = next > end + 1 && this.titles.startFrom(next) === next
    const titleEnd = isTitle ? this.titles.endOf(next) : -1
    if (titleEnd === -1) return undefined
    const title = this.text.slice(next + 1, titleEnd)
    return { address, title, end: this.skipSpace(titleEnd + 1) + 1 }
  }

  private skipSpace(start: number): number {
    let index = start
    while (index < this.text.length && isSpace(this.text.charCodeAt(index))) index += 1
    return index
  }
}

function isAngle(code: number): boolean {
  return code === 0x3c || code === 0x3e
}
