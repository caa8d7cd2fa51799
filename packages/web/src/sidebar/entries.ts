import type { Place } from '../place.js'
import type { Session } from '../session/session.js'

export interface ChannelEntry {
  readonly channelId: number
  readonly name: string
  readonly isMuted: boolean
  readonly isPinned: boolean
  readonly isPrivate: boolean
  readonly isWebPublic: boolean
  readonly count: number
}

/** The channels that the user is subscribed to: pinned ones first, muted ones last. */
export function channelsOf({ state }: Session): ChannelEntry[] {
  const entries: ChannelEntry[] = []
  for (const channel of state.channels.values()) {
    const { subscription, stream_id: channelId } = channel
    if (subscription === undefined || channel.is_archived) continue
    entries.push({
      channelId,
      name: channel.name,
      isMuted: subscription.is_muted,
      isPinned: subscription.pin_to_top,
      isPrivate: channel.invite_only,
      isWebPublic: channel.is_web_public,
      count: state.unread.channels.get(channelId)?.count ?? 0,
    })
  }
  const rank = ({ isPinned, isMuted }: ChannelEntry): number => (isPinned ? 0 : isMuted ? 2 : 1)
  return entries.sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name))
}

export interface DirectEntry {
  readonly key: string
  readonly place: Place
  readonly count: number
}

/**
 * The newest direct conversations, and those with unread messages.
 *
 * @returns also how many more there are.
 */
export function directsOf(
  session: Session,
  limit: number,
): { readonly entries: readonly DirectEntry[]; readonly rest: number } {
  const { directConversations, unread } = session.state
  const newest = [...directConversations].sort(([, a], [, b]) => b - a).map(([key]) => key)
  const shown = newest.filter((key, index) => index < limit || unread.direct.has(key))
  const keys = new Set([...shown, ...unread.direct.keys()])
  const entries = [...keys].map((key) => ({
    key,
    place: session.direct(key.split(',').map(Number)),
    count: unread.direct.get(key)?.length ?? 0,
  }))
  return { entries, rest: newest.length - shown.length }
}
