export { customEmojiChanged } from './custom-emoji-events.js'
export { customEmojiFile, emojiOfFile, type FileEmoji } from './custom-emoji-file-section.js'
export {
  deactivateCustomEmoji,
  getCustomEmoji,
  getEmojiData,
  getEmojiImage,
  uploadCustomEmoji,
} from './custom-emoji-operations.js'
export { CustomEmojiRepository } from './custom-emoji-repository.js'
export { emojiImageUrl } from './custom-emoji-service.js'
export { CustomEmojiSnapshot, customEmojiKeys } from './custom-emoji-snapshot.js'
export { EmojiLookup, storedType, type KnownEmoji } from './emoji-lookup.js'
export { fileEmojiFinder } from './file-emoji.js'
