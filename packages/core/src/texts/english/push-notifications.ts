/** Texts of push notifications. */
export const pushTexts = {
  PUSH_CONTENT_HIDDEN: 'New message',
  PUSH_FROM: '{sender}:',
  PUSH_MENTIONED_YOU: '{sender} mentioned you:',
  PUSH_MENTIONED_GROUP: '{sender} mentioned @{group}:',
  PUSH_MENTIONED_EVERYONE: '{sender} mentioned everyone:',
} as const
