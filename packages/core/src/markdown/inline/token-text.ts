/** The data of a link for previews and `has:link`. */
export interface LinkUse {
  /** The value of `href`. */
  readonly href: string
  /** Text of a named link; undefined if the address itself is shown. */
  readonly title: string | undefined
}

/** HTML that later inline rules do not process. */
export interface Token {
  readonly html: string
  /** The links inside, in the order of the text. */
  readonly links?: readonly LinkUse[]
  /** Set if the token is itself a link that shows its own address. */
  readonly bareLink?: LinkUse
}

/** Stands for one token in a {@link TokenText}. Removed from users' input. */
export const tokenMark = '\u0002'
/** Code unit of {@link tokenMark}. */
export const tokenCode = 2

/**
 * Text in which every match of an earlier rule is replaced by one {@link tokenMark}: the n-th mark
 * stands for the n-th token. For later rules, a mark is neither a word character nor white space.
 */
export interface TokenText {
  readonly text: string
  readonly tokens: readonly Token[]
}

const noTokens: readonly Token[] = []

/** `text` without any matches yet. */
export function plainTokenText(text: string): TokenText {
  return { text, tokens: noTokens }
}

/** Replaces matches of one rule, left to right. */
export class TokenTextBuilder {
  private text = ''
  private readonly tokens: Token[] = []
  private cursor = 0
  private tokenCursor = 0

  constructor(private readonly source: TokenText) {}

  /** Replaces `[start, end)`, which is after all previous replacements, by `token`. */
  replace(start: number, end: number, token: Token): void {
    this.copyUntil(start)
    this.text += tokenMark
    this.tokens.push(token)
    this.tokenCursor += this.countMarks(start, end)
    this.cursor = end
  }

  /** The part `[start, end)`, which is after all previous replacements, with its tokens. */
  slice(start: number, end: number): TokenText {
    const text = this.source.text.slice(start, end)
    if (this.source.tokens.length === 0) return plainTokenText(text)
    const first = this.tokenCursor + this.countMarks(this.cursor, start)
    return { text, tokens: this.source.tokens.slice(first, first + this.countMarks(start, end)) }
  }

  /** The text with all replacements made. */
  finish(): TokenText {
    if (this.cursor === 0 && this.tokens.length === 0) return this.source
    this.copyUntil(this.source.text.length)
    return { text: this.text, tokens: this.tokens }
  }

  private copyUntil(end: number): void {
    if (end === this.cursor) return
    this.text += this.source.text.slice(this.cursor, end)
    const count = this.countMarks(this.cursor, end)
    for (let index = 0; index < count; index += 1) {
      this.tokens.push(this.source.tokens[this.tokenCursor + index]!)
    }
    this.tokenCursor += count
    this.cursor = end
  }

  private countMarks(start: number, end: number): number {
    if (this.source.tokens.length === 0) return 0
    const { text } = this.source
    let count = 0
    for (let index = start; index < end; index += 1) {
      if (text.charCodeAt(index) === tokenCode) count += 1
    }
    return count
  }
}
