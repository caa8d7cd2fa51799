import type { MentionedGroup } from '../message-rendering/index.js'
import type { PushTrigger } from './push-trigger.js'

/** The group through which somebody was mentioned. */
export type MentioningGroup = Pick<MentionedGroup, 'id' | 'name'>

/** Who a message mentions, as long as nobody has been notified of it. */
export interface PushMentions {
  readonly userIds: readonly number[]
  readonly groups: readonly MentioningGroup[]
}

/** What a notification is about; everything else is looked up when it is sent. */
export type Notice =
  | {
      readonly type: 'message'
      readonly messageId: number
      readonly trigger: PushTrigger
      readonly group?: MentioningGroup
    }
  /** Ascending ids of messages that devices need not show any more. */
  | { readonly type: 'remove'; readonly messageIds: readonly number[] }
