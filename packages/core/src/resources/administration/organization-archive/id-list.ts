const firstCapacity = 1024

/** Ids in ascending order, four bytes each: there may be millions of them. */
export class IdList {
  #ids = new Uint32Array(firstCapacity)
  #length = 0

  get last(): number {
    return this.#ids[this.#length - 1] ?? 0
  }

  /** @throws {RangeError} unless the id is higher than all others. */
  add(id: number): void {
    if (id <= this.last) throw new RangeError(`${id} is not higher than ${this.last}`)
    if (this.#length === this.#ids.length) {
      const longer = new Uint32Array(this.#length * 2)
      longer.set(this.#ids)
      this.#ids = longer
    }
    this.#ids[this.#length] = id
    this.#length += 1
  }

  has(id: number): boolean {
    let [start, end] = [0, this.#length]
    while (start < end) {
      const middle = (start + end) >>> 1
      const found = this.#ids[middle] ?? 0
      if (found === id) return true
      if (found < id) start = middle + 1
      else end = middle
    }
    return false
  }
}
