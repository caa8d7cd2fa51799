import { MarkdownRenderError } from './render-error.js'

/** Maximum number of operations of one render: far above what 10,000 characters need. */
const maxOperations = 40_000_000

/** Number of operations between two checks of the clock. */
const operationsPerClockCheck = 20_000

/**
 * Maximum number of highlighted characters of code per render: some grammars take 10 µs for each.
 */
const maxColoredCharacters = 5_000

/** Maximum number of steps of linkifiers per render, counted as `CompiledLinkifiers` does. */
const maxLinkifierSteps = 500_000

/**
 * Maximum length of the HTML of all formulas of one render, in UTF-16 units: KaTeX generates
 * several hundred from one character.
 */
const maxFormulaHtmlLength = 200_000

/** Maximum time of one render. Soft: a single formula or code block is not interrupted. */
const maxRenderMilliseconds = 5_000

/** Lets a long computation yield to the event loop. */
export interface Yielder {
  /** Whether it is time to yield. */
  readonly isDue: boolean
  /** Resolves in a later tick of the event loop. */
  yield(): Promise<void>
}

/** A part of a render: stops where a yield to the event loop is due. */
export type Steps<Result = void> = Generator<void, Result, void>

/**
 * The resource usage of one render, and its limits.
 *
 * An operation is one visit of one character (or one token) of the message. Rendering is linear, so
 * the total grows in proportion to the length of the source; a test asserts it.
 */
export class Budget {
  private spent = 0
  private nextClockCheck = operationsPerClockCheck
  private coloredCharacters = 0
  private linkifierSteps = 0
  private formulaHtmlLength = 0
  private startedAtMilliseconds: number

  /**
   * Without a `clock` (in milliseconds) only the number of operations is limited.
   *
   * @param yielder tells when rendering has to yield; without it, it never does.
   */
  constructor(
    private readonly clock: (() => number) | undefined,
    private readonly yielder?: Yielder,
  ) {
    this.startedAtMilliseconds = clock?.() ?? 0
  }

  /** Operations counted so far. */
  get operations(): number {
    return this.spent
  }

  /** Yields to the event loop; the time until then does not count. */
  async yield(): Promise<void> {
    const from = this.clock?.() ?? 0
    await this.yielder?.yield()
    this.startedAtMilliseconds += (this.clock?.() ?? 0) - from
  }

  /** Whether rendering has to yield before it goes on. */
  get isYieldDue(): boolean {
    return this.yielder?.isDue === true
  }

  /**
   * Counts `operations` more.
   *
   * @throws {MarkdownRenderError} if the limit of one render is exceeded.
   */
  spend(operations: number): void {
    this.spent += operations
    if (this.spent < this.nextClockCheck) return
    this.nextClockCheck = this.spent + operationsPerClockCheck
    if (this.spent > maxOperations) throw new MarkdownRenderError('too-many-operations')
    this.checkTime()
  }

  /** Whether code of so many characters may still be highlighted; other code is shown plain. */
  mayColor(characters: number): boolean {
    if (this.coloredCharacters + characters > maxColoredCharacters) return false
    this.coloredCharacters += characters
    return true
  }

  /** Whether linkifiers may take so many more steps; the remaining text is not linkified. */
  mayLinkify(steps: number): boolean {
    this.linkifierSteps += steps
    return this.linkifierSteps <= maxLinkifierSteps
  }

  /** Whether a formula's HTML of this length may still be added; otherwise its source is shown. */
  mayAddFormula(htmlLength: number): boolean {
    if (this.formulaHtmlLength + htmlLength > maxFormulaHtmlLength) return false
    this.formulaHtmlLength += htmlLength
    return true
  }

  /**
   * Checks the clock now; called around work whose cost cannot be counted.
   *
   * @throws {MarkdownRenderError} if the time limit of this render is exceeded.
   */
  checkTime(): void {
    if (this.clock === undefined) return
    const elapsed = this.clock() - this.startedAtMilliseconds
    if (elapsed > maxRenderMilliseconds) throw new MarkdownRenderError('out-of-time')
  }
}
