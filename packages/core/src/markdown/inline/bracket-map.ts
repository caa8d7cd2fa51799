import { isSpace } from '../characters.js'
import { tokenCode } from './token-text.js'

const doubleQuote = 0x22
const singleQuote = 0x27

/**
 * The closing brackets, computed once for the whole text: a search for each closing bracket would
 * be quadratic in texts such as `[a](`, repeated.
 */
export class BracketMap {
  private readonly closings = new Map<number, number>()
  private readonly tokens: number[] = []

  constructor(text: string) {
    const square: number[] = []
    const round: number[] = []
    for (let index = 0; index < text.length; index += 1) {
      switch (text.charCodeAt(index)) {
        case 0x5b:
          square.push(index)
          break
        case 0x5d:
          this.close(square.pop(), index)
          break
        case 0x28:
          round.push(index)
          break
        case 0x29:
          this.close(round.pop(), index)
          break
        case tokenCode:
          this.tokens.push(index)
          break
      }
    }
  }

  /** Position of the bracket that closes the one at `index`, counting only its own kind. */
  closingOf(index: number): number | undefined {
    return this.closings.get(index)
  }

  /** Whether `[start, end)` contains a match of an earlier rule. */
  holdsToken(start: number, end: number): boolean {
    let low = 0
    let high = this.tokens.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.tokens[middle]! < start) low = middle + 1
      else high = middle
    }
    const next = this.tokens[low]
    return next !== undefined && next < end
  }

  private close(opening: number | undefined, index: number): void {
    if (opening !== undefined) this.closings.set(opening, index)
  }
}

/** The possible starts and ends of link titles, computed once for the whole text. */
export class TitleMap {
  private readonly depthBefore: Int32Array
  private readonly nextStart: Int32Array
  private readonly nextDoubleEnd: Int32Array
  private readonly nextSingleEnd: Int32Array

  constructor(private readonly text: string) {
    const { length } = text
    this.depthBefore = new Int32Array(length + 1)
    for (let index = 0; index < length; index += 1) {
      const code = text.charCodeAt(index)
      const change = code === 0x28 ? 1 : code === 0x29 ? -1 : 0
      this.depthBefore[index + 1] = this.depthBefore[index]! + change
    }
    this.nextStart = new Int32Array(length + 1).fill(-1)
    this.nextDoubleEnd = new Int32Array(length + 1).fill(-1)
    this.nextSingleEnd = new Int32Array(length + 1).fill(-1)
    let isBeforeParenthesis = false
    for (let index = length - 1; index >= 0; index -= 1) {
      const code = text.charCodeAt(index)
      const isQuote = code === doubleQuote || code === singleQuote
      const isStart = isQuote && index > 0 && isSpace(text.charCodeAt(index - 1))
      const isEnd = isQuote && isBeforeParenthesis
      this.nextStart[index] = isStart ? index : this.nextStart[index + 1]!
      this.nextDoubleEnd[index] =
        isEnd && code === doubleQuote ? index : this.nextDoubleEnd[index + 1]!
      this.nextSingleEnd[index] =
        isEnd && code === singleQuote ? index : this.nextSingleEnd[index + 1]!
      if (!isSpace(code)) isBeforeParenthesis = code === 0x29
    }
  }

  /** Whether `[start, end)` contains as many `(` as `)`. */
  isBalanced(start: number, end: number): boolean {
    return this.depthBefore[start] === this.depthBefore[end]
  }

  /** The first quotation mark after whitespace at or after `from`, or -1. */
  startFrom(from: number): number {
    return this.nextStart[from] ?? -1
  }

  /**
   * The mark that ends the title that begins at `start`: the first equal one before a `)`, or -1.
   */
  endOf(start: number): number {
    const isDouble = this.text.charCodeAt(start) === doubleQuote
    return (isDouble ? this.nextDoubleEnd : this.nextSingleEnd)[start + 1] ?? -1
  }
}
