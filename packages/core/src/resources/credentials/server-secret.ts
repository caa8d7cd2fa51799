import type { InjectionToken } from 'tsyringe'

import { randomToken } from '../../kernel/random.js'
import { SecretBox, secretIdOf, UnknownSecretError } from '../../kernel/secret-box.js'
import type { SealedKeyRepository } from './sealed-key-repository.js'
import type { ServerSecretRepository } from './server-secret-repository.js'

/** Stands in `lostSecrets` for the secrets of API keys that were sealed without an id. */
export const unmarkedSecret = 'unknown'

/** What the secrets of a server are for, once it has started. */
export interface Secrets {
  /** Seals under the current secret, and opens what any given secret has sealed. */
  box(purpose: string): SecretBox
}

export const ServerSecretToken: InjectionToken<Secrets> = Symbol('ServerSecret')

/** The secrets that the application has given. */
export interface GivenSecrets {
  readonly secret: string | undefined
  readonly previousSecrets: readonly string[]
  /** Ids of secrets that nobody has any more. */
  readonly lostSecrets: readonly string[]
}

const keptName = 'seal'
/** The id of the secret that the process which started last seals under. */
const currentIdName = 'seal_id'
const checkedKeys = 20

/**
 * The secret under which API keys are sealed, the application's or one that the database keeps, and
 * those that still open what was sealed before.
 */
export class ServerSecret implements Secrets {
  readonly #boxes = new Map<string, SecretBox>()
  #current: string | undefined
  #others: readonly string[] = []
  /** Where each secret comes from, by its id. */
  readonly #sources = new Map<string, string>()
  readonly #lostIds: ReadonlySet<string>

  constructor(
    private readonly stored: ServerSecretRepository,
    private readonly sealedKeys: SealedKeyRepository,
    private readonly given: GivenSecrets,
  ) {
    this.#lostIds = new Set(given.lostSecrets)
  }

  /**
   * Reads or makes the kept secret, and checks that every API key can be opened.
   *
   * @returns whether there are keys that the current secret does not open.
   * @throws {Error} naming the remedy if there are keys that no given secret opens.
   */
  async load(): Promise<boolean> {
    const { secret, previousSecrets } = this.given
    const kept =
      secret === undefined
        ? await this.stored.findOrInsert(keptName, randomToken(32))
        : await this.stored.find(keptName)
    this.#sources.clear()
    this.#boxes.clear()
    this.#note(kept, 'the secret in the database')
    for (const [index, previous] of previousSecrets.entries()) {
      this.#note(previous, `previousSecrets[${index}]`)
    }
    this.#note(secret, 'secret')
    this.#current = secret ?? kept
    const others = new Set([...previousSecrets, ...(kept === undefined ? [] : [kept])])
    this.#others = [...others].filter((other) => other !== this.#current)

    const ids = await this.sealedKeys.listSecretIds()
    const unmarked = await this.sealedKeys.listUnmarked(checkedKeys)
    this.#requireKnown(ids)
    this.#requireOpened(unmarked.map(({ api_key_sealed }) => api_key_sealed))
    await this.stored.set(currentIdName, this.currentId)
    return unmarked.length > 0 || ids.some((id) => id !== this.currentId)
  }

  box(purpose: string): SecretBox {
    let box = this.#boxes.get(purpose)
    if (box === undefined) {
      box = new SecretBox(this.#secret, this.#others, purpose)
      this.#boxes.set(purpose, box)
    }
    return box
  }

  /** @throws {Error} if the server has not started yet. */
  get currentId(): string {
    return secretIdOf(this.#secret)
  }

  /**
   * Whether this process has started after all others that have another current secret. Only its
   * secret replaces others: otherwise processes would undo each other's work during a roll-out.
   */
  async isNewest(): Promise<boolean> {
    return (await this.stored.find(currentIdName)) === this.currentId
  }

  isLost(secretId: string | undefined): boolean {
    return this.#lostIds.has(secretId ?? unmarkedSecret)
  }

  /** Where the secrets come from, besides the current one, that API keys are still sealed under. */
  async listOthersInUse(): Promise<string[]> {
    const ids = await this.sealedKeys.listSecretIds()
    const names = ids
      .filter((id) => id !== this.currentId)
      .map((id) => this.#sources.get(id) ?? `a secret that was not given (${id})`)
    const unmarked = await this.sealedKeys.listUnmarked(1)
    return unmarked.length === 0 ? names : [...names, 'a secret without an id']
  }

  get #secret(): string {
    if (this.#current === undefined) throw new Error('Call start() before using the chat server')
    return this.#current
  }

  #note(secret: string | undefined, source: string): void {
    if (secret !== undefined) this.#sources.set(secretIdOf(secret), source)
  }

  #requireKnown(ids: readonly string[]): void {
    const unknown = ids.filter((id) => !this.#sources.has(id) && !this.isLost(id))
    if (unknown.length > 0) throw new Error(this.#refusal(unknown))
  }

  #requireOpened(unmarked: readonly string[]): void {
    if (this.isLost(undefined)) return
    const box = this.box('api-keys')
    try {
      for (const sealed of unmarked) box.open(sealed)
    } catch (error) {
      if (!(error instanceof UnknownSecretError)) throw error
      throw new Error(this.#refusal([unmarkedSecret]), { cause: error })
    }
  }

  #refusal(ids: readonly string[]): string {
    const given = [...this.#sources].map(([id, source]) => `${source} (${id})`).join(', ')
    const list = ids.map((id) => `'${id}'`).join(', ')
    return (
      `API keys in the database are sealed under secrets that were not given: ${list}. ` +
      'Give the option previousSecrets the value that the option secret had before. ' +
      `If that value is lost, give lostSecrets: [${list}]: ` +
      'these API keys are then replaced, and their clients must sign in again. ' +
      `Given: ${given}`
    )
  }
}
