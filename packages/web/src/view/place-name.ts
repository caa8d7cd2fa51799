import type { Place } from '../place.js'
import type { Session } from '../session/session.js'
import { texts } from '../texts.js'

export function topicName(topic: string): string {
  return topic === '' ? texts.noTopic : topic
}

/** The name of a place, for people. */
export function placeName(place: Place, session: Session): string {
  switch (place.kind) {
    case 'all':
      return texts.all
    case 'mentions':
      return texts.mentions
    case 'starred':
      return texts.starredMessages
    case 'search':
      return texts.searchFor(place.query)
    case 'channel':
      return `#${channelName(place.channelId, session)}`
    case 'topic':
      return `#${channelName(place.channelId, session)} › ${topicName(place.topic)}`
    case 'direct':
      return place.userIds.length === 0
        ? texts.notes
        : place.userIds.map((id) => session.nameOf(id) || '…').join(', ')
  }
}

function channelName(id: number, session: Session): string {
  return session.state.channels.get(id)?.name ?? '…'
}
