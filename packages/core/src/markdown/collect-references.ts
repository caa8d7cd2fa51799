import { pathIdsIn } from './inline/link-target.js'
import { endOfName } from './inline/emoji-name.js'
import { readChannelReferences } from './inline/channel-link.js'
import { parseUserReference } from './inline/mention.js'

/** A topic of a channel, both by name. */
export interface TopicReference {
  readonly channelName: string
  readonly topic: string
}

/**
 * The names and ids that a message may refer to. It is a superset: names in code or after a letter
 * are listed too, although rendering will not look them up.
 */
export interface MarkdownReferences {
  /** Names as typed, without `|id`; they match users ignoring case. */
  readonly userNames: readonly string[]
  readonly userIds: readonly number[]
  readonly groupNames: readonly string[]
  readonly channelNames: readonly string[]
  readonly topics: readonly TopicReference[]
  /** Names between colons, standard emoji included. */
  readonly emojiNames: readonly string[]
  readonly uploadPathIds: readonly string[]
}

/**
 * Lists the names and ids in `source` that {@link renderMarkdown} may look up, each once, so that a
 * caller can load every kind with one query. Takes time linear in the text.
 */
export function collectReferences(source: string): MarkdownReferences {
  const userNames = new Set<string>()
  const userIds = new Set<number>()
  const groupNames = new Set<string>()
  const channelNames = new Set<string>()
  const topics = new Map<string, TopicReference>()

  for (const { marks, name } of findStarredNames(source, '@')) {
    if (marks === 1) {
      groupNames.add(name)
      continue
    }
    const reference = parseUserReference(name)
    if (reference.id === undefined) userNames.add(reference.name)
    else userIds.add(reference.id)
  }
  for (const { marks, name } of findStarredNames(source, '#')) {
    if (marks !== 2) continue
    for (const { channelName, topic } of readChannelReferences(name)) {
      channelNames.add(channelName)
      if (topic !== undefined) topics.set(`${channelName}>${topic}`, { channelName, topic })
    }
  }
  return {
    userNames: [...userNames],
    userIds: [...userIds],
    groupNames: [...groupNames],
    channelNames: [...channelNames],
    topics: [...topics.values()],
    emojiNames: [...new Set(findEmojiNames(source))],
    uploadPathIds: [...new Set(pathIdsIn(source))],
  }
}

interface StarredName {
  readonly marks: 1 | 2
  readonly name: string
}

/** Finds `@*name*`, `@**name**`, `@_**name**` and, with `#`, the same for channels. */
function* findStarredNames(source: string, sign: '@' | '#'): Generator<StarredName> {
  let start = source.indexOf(sign)
  while (start !== -1) {
    let nameStart = source[start + 1] === '_' && sign === '@' ? start + 2 : start + 1
    let marks = 0
    while (marks < 2 && source[nameStart] === '*') {
      marks += 1
      nameStart += 1
    }
    if (marks > 0) {
      const nameEnd = source.indexOf('*', nameStart)
      if (nameEnd === -1) return
      const name = source.slice(nameStart, nameEnd)
      const isClosed = marks === 1 || source[nameEnd + 1] === '*'
      if (name !== '' && isClosed) yield { marks: marks === 1 ? 1 : 2, name }
    }
    start = source.indexOf(sign, nameStart)
  }
}

/** Lists every run of name characters between two colons, overlapping ones too. */
function* findEmojiNames(source: string): Generator<string> {
  let start = source.indexOf(':')
  while (start !== -1) {
    const end = endOfName(source, start + 1)
    if (end > start + 1 && source[end] === ':') yield source.slice(start + 1, end)
    start = source.indexOf(':', end)
  }
}
