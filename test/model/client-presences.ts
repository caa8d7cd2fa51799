import type { ClientAnswer, Item } from './client-answer.js'

const stillActiveSeconds = 70

/** Presences as a client receives them: from registration, events, and its own pings. */
export class ClientPresences {
  /** By user id, in the format of the client. */
  readonly #entries: Map<number, Item>
  /** Users who may have been active since: repeated activity is not sent at once. */
  readonly #uncertain = new Set<number>()

  constructor(
    answer: ClientAnswer,
    private readonly isModern: boolean,
  ) {
    this.#entries = new Map(entriesOf(answer))
  }

  received({ presences, user_id, presence }: Item): void {
    if (presences === undefined) this.#learn(user_id, legacyForm(presence.website))
    else for (const [id, times] of Object.entries(presences)) this.#learn(Number(id), times as Item)
  }

  /** Applies the response to a ping of the client. */
  pinged(presences: Item): void {
    for (const [id, times] of Object.entries(presences)) {
      this.#learn(Number(id), this.isModern ? times : legacyForm(websiteOf(times)))
    }
  }

  remove(userId: number): void {
    this.#entries.delete(userId)
  }

  doubt(userId: number): void {
    this.#uncertain.add(userId)
  }

  describe(): Item {
    return this.#certain(this.#entries)
  }

  /** The presences of a response, without those that the client cannot compute. */
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

/** By user id; older clients receive them by address. */
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
