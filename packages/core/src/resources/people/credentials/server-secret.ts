import type { InjectionToken } from 'tsyringe'

import { randomToken } from '../../../kernel/random.js'
import { SecretBox, secretIdOf } from '../../../kernel/secret-box.js'
import type { SealedKeyRepository } from './sealed-key-repository.js'
import type { ServerSecretRepository } from './server-secret-repository.js'

/** Encrypts and decrypts with the secrets of a server that has started. */
export interface Secrets {
  /** Encrypts under the current secret, and decrypts texts of any configured secret. */
  box(purpose: string): SecretBox
}

export const ServerSecretToken: InjectionToken<Secrets> = Symbol('ServerSecret')

/** The secrets that the application has configured. */
export interface GivenSecrets {
  readonly secret: string | undefined
  readonly previousSecrets: readonly string[]
  /** Ids of secrets that are lost. */
  readonly lostSecrets: readonly string[]
}

const storedSecretName = 'seal'
/** The id of the secret that the most recently started process encrypts with. */
const currentIdName = 'seal_id'

/**
 * The secret that encrypts API keys, either the application's or one stored in the database, and
 * the secrets that still decrypt older ones.
 */
export class ServerSecret implements Secrets {
  readonly #boxes = new Map<string, SecretBox>()
  #current: string | undefined
  #others: readonly string[] = []
  /** The source of each secret, by its id. */
  readonly #sources = new Map<string, string>()
  readonly #lostIds: ReadonlySet<string>

  constructor(
    private readonly stored: ServerSecretRepository,
    private readonly sealedKeys: SealedKeyRepository,
    private readonly configured: GivenSecrets,
  ) {
    this.#lostIds = new Set(configured.lostSecrets)
  }

  /**
   * Reads or creates the stored secret, and checks that every encrypted value can be decrypted.
   *
   * @returns whether there are values that the current secret does not decrypt.
   * @throws {Error} with the remedy, if there are values that no configured secret decrypts.
   */
  async load(): Promise<boolean> {
    const { secret, previousSecrets } = this.configured
    const storedSecret =
      secret === undefined
        ? await this.stored.findOrInsert(storedSecretName, randomToken(32))
        : await this.stored.find(storedSecretName)
    this.#sources.clear()
    this.#boxes.clear()
    this.#note(storedSecret, 'the secret in the database')
    for (const [index, previous] of previousSecrets.entries()) {
      this.#note(previous, `previousSecrets[${index}]`)
    }
    this.#note(secret, 'secret')
    this.#current = secret ?? storedSecret
    const others = new Set([
      ...previousSecrets,
      ...(storedSecret === undefined ? [] : [storedSecret]),
    ])
    this.#others = [...others].filter((other) => other !== this.#current)

    const ids = await this.sealedKeys.listSecretIds()
    this.#requireKnown(ids)
    await this.stored.set(currentIdName, this.currentId)
    return ids.some((id) => id !== this.currentId)
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
   * Whether this process started after all others that have another current secret. Only its secret
   * replaces others: otherwise, processes would undo each other's work during a rolling deployment.
   */
  async isNewest(): Promise<boolean> {
    return (await this.stored.find(currentIdName)) === this.currentId
  }

  isLost(secretId: string): boolean {
    return this.#lostIds.has(secretId)
  }

  /**
   * The sources of the secrets, except the current one, that values are still encrypted under.
   */
  async listOthersInUse(): Promise<string[]> {
    const ids = await this.sealedKeys.listSecretIds()
    return ids
      .filter((id) => id !== this.currentId)
      .map((id) => this.#sources.get(id) ?? `a secret that was not given (${id})`)
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

  #refusal(ids: readonly string[]): string {
    const sources = [...this.#sources].map(([id, source]) => `${source} (${id})`).join(', ')
    const list = ids.map((id) => `'${id}'`).join(', ')
    return (
      `Values in the database are sealed under secrets that were not given: ${list}. ` +
      'Give the option previousSecrets the value that the option secret had before. ' +
      `If that value is lost, give lostSecrets: [${list}]: ` +
      'API keys are then replaced, and their clients must sign in again. ' +
      `Given: ${sources}`
    )
  }
}
