import { Type } from 'typebox'

import { defineEvent } from '../../../events/event.js'
import { CustomEmojiMap } from './custom-emoji-schemas.js'

export const customEmojiChanged = defineEvent({
  type: 'realm_emoji',
  op: 'update',
  summary: 'The custom emoji changed; contains all of them. Sent to all active users.',
  payload: Type.Object({ realm_emoji: CustomEmojiMap }),
})
