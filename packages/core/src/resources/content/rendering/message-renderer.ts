import { inject } from 'tsyringe'

import { interpretTopic, topicKey } from '../../../domain/messages/topics.js'
import { foldCase } from '../../../domain/texts/folding.js'
import type { Actor } from '../../../domain/users/actor.js'
import { parseUserSettings } from '../../../domain/users/user-settings.js'
import { badRequest } from '../../../errors/index.js'
import type { Clock } from '../../../kernel/clock.js'
import { EventLoopYielder } from '../../../kernel/event-loop-yielder.js'
import type { Logger } from '../../../kernel/logger.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import { ClockToken, LoggerToken } from '../../../kernel/tokens.js'
import {
  collectReferences,
  MarkdownRenderError,
  renderMarkdownAsync,
  type MarkdownContext,
  type MarkdownReferences,
  type RenderedMarkdown,
  type UploadedFile,
} from '../../../markdown/index.js'
import type { OrganizationScope } from '../../../storage/index.js'
import {
  ChannelAccess,
  ChannelRepository,
  type ChannelForUser,
  type DescriptionRenderer,
} from '../../channels/channels/index.js'
import { mayReadWholeHistory } from '../../channels/message-permissions/index.js'
import {
  AttachmentAccess,
  decodePathId,
  pathIdOf,
  type AttachmentRow,
} from '../../files/attachments/index.js'
import { ExternalContentAddresses } from '../../files/external-content/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import { UserAccess } from '../../people/user-access/index.js'
import { UserDirectory } from '../../people/users/index.js'
import { AlertWordIndexes } from '../alert-words/index.js'
import { EmojiLookup, emojiImageUrl } from '../emoji/index.js'
import { LinkifierIndex } from '../linkifiers/index.js'
import {
  markdownContext,
  type RenderingEnvironment,
  type RenderOptions,
  type VisibleReferences,
} from './markdown-context.js'
import {
  ReferenceRepository,
  type ReferencedGroup,
  type ReferencedUser,
} from './reference-repository.js'
import { limitedHtml, renderedContentOf, type RenderedContent } from './rendered-content.js'

/** Renders messages with the users, channels, emoji and settings of their organization. */
@perServer()
export class MessageRenderer implements DescriptionRenderer {
  readonly #environment: RenderingEnvironment

  constructor(
    @inject(ReferenceRepository) private readonly references: ReferenceRepository,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(UserAccess) private readonly userAccess: UserAccess,
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(ChannelAccess) private readonly channelAccess: ChannelAccess,
    @inject(EmojiLookup) private readonly emoji: EmojiLookup,
    @inject(AttachmentAccess) private readonly attachments: AttachmentAccess,
    @inject(AlertWordIndexes) private readonly alertWords: AlertWordIndexes,
    @inject(LinkifierIndex) private readonly linkifiers: LinkifierIndex,
    @inject(UserDirectory) private readonly users: UserDirectory,
    @inject(ClockToken) clock: Clock,
    @inject(LoggerToken) private readonly logger: Logger,
    @inject(ServerFactsToken) facts: ServerFacts,
    @inject(ExternalContentAddresses) external: ExternalContentAddresses,
  ) {
    this.#environment = { facts, clock, toProxyUrl: external.toProxyUrl }
  }

  /**
   * Renders content as a message of `author`. References to users or channels that the author may
   * not see are rendered as plain text.
   *
   * @param scope where references are looked up; within a transaction, the transaction.
   * @throws {ChatError} `BAD_REQUEST` if the content exceeds the limits of the renderer.
   */
  async render(
    scope: OrganizationScope,
    author: Actor,
    content: string,
    options: RenderOptions = {},
  ): Promise<RenderedContent> {
    const [rendered] = await this.renderAll(scope, author, [content], options)
    return present(rendered, 'the rendered message')
  }

  async renderDescription(
    scope: OrganizationScope,
    author: Actor,
    description: string,
  ): Promise<string> {
    return (await this.render(scope, author, description, { isDescription: true })).html
  }

  /** Renders several contents with as few statements as one. */
  async renderAll(
    scope: OrganizationScope,
    author: Actor,
    contents: readonly string[],
    options: RenderOptions = {},
  ): Promise<RenderedContent[]> {
    const named = merged(contents.map(collectReferences))
    const groups = await this.references.groups(scope, named.groupNames)
    const uploads = await this.attachments.listReadable(scope, author, named.uploadPathIds)
    const references = await this.#visibleReferences(scope, author, { named, groups, uploads })
    const context = markdownContext(references, this.#environment, options)
    const uploadIds = new Map(uploads.map((upload) => [pathIdOf(upload), upload.id]))
    const yielder = new EventLoopYielder()
    const rendered: RenderedContent[] = []
    for (const content of contents) {
      if (yielder.isDue) await yielder.yield()
      const { html, ...facts } = await this.#run(content, context, yielder)
      const limited = { ...facts, html: limitedHtml(html, content, options) }
      rendered.push(renderedContentOf(limited, groups, uploadIds))
    }
    return rendered
  }

  async #run(
    content: string,
    context: MarkdownContext,
    yielder: EventLoopYielder,
  ): Promise<RenderedMarkdown> {
    try {
      return await renderMarkdownAsync(content, context, yielder)
    } catch (error) {
      if (!(error instanceof MarkdownRenderError)) throw error
      // Only the reason: contents of messages are never logged.
      this.logger.warn('A message could not be rendered', { reason: error.reason })
      throw badRequest('MESSAGE_NOT_RENDERED')
    }
  }

  async #visibleReferences(
    scope: OrganizationScope,
    author: Actor,
    {
      named,
      groups,
      uploads,
    }: {
      readonly named: MarkdownReferences
      readonly groups: readonly ReferencedGroup[]
      readonly uploads: readonly AttachmentRow[]
    },
  ): Promise<VisibleReferences> {
    const organization = await this.organizations.requireWithin(scope)
    const users = await this.#visibleUsers(scope, author, named)
    const channels = await this.#visibleChannels(scope, author, named)
    const latest = await this.#latestMessages(scope, author, channels, named)
    const self = await this.users.find(scope, author.userId)
    const emoji = await this.#customEmoji(scope, named)
    const mentionable = users.map((user) => ({
      id: user.id,
      fullName: user.full_name,
      isActive: user.is_active,
    }))
    const byId = new Map(mentionable.map((user) => [user.id, user]))
    const byNameKey = new Map(mentionable.map((user) => [foldCase(user.fullName), user]))
    const uploadsByPathId = new Map(uploads.map((upload) => [pathIdOf(upload), upload]))
    const groupsByName = new Map(groups.map((group) => [group.name, group]))
    return {
      settings: organization.settings,
      translatesEmoticons:
        self !== undefined && parseUserSettings(self.settings).translate_emoticons,
      findUser: (id) => byId.get(id),
      findUserByNameKey: (nameKey) => byNameKey.get(nameKey),
      findGroupByName: (name) => groupsByName.get(name),
      findChannelByName: (name) => channels.get(name)?.channel,
      findLatestMessageId: (channelId, key) => latest.get(`${channelId}>${key}`),
      findCustomEmoji: (name) => emoji.get(name),
      findUpload(pathId) {
        const upload = uploadsByPathId.get(decodePathId(pathId))
        return upload && uploadedFile(upload)
      },
      linkifiers: await this.linkifiers.of(scope.organizationId),
      alertWords: await this.alertWords.of(scope.organizationId),
    }
  }

  async #customEmoji(
    scope: OrganizationScope,
    named: MarkdownReferences,
  ): Promise<ReadonlyMap<string, { name: string; sourceUrl: string }>> {
    const found = await this.emoji.customByNames(scope, named.emojiNames)
    return new Map(
      found.map((emoji) => [
        emoji.name,
        { name: emoji.name, sourceUrl: emojiImageUrl(emoji, this.#environment.facts) },
      ]),
    )
  }

  /** The referenced users that the author may access. */
  async #visibleUsers(
    scope: OrganizationScope,
    author: Actor,
    { userNames, userIds }: MarkdownReferences,
  ): Promise<ReferencedUser[]> {
    const found = await this.references.users(scope, userNames, userIds)
    if (found.length === 0) return found
    const accessible = await this.userAccess.accessibleTo(scope, author)
    return accessible === undefined ? found : found.filter(({ id }) => accessible.has(id))
  }

  /** The referenced channels whose content the author may read, by exact name. */
  async #visibleChannels(
    scope: OrganizationScope,
    author: Actor,
    { channelNames }: MarkdownReferences,
  ): Promise<ReadonlyMap<string, ChannelForUser>> {
    const found = await this.channels.findManyByName(scope, channelNames, author.userId)
    if (found.length === 0) return new Map()
    const viewer = await this.channelAccess.viewer(author)
    const readable = found.filter((channel) => viewer.hasContentAccess(channel))
    return new Map(readable.map((channel) => [channel.channel.name, channel]))
  }

  async #latestMessages(
    scope: OrganizationScope,
    author: Actor,
    channels: ReadonlyMap<string, ChannelForUser>,
    named: MarkdownReferences,
  ): Promise<ReadonlyMap<string, number>> {
    if (channels.size === 0 || named.topics.length === 0) return new Map()
    const viewer = await this.channelAccess.viewer(author)
    const topics = named.topics.flatMap(({ channelName, topic }) => {
      const found = channels.get(channelName)
      if (found === undefined) return []
      return [
        {
          channelId: found.channel.id,
          topicKey: topicKey(interpretTopic(topic)),
          isHistoryHidden: !mayReadWholeHistory(viewer, found),
        },
      ]
    })
    const ids = await this.references.latestMessageIds(scope, topics, author.userId)
    return new Map(
      topics.flatMap(({ channelId, topicKey: key }, index) => {
        const id = ids[index]
        return typeof id === 'number' ? [[`${channelId}>${key}`, id] as const] : []
      }),
    )
  }
}

function uploadedFile(upload: AttachmentRow): UploadedFile {
  const { content_type, image_width, image_height, is_animated } = upload
  const file = { pathId: pathIdOf(upload), contentType: content_type }
  if (image_width === null || image_height === null) return file
  const image = {
    widthPixels: image_width,
    heightPixels: image_height,
    // Thumbnails are created before the uploader receives the address.
    isThumbnailed: true,
    isAnimated: is_animated,
  }
  return { ...file, image }
}

function merged(all: readonly MarkdownReferences[]): MarkdownReferences {
  const distinct = <Item>(of: (references: MarkdownReferences) => readonly Item[]): Item[] => [
    ...new Set(all.flatMap(of)),
  ]
  return {
    userNames: distinct(({ userNames }) => userNames),
    userIds: distinct(({ userIds }) => userIds),
    groupNames: distinct(({ groupNames }) => groupNames),
    channelNames: distinct(({ channelNames }) => channelNames),
    topics: distinct(({ topics }) => topics),
    emojiNames: distinct(({ emojiNames }) => emojiNames),
    uploadPathIds: distinct(({ uploadPathIds }) => uploadPathIds),
  }
}
