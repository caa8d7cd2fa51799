/**
 * The possible ends of an address path within a run of text without whitespace: it extends up to a
 * `"` or to a `)` without its `(`, and only with balanced parentheses. Computed once per run,
 * because many addresses may begin in one run and each would read to its end.
 */
export class PathShape {
  private readonly depthBefore: Int32Array
  /** First position at or after each one where a path from there must stop. */
  private readonly stop: Int32Array

  constructor(
    text: string,
    private readonly runStart: number,
    runEnd: number,
  ) {
    const length = runEnd - runStart
    this.depthBefore = new Int32Array(length + 1)
    this.stop = new Int32Array(length + 1)
    const closingOf = new Map<number, number>()
    const open: number[] = []
    for (let offset = 0; offset < length; offset += 1) {
      const code = text.charCodeAt(runStart + offset)
      this.depthBefore[offset] = open.length
      if (code === 0x28) open.push(offset)
      const opening = code === 0x29 ? open.pop() : undefined
      if (opening !== undefined) closingOf.set(opening, offset)
    }
    this.depthBefore[length] = open.length
    this.stop[length] = runEnd
    for (let offset = length - 1; offset >= 0; offset -= 1) {
      const position = runStart + offset
      const code = text.charCodeAt(position)
      const closing = closingOf.get(offset)
      if (code === 0x22 || code === 0x29 || code === 2) this.stop[offset] = position
      else if (code !== 0x28) this.stop[offset] = this.stop[offset + 1]!
      else this.stop[offset] = this.stopOfGroup(offset, closing)
    }
  }

  /** The shortest end of a path from `start` that is not before `earliest`, if there is one. */
  endFrom(start: number, earliest: number): number | undefined {
    const stop = this.stop[start - this.runStart]!
    const depth = this.depthBefore[start - this.runStart]!
    for (let end = earliest; end <= stop; end += 1) {
      if (this.depthBefore[end - this.runStart] === depth) return end
    }
    return undefined
  }

  /** A path may stop before a group, or continue after it if nothing inside stops it. */
  private stopOfGroup(offset: number, closing: number | undefined): number {
    const position = this.runStart + offset
    if (closing === undefined) return position
    const inside = this.stop[offset + 1]!
    return inside < this.runStart + closing ? position : this.stop[closing + 1]!
  }
}
