import { inject } from 'tsyringe'

import { normalizeContent } from '../../../domain/messages/message-content.js'
import { MessageFlag } from '../../../domain/messages/message-flags.js'
import { truncateTopic } from '../../../domain/messages/topics.js'
import type { Actor } from '../../../domain/users/actor.js'
import type { SystemBotName } from '../../../domain/users/system-bots.js'
import { EventLoopYielder, forEachInSlices } from '../../../kernel/event-loop-yielder.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import type { OrganizationScope, Transaction } from '../../../storage/index.js'
import type { NamedText } from '../../../texts/index.js'
import { MessageRenderer, type RenderedContent } from '../../content/rendering/index.js'
import { ReaderTexts } from '../../organization/organizations/index.js'
import { SystemBots, actorOf, type UserRow } from '../../people/users/index.js'
import { MessageSender } from './message-sender.js'
import type { Destination, PreparedMessage } from './message-stages.js'
import { Muters } from './muters.js'
import { StagedMessageRepository } from './staged-message-repository.js'

/** The `client` of messages that the server itself sends. */
const clientName = 'Internal'

/** A message that a system bot is to send. */
export interface SystemBotDraft {
  readonly to:
    | { readonly channelId: number; readonly topic: string | NamedText }
    /** An active user. */
    | { readonly user: UserRow }
  /** A text of the server is written in the language of the user, or of the organization. */
  readonly content: string | NamedText
  /** Flags of recipients' user messages, masks of `MessageFlag` by user id. */
  readonly flags?: ReadonlyMap<number, number>
}

interface WrittenDraft extends SystemBotDraft {
  readonly content: string
  /** Empty for direct messages. */
  readonly topic: string
}

/**
 * Sends the messages of the system bots. They may write to all users and channels, including
 * archived channels. The number of statements does not depend on the number of messages.
 */
@perServer()
export class SystemBotMessages {
  constructor(
    @inject(StagedMessageRepository) private readonly messages: StagedMessageRepository,
    @inject(MessageRenderer) private readonly renderer: MessageRenderer,
    @inject(MessageSender) private readonly sender: MessageSender,
    @inject(Muters) private readonly muters: Muters,
    @inject(SystemBots) private readonly bots: SystemBots,
    @inject(ReaderTexts) private readonly texts: ReaderTexts,
  ) {}

  /**
   * Prepares and sends messages that another write causes, in the transaction of that write. Other
   * messages are prepared before theirs; see `MessageSending`.
   */
  async send(
    tx: Transaction,
    name: SystemBotName,
    drafts: readonly SystemBotDraft[],
    cause?: Actor,
  ): Promise<void> {
    await this.sender.send(tx, await this.prepare(tx, name, drafts, cause))
  }

  /**
   * @param cause the user whose action causes the messages: references that this user may not see
   *   are not linked. If undefined, the permissions of the bot apply.
   * @returns the messages, in the order of the drafts.
   */
  async prepare(
    scope: OrganizationScope,
    name: SystemBotName,
    drafts: readonly SystemBotDraft[],
    cause?: Actor,
  ): Promise<PreparedMessage[]> {
    if (drafts.length === 0) return []
    const bot = this.bots.get(scope.organizationId, name)
    const destinationOf = await this.#destinations(scope, bot, drafts)
    const normalized: WrittenDraft[] = []
    const yielder = new EventLoopYielder()
    for (const draft of drafts) {
      if (yielder.isDue) await yielder.yield()
      normalized.push(await this.#written(scope, draft))
    }
    const renderedOf = await this.#render(
      scope,
      cause ?? actorOf(bot),
      normalized.map(({ content }) => content),
    )
    const muterIds = await this.muters.of(scope.organizationId, bot.id)
    const prepared: PreparedMessage[] = []
    await forEachInSlices(normalized, (draft) => {
      const { content } = draft
      const destination = destinationOf(draft)
      const rendered = renderedOf(content)
      prepared.push({
        sender: bot,
        destination,
        topic: draft.topic,
        content,
        rendered,
        flags: { forEveryone: 0, ofUsers: flagsOf(draft, destination, rendered, muterIds) },
        clientName,
        addedBotIds: [],
        calledBotIds: [],
      })
    })
    return prepared
  }

  /** The draft with its texts, in the language of its readers. */
  async #written(scope: OrganizationScope, draft: SystemBotDraft): Promise<WrittenDraft> {
    const { to, content } = draft
    const { write } = await this.texts.writerFor(scope, 'user' in to ? to.user : undefined)
    const textOf = (text: string | NamedText) => (typeof text === 'string' ? text : write(text))
    return {
      ...draft,
      content: normalizeContent(textOf(content)),
      topic: 'user' in to ? '' : truncateTopic(textOf(to.topic)),
    }
  }

  async #destinations(
    scope: OrganizationScope,
    bot: UserRow,
    drafts: readonly SystemBotDraft[],
  ): Promise<(draft: SystemBotDraft) => Destination> {
    const channelIds = drafts.flatMap(({ to }) => ('user' in to ? [] : [to.channelId]))
    const rows = await this.messages.findChannels(scope, [...new Set(channelIds)])
    const channels = new Map(rows.map((row) => [row.id, row]))
    return ({ to }) => {
      if ('user' in to) return { kind: 'direct', participants: [to.user, bot] }
      const channel = channels.get(to.channelId)
      if (channel === undefined) throw new Error(`There is no channel ${to.channelId}`)
      return { kind: 'channel', channel, forSender: undefined }
    }
  }

  /** Renders each distinct content once. */
  async #render(
    scope: OrganizationScope,
    author: Actor,
    contents: readonly string[],
  ): Promise<(content: string) => RenderedContent> {
    const distinct = [...new Set(contents)]
    const rendered = await this.renderer.renderAll(scope, author, distinct)
    const byContent = new Map(distinct.map((content, index) => [content, rendered[index]]))
    return (content) => present(byContent.get(content), 'each rendered content')
  }
}

/** Users who muted the bot get the message as read; alert words are flagged as usual. */
function flagsOf(
  { flags }: SystemBotDraft,
  destination: Destination,
  { alertedUserIds }: RenderedContent,
  muterIds: readonly number[],
): ReadonlyMap<number, number> {
  const ofUsers = new Map(flags)
  const mark = (userIds: readonly number[], flag: number): void => {
    for (const userId of userIds) {
      const isRecipient =
        destination.kind === 'channel' || destination.participants.some(({ id }) => id === userId)
      if (isRecipient) ofUsers.set(userId, (ofUsers.get(userId) ?? 0) | flag)
    }
  }
  mark(muterIds, MessageFlag.read)
  mark(alertedUserIds, MessageFlag.has_alert_word)
  return ofUsers
}
