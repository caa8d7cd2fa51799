export { EmojiLookup, storedType, type KnownEmoji } from './emoji-lookup.js'
export { fileEmojiFinder, type NamedEmoji } from './file-emoji.js'
