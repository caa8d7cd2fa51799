import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

import { createTransport } from 'nodemailer'

import { createMailServer } from '../embedding/recipes/incoming-mail.js'
import type { Client } from './client.js'
import type { HostCase } from './host.js'

export const incomingDomain = 'in.chat.example'
export const incomingMail = { domain: incomingDomain }

type SentMail = Parameters<ReturnType<typeof createTransport>['sendMail']>[0]

/** The mail server of docs/mail.md, and a mail program that sends mails to it. */
export class IncomingMails {
  readonly #server
  #transport: ReturnType<typeof createTransport> | undefined

  constructor(at: HostCase) {
    this.#server = createMailServer(at.host.chat, incomingDomain)
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server.server, 'listening')
    const { port } = this.#server.server.address() as AddressInfo
    this.#transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true })
  }

  async stop(): Promise<void> {
    this.#transport?.close()
    await new Promise<void>((resolve) => this.#server.close(resolve))
  }

  /** Sends a mail over SMTP. @throws with the answer of the server if it refuses the mail. */
  async send(mail: SentMail): Promise<void> {
    await this.#transport?.sendMail({ from: 'Eve Outside <eve@outside.example>', ...mail })
  }
}

/** The address of a channel, as clients ask for it. */
export async function addressOf(
  client: Client,
  channelId: number,
  senderId?: number,
): Promise<string> {
  const params = senderId === undefined ? {} : { sender_id: senderId }
  const { body } = await client.get(`/streams/${channelId}/email_address`, params)
  return String(body.email)
}

/** An address with other words after its token. */
export function withOptions(address: string, ...options: readonly string[]): string {
  const [local = '', domain = ''] = address.replace('.show-sender', '').split('@')
  return `${[local, ...options].join('+')}@${domain}`
}

export interface ReadMessage {
  readonly id: number
  readonly subject: string
  readonly content: string
  readonly sender_id: number
  readonly client: string
}

/** The newest message that a user can read, with its Markdown. */
export async function newest(client: Client): Promise<ReadMessage> {
  const { body } = await client.get('/messages', {
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    apply_markdown: false,
    allow_empty_topic_name: true,
  })
  return (body.messages as ReadMessage[])[0] as ReadMessage
}
