import { emojiList, emojiPicture, findEmoji } from '../emoji/emoji-list.js'
import type { Session } from '../session/session.js'
import { texts } from '../texts.js'
import { best, matches } from '../view/matching.js'

/** What could stand in the place of what the user is typing. */
export interface Suggestion {
  /** What the text becomes, with a space after it. */
  readonly insert: string
  readonly label: string
  readonly hint?: string
  readonly characters?: string
  readonly image?: string
}

/** The word before the cursor that suggestions are for. */
export interface Trigger {
  readonly kind: '@' | '#' | ':'
  readonly words: string
  /** Where it begins in the text. */
  readonly start: number
}

const maxSuggestions = 8
const minEmojiCharacters = 2

/** @returns undefined if the text before the cursor does not ask for any. */
export function triggerOf(textBefore: string): Trigger | undefined {
  const found = /(?:^|[\s([{"'])([@#:])(_?)([^\s@#:*`]*(?: [^\s@#:*`]+)?)$/.exec(textBefore)
  if (found === null) return undefined
  const [, sign, silent = '', words = ''] = found
  const start = textBefore.length - words.length - silent.length - 1
  if (sign === ':') {
    const isShort = words.length < minEmojiCharacters || words.includes(' ')
    return isShort ? undefined : { kind: ':', words, start }
  }
  return { kind: sign === '@' ? '@' : '#', words: silent + words, start }
}

export async function suggestionsFor(
  { kind, words }: Trigger,
  session: Session,
): Promise<readonly Suggestion[]> {
  if (kind === ':') {
    const found = findEmoji(await emojiList(session), words, maxSuggestions)
    return found.map((emoji) => {
      const picture = emojiPicture(emoji, session)
      return {
        insert: `:${emoji.emoji_name}:`,
        label: emoji.emoji_name,
        ...('address' in picture ? { image: picture.address } : { characters: picture.characters }),
      }
    })
  }
  return kind === '#' ? channels(words, session) : people(words, session)
}

function channels(words: string, { state }: Session): Suggestion[] {
  const matching = [...state.channels.values()].filter(
    ({ name, is_archived }) => !is_archived && matches(name, words),
  )
  return best(matching, words, ({ name }) => name, maxSuggestions).map(({ name }) => ({
    insert: `#**${name}**`,
    label: `#${name}`,
  }))
}

function people(given: string, session: Session): Suggestion[] {
  const { state } = session
  const silent = given.startsWith('_') ? '_' : ''
  const words = given.slice(silent.length)
  const users = [...state.users.values()].filter(
    ({ full_name, is_active }) => is_active && matches(full_name, words),
  )
  const sameName = new Map<string, number>()
  for (const { full_name } of state.users.values()) {
    sameName.set(full_name, (sameName.get(full_name) ?? 0) + 1)
  }
  const found: Suggestion[] = best(users, words, ({ full_name }) => full_name, maxSuggestions).map(
    (user) => {
      const id = (sameName.get(user.full_name) ?? 0) > 1 ? `|${user.user_id}` : ''
      const { avatar_url: path } = user
      return {
        insert: `@${silent}**${user.full_name}${id}**`,
        label: user.full_name,
        ...(path != null && { image: session.address(path) }),
      }
    },
  )
  const groups = [...state.groups.values()].filter(
    ({ name, is_system_group, deactivated }) =>
      !is_system_group && !deactivated && matches(name, words),
  )
  for (const { name, description } of groups) {
    found.push({ insert: `@${silent}*${name}*`, label: name, hint: description })
  }
  if (words !== '' && 'all'.startsWith(words.toLowerCase())) {
    found.push({ insert: `@${silent}**all**`, label: 'all', hint: texts.everyone })
  }
  return found.slice(0, maxSuggestions)
}
