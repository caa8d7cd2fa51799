import { createHmac } from 'node:crypto'

import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import { randomToken } from '../../../kernel/random.js'
import { ServerSecretRepository } from '../credentials/index.js'

/** Signs links in mails and addresses for incoming mail, with a key that is stored in the database. */
@perServer()
export class MailSignatures {
  #key: Promise<Buffer> | undefined

  constructor(@inject(ServerSecretRepository) private readonly secrets: ServerSecretRepository) {}

  /** The HMAC of a text, 32 bytes. Texts of different purposes must not be equal. */
  async sign(text: string): Promise<Buffer> {
    this.#key ??= this.secrets
      .findOrInsert('mail_links', randomToken(32))
      .then((key) => Buffer.from(key, 'base64url'))
    try {
      return createHmac('sha256', await this.#key)
        .update(text)
        .digest()
    } catch (error) {
      this.#key = undefined
      throw error
    }
  }
}
