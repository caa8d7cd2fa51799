import { limits } from '../../../domain/limits.js'
import { emptyTopicDisplayName, interpretTopic, topicKey } from '../../../domain/messages/topics.js'
import type { OrganizationSettings } from '../../../domain/organizations/organization-settings.js'
import { foldCase } from '../../../domain/texts/folding.js'
import { systemBots } from '../../../domain/users/system-bots.js'
import type { Clock } from '../../../kernel/clock.js'
import { standInDomain, type ServerFacts } from '../../../kernel/server-facts.js'
import {
  highlightCode,
  type AlertWordIndex,
  type CompiledLinkifiers,
  type MarkdownContext,
  type MentionableUser,
} from '../../../markdown/index.js'
import type { ReferencedGroup } from './reference-repository.js'
import { mentionableGroup } from './rendered-content.js'

/** The objects that a message can refer to, as far as its author may see them. */
export interface VisibleReferences extends Pick<
  MarkdownContext,
  'findUser' | 'findChannelByName' | 'findCustomEmoji' | 'findUpload'
> {
  readonly settings: Pick<
    OrganizationSettings,
    'inline_image_preview' | 'default_code_block_language'
  >
  readonly linkifiers: CompiledLinkifiers
  readonly alertWords: AlertWordIndex
  /** The author's setting. */
  readonly translatesEmoticons: boolean
  /** @param nameKey the name in folded case. */
  findUserByNameKey(nameKey: string): MentionableUser | undefined
  findGroupByName(name: string): ReferencedGroup | undefined
  findLatestMessageId(channelId: number, topicKey: string): number | undefined
}

/** The dependencies of rendering apart from the organization's data. */
export interface RenderingEnvironment {
  readonly facts: ServerFacts
  readonly clock: Clock
  /** The proxied address of a file of another host; undefined if it is not embedded. */
  readonly toProxyUrl: (url: string) => string | undefined
}

/** Options of one render. */
export interface RenderOptions {
  /**
   * Whether the text is listed with others, such as a description of a channel: images and videos
   * are not shown below their links, and the HTML is short; see {@link maxDescriptionHtmlBytes}.
   */
  readonly isDescription?: boolean
}

/** A mention of a system bot is silent, because it gets no notifications. */
const mentionableBots: readonly MentionableUser[] = Object.values(systemBots).map(
  ({ id, fullName }) => ({ id, fullName, isActive: false }),
)
const botsById = new Map(mentionableBots.map((bot) => [bot.id, bot]))
const botsByNameKey = new Map(mentionableBots.map((bot) => [foldCase(bot.fullName), bot]))

/** The context in which the messages of an organization are rendered. */
export function markdownContext(
  references: VisibleReferences,
  { facts, clock, toProxyUrl }: RenderingEnvironment,
  { isDescription = false }: RenderOptions,
): MarkdownContext {
  const { settings } = references
  return {
    organizationUrl: facts.address.url ?? facts.address.at(`https://${standInDomain(facts)}`),
    settings: {
      previewsImages: !isDescription && settings.inline_image_preview,
      defaultCodeBlockLanguage: settings.default_code_block_language,
      translatesEmoticons: references.translatesEmoticons,
      emptyTopicDisplayName,
      maxMessageLength: limits.maxMessageLength,
    },
    now: new Date(clock.now()),
    findUser: (id) => references.findUser(id) ?? botsById.get(id),
    findUserByName: (name) => {
      const nameKey = foldCase(name)
      return references.findUserByNameKey(nameKey) ?? botsByNameKey.get(nameKey)
    },
    findGroupByName: (name) => {
      const group = references.findGroupByName(name)
      return group && mentionableGroup(group)
    },
    findChannelByName: (name) => references.findChannelByName(name),
    findLatestMessageId: (channelId, topic) =>
      references.findLatestMessageId(channelId, topicKey(interpretTopic(topic))),
    findCustomEmoji: (name) => references.findCustomEmoji(name),
    findUpload: (pathId) => references.findUpload(pathId),
    linkifiers: references.linkifiers,
    alertWords: references.alertWords,
    toProxyUrl,
    highlight: highlightCode,
    clock: () => performance.now(),
  }
}
