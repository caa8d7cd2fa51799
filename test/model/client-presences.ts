import type { ClientAnswer, Item } from './client-answer.js'

const stillActiveSeconds = 70

/** Who was there when, as a client learns it: when it registers, by events, and by its own pings. */
export class ClientPresences {
  /** By user id, in the form that the client registers for. */
  readonly #entries: Map<number, Item>
  /** Those who may have been there since: that somebody still is there is not told at once. */
  readonly #uncertain = new Set<number>()

  constructor(
    answer: ClientAnswer,
    private readonly isModern: boolean,
  ) {
    this.#entries = new Map(entriesOf(answer))
  }

  told({ presences, user_id, presence }: Item): void {
    if (presences === undefined) this.#learn(user_id, legacyForm(presence.website))
    else for (const [id, times] of Object.entries(presences)) this.#learn(Number(id), times as Item)
  }

  /** What a ping of the client's own has answered. */
  pinged(presences: Item): void {
    for (const [id, times] of Object.entries(presences as Record<string, Item>)) {
      this.#learn(Number(id), this.isModern ? times : legacyForm(websiteOf(times)))
    }
  }

  forget(userId: number): void {
    this.#entries.delete(userId)
  }

  doubt(userId: number): void {
    this.#uncertain.add(userId)
  }

  describe(): Item {
    return this.#certain(this.#entries)
  }

  /** What an answer says, of those of whom the client can know. */
  read(answer: ClientAnswer): Item {
    return this.#certain(entriesOf(answer))
  }

  #learn(userId: number, entry: Item): void {
    this.#entries.set(userId, entry)
    this.#uncertain.delete(userId)
  }

  #certain(entries: Iterable<readonly [number, Item]>): Item {
    return Object.fromEntries([...entries].filter(([userId]) => !this.#uncertain.has(userId)))
  }
}

/** By user id; older clients get them by address. */
function entriesOf(answer: ClientAnswer): [number, Item][] {
  const users = [...answer['realm_users'], ...answer['realm_non_active_users']] as Item[]
  return Object.entries(answer['presences'] as Record<string, Item>).map(([key, entry]) => [
    users.find(({ email }) => email === key)?.['user_id'] ?? Number(key),
    entry,
  ])
}

function legacyForm({ pushable, ...aggregated }: Item): Item {
  return { aggregated, website: { ...aggregated, pushable } }
}

function websiteOf({ active_timestamp, idle_timestamp }: Item): Item {
  const isActive = active_timestamp + stillActiveSeconds >= idle_timestamp
  return {
    client: 'website',
    status: isActive ? 'active' : 'idle',
    timestamp: isActive ? active_timestamp : idle_timestamp,
    pushable: false,
  }
}
