/** So many rows are in the page at most. */
export const maxRows = 300
/** Rows that come and go together. */
const step = 100

/** Which of the loaded messages are in the page: the part of the list around the visible ones. */
export class RowWindow {
  #firstId = 0
  #isAtEnd = true

  /** Shows the end, and follows it. */
  toEnd(): void {
    this.#isAtEnd = true
  }

  /** Shows the surroundings of a message. */
  around(ids: readonly number[], id: number): void {
    const index = Math.max(0, ids.findIndex((each) => each >= id) - maxRows / 2)
    this.#firstId = ids[index] ?? 0
    this.#isAtEnd = false
  }

  /** The range of indices that is in the page. */
  range(ids: readonly number[]): readonly [start: number, end: number] {
    if (this.#isAtEnd) return [Math.max(0, ids.length - maxRows), ids.length]
    const found = ids.findIndex((id) => id >= this.#firstId)
    const start = Math.min(found < 0 ? ids.length : found, Math.max(0, ids.length - step))
    return [start, Math.min(ids.length, start + maxRows)]
  }

  /** Moves towards older messages. @returns false if there are none. */
  older(ids: readonly number[]): boolean {
    const [start] = this.range(ids)
    if (start === 0) return false
    this.#firstId = ids[Math.max(0, start - step)] ?? 0
    this.#isAtEnd = false
    return true
  }

  /** Moves towards newer messages. @returns false if there are none. */
  newer(ids: readonly number[]): boolean {
    const [start, end] = this.range(ids)
    if (end === ids.length) return false
    if (start + step + maxRows >= ids.length) this.#isAtEnd = true
    this.#firstId = ids[start + step] ?? 0
    return true
  }
}
