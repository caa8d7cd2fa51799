import { setTimeout as sleep } from 'node:timers/promises'

import { authorizationOf } from '../harness/organization.js'

interface Events {
  readonly events: readonly { readonly id: number; readonly message?: { content: string } }[]
}

/** A user who waits for messages with long polls at one server. */
export class WaitingReader {
  readonly #arrivals = new Map<string, (at: number) => void>()
  #isOver = false

  /** @param userId of the reader. */
  constructor(
    private readonly port: number,
    private readonly userId: number,
  ) {}

  async start(): Promise<void> {
    const { queue_id, last_event_id } = await ask<{ queue_id: string; last_event_id: number }>(
      this.port,
      this.userId,
      'POST',
      '/register',
      { event_types: '["message"]', fetch_event_types: '[]', apply_markdown: 'false' },
    )
    void this.#read(queue_id, last_event_id)
  }

  /** Resolves with the time at which this text arrives. */
  arrivalOf(content: string): Promise<number> {
    return new Promise((resolve) => this.#arrivals.set(content, resolve))
  }

  stop(): void {
    this.#isOver = true
  }

  async #read(queue_id: string, first: number): Promise<void> {
    let last = first
    while (!this.#isOver) {
      const { events } = await ask<Events>(this.port, this.userId, 'GET', '/events', {
        queue_id,
        last_event_id: String(last),
      })
      const at = performance.now()
      for (const { id, message } of events) {
        last = Math.max(last, id)
        if (message !== undefined) this.#arrivals.get(message.content)?.(at)
      }
    }
  }
}

let lastContent = 0

/**
 * Sends messages at one server, one after the other, and measures how long each takes to arrive at
 * the reader, from the request on.
 *
 * @param maxPauseMilliseconds of the random pause before each: so they come at any time between two
 *   polls of a server.
 */
export async function measureDelivery(
  senderPort: number,
  reader: WaitingReader,
  count: number,
  maxPauseMilliseconds: number,
): Promise<readonly number[]> {
  const durations: number[] = []
  for (let index = 0; index < count; index += 1) {
    // The reader waits again by then.
    await sleep(10 + Math.random() * maxPauseMilliseconds)
    lastContent += 1
    const content = `message ${lastContent}`
    const arrival = reader.arrivalOf(content)
    const sentAt = performance.now()
    await ask(senderPort, 1, 'POST', '/messages', { type: 'channel', to: '1', topic: 'x', content })
    durations.push((await arrival) - sentAt)
  }
  return durations
}

async function ask<Body>(
  port: number,
  userId: number,
  method: 'GET' | 'POST',
  path: string,
  parameters: Record<string, string>,
): Promise<Body> {
  const fields = new URLSearchParams(parameters)
  const isRead = method === 'GET'
  const response = await fetch(
    `http://127.0.0.1:${port}/api/v1${path}${isRead ? `?${fields}` : ''}`,
    {
      method,
      headers: { authorization: authorizationOf(userId) },
      ...(!isRead && { body: fields }),
    },
  )
  if (response.status !== 200) throw new Error(`${path} answered ${await response.text()}`)
  return (await response.json()) as Body
}
