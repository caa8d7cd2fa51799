import { resolvedPrefix } from '@parley/client'

import { mayDeleteAny } from '../conversation/message-rights.js'
import { includesMe } from '../groups/permission.js'
import { narrowOf, type Place } from '../place.js'
import type { Session } from '../session/session.js'
import { placeTexts } from './place-texts.js'

export type TopicPlace = Extract<Place, { readonly kind: 'topic' }>

export function mayResolve({ channelId, topic }: TopicPlace, { state }: Session): boolean {
  const channel = state.channels.get(channelId)
  return (
    topic !== '' &&
    channel !== undefined &&
    !channel.is_archived &&
    (includesMe(state.organization.realm_can_resolve_topics_group, state) ||
      includesMe(channel.can_resolve_topics_group, state))
  )
}

export function mayDeleteTopic({ channelId }: TopicPlace, { state }: Session): boolean {
  const channel = state.channels.get(channelId)
  return channel !== undefined && !channel.is_archived && mayDeleteAny(channel, state)
}

/**
 * Marks a topic as resolved, or no longer so.
 *
 * @returns where its messages are after that.
 * @throws {Error} if it has no messages.
 */
export async function changeResolved(place: TopicPlace, session: Session): Promise<TopicPlace> {
  const { topic } = place
  const isResolved = topic.startsWith(resolvedPrefix)
  const maxLength = session.state.organization.max_topic_length ?? 60
  const changed = isResolved
    ? topic.slice(resolvedPrefix.length)
    : [...`${resolvedPrefix}${topic}`].slice(0, maxLength).join('')
  const { messages } = await session.client.api.getMessages({
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    narrow: narrowOf(place, session),
  })
  const [message] = messages
  if (message === undefined) throw new Error(placeTexts.noMessages)
  await session.client.api.updateMessage({
    message_id: message.id,
    topic: changed,
    propagate_mode: 'change_all',
    send_notification_to_old_thread: false,
    send_notification_to_new_thread: true,
  })
  return { ...place, topic: changed }
}

export async function deleteTopic(
  { channelId, topic }: TopicPlace,
  session: Session,
): Promise<void> {
  let isComplete = false
  while (!isComplete) {
    const answer = await session.client.api.deleteTopic({ stream_id: channelId, topic_name: topic })
    isComplete = answer.complete
  }
}
