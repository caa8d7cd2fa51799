import type { Target } from '../place.js'
import type { Session } from '../session/session.js'

/** Attributes are texts, and null when they are removed; frameworks set properties of any type. */
export type GivenText = string | number | null | undefined

export interface Given {
  readonly channel: GivenText
  readonly topic: GivenText
  readonly dm: GivenText
}

/** Whether attributes name a channel or a direct conversation. */
export function isGiven({ channel, dm }: Pick<Given, 'channel' | 'dm'>): boolean {
  return (channel ?? dm) != null
}

/** The target that the attributes of an element name; undefined if the user cannot see it. */
export function givenTarget({ channel, topic, dm }: Given, session: Session): Target | undefined {
  const { channels, users } = session.state
  if (channel != null) {
    const wanted = String(channel).toLowerCase()
    const found =
      channels.get(Number(channel)) ??
      [...channels.values()].find(({ name }) => name.toLowerCase() === wanted)
    if (found === undefined) return undefined
    const channelId = found.stream_id
    return topic == null
      ? { place: { kind: 'channel', channelId } }
      : { place: { kind: 'topic', channelId, topic: String(topic) } }
  }
  const byAddress = (address: string): number | undefined =>
    [...users.values()].find(
      ({ email, delivery_email }) => address === email || address === delivery_email,
    )?.user_id
  const ids = String(dm ?? '')
    .split(',')
    .map((text) => text.trim())
    .map((text) => (/^\d+$/.test(text) ? Number(text) : byAddress(text)))
  const known = ids.flatMap((id) => (id !== undefined && users.has(id) ? [id] : []))
  return known.length === ids.length ? { place: session.direct(known) } : undefined
}
