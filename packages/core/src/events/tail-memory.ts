const mebibyte = 1024 * 1024

/** What all tails of a server may hold together, in bytes. */
export const maxTailBytes = 64 * mebibyte

/** Something that holds entries of a log and can let go of the oldest. */
export interface EntryHolder {
  /** What its entries take, in bytes. */
  readonly heldBytes: number
  /** Whether it has more entries than it keeps in any case. */
  readonly canDrop: boolean
  /** Lets go of its oldest entries. */
  dropOldest(): void
}

/**
 * Bounds what the tails of all organizations hold together. Beyond the limit, the tail that holds
 * the most loses its oldest entries: so an organization with many or large events does not take
 * their entries away from the others. Which tail was used last says little, because whoever waits
 * for events uses one all the time, and a tail that nothing has used for a while is dropped anyway.
 */
export class TailMemory {
  readonly #holders = new Set<EntryHolder>()
  #heldBytes = 0

  constructor(private readonly maxBytes = maxTailBytes) {}

  /** What is held, in bytes. */
  get heldBytes(): number {
    return this.#heldBytes
  }

  add(holder: EntryHolder): void {
    this.#holders.add(holder)
  }

  remove(holder: EntryHolder): void {
    this.#holders.delete(holder)
  }

  /** To be called when a holder has grown, after its own bytes have changed. */
  grow(bytes: number): void {
    this.#heldBytes += bytes
    while (this.#heldBytes > this.maxBytes) {
      const largest = this.#largest()
      if (largest === undefined) return
      largest.dropOldest()
    }
  }

  /** To be called when a holder has let go of something. */
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
 * About how much memory a value of JSON takes, rather too much than too little: two bytes for each
 * UTF-16 unit of a text, which is what texts take that have any character beyond Latin-1.
 */
export function bytesOf(value: unknown): number {
  if (typeof value === 'string') return valueBytes + 2 * value.length
  if (typeof value !== 'object' || value === null) return valueBytes
  let bytes = objectBytes
  for (const member of Object.values(value)) bytes += valueBytes + bytesOf(member)
  return bytes
}
