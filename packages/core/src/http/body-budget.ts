import { ChatError } from '../errors/index.js'
import { addressGroup } from './client-address.js'

/** How much of unanswered requests' bodies is held in memory, in bytes. */
export interface BodyBudgetLimits {
  /** By the whole process. */
  readonly maxBytes: number
  /** By the requests of one client address. */
  readonly maxBytesPerAddress: number
}

/** What a chunk takes besides its bytes: many small ones would otherwise take far more than they count. */
const chunkOverheadBytes = 256
/** For a file that is passed on as it arrives: what waits in the parser and in the storage. */
const streamedFileBytes = 1024 * 1024
/** The part of both limits that callers who are not recognized can use, so that others are served. */
const unrecognizedPart = { ofProcess: 1 / 4, ofAddress: 1 / 16 } as const
const retryAfterSeconds = 1

/** The bytes of bodies that the process holds, by client address. */
export class BodyBudget {
  readonly #limits: BodyBudgetLimits
  readonly #all = { recognized: { bytes: 0 }, unrecognized: { bytes: 0 } }
  /** Bytes by address, of those whose requests hold anything. */
  readonly #byAddress = new Map<string, number>()

  constructor(limits: BodyBudgetLimits) {
    this.#limits = limits
  }

  /** What all requests hold, in bytes. */
  get heldBytes(): number {
    return this.#all.recognized.bytes + this.#all.unrecognized.bytes
  }

  /** Begins with the body of one request. Release the share when the request is answered. */
  open(remoteAddress: string, isRecognized: boolean): BodyShare {
    const held = isRecognized ? this.#all.recognized : this.#all.unrecognized
    const maxima = this.#maxima(isRecognized)
    const key = `${isRecognized ? 'user' : 'anyone'}/${addressGroup(remoteAddress)}`
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

/** What the body of one request holds. */
export class BodyShare {
  #bytes = 0
  readonly #takeBytes: (bytes: number) => void
  readonly #giveBack: (bytes: number) => void

  /** @param take throws if there are no more. */
  constructor(take: (bytes: number) => void, giveBack: (bytes: number) => void) {
    this.#takeBytes = take
    this.#giveBack = giveBack
  }

  /**
   * Counts a chunk that is kept.
   *
   * @throws {ChatError} `RATE_LIMIT_HIT` if the client's address, `SERVICE_UNAVAILABLE` if the
   *   process holds too much already.
   */
  takeChunk(byteLength: number): void {
    this.#take(byteLength + chunkOverheadBytes)
  }

  /** Counts a file that is passed on as it arrives. @throws {ChatError} as {@link takeChunk}. */
  takeStreamedFile(): void {
    this.#take(streamedFileBytes)
  }

  /** Gives everything back. */
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
