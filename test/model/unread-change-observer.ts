import { isDeepStrictEqual } from 'node:util'

import type { ChatEvents, UserUnread } from '@parley/core'

import { until } from '../support/waiting.js'
import { names, type Name, type RegisterState } from './register-state.js'

/** Counts, and the newest messages without the names of people. */
type Counts = ReturnType<typeof withoutNames>

/** Checks that an event names everybody whose unread counts a command has changed. */
export class UnreadChangeObserver {
  readonly #endings: (() => void)[]
  #userIds = new Set<number>()
  #channelIds = new Set<number>()
  #before: ReadonlyMap<Name, Counts | undefined> | undefined
  #statuses = 0
  #lastStatus = ''
  /** Number of users who were named in an event because of a change. */
  changed = 0

  constructor(private readonly state: RegisterState) {
    const { chat } = state.host
    this.#endings = [
      chat.on('unread_counts', (event) => this.#note(event)),
      chat.on('user_status', ({ status_text }) => {
        this.#lastStatus = status_text ?? ''
      }),
    ]
  }

  /** Compares the counts with those after the command before. */
  async compare(unread: ReadonlyMap<Name, UserUnread | undefined>, message: string): Promise<void> {
    const after = new Map([...unread].map(([name, of]) => [name, of && withoutNames(of)]))
    const before = this.#before ?? after
    for (const name of names) {
      const [old, current] = [before.get(name), after.get(name)]
      if (isDeepStrictEqual(old, current)) continue
      await until(`an event that names the counts of ${name} ${message}`, () =>
        this.#names(this.state.people[name].id, old, current),
      )
      this.changed += 1
    }
    this.#before = after
    await this.#settle()
    this.#userIds = new Set()
    this.#channelIds = new Set()
  }

  close(): void {
    for (const end of this.#endings) end()
  }

  #note({ userIds, channels }: ChatEvents['unread_counts']): void {
    for (const id of userIds) this.#userIds.add(id)
    for (const { id } of channels) this.#channelIds.add(id)
  }

  #names(userId: number, old: Counts | undefined, current: Counts | undefined): boolean {
    if (this.#userIds.has(userId)) return true
    if (old === undefined || current === undefined) return false
    if (!isDeepStrictEqual(old.direct, current.direct)) return false
    const ids = new Set([...old.channels, ...current.channels].map(({ id }) => id))
    const changed = [...ids].filter(
      (id) => !isDeepStrictEqual(channelIn(old, id), channelIn(current, id)),
    )
    // The totals contain messages of channels that are not listed, because the user cannot read them.
    return this.#channelIds.size > 0 && changed.every((id) => this.#channelIds.has(id))
  }

  /** Waits until the events of all changes before have arrived: they come in their order. */
  async #settle(): Promise<void> {
    this.#statuses += 1
    const status_text = `status ${this.#statuses}`
    await this.state.people.olga.post('/users/me/status', { status_text })
    await until('the events before a status', () => this.#lastStatus === status_text)
  }
}

function withoutNames({ total, mentions, channels, directMessages }: UserUnread) {
  return {
    total,
    mentions,
    channels: channels.map(({ name: _, lastMessage, ...channel }) => ({
      ...channel,
      lastMessage: [lastMessage?.id, lastMessage?.text],
    })),
    direct: directMessages.conversations.map(({ users, lastMessage, ...conversation }) => ({
      ...conversation,
      userIds: users.map(({ id }) => id),
      lastMessage: [lastMessage?.id, lastMessage?.text],
    })),
  }
}

function channelIn({ channels }: Counts, channelId: number) {
  return channels.find(({ id }) => id === channelId)
}
