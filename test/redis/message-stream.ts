import assert from 'node:assert/strict'

import type { Client } from '../support/client.js'
import type { ConnectedChat } from './connected-chats.js'

/** Messages in order, sent at one server, that a queue of another one must get once each. */
export class MessageStream {
  readonly #sent: string[] = []
  readonly #received: string[] = []

  private constructor(
    private readonly sender: Client,
    private readonly to: Client,
    private readonly feed: Awaited<ReturnType<Client['listen']>>,
  ) {}

  static async between(one: ConnectedChat, two: ConnectedChat): Promise<MessageStream> {
    const { alice, bob } = one.cast.people
    const feed = await two.cast.people.bob.listen({ event_types: ['message'] })
    return new MessageStream(alice, bob, feed)
  }

  async send(count: number): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      const content = `message ${this.#sent.length}`
      await this.sender.whisper([this.to], content)
      this.#sent.push(content)
    }
  }

  async assertComplete(): Promise<void> {
    while (this.#received.length < this.#sent.length) {
      const events = await this.feed.until('a message', ({ type }) => type === 'message')
      this.#received.push(
        ...events.flatMap(({ message }) => (message === undefined ? [] : [message.content])),
      )
    }
    assert.deepEqual(this.#received, this.#sent)
  }
}
