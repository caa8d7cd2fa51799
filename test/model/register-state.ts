import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'

import { everyCapability } from '../support/client-capabilities.js'
import type { Answer, Client, Parameters } from '../support/client.js'
import type { EventFeed } from '../support/event-feed.js'
import type { FakeClock } from '../support/fake-clock.js'
import type { TestHost } from '../support/host.js'
import { ClientState } from './client-state.js'

export const names = ['olga', 'adam', 'alice', 'bob', 'carol', 'gus'] as const
export type Name = (typeof names)[number]

/** The kinds of items that a command refers to. */
export type Kind =
  | 'user'
  | 'bot'
  | 'channel'
  | 'group'
  | 'systemGroup'
  | 'message'
  | 'folder'
  | 'field'
  | 'linkifier'
  | 'playground'
  | `${'draft' | 'snippet' | 'scheduled' | 'reminder'} of ${Name}`

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

const observers: Readonly<Partial<Record<Name, Parameters>>> = {
  olga: modern,
  adam: legacy,
  alice: modern,
  bob: legacy,
  gus: modern,
}

const commandsPerComparison = 4
/** Users who are active again after this time are reported at once. */
const newlyThereAfterSeconds = 130

export type PresenceStatus = 'active' | 'idle'

interface Observer {
  readonly options: Parameters
  readonly feed: EventFeed
  readonly state: ClientState
}

/** The users of a real organization, some of whom have a client connected. */
export class RegisterState {
  readonly #ids = new Map<Kind, number[]>()
  readonly #observers = new Map<Name, Observer>()
  #names = 0
  #commands = 0

  private constructor(
    readonly people: Readonly<Record<Name | 'bot' | 'dora', Client>>,
    private readonly clock: FakeClock,
  ) {}

  static async create(host: TestHost, settings: Parameters) {
    const { people, channels } = await host.organization({ settings })
    const state = new RegisterState(people, host.clock)
    const { body } = await people.olga.get('/user_groups')
    for (const { id } of body.user_groups) state.note('systemGroup', id)
    // Most commands about users apply to users without a client.
    for (const name of ['carol', 'dora', 'bob'] as const) state.note('user', people[name].id)
    state.note('bot', people.bot.id)
    for (const id of Object.values(channels)) state.note('channel', id as number)
    for (const name of Object.keys(observers) as Name[]) await state.open(name)
    return state
  }

  /** Records that an item with the id exists. */
  note(kind: Kind, id: number): void {
    this.#ids.set(kind, [...(this.#ids.get(kind) ?? []), id])
  }

  /** The id of one of the existing items, newest first; undefined if there are none. */
  one(kind: Kind, index: number): number | undefined {
    const ids = this.#ids.get(kind) ?? []
    return ids[ids.length - 1 - (index % ids.length)]
  }

  /** An unused name. */
  name(): string {
    this.#names += 1
    return `name ${this.#names}`
  }

  /** Connects a client for a user, in place of an earlier one. */
  async open(name: Name): Promise<void> {
    const options = { ...common, ...(observers[name] ?? modern) }
    const feed = await this.people[name].listen(options)
    const isModern = 'slim_presence' in options
    const state = new ClientState(feed.snapshot, { isModern })
    this.#observers.set(name, { options, feed, state })
  }

  /** Reports the user's presence some time later, and applies the returned presences of others. */
  async ping(name: Name, status: PresenceStatus, secondsLater: number): Promise<Answer> {
    this.clock.jump(secondsLater)
    const client = this.people[name]
    const before = await this.#presenceOf(client)
    const answer = await client.post('/users/me/presence', { status, last_update_id: -1 })
    if (answer.status !== 200) return answer
    const after = answer.body.presences[client.id]
    const isNews =
      before === undefined ||
      (status === 'active' && this.clock.seconds - before.active_timestamp > newlyThereAfterSeconds)
    for (const [other, observer] of this.#observers) {
      if (other !== name && (isNews || isDeepStrictEqual(before, after))) continue
      // Applies earlier events first.
      await catchUp(observer)
      if (other === name) observer.state.pinged(answer.body.presences)
      else observer.state.missPresence(client.id)
    }
    return answer
  }

  async #presenceOf(client: Client): Promise<{ active_timestamp: number } | undefined> {
    const options = { fetch_event_types: ['presence'], event_types: [], slim_presence: true }
    const { status, body } = await client.post('/register', options)
    if (status !== 200) return undefined
    await client.delete('/events', { queue_id: body.queue_id })
    return body.presences[client.id]
  }

  /** Ends a command; compares every few commands only, because it takes a while. */
  async done(title: string): Promise<void> {
    this.#commands += 1
    if (this.#commands % commandsPerComparison === 0) await this.compare(title)
  }

  /** Compares the state of all clients with the responses to new registrations. */
  async compare(title: string): Promise<void> {
    await Promise.all([...this.#observers].map((entry) => this.#compareOne(entry, title)))
  }

  async #compareOne([name, observer]: [Name, Observer], title: string): Promise<void> {
    const { options, state } = observer
    await catchUp(observer)
    const response = await this.people[name].post('/register', options)
    assert.equal(response.status, 200, response.text)
    await this.people[name].delete('/events', { queue_id: response.body.queue_id })
    state.compare(response.body, `of ${name} after ${title}`)
  }
}

async function catchUp({ feed, state }: Observer): Promise<void> {
  for (const event of await feed.poll({ dont_block: true })) state.apply(event)
}

/** The response, for the error message. */
export function describeAnswer({ status, text }: Answer): string {
  return `${status} ${text.slice(0, 300)}`
}
