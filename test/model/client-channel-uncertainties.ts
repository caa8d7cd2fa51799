import type { ClientAnswer, Item } from './client-answer.js'

/** The keys whose items are channels. */
export const channelLists: ReadonlySet<string> = new Set([
  'streams',
  'subscriptions',
  'unsubscribed',
  'never_subscribed',
])

/**
 * The properties of channels that no event contains, and that a client therefore cannot compute.
 */
export class ChannelDoubts {
  /**
   * Channels that became accessible: no event contains whether the user was once subscribed to
   * them.
   */
  readonly #appeared = new Set<number>()
  /** Channels whose first message may have changed without an event for this client. */
  readonly #unsureOfFirst = new Set<number>()

  constructor(private readonly state: ClientAnswer) {}

  before(kind: string, event: Item): void {
    if (kind === 'stream/create') this.#noteAppeared(event['streams'])
    if (kind === 'subscription/add') this.#noteSubscribed(event['subscriptions'])
  }

  /** With protected history, subscribers do not receive the events of all messages. */
  after(): void {
    for (const channel of this.state['subscriptions'] as Item[]) {
      if (isHidden(channel)) this.#unsureOfFirst.add(channel['stream_id'])
    }
  }

  /** Only the history of the whole channel determines which message is the first one now. */
  moved({ stream_id, new_stream_id }: Item): void {
    if (new_stream_id !== undefined) this.#unsureOfFirst.add(stream_id).add(new_stream_id)
  }

  /** Moves channels that became accessible to the never subscribed ones. */
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
   * Deactivated users leave archived channels without an event, and guests with limited access to
   * users have no other source for that.
   */
  #withoutUncertain(channels: readonly Item[]): readonly Item[] {
    return channels.map(({ subscriber_count, subscribers, ...channel }) =>
      channel['is_archived'] ? channel : { ...channel, subscriber_count, subscribers },
    )
  }

  /**
   * Subscribers derive the first message of a channel from new and deleted messages. It has no
   * other event, and guests receive no event about messages moved from inaccessible channels.
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

/** Whether new subscribers have no access to earlier messages. */
const isHidden = (channel: Item): boolean =>
  channel['invite_only'] && !channel['history_public_to_subscribers']

/** A channel without personal settings. */
function impersonal(channel: Item): Item {
  const { color: _, is_muted: __, in_home_view: ___, pin_to_top: ____, ...rest } = channel
  return Object.fromEntries(
    Object.entries(rest).filter(([name]) => !/_notifications$|_mentions_notify$/.test(name)),
  )
}
