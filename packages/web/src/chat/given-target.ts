import type { Target } from '../place.js'
import type { Session } from '../session/session.js'

interface Given {
  readonly channel: string | undefined
  readonly topic: string | undefined
  readonly dm: string | undefined
}

/** What the attributes of an element name; undefined if the user cannot see it. */
export function givenTarget({ channel, topic, dm }: Given, session: Session): Target | undefined {
  const { channels, users } = session.state
  if (channel !== undefined) {
    const id = Number(channel)
    const found =
      channels.get(id) ??
      [...channels.values()].find(({ name }) => name.toLowerCase() === channel.toLowerCase())
    if (found === undefined) return undefined
    const channelId = found.stream_id
    return topic === undefined
      ? { place: { kind: 'channel', channelId } }
      : { place: { kind: 'topic', channelId, topic } }
  }
  const byAddress = (address: string): number | undefined =>
    [...users.values()].find(
      ({ email, delivery_email }) => address === email || address === delivery_email,
    )?.user_id
  const ids = (dm ?? '')
    .split(',')
    .map((text) => text.trim())
    .map((text) => (/^\d+$/.test(text) ? Number(text) : byAddress(text)))
  return ids.every((id) => id !== undefined) ? { place: session.direct(ids) } : undefined
}
