const mebibyte = 1024 * 1024

/** Memory limit for all tails of a server, in bytes. */
export const maxTailBytes = 64 * mebibyte

/** Holds entries of a log and can drop the oldest. */
export interface EntryHolder {
  /** Memory used by its entries, in bytes. */
  readonly heldBytes: number
  /** Whether it has more entries than its minimum. */
  readonly canDrop: boolean
  /** Drops its oldest entries. */
  dropOldest(): void
}

/**
 * Limits the memory of the tails of all organizations. Beyond the limit, the largest tail drops its
 * oldest entries, so an organization with many or large events does not displace the entries of
 * others. Least recently used would not work: a client that waits for events uses its tail all the
 * time, and a tail that is unused for a while is dropped anyway.
 */
export class TailMemory {
  readonly #holders = new Set<EntryHolder>()
  #heldBytes = 0

  constructor(private readonly maxBytes = maxTailBytes) {}

  /** Memory in use, in bytes. */
  get heldBytes(): number {
    return this.#heldBytes
  }

  add(holder: EntryHolder): void {
    this.#holders.add(holder)
  }

  remove(holder: EntryHolder): void {
    this.#holders.delete(holder)
  }

  /** To be called when a holder has grown, after its `heldBytes` has changed. */
  grow(bytes: number): void {
    this.#heldBytes += bytes
    while (this.#heldBytes > this.maxBytes) {
      const largest = this.#largest()
      if (largest === undefined) return
      largest.dropOldest()
    }
  }

  /** To be called when a holder has dropped something. */
  shrink(bytes: number): void {
    this.#heldBytes -= bytes
  }

  #largest(): EntryHolder | undefined {
    let largest: EntryHolder | undefined
    for (const holder of this.#holders) {
      if (!holder.canDrop) continue
      if (largest === undefined || holder.heldBytes > largest.heldBytes) largest = holder
    }
    return largest
  }
}

const objectBytes = 32
const valueBytes = 16

/**
 * Estimates the memory of a JSON value, rather too high than too low: two bytes for each UTF-16
 * unit of a string, which is what strings with any character beyond Latin-1 take.
 */
export function bytesOf(value: unknown): number {
  if (typeof value === 'string') return valueBytes + 2 * value.length
  if (typeof value !== 'object' || value === null) return valueBytes
  let bytes = objectBytes
  for (const member of Object.values(value)) bytes += valueBytes + bytesOf(member)
  return bytes
}
