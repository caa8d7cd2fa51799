/** How large the organization is. */
export interface LargePlan {
  readonly users: number
  readonly channels: number
  readonly messages: number
}

export interface PlannedMessage {
  readonly id: number
  readonly channelId: number
  readonly topic: string
  readonly senderId: number
  readonly words: readonly string[]
}

/** Users with API keys, from the id 1 on; they have received everything in their channels. */
export const callerCount = 20
/** Channels 1 to this have every user, as default channels do. */
export const everyonesChannels = 5
/** The newest messages of the other channels that their subscribers have received. */
export const receivedMessages = 20_000
/** The same of the channels of everybody, for each of them. */
export const receivedOfEveryones = 20

const shareOfEveryones = 0.02
const topicsPerChannel = 200
const vocabulary = 20_000
const [fewestWords, mostWords] = [6, 18]
/** A prime number, so that the steps visit every user before they repeat one. */
const step = 7919

/** 20 subscribers in most channels, 200 in each tenth, 1,000 in each fiftieth. */
function subscriberCount(plan: LargePlan, channelId: number): number {
  const wanted = channelId % 50 === 0 ? 1000 : channelId % 10 === 0 ? 200 : 20
  return Math.min(wanted, plan.users)
}

/** The subscribers of a channel that is not everybody's. */
export function subscribersOf(plan: LargePlan, channelId: number): number[] {
  const first = (channelId * 37) % plan.users
  return Array.from(
    { length: subscriberCount(plan, channelId) },
    (_, index) => 1 + ((first + index * step) % plan.users),
  )
}

/** The same messages for the same plan: channels and topics with small numbers have more. */
export function* messagesOf(plan: LargePlan): Generator<PlannedMessage> {
  const random = randomOf(plan.messages)
  for (let id = 1; id <= plan.messages; id += 1) {
    const others = plan.channels - everyonesChannels
    const channelId =
      random() < shareOfEveryones
        ? 1 + Math.floor(random() * everyonesChannels)
        : 1 + everyonesChannels + Math.floor(random() ** 2 * others)
    const count = fewestWords + Math.floor(random() * (mostWords - fewestWords))
    yield {
      id,
      channelId,
      topic: `topic ${Math.floor(random() ** 2 * topicsPerChannel)}`,
      senderId: 1 + Math.floor(random() * plan.users),
      words: Array.from({ length: count }, () => `w${Math.floor(random() ** 3 * vocabulary)}`),
    }
  }
}

/** Numbers from 0 to 1, the same for the same seed (xorshift, 32 bits). */
function randomOf(seed: number): () => number {
  let state = seed | 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}
