import { foldCase } from '../../../domain/folding.js'
import { limits } from '../../../domain/limits.js'
import type { OrganizationSettings } from '../../../domain/organization-settings.js'
import { emptyTopicDisplayName, interpretTopic, topicKey } from '../../../domain/topics.js'
import type { Clock } from '../../../kernel/clock.js'
import { standInDomain, type ServerFacts } from '../../../kernel/server-facts.js'
import {
  highlightCode,
  renderMarkdown,
  type AlertWordIndex,
  type CompiledLinkifiers,
  type CustomEmoji,
  type LinkableChannel,
  type MentionableUser,
} from '../../../markdown/index.js'
import type { ReferencedGroup } from './reference-repository.js'
import { mentionableGroup, renderedContentOf, type RenderedContent } from './rendered-content.js'

/** Everything that the messages of an organization can refer to. */
export interface KnownReferences {
  readonly settings: Pick<
    OrganizationSettings,
    'inline_image_preview' | 'default_code_block_language'
  >
  /** Ascending by id. */
  readonly users: readonly MentionableUser[]
  readonly groups: readonly ReferencedGroup[]
  readonly channels: readonly LinkableChannel[]
  readonly emoji: readonly CustomEmoji[]
  readonly linkifiers: CompiledLinkifiers
  readonly alertWords: AlertWordIndex
  translatesEmoticons(authorId: number): boolean
  mayRead(authorId: number, channelId: number): boolean
  findLatestMessageId(channelId: number, topicKey: string): number | undefined
}

/**
 * Renders the messages of an organization whose references are all in memory, without queries.
 * The result is the same as that of `MessageRenderer`.
 */
export class InMemoryRenderer {
  readonly #usersById: ReadonlyMap<number, MentionableUser>
  readonly #usersByName: ReadonlyMap<string, MentionableUser>
  readonly #groups: ReadonlyMap<string, ReferencedGroup>
  readonly #channels: ReadonlyMap<string, LinkableChannel>
  readonly #emoji: ReadonlyMap<string, CustomEmoji>

  constructor(
    private readonly known: KnownReferences,
    private readonly facts: ServerFacts,
    private readonly clock: Clock,
    private readonly toProxyUrl: (url: string) => string | undefined,
  ) {
    this.#usersById = new Map(known.users.map((user) => [user.id, user]))
    this.#usersByName = new Map(known.users.map((user) => [foldCase(user.fullName), user]))
    this.#groups = new Map(known.groups.map((group) => [group.name, group]))
    this.#channels = new Map(known.channels.map((channel) => [channel.name, channel]))
    this.#emoji = new Map(known.emoji.map((emoji) => [emoji.name, emoji]))
  }

  /** @throws {MarkdownRenderError} if the content exceeds the limits of the renderer. */
  render(
    authorId: number,
    content: string,
    { showsPreviews = true }: { readonly showsPreviews?: boolean } = {},
  ): RenderedContent {
    const { known } = this
    const { settings, linkifiers, alertWords } = known
    const rendered = renderMarkdown(content, {
      organizationUrl: this.facts.baseUrl ?? `https://${standInDomain(this.facts)}`,
      settings: {
        previewsImages: showsPreviews && settings.inline_image_preview,
        defaultCodeBlockLanguage: settings.default_code_block_language,
        translatesEmoticons: known.translatesEmoticons(authorId),
        emptyTopicDisplayName,
        maxMessageLength: limits.maxMessageLength,
      },
      now: new Date(this.clock.now()),
      findUser: (id) => this.#usersById.get(id),
      findUserByName: (name) => this.#usersByName.get(foldCase(name)),
      findGroupByName: (name) => {
        const group = this.#groups.get(name)
        return group === undefined ? undefined : mentionableGroup(group)
      },
      findChannelByName: (name) => {
        const channel = this.#channels.get(name)
        return channel !== undefined && known.mayRead(authorId, channel.id) ? channel : undefined
      },
      findLatestMessageId: (channelId, topic) =>
        known.findLatestMessageId(channelId, topicKey(interpretTopic(topic))),
      findCustomEmoji: (name) => this.#emoji.get(name),
      findUpload: () => undefined,
      linkifiers,
      alertWords,
      toProxyUrl: this.toProxyUrl,
      highlight: highlightCode,
      clock: () => performance.now(),
    })
    const mentioned = new Set(rendered.mentionedGroupIds)
    const groups = mentioned.size === 0 ? [] : known.groups.filter(({ id }) => mentioned.has(id))
    return renderedContentOf(rendered, groups)
  }
}
