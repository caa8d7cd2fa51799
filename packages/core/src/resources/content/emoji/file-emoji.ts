import { emojiCodeOfName, emojiNamesOfCode } from '../../../emoji/index.js'
import { groupBy } from '../../../kernel/grouping.js'
import type { FileEmoji } from './custom-emoji-file-section.js'
import { extraEmoji, storedType, type KnownEmoji } from './emoji-lookup.js'

/** An emoji as a file names it: by its name alone, or also by its code and type. */
export interface NamedEmoji {
  readonly emoji_name: string
  readonly emoji_code?: string | undefined
  readonly reaction_type?: string | undefined
}

/**
 * Returns a function that finds the emoji that a file names; it returns undefined for an unknown name. A
 * deactivated emoji can be named by its code.
 */
export function fileEmojiFinder(
  custom: readonly FileEmoji[],
): (named: NamedEmoji) => KnownEmoji | undefined {
  const byName = groupBy(custom, ({ name }) => name)
  return (named) => emojiAmong(byName.get(named.emoji_name) ?? [], named)
}

/** @param custom the custom emoji with that name. */
function emojiAmong(
  custom: readonly FileEmoji[],
  { emoji_name, emoji_code, reaction_type }: NamedEmoji,
): KnownEmoji | undefined {
  const type = reaction_type === undefined ? undefined : storedType(reaction_type)
  const known: KnownEmoji[] = custom
    .filter(({ id, is_deactivated }) =>
      emoji_code === undefined ? is_deactivated !== true : String(id) === emoji_code,
    )
    .map(({ id }) => ({ emoji_name, emoji_code: String(id), reaction_type: 'realm_emoji' }))
  if (emoji_name === extraEmoji) {
    known.push({ emoji_name, emoji_code: extraEmoji, reaction_type: 'service_extra_emoji' })
  }
  const code = emoji_code ?? emojiCodeOfName(emoji_name)
  if (code !== undefined && emojiNamesOfCode(code).includes(emoji_name)) {
    known.push({ emoji_name, emoji_code: code, reaction_type: 'unicode_emoji' })
  }
  return known.find(
    (emoji) =>
      (type === undefined || emoji.reaction_type === type) &&
      (emoji_code === undefined || emoji.emoji_code === emoji_code),
  )
}
