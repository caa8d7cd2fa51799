import { hkdfSync } from 'node:crypto'

import { randomToken } from '../../../kernel/random.js'
import { SecretBox, secretIdIn, UnknownSecretError } from '../../../kernel/secret-box.js'
import type { ServerSecretRepository } from './server-secret-repository.js'
import type { ServerSecret } from './server-secret.js'

const name = 'data_key'

/**
 * A random key that does not change with the option `secret`: it is stored encrypted under the
 * secret, in one row, and only that row is encrypted again. Keys of signatures that must remain
 * valid for years, and of encrypted columns, are derived from it.
 */
export class DataKey {
  #key: string | undefined
  readonly #boxes = new Map<string, SecretBox>()

  constructor(
    private readonly stored: ServerSecretRepository,
    private readonly secret: ServerSecret,
  ) {}

  /**
   * Reads or creates the key, and encrypts it under the current secret. A key whose secret is lost
   * is replaced.
   *
   * @throws {UnknownSecretError} if the key is encrypted under a secret that is not configured.
   */
  async load(): Promise<void> {
    const box = this.secret.box('data-key')
    let key: string | undefined
    for (let isStored = false; !isStored;) {
      const sealed = await this.stored.findOrInsert(name, box.seal(randomToken(32)))
      key = this.#open(box, sealed) ?? randomToken(32)
      // Another process may have replaced it meanwhile: it is read again then.
      isStored =
        secretIdIn(sealed) === this.secret.currentId ||
        (await this.stored.replace(name, sealed, box.seal(key)))
    }
    this.#key = key
    this.#boxes.clear()
  }

  /** A key of 32 bytes for one purpose. @throws {Error} if the server has not started yet. */
  keyOf(purpose: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#loaded, '', purpose, 32))
  }

  /** Encrypts and decrypts texts for one purpose. @throws {Error} as {@link keyOf} does. */
  box(purpose: string): SecretBox {
    const box = this.#boxes.get(purpose) ?? new SecretBox(this.#loaded, [], purpose)
    this.#boxes.set(purpose, box)
    return box
  }

  get #loaded(): string {
    if (this.#key === undefined) throw new Error('Call start() before using the chat server')
    return this.#key
  }

  /** Undefined if the secret is lost. */
  #open(box: SecretBox, sealed: string): string | undefined {
    try {
      return box.open(sealed)
    } catch (error) {
      if (error instanceof UnknownSecretError && this.secret.isLost(error.secretId))
        return undefined
      throw error
    }
  }
}
