import { EventLoopYielder } from '../../../kernel/event-loop-yielder.js'

/** An object of a list, as other users get it. */
export interface EncodableUser {
  readonly user_id: number
}

/** Users whose objects are encoded together. */
interface Chunk {
  readonly lastId: number
  readonly json: Buffer
}

const usersPerChunk = 128

/** The JSON of a long list of users, ascending by id, in chunks that can be changed. */
export class EncodedUsers {
  private constructor(readonly chunks: readonly Chunk[]) {}

  /** A list without users. */
  static readonly none = new EncodedUsers([])

  /** The list with more users, ascending by id, who follow its own. */
  async and(users: readonly EncodableUser[]): Promise<EncodedUsers> {
    const yielder = new EventLoopYielder()
    const chunks = [...this.chunks]
    for (let from = 0; from < users.length; from += usersPerChunk) {
      if (yielder.isDue) await yielder.yield()
      chunks.push(...chunkOf(users.slice(from, from + usersPerChunk)))
    }
    return new EncodedUsers(chunks)
  }

  get bytes(): number {
    return this.chunks.reduce((sum, { json }) => sum + json.length, 0)
  }

  get parts(): readonly Buffer[] {
    return this.chunks.map(({ json }) => json)
  }

  /** The list with these objects in place of those of the users; undefined removes a user. */
  with(changes: ReadonlyMap<number, EncodableUser | undefined>): EncodedUsers {
    const chunks: Chunk[] = []
    let remaining = [...changes].sort(([a], [b]) => a - b)
    for (const [index, chunk] of this.chunks.entries()) {
      const lastId = index === this.chunks.length - 1 ? Infinity : chunk.lastId
      const own = remaining.filter(([id]) => id <= lastId)
      remaining = remaining.slice(own.length)
      if (own.length === 0) chunks.push(chunk)
      else chunks.push(...changed(usersOf(chunk), own))
    }
    // The list was empty.
    if (remaining.length > 0) chunks.push(...changed([], remaining))
    return new EncodedUsers(chunks)
  }

  /** The object of a user, if the list has it. */
  find(userId: number): EncodableUser | undefined {
    const chunk = this.chunks.find(({ lastId }) => userId <= lastId)
    return chunk && usersOf(chunk).find(({ user_id }) => user_id === userId)
  }
}

function usersOf({ json }: Chunk): EncodableUser[] {
  // Encoded here.
  return JSON.parse(`[${json.toString()}]`) as EncodableUser[]
}

/** The chunks of users after changes; both ascending by id. */
function changed(
  users: readonly EncodableUser[],
  changes: readonly (readonly [number, EncodableUser | undefined])[],
): Chunk[] {
  const byId = new Map(users.map((user) => [user.user_id, user]))
  for (const [id, user] of changes) {
    if (user === undefined) byId.delete(id)
    else byId.set(id, user)
  }
  const left = [...byId.values()].sort((a, b) => a.user_id - b.user_id)
  const half = Math.ceil(left.length / 2)
  return left.length <= 2 * usersPerChunk
    ? chunkOf(left)
    : [...chunkOf(left.slice(0, half)), ...chunkOf(left.slice(half))]
}

function chunkOf(users: readonly EncodableUser[]): Chunk[] {
  const last = users.at(-1)
  if (last === undefined) return []
  const json = Buffer.from(JSON.stringify(users).slice(1, -1))
  return [{ lastId: last.user_id, json }]
}
