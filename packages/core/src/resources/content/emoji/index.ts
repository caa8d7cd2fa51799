import { defineResource } from '../../../resource-definition/resource.js'
import { customEmojiChanged } from './custom-emoji-events.js'
import { customEmojiFile } from './custom-emoji-file-section.js'
import {
  deactivateCustomEmoji,
  getCustomEmoji,
  getEmojiData,
  getEmojiImage,
  uploadCustomEmoji,
} from './custom-emoji-operations.js'
import { customEmojiSnapshot } from './custom-emoji-snapshot.js'

export { emojiOfFile } from './custom-emoji-file-section.js'
export { CustomEmojiRepository } from './custom-emoji-repository.js'
export { emojiFileKey, emojiImageUrl } from './custom-emoji-service.js'
export { EmojiLookup, storedType, type KnownEmoji } from './emoji-lookup.js'
export { fileEmojiFinder } from './file-emoji.js'

export const emoji = defineResource({
  operations: [
    getCustomEmoji,
    uploadCustomEmoji,
    deactivateCustomEmoji,
    getEmojiImage,
    getEmojiData,
  ],
  events: [customEmojiChanged],
  snapshot: customEmojiSnapshot,
  fileSection: customEmojiFile,
})
