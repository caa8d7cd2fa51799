import { emojiOf } from '../html/allowed-html.js'
import type { Session } from '../session/session.js'

export interface Emoji {
  readonly emoji_name: string
  readonly emoji_code: string
  readonly reaction_type: 'unicode_emoji' | 'realm_emoji'
}

/** By session: every element of a page uses the same list. */
const lists = new WeakMap<Session, Promise<readonly Emoji[]>>()

/** All emoji with their names, those of the organization first. */
export async function emojiList(session: Session): Promise<readonly Emoji[]> {
  let unicode = lists.get(session)
  if (unicode === undefined) {
    unicode = load(session)
    lists.set(session, unicode)
    unicode.catch(() => lists.delete(session))
  }
  const custom = [...session.state.emoji.values()]
    .filter(({ deactivated }) => !deactivated)
    .map(({ id, name }) => ({
      emoji_name: name,
      emoji_code: id,
      reaction_type: 'realm_emoji' as const,
    }))
  return [...custom, ...(await unicode)]
}

async function load(session: Session): Promise<readonly Emoji[]> {
  const data = await session.client.api.getEmojiData()
  // Its schema is that of the file, which other clients of the API read too.
  const { code_to_names } = data as { readonly code_to_names: Record<string, readonly string[]> }
  return Object.entries(code_to_names).flatMap(([emoji_code, names]) =>
    names.map((emoji_name) => ({
      emoji_name,
      emoji_code,
      reaction_type: 'unicode_emoji' as const,
    })),
  )
}

/** The first ones that match; those whose names are or begin with the words come first. */
export function findEmoji(all: readonly Emoji[], words: string, count: number): Emoji[] {
  const wanted = words
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')
  const ranks: Emoji[][] = [[], [], []]
  for (const emoji of all) {
    // Names of custom emoji may have dashes.
    const name = emoji.emoji_name.replaceAll('-', '_')
    if (!name.includes(wanted)) continue
    ranks[name === wanted ? 0 : name.startsWith(wanted) ? 1 : 2]?.push(emoji)
  }
  const found = new Map<string, Emoji>()
  for (const emoji of ranks.flat()) {
    if (found.size >= count) break
    const key = `${emoji.reaction_type} ${emoji.emoji_code}`
    if (!found.has(key)) found.set(key, emoji)
  }
  return [...found.values()]
}

/** Its characters, or the address of its picture. */
export function emojiPicture(
  emoji: Emoji,
  session: Session,
): { readonly characters: string } | { readonly address: string } {
  const custom =
    emoji.reaction_type === 'realm_emoji' ? session.state.emoji.get(emoji.emoji_code) : undefined
  return custom === undefined
    ? { characters: emojiOf(emoji.emoji_code) }
    : { address: session.address(custom.source_url) }
}
