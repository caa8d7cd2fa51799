import type { ChannelForUser, ChannelViewer } from '../../channels/channels/index.js'
import { mayReadWholeHistory } from '../../channels/message-permissions/index.js'

/** The messages of one channel's topic, or a part of them. */
export interface TopicSlice {
  readonly channelId: number
  readonly topicKey: string
  /** Only messages with this id or a greater one; all if undefined. */
  readonly fromId?: number
  /** Only the message with this id. */
  readonly onlyId?: number
  /** Only messages that this user has a user message for. */
  readonly receiverId?: number
}

/** The messages of a slice of a channel that a viewer, who has access to the channel, can see. */
export function visiblePart(
  slice: TopicSlice,
  viewer: ChannelViewer,
  channel: ChannelForUser,
): TopicSlice {
  if (mayReadWholeHistory(viewer, channel)) return slice
  return { ...slice, receiverId: viewer.actor.userId }
}
