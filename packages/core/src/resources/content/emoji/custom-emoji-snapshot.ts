import { defineSnapshot } from '../../../resource-definition/snapshot.js'
import { CustomEmojiMap } from './custom-emoji-schemas.js'
import { CustomEmojiService } from './custom-emoji-service.js'

/** `realm_emoji`. */
export const customEmojiSnapshot = defineSnapshot({
  keys: { realm_emoji: CustomEmojiMap },
  fetchType: 'realm_emoji',
  service: CustomEmojiService,
  async load(emoji, context) {
    return { realm_emoji: await emoji.list(context.scope) }
  },
})
