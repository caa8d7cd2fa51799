import { foldCase } from '../../../domain/texts/folding.js'
import {
  renderMarkdown,
  type AlertWordIndex,
  type CompiledLinkifiers,
  type CustomEmoji,
  type LinkableChannel,
  type MentionableUser,
} from '../../../markdown/index.js'
import {
  markdownContext,
  type RenderingEnvironment,
  type RenderOptions,
  type VisibleReferences,
} from './markdown-context.js'
import type { ReferencedGroup } from './reference-repository.js'
import { limitedHtml, renderedContentOf, type RenderedContent } from './rendered-content.js'

/** Everything that the messages of an organization can refer to. */
export interface KnownReferences {
  readonly settings: VisibleReferences['settings']
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
  readonly #usersByNameKey: ReadonlyMap<string, MentionableUser>
  readonly #groups: ReadonlyMap<string, ReferencedGroup>
  readonly #channels: ReadonlyMap<string, LinkableChannel>
  readonly #emoji: ReadonlyMap<string, CustomEmoji>

  constructor(
    private readonly known: KnownReferences,
    private readonly environment: RenderingEnvironment,
  ) {
    this.#usersById = new Map(known.users.map((user) => [user.id, user]))
    this.#usersByNameKey = new Map(known.users.map((user) => [foldCase(user.fullName), user]))
    this.#groups = new Map(known.groups.map((group) => [group.name, group]))
    this.#channels = new Map(known.channels.map((channel) => [channel.name, channel]))
    this.#emoji = new Map(known.emoji.map((emoji) => [emoji.name, emoji]))
  }

  /** @throws {MarkdownRenderError} if the content exceeds the limits of the renderer. */
  render(authorId: number, content: string, options: RenderOptions = {}): RenderedContent {
    const { known } = this
    const references: VisibleReferences = {
      settings: known.settings,
      translatesEmoticons: known.translatesEmoticons(authorId),
      findUser: (id) => this.#usersById.get(id),
      findUserByNameKey: (nameKey) => this.#usersByNameKey.get(nameKey),
      findGroupByName: (name) => this.#groups.get(name),
      findChannelByName: (name) => {
        const channel = this.#channels.get(name)
        return channel !== undefined && known.mayRead(authorId, channel.id) ? channel : undefined
      },
      findLatestMessageId: (channelId, key) => known.findLatestMessageId(channelId, key),
      findCustomEmoji: (name) => this.#emoji.get(name),
      findUpload: () => undefined,
      linkifiers: known.linkifiers,
      alertWords: known.alertWords,
    }
    const rendered = renderMarkdown(content, markdownContext(references, this.environment, options))
    const mentioned = new Set(rendered.mentionedGroupIds)
    const groups = mentioned.size === 0 ? [] : known.groups.filter(({ id }) => mentioned.has(id))
    const html = limitedHtml(rendered.html, content, options)
    return renderedContentOf({ ...rendered, html }, groups)
  }
}
