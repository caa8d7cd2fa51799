import { createHmac } from 'node:crypto'

import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import { DataKey } from '../credentials/index.js'

/** Signs links in mails and addresses for incoming mail. They remain valid when `secret` changes. */
@perServer()
export class MailSignatures {
  constructor(@inject(DataKey) private readonly dataKey: DataKey) {}

  /** The HMAC of a text, 32 bytes. Texts of different purposes must not be equal. */
  sign(text: string): Buffer {
    return createHmac('sha256', this.dataKey.keyOf('mail links')).update(text).digest()
  }
}
