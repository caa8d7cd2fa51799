import type { Translation } from '../language.js'
import type { pushTexts } from '../english/push-notifications.js'

export const frenchPushTexts: Translation<typeof pushTexts> = {
  PUSH_CONTENT_HIDDEN: 'Nouveau message',
  PUSH_FROM: '{sender} :',
  PUSH_MENTIONED_YOU: '{sender} vous a mentionné :',
  PUSH_MENTIONED_GROUP: '{sender} a mentionné @{group} :',
  PUSH_MENTIONED_EVERYONE: '{sender} a mentionné tout le monde :',
}
