export { EmojiLookup, storedType, type KnownEmoji } from './emoji-lookup.js'
export { fileEmojiFinder } from './file-emoji.js'
