import type { ClientAnswer, Item } from './client-answer.js'

/** The keys whose items are channels. */
export const channelLists: ReadonlySet<string> = new Set([
  'streams',
  'subscriptions',
  'unsubscribed',
  'never_subscribed',
])

/** What of channels no event tells a client, and what it cannot know because of that. */
export class ChannelDoubts {
  /** Channels that came into sight: nothing tells whether they were once subscribed to. */
  readonly #appeared = new Set<number>()
  /** Channels of which it may not have heard that their first message is another one. */
  readonly #unsureOfFirst = new Set<number>()

  constructor(private readonly state: ClientAnswer) {}

  before(kind: string, event: Item): void {
    if (kind === 'stream/create') this.#noteAppeared(event['streams'])
    if (kind === 'subscription/add') this.#noteSubscribed(event['subscriptions'])
  }

  /** Not even subscribers hear of all that is said where each has a history of their own. */
  after(): void {
    for (const channel of this.state['subscriptions'] as Item[]) {
      if (isHidden(channel)) this.#unsureOfFirst.add(channel['stream_id'])
    }
  }

  /** Which message is the first one now, only the whole channel tells. */
  moved({ stream_id, new_stream_id }: Item): void {
    if (new_stream_id !== undefined) this.#unsureOfFirst.add(stream_id).add(new_stream_id)
  }

  /** With channels that came into sight among those that were never subscribed to. */
  withAppeared(answer: ClientAnswer): ClientAnswer {
    const isUnsure = ({ stream_id }: Item): boolean => this.#appeared.has(stream_id)
    const unsubscribed = answer['unsubscribed'] as Item[]
    const moved = unsubscribed.filter(isUnsure).map((channel) => impersonal(channel))
    return {
      ...answer,
      unsubscribed: unsubscribed.filter((channel) => !isUnsure(channel)),
      never_subscribed: [...answer['never_subscribed'], ...moved],
    }
  }

  certain(
    key: string,
    channels: readonly Item[],
    { isLimitedGuest }: { readonly isLimitedGuest: boolean },
  ): Item[] {
    return this.#withFirst(key, isLimitedGuest ? this.#withoutUncertain(channels) : channels)
  }

  /**
   * Strangers who are deactivated leave channels without an event where these are archived, and
   * nothing else tells guests who may not know of everyone.
   */
  #withoutUncertain(channels: readonly Item[]): readonly Item[] {
    return channels.map(({ subscriber_count, subscribers, ...channel }) =>
      channel['is_archived'] ? channel : { ...channel, subscriber_count, subscribers },
    )
  }

  /**
   * What the first message of a channel is, its subscribers know from what is said and deleted. It
   * has no other event; and guests do not hear of what is moved from where they see nothing.
   */
  #withFirst(key: string, channels: readonly Item[]): Item[] {
    return channels.map(({ first_message_id, ...channel }) =>
      key !== 'subscriptions' ||
      this.state['is_guest'] ||
      isHidden(channel) ||
      this.#unsureOfFirst.has(channel['stream_id'])
        ? channel
        : { ...channel, first_message_id },
    )
  }

  #noteAppeared(channels: readonly Item[]): void {
    const known = ['subscriptions', 'unsubscribed', 'never_subscribed'].flatMap((name) =>
      (this.state[name] as Item[]).map(({ stream_id }) => stream_id),
    )
    for (const { stream_id } of channels) {
      if (!known.includes(stream_id)) this.#appeared.add(stream_id)
    }
  }

  #noteSubscribed(channels: readonly Item[]): void {
    for (const { stream_id } of channels) this.#appeared.delete(stream_id)
  }
}

/** Whether new subscribers may not read what was said before. */
const isHidden = (channel: Item): boolean =>
  channel['invite_only'] && !channel['history_public_to_subscribers']

/** A channel without what its subscriber has set. */
function impersonal(channel: Item): Item {
  const { color: _, is_muted: __, in_home_view: ___, pin_to_top: ____, ...rest } = channel
  return Object.fromEntries(
    Object.entries(rest).filter(([name]) => !/_notifications$|_mentions_notify$/.test(name)),
  )
}
