import { numbers, type OrganizationPlan } from './organization.js'

const usersPerChannel = 20
const channelsPerUser = 4
const readersPerMessage = 2
/** One message in so many goes to everybody, one to the lobby. */
const messagesPerAnnouncement = 100

/** An organization of many small channels, one of everybody, and a lobby that people visit. */
export class SoakPlan {
  /** The members of each small channel. */
  readonly #members: readonly (readonly number[])[]

  constructor(private readonly users: number) {
    const channels = Math.max(
      channelsPerUser,
      Math.ceil((users * channelsPerUser) / usersPerChannel),
    )
    const members = Array.from({ length: channels }, (): number[] => [])
    for (const userId of numbers(users)) {
      for (let step = 0; step < channelsPerUser; step += 1) {
        // Different steps, so that two users share few channels.
        members[(userId + step * (1 + (userId % 7))) % channels]?.push(userId)
      }
    }
    this.#members = members.map((ids) => [...new Set(ids)]).filter((ids) => ids.length > 0)
  }

  get organization(): OrganizationPlan {
    return { users: this.users, subscribers: [this.users, [], ...this.#members] }
  }

  readonly lobbyName = 'channel 2'

  /** The message with a number: by whom, to where, and by whom else it is read. */
  message(number: number): { senderId: number; channelId: number; others: readonly number[] } {
    if (number % messagesPerAnnouncement === 50) return this.#toLarge(number, 1)
    if (number % messagesPerAnnouncement === 75) return this.#toLarge(number, 2)
    const index = scattered(number) % this.#members.length
    const members = this.#members[index] ?? []
    const at = scattered(number + 1) % members.length
    const [senderId = 1, ...others] = [...members.slice(at), ...members.slice(0, at)]
    return { senderId, channelId: 3 + index, others: others.slice(0, readersPerMessage) }
  }

  #toLarge(
    number: number,
    channelId: number,
  ): { senderId: number; channelId: number; others: readonly number[] } {
    return { senderId: 1 + (scattered(number) % this.users), channelId, others: [] }
  }
}

/** The same for the same number, without a pattern. */
function scattered(number: number): number {
  return Math.imul(number + 1, 0x9e3779b1) >>> 8
}
