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
