import assert from 'node:assert/strict'

import { everyCapability } from '../support/client-capabilities.js'
import type { Client, Parameters } from '../support/client.js'
import type { EventFeed } from '../support/event-feed.js'
import type { Item } from './client-answer.js'
import { ClientState } from './client-state.js'
import type { Name, Observer } from './register-state.js'

/** A client with all capabilities. */
const modern = {
  client_capabilities: everyCapability,
  slim_presence: true,
} as const

/** A client with no capabilities but that of incomplete user lists. */
const legacy = {
  client_capabilities: {
    notification_settings_null: true,
    user_list_incomplete: true,
  },
} as const

const common = {
  // All sections.
  fetch_event_types: undefined,
  include_subscribers: true,
  apply_markdown: true,
  // Events always contain the avatar URLs.
  client_gravatar: false,
}

const legacyNames: readonly Name[] = ['adam', 'bob']

/** A client that applies events to the response of its registration. */
export class FeedObserver implements Observer {
  private constructor(
    private readonly client: Client,
    private readonly options: Parameters,
    private readonly feed: EventFeed,
    private readonly state: ClientState,
  ) {}

  static async open(client: Client, name: Name): Promise<FeedObserver> {
    const isModern = !legacyNames.includes(name)
    const options = { ...common, ...(isModern ? modern : legacy) }
    const feed = await client.listen(options)
    return new FeedObserver(client, options, feed, new ClientState(feed.snapshot, { isModern }))
  }

  async pinged(presences: Item): Promise<void> {
    // Applies earlier events first.
    await this.#catchUp()
    this.state.pinged(presences)
  }

  async missPresence(userId: number): Promise<void> {
    await this.#catchUp()
    this.state.missPresence(userId)
  }

  async compare(title: string): Promise<void> {
    await this.#catchUp()
    const response = await this.client.post('/register', this.options)
    assert.equal(response.status, 200, response.text)
    await this.client.delete('/events', { queue_id: response.body.queue_id })
    this.state.compare(response.body, title)
  }

  async close(): Promise<void> {}

  async #catchUp(): Promise<void> {
    for (const event of await this.feed.poll({ dont_block: true })) this.state.apply(event)
  }
}
