import { emojiList, emojiPicture, findEmoji } from '../emoji/emoji-list.js'
import type { Session } from '../session/session.js'
import { dialogTexts } from '../dialog-texts.js'
import { best, matches } from '../view/matching.js'
import type { Trigger } from './trigger.js'

/** A suggestion that can replace the text that the user is typing. */
export interface Suggestion {
  /** The text to insert instead, with a space after it. */
  readonly insert: string
  readonly label: string
  readonly hint?: string
  readonly characters?: string
  readonly image?: string
}

const maxSuggestions = 8

export async function suggestionsFor(
  { kind, words, channel = '' }: Trigger,
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
  if (kind === '>') return topics(channel, words, session)
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

/** The channel whose topics were requested last, and these: not requested for each key. */
const lastTopics = new WeakMap<
  Session,
  { readonly id: number; readonly names: Promise<string[]> }
>()

async function topics(name: string, words: string, session: Session): Promise<Suggestion[]> {
  const channel = [...session.state.channels.values()].find(
    (each) => each.name.toLowerCase() === name.toLowerCase(),
  )
  if (channel === undefined) return []
  const { stream_id: id } = channel
  let last = lastTopics.get(session)
  if (last?.id !== id || words === '') {
    const names = session.client.api
      .getStreamTopics({ stream_id: id, allow_empty_topic_name: true })
      .then(({ topics: found }) => found.map((topic) => topic.name))
    last = { id, names }
    lastTopics.set(session, last)
    // Requested again with the next key.
    names.catch(() => lastTopics.delete(session))
  }
  const matching = (await last.names).filter((topic) => topic !== '' && matches(topic, words))
  return best(matching, words, (topic) => topic, maxSuggestions).map((topic) => ({
    insert: `#**${channel.name}>${topic}**`,
    label: `#${channel.name} > ${topic}`,
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
    found.push({ insert: `@${silent}**all**`, label: 'all', hint: dialogTexts.everyone })
  }
  return found.slice(0, maxSuggestions)
}
