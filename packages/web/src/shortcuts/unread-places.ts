import { placeKey, type Place } from '../place.js'
import type { Session } from '../session/session.js'
import { channelsOf, directsOf } from '../sidebar/entries.js'

/** The next conversation with unread messages in the order of the list, from `here` on. */
export function nextUnread(
  session: Session,
  here: Place | undefined,
  step: 1 | -1,
): Place | undefined {
  const hereKey = here === undefined ? '' : placeKey(here)
  const places: Place[] = directsOf(session, Infinity).entries.flatMap(({ place, count }) =>
    count > 0 || placeKey(place) === hereKey ? [place] : [],
  )
  for (const { channelId } of channelsOf(session)) {
    const unread = session.state.unread.channels.get(channelId)?.topics.values() ?? []
    const topics = [...unread].flatMap(({ topic, isMuted }) => (isMuted ? [] : [topic]))
    if (here?.kind === 'topic' && here.channelId === channelId) topics.push(here.topic)
    // By name: a place that has been read meanwhile keeps its position.
    const names = new Map(topics.map((topic) => [topic.toLowerCase(), topic]))
    for (const [, topic] of [...names].sort(([a], [b]) => a.localeCompare(b))) {
      places.push({ kind: 'topic', channelId, topic })
    }
  }
  const others = places.filter((place) => placeKey(place) !== hereKey)
  if (others.length === 0) return undefined
  const index = places.findIndex((place) => placeKey(place) === hereKey)
  return index < 0 ? others.at(step === 1 ? 0 : -1) : places.at((index + step) % places.length)
}
