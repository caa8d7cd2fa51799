export { EmojiLookup, storedType, type KnownEmoji } from './emoji-lookup.js'
