import { ChatError } from '../../errors/index.js'
import { addressKey, keyWithin, type MadeKey } from '../../kernel/limit-keys.js'

/** Memory limits for the bodies of unanswered requests, in bytes. */
export interface BodyBudgetLimits {
  /** For the whole process. */
  readonly maxBytes: number
  /** For the requests of one client address. */
  readonly maxBytesPerAddress: number
}

/**
 * Overhead of a chunk besides its bytes: many small ones would otherwise take far more than they
 * count.
 */
const chunkOverheadBytes = 256
/** Counted for a file that is streamed: buffers of the parser and of the storage. */
const streamedFileBytes = 1024 * 1024
/**
 * The share of both limits that unauthenticated callers can use, so that others can still be
 * served.
 */
const unrecognizedPart = { ofProcess: 1 / 4, ofAddress: 1 / 16 } as const
const retryAfterSeconds = 1

/** Accounts for the bytes of bodies in memory, by client address. */
export class BodyBudget {
  readonly #limits: BodyBudgetLimits
  readonly #all = { recognized: { bytes: 0 }, unrecognized: { bytes: 0 } }
  /** Bytes by address, for addresses with requests in progress. */
  readonly #byAddress = new Map<MadeKey, number>()

  constructor(limits: BodyBudgetLimits) {
    this.#limits = limits
  }

  /** Bytes of all requests. */
  get heldBytes(): number {
    return this.#all.recognized.bytes + this.#all.unrecognized.bytes
  }

  /** Opens the account of one request's body. Release the share when the request is answered. */
  open(remoteAddress: string, isRecognized: boolean): BodyShare {
    const held = isRecognized ? this.#all.recognized : this.#all.unrecognized
    const maxima = this.#maxima(isRecognized)
    const key = keyWithin(isRecognized ? 'user' : 'anyone', addressKey(remoteAddress))
    const add = (bytes: number): void => {
      const ofAddress = (this.#byAddress.get(key) ?? 0) + bytes
      if (ofAddress === 0) this.#byAddress.delete(key)
      else this.#byAddress.set(key, ofAddress)
      held.bytes += bytes
    }
    const take = (bytes: number): void => {
      if ((this.#byAddress.get(key) ?? 0) + bytes > maxima.ofAddress) {
        throw new ChatError('RATE_LIMIT_HIT', { fields: { 'retry-after': retryAfterSeconds } })
      }
      const isTooMuch =
        held.bytes + bytes > maxima.ofCallers || this.heldBytes + bytes > this.#limits.maxBytes
      if (isTooMuch) throw new ChatError('SERVICE_UNAVAILABLE')
      add(bytes)
    }
    return new BodyShare(take, (bytes) => add(-bytes))
  }

  #maxima(isRecognized: boolean): { readonly ofCallers: number; readonly ofAddress: number } {
    const { maxBytes, maxBytesPerAddress } = this.#limits
    if (isRecognized) return { ofCallers: maxBytes, ofAddress: maxBytesPerAddress }
    return {
      ofCallers: maxBytes * unrecognizedPart.ofProcess,
      ofAddress: maxBytesPerAddress * unrecognizedPart.ofAddress,
    }
  }
}

/** The memory share of one request's body. */
export class BodyShare {
  #bytes = 0
  readonly #takeBytes: (bytes: number) => void
  readonly #giveBack: (bytes: number) => void

  /** @param take throws if the limit is reached. */
  constructor(take: (bytes: number) => void, giveBack: (bytes: number) => void) {
    this.#takeBytes = take
    this.#giveBack = giveBack
  }

  /**
   * Counts a chunk that is kept in memory.
   *
   * @throws {ChatError} `RATE_LIMIT_HIT` if the limit of the client's address is reached,
   *   `SERVICE_UNAVAILABLE` if that of the process is.
   */
  takeChunk(byteLength: number): void {
    this.#take(byteLength + chunkOverheadBytes)
  }

  /** Counts a file that is streamed. @throws {ChatError} as {@link takeChunk}. */
  takeStreamedFile(): void {
    this.#take(streamedFileBytes)
  }

  /** Releases the whole share. */
  release(): void {
    const bytes = this.#bytes
    this.#bytes = 0
    if (bytes > 0) this.#giveBack(bytes)
  }

  #take(bytes: number): void {
    this.#takeBytes(bytes)
    this.#bytes += bytes
  }
}
