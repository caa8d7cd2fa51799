export { EmojiLookup, storedType, type KnownEmoji } from './emoji-lookup.js'
export { emojiInFile, type NamedEmoji } from './file-emoji.js'
