import type { PushTrigger } from './push-trigger.js'

/** What a notification is about; everything else is looked up when it is sent. */
export type Notice =
  | { readonly type: 'message'; readonly messageId: number; readonly trigger: PushTrigger }
  /** Ascending ids of messages that devices need not show any more. */
  | { readonly type: 'remove'; readonly messageIds: readonly number[] }
