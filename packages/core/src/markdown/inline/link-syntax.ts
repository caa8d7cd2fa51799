import { isSpace } from '../characters.js'
import { BracketMap, TitleMap } from './bracket-map.js'
import { mayBeAllowed } from './link-target.js'

/** The parts of `[text](address "title")`. */
export interface LinkSyntax {
  readonly textStart: number
  readonly textEnd: number
  readonly address: string
  readonly title: string | undefined
  /** Position after the closing parenthesis. */
  readonly end: number
}

interface Destination {
  readonly addressStart: number
  readonly addressEnd: number
  readonly title: string | undefined
  readonly end: number
}

/** Parses the links of one text. The text is analyzed once, for the first link. */
export class LinkReader {
  private brackets: BracketMap | undefined
  private titles: TitleMap | undefined
  private readonly hasQuotes: boolean

  constructor(private readonly text: string) {
    this.hasQuotes = /["']/.test(text)
  }

  /**
   * Parses the link whose `[` is at `start`. Brackets in its text and parentheses in its address
   * must be balanced; the address may be in `<…>`; it may not contain a match of an earlier rule.
   */
  read(start: number): LinkSyntax | undefined {
    this.brackets ??= new BracketMap(this.text)
    const textEnd = this.brackets.closingOf(start)
    if (textEnd === undefined || this.text.charCodeAt(textEnd + 1) !== 0x28) return undefined
    const destination = this.readDestination(textEnd + 1, this.brackets)
    if (destination === undefined) return undefined
    const { addressStart, addressEnd, title, end } = destination
    // Both use look-up tables: an address may be as long as the text, and a rejected one is parsed
    // again for the next bracket.
    const holdsToken = this.brackets.holdsToken(addressStart, addressEnd)
    if (holdsToken || !mayBeAllowed(this.text, addressStart, addressEnd)) return undefined
    const address = this.text.slice(addressStart, addressEnd).trim()
    return { textStart: start + 1, textEnd, address, title, end }
  }

  private readDestination(opening: number, brackets: BracketMap): Destination | undefined {
    const start = this.skipSpace(opening + 1)
    if (this.text.charCodeAt(start) === 0x3c) {
      const inAngles = this.readAngleDestination(start)
      if (inAngles !== undefined) return inAngles
    }
    const closing = brackets.closingOf(opening)
    const title = this.readTitle(start, closing)
    if (title !== undefined) return title
    if (closing === undefined) return undefined
    return { addressStart: start, addressEnd: closing, title: undefined, end: closing + 1 }
  }

  private readTitle(start: number, closing: number | undefined): Destination | undefined {
    if (!this.hasQuotes) return undefined
    this.titles ??= new TitleMap(this.text)
    const titleStart = this.titles.startFrom(start)
    if (titleStart === -1 || (closing !== undefined && titleStart > closing)) return undefined
    if (!this.titles.isBalanced(start, titleStart)) return undefined
    const titleEnd = this.titles.endOf(titleStart)
    if (titleEnd === -1) return undefined
    return {
      addressStart: start,
      addressEnd: titleStart,
      title: this.text.slice(titleStart + 1, titleEnd),
      end: this.skipSpace(titleEnd + 1) + 1,
    }
  }

  private readAngleDestination(start: number): Destination | undefined {
    let end = start + 1
    while (end < this.text.length && !isAngle(this.text.charCodeAt(end))) end += 1
    if (this.text.charCodeAt(end) !== 0x3e) return undefined
    const address = { addressStart: start + 1, addressEnd: end }
    const next = this.skipSpace(end + 1)
    if (this.text.charCodeAt(next) === 0x29) return { ...address, title: undefined, end: next + 1 }
    this.titles ??= new TitleMap(this.text)
    const isTitle = next > end + 1 && this.titles.startFrom(next) === next
    const titleEnd = isTitle ? this.titles.endOf(next) : -1
    if (titleEnd === -1) return undefined
    const title = this.text.slice(next + 1, titleEnd)
    return { ...address, title, end: this.skipSpace(titleEnd + 1) + 1 }
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
