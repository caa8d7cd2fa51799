import type { Translation } from '../language.js'
import type { pushTexts } from '../english/push-notifications.js'

export const germanPushTexts: Translation<typeof pushTexts> = {
  PUSH_CONTENT_HIDDEN: 'Neue Nachricht',
  PUSH_FROM: '{sender}:',
  PUSH_MENTIONED_YOU: '{sender} hat Sie erwähnt:',
  PUSH_MENTIONED_GROUP: '{sender} hat @{group} erwähnt:',
  PUSH_MENTIONED_EVERYONE: '{sender} hat alle erwähnt:',
}
