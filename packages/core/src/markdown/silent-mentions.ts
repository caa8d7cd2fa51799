import type { Yielder } from './budget.js'
import type { MarkdownSettings } from './context.js'
import { channelWildcards, topicWildcard } from './inline/mention.js'
import { renderWithoutFormulas } from './render-markdown.js'
import { contextOf } from './render-message.js'

/** Mentions of everybody in a channel, of the participants of a topic, and of a user group. */
export type ManyMention = 'channel' | 'topic' | 'group'

/** While the text is rendered, the number of a mention replaces its name. */
const numberMark = '\uE000'
const mention = new RegExp(
  String.raw`@\*\*(${[...channelWildcards, topicWildcard].join('|')})\*\*|@\*([^*@\x60\n]{1,200})\*`,
  'g',
)

/**
 * `source` with mentions of these kinds silent: `@_**all**` for `@**all**`. Those in code stay as
 * written, because they have no effect.
 *
 * @throws {MarkdownRenderError} if the text exceeds the limits of the renderer.
 */
export async function withSilentMentions(
  source: string,
  kinds: ReadonlySet<ManyMention>,
  settings: Partial<MarkdownSettings>,
  yielder: Yielder,
): Promise<string> {
  const numbered = replaceMentions(source, kinds, (text, name, number) =>
    text.replace(name, () => numberMark + number),
  )
  if (numbered === source) return source
  const effective = new Set<string>()
  const find = (name: string): undefined => {
    effective.add(name)
  }
  const context = contextOf({
    organizationUrl: 'https://organization.invalid',
    now: new Date(0),
    settings,
    findUserByName: find,
    findGroupByName: find,
  })
  await renderWithoutFormulas(numbered, context, yielder)
  return replaceMentions(source, kinds, (text, _name, number) =>
    effective.has(numberMark + number) ? text.replace('@', '@_') : text,
  )
}

function replaceMentions(
  source: string,
  kinds: ReadonlySet<ManyMention>,
  replace: (text: string, name: string, number: number) => string,
): string {
  let number = 0
  return source.replaceAll(mention, (text: string, wildcard = '', group = '') => {
    if (!kinds.has(wildcard === '' ? 'group' : kindOf(wildcard))) return text
    number += 1
    return replace(text, wildcard || group, number)
  })
}

function kindOf(wildcard: string): ManyMention {
  return wildcard === topicWildcard ? 'topic' : 'channel'
}
