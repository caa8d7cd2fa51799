import { isDeepStrictEqual } from 'node:util'

import type { Answer, Client, Parameters } from '../support/client.js'
import type { TestHost } from '../support/host.js'
import { renewKey } from '../support/reactivation.js'
import type { Item } from './client-answer.js'

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

/** The users who have a client connected. */
const observed = ['olga', 'adam', 'alice', 'bob', 'gus'] as const

/** Users who are active again after this time are reported at once. */
const newlyThereAfterSeconds = 130

/** Messages are deleted in rounds after this time. */
const retentionRoundSeconds = 1800

export type PresenceStatus = 'active' | 'idle'

/** A connected client, which is compared with the state of the server. */
export interface Observer {
  /** Applies the response to a ping of the client. */
  pinged(presences: Item): Promise<void>
  /** A known user was active again, which is not sent to this client. */
  missPresence(userId: number): Promise<void>
  compare(title: string): Promise<void>
  close(): Promise<void>
}

/** Connects a client for a user. */
export type Observe = (client: Client, name: Name) => Promise<Observer>

/** Connects no client, where only the state of the server matters. */
export const unobserved: Observe = async () => ({
  pinged: async () => {},
  missPresence: async () => {},
  compare: async () => {},
  close: async () => {},
})

/** The users of a real organization, some of whom have a client connected. */
export class RegisterState {
  readonly #ids = new Map<Kind, number[]>()
  readonly #observers = new Map<Name, Observer>()
  #names = 0
  #commands = 0

  private constructor(
    readonly people: Readonly<Record<Name | 'bot' | 'dora', Client>>,
    readonly host: TestHost,
    private readonly observe: Observe,
    private readonly commandsPerComparison: number,
  ) {}

  static async create(
    host: TestHost,
    settings: Parameters,
    observe: Observe,
    commandsPerComparison = 4,
  ) {
    const { people, channels } = await host.organization({ settings })
    const state = new RegisterState(people, host, observe, commandsPerComparison)
    const { body } = await people.olga.get('/user_groups')
    for (const { id } of body.user_groups) state.note('systemGroup', id)
    // Most commands about users apply to users without a client.
    for (const name of ['carol', 'dora', 'bob'] as const) state.note('user', people[name].id)
    state.note('bot', people.bot.id)
    for (const id of Object.values(channels)) state.note('channel', id as number)
    for (const name of observed) await state.open(name)
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

  /** The ids of the existing items. */
  all(kind: Kind): readonly number[] {
    return this.#ids.get(kind) ?? []
  }

  /** Reactivates a user or bot, whose client, if there is one, gets the new API key. */
  async reactivate(id: number): Promise<Answer> {
    const answer = await this.people.olga.post(`/users/${id}/reactivate`)
    const user = Object.values(this.people).find((client) => client.id === id)
    // The key of a user who was active is still valid.
    const isOutdated = user !== undefined && (await user.get('/users/me')).status === 401
    if (answer.status === 200 && isOutdated) await renewKey(this, user)
    return answer
  }

  /** An unused name. */
  name(): string {
    this.#names += 1
    return `name ${this.#names}`
  }

  /** Connects a client for a user, in place of an earlier one. */
  async open(name: Name): Promise<void> {
    await this.#observers.get(name)?.close()
    this.#observers.set(name, await this.observe(this.people[name], name))
  }

  /** Disconnects the clients. */
  async close(): Promise<void> {
    for (const observer of this.#observers.values()) await observer.close()
  }

  /** Reports the user's presence some time later, and applies the returned presences of others. */
  async ping(name: Name, status: PresenceStatus, secondsLater: number): Promise<Answer> {
    this.host.clock.jump(secondsLater)
    const client = this.people[name]
    const before = await this.#presenceOf(client)
    const answer = await client.post('/users/me/presence', { status, last_update_id: -1 })
    if (answer.status !== 200) return answer
    const after = answer.body.presences[client.id]
    const isNews =
      before === undefined ||
      (status === 'active' &&
        this.host.clock.seconds - before.active_timestamp > newlyThereAfterSeconds)
    for (const [other, observer] of this.#observers) {
      if (other !== name && (isNews || isDeepStrictEqual(before, after))) continue
      if (other === name) await observer.pinged(answer.body.presences)
      else await observer.missPresence(client.id)
    }
    return answer
  }

  /** Some time later, messages that are older than a day are deleted. */
  async expireMessages(secondsLater: number): Promise<Answer> {
    const answer = await this.people.olga.patch('/realm', { message_retention_days: 1 })
    if (answer.status !== 200) return answer
    this.host.clock.jump(secondsLater)
    const isOver = this.host.clock.next('set', retentionRoundSeconds)
    this.host.clock.fire(retentionRoundSeconds)
    await isOver
    return answer
  }

  async #presenceOf(client: Client): Promise<{ active_timestamp: number } | undefined> {
    const options = { fetch_event_types: ['presence'], event_types: [], slim_presence: true }
    const { status, body } = await client.post('/register', options)
    if (status !== 200) return undefined
    await client.delete('/events', { queue_id: body.queue_id })
    return body.presences[client.id] as { active_timestamp: number } | undefined
  }

  /** Ends a command; compares every few commands only, because it takes a while. */
  async done(title: string): Promise<void> {
    this.#commands += 1
    if (this.#commands % this.commandsPerComparison === 0) await this.compare(title)
  }

  /** Compares the state of all clients with the responses to new registrations. */
  async compare(title: string): Promise<void> {
    await Promise.all(
      [...this.#observers].map(([name, observer]) => observer.compare(`of ${name} after ${title}`)),
    )
  }
}

/** The response, for the error message. */
export function describeAnswer({ status, text }: Answer): string {
  return `${status} ${text.slice(0, 300)}`
}
