import { setTimeout as sleep } from 'node:timers/promises'

import type { Client } from '../support/client.js'
import { until } from '../support/waiting.js'
import { untilAnswered } from './server-process.js'

/** Everything that servers send while they stop and start must arrive within this time. */
const limitSeconds = 300
const pauseMilliseconds = 50

/** A client that polls a queue while its servers stop and start. */
export class Listener {
  readonly contents: string[] = []
  #lastEventId: number
  #polls = 0

  private constructor(
    /** The same user at each server, polled in turn. */
    private readonly clients: readonly Client[],
    readonly queueId: string,
    lastEventId: number,
  ) {
    this.#lastEventId = lastEventId
  }

  static async register(clients: readonly Client[]): Promise<Listener> {
    const answer = await clients[0]?.post('/register', {
      event_types: ['message'],
      fetch_event_types: [],
    })
    if (answer?.status !== 200) throw new Error(`Registering failed: ${answer?.text}`)
    return new Listener(clients, answer.body.queue_id, answer.body.last_event_id)
  }

  /** Polls until a message with this text arrives. */
  async until(last: string): Promise<void> {
    const look = async (): Promise<boolean> => {
      if (!this.contents.includes(last)) await this.#poll()
      return this.contents.includes(last)
    }
    await until(`the message "${last}"`, look, {
      instead: () => this.contents.slice(-20),
      seconds: limitSeconds,
    })
  }

  async #poll(): Promise<void> {
    const client = this.clients[this.#polls % this.clients.length] as Client
    this.#polls += 1
    const { status, body, text } = await untilAnswered(() =>
      client.get('/events', { queue_id: this.queueId, last_event_id: this.#lastEventId }),
    )
    // The server is shutting down, or its database is temporarily unavailable.
    if (status === 503) {
      await sleep(pauseMilliseconds)
      return
    }
    if (status !== 200) throw new Error(`Polling failed: ${text}`)
    for (const event of body.events as { id: number; type: string; message?: unknown }[]) {
      if (event.id <= this.#lastEventId) throw new Error(`Event ${event.id} arrived out of order`)
      this.#lastEventId = event.id
      if (event.type === 'message') {
        this.contents.push((event.message as { content: string }).content)
      }
    }
  }
}
