import assert from 'node:assert/strict'
import { after, before } from 'node:test'

import knex from 'knex'

import type { Client } from './client.js'
import type { HostCase, HostOptions } from './host.js'
import { MailServer } from './mail-server.js'
import { until } from './waiting.js'

export const batchingSeconds = 120
const roundSeconds = 10
/** The pause after the first attempt. */
const retryDelaySeconds = 60

/** The mails about missed messages of the cases in a test file. */
export class MissedMails {
  readonly server = new MailServer()
  readonly options: HostOptions
  #sentinels = 0

  /** Starts a mail server before the cases of the file, and stops it after them. */
  constructor() {
    const { server } = this
    this.options = {
      get mail() {
        return server.sender
      },
      baseUrl: 'https://chat.example',
      basePath: '/chat',
    }
    before(() => server.start())
    after(() => server.stop())
  }

  /** The number of mails to a user so far. */
  countOf(client: Client): number {
    return this.server.to(client.email).length
  }

  /**
   * Waits until everything that is due has been sent: a mail to another user that is due at the same
   * time has arrived, and another one in the round after.
   */
  async settled(at: HostCase): Promise<void> {
    const { mona, carol } = at.people
    for (let index = 0; index < 2; index += 1) {
      this.#sentinels += 1
      const count = this.countOf(carol)
      await mona.whisper([carol], `sentinel ${this.#sentinels}`)
      at.clock.jump(batchingSeconds + 1)
      at.clock.fire(roundSeconds)
      await this.server.arrived(carol.email, count + 1)
    }
  }

  /** Waits until a mail to a user whose sending has failed waits for its next attempt. */
  async postponed(at: HostCase, client: Client): Promise<void> {
    const database = knex({ ...at.host.databaseConfig, useNullAsDefault: true })
    try {
      await until('the next attempt to be planned', async () => {
        const found = await database('chat_mail_notifications')
          .where({ user_id: client.id, mail_id: null, attempts: 1 })
          .where('due_at_seconds', '<=', at.clock.seconds + retryDelaySeconds)
        return found.length > 0
      })
    } finally {
      await database.destroy()
    }
  }

  /** The path of the link in the newest mail to a user. */
  async linkTo(client: Client, count: number): Promise<string> {
    const { text } = await this.server.arrived(client.email, count)
    const link = /https:\/\/chat\.example\/chat\/api\/v1(\/mail_notifications\/\S+)/.exec(
      text ?? '',
    )
    return link?.[1] ?? assert.fail(text)
  }
}

/** Lets the time pass after which the mails to a user are sent, and the next round begin. */
export async function pass(at: HostCase, seconds = batchingSeconds + 1): Promise<void> {
  at.clock.jump(seconds)
  await round(at)
}

/** Runs a round of the background work, to its end. */
async function round(at: HostCase): Promise<void> {
  const isOver = at.clock.next('set', roundSeconds)
  at.clock.fire(roundSeconds)
  await isOver
}

export const set = (client: Client, settings: Record<string, boolean | number>) =>
  client.patch('/settings', settings)
