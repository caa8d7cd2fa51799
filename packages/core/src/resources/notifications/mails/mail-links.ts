import { timingSafeEqual } from 'node:crypto'

import { inject } from 'tsyringe'

import { parseJson, type Json } from '../../../kernel/json.js'
import { perServer } from '../../../kernel/per-server.js'
import { MailSignatures } from '../../people/mail-addresses/index.js'

/** The setting that a link in a mail turns off, for one user. */
export interface MailLink {
  readonly organizationId: number
  readonly userId: number
  readonly kind: 'mentions' | 'followed_topic' | 'channel' | 'digest'
  /** The channel, for this kind; otherwise 0. */
  readonly channelId: number
}

type Values = readonly [number, number, MailLink['kind'], number]

/** Signs the links by which mails are turned off without signing in. They never expire. */
@perServer()
export class MailLinks {
  constructor(@inject(MailSignatures) private readonly signatures: MailSignatures) {}

  sign({ organizationId, userId, kind, channelId }: MailLink): string {
    const values: Values = [organizationId, userId, kind, channelId]
    const payload = Buffer.from(JSON.stringify(values)).toString('base64url')
    return `${payload}.${this.signatures.sign(payload).toString('base64url')}`
  }

  /** @returns undefined if the signature is invalid. */
  open(token: string): MailLink | undefined {
    const [payload = '', signature = '', ...more] = token.split('.')
    const expected = this.signatures.sign(payload)
    const given = Buffer.from(signature, 'base64url')
    if (more.length > 0 || given.length !== expected.length) return undefined
    if (!timingSafeEqual(given, expected)) return undefined
    // Signed by this server
    const text = Buffer.from(payload, 'base64url').toString() as Json<Values>
    const [organizationId, userId, kind, channelId] = parseJson(text)
    return { organizationId, userId, kind, channelId }
  }
}
