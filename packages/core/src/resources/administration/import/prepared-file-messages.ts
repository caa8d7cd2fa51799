import { normalizeContent } from '../../../domain/messages/message-content.js'
import { MessageFlag } from '../../../domain/messages/message-flags.js'
import { normalizeTopic, topicKey } from '../../../domain/messages/topics.js'
import { EventLoopYielder } from '../../../kernel/event-loop-yielder.js'
import { addTo } from '../../../kernel/grouping.js'
import { inOrderOfIds } from '../../../resource-definition/file-section.js'
import type { RenderedContent } from '../../content/rendering/index.js'
import type { ImportContext } from './import-context.js'
import type { FileMessage } from './organization-file-items.js'

/** Shared by all messages without flags, which are most of them. */
const noFlags: ReadonlyMap<number, number> = new Map()

/** A message of a file, ready to be stored. */
export interface PreparedFileMessage {
  readonly item: FileMessage
  readonly content: string
  readonly topic: string
  /** The parts of the rendered content that are stored. */
  readonly rendered: Pick<RenderedContent, 'html' | 'traits'>
  /** All participants of a direct conversation, ascending; undefined in a channel. */
  readonly participants: readonly number[] | undefined
  /** The flags of each user whose user message does not get the default flags. */
  readonly flags: ReadonlyMap<number, number>
}

/**
 * Renders a file's messages and computes the flags of their recipients, without database access.
 */
export async function prepareFileMessages(
  context: ImportContext,
): Promise<readonly PreparedFileMessage[]> {
  const yielder = new EventLoopYielder()
  await yielder.yield()
  const preparer = new FileMessagePreparer(context)
  const prepared: PreparedFileMessage[] = []
  // Messages with prescribed ids first, ascending; the others get ids after them.
  const inOrder = inOrderOfIds(context.file.messages ?? [])
  await yielder.yield()
  for (const item of inOrder) {
    if (yielder.isDue) await yielder.yield()
    prepared.push(preparer.prepare(item))
  }
  return prepared
}

class FileMessagePreparer {
  readonly #senders = new Map<string, Set<number>>()
  readonly #mutersOf = new Map<number, number[]>()
  readonly #reactors = new Map<number, number[]>()

  constructor(private readonly context: ImportContext) {
    const { muted_users = [], reactions = [] } = context.file
    for (const mute of muted_users) addTo(this.#mutersOf, mute.muted_user_id, mute.user_id)
    for (const reaction of reactions) {
      addTo(this.#reactors, reaction.message_id, reaction.user_id)
    }
  }

  prepare(item: FileMessage): PreparedFileMessage {
    const content = normalizeContent(item.content)
    const topic = item.channel_id === undefined ? '' : normalizeTopic(item.topic ?? '')
    const rendered = this.context.renderer.render(item.sender_id, content)
    const participants =
      item.channel_id === undefined
        ? [...new Set([item.sender_id, ...(item.to ?? [])])].sort((a, b) => a - b)
        : undefined
    const senders = this.#noteSender(item, topic)
    const flags = this.#flags(item, rendered, participants, senders)
    const { html, traits } = rendered
    return { item, content, topic, rendered: { html, traits }, participants, flags }
  }

  /** @returns all senders in the topic so far, including this one. */
  #noteSender(item: FileMessage, topic: string): ReadonlySet<number> {
    if (item.channel_id === undefined) return new Set()
    const key = `${item.channel_id} ${topicKey(topic)}`
    if (item.id !== undefined) this.context.latestMessages.set(key, item.id)
    let senders = this.#senders.get(key)
    if (senders === undefined) this.#senders.set(key, (senders = new Set()))
    return senders.add(item.sender_id)
  }

  #flags(
    item: FileMessage,
    rendered: RenderedContent,
    participants: readonly number[] | undefined,
    senders: ReadonlySet<number>,
  ): ReadonlyMap<number, number> {
    const { context } = this
    const receivers =
      item.channel_id === undefined
        ? new Set(participants?.filter((userId) => context.isActive(userId)))
        : context.receiversOf(item.channel_id)
    const flags = new Map<number, number>()
    const mark = (userIds: Iterable<number>, flag: number): void => {
      for (const userId of userIds) {
        if (receivers.has(userId)) flags.set(userId, (flags.get(userId) ?? 0) | flag)
      }
    }
    if (participants === undefined && rendered.mentionsChannel) {
      mark(receivers, MessageFlag.stream_wildcard_mentioned)
    }
    if (participants === undefined && rendered.mentionsTopic) {
      mark(senders, MessageFlag.topic_wildcard_mentioned)
    }
    mark(rendered.mentionedUserIds, MessageFlag.mentioned)
    if (rendered.mentionedGroups.length > 0) {
      mark(context.membersOf(rendered.mentionedGroups.map(({ id }) => id)), MessageFlag.mentioned)
    }
    mark(rendered.alertedUserIds, MessageFlag.has_alert_word)
    mark(item.read_by ?? [], MessageFlag.read)
    mark(this.#mutersOf.get(item.sender_id) ?? [], MessageFlag.read)
    this.#markOthers(item, rendered, participants === undefined, receivers, flags)
    // The default flags of the sender include `read`; explicit flags must include it too.
    if (flags.has(item.sender_id)) mark([item.sender_id], MessageFlag.read)
    return flags.size === 0 ? noFlags : flags
  }

  /**
   * Adds user messages of users who have one only because of an action: a mention, star, collapse
   * or reaction.
   */
  #markOthers(
    item: FileMessage,
    rendered: RenderedContent,
    isInChannel: boolean,
    receivers: ReadonlySet<number>,
    flags: Map<number, number>,
  ): void {
    const { context } = this
    const give = (userId: number, flag: number): void => {
      const usual = receivers.has(userId) ? 0 : MessageFlag.read | MessageFlag.historical
      flags.set(userId, (flags.get(userId) ?? usual) | flag)
    }
    if (isInChannel) {
      for (const userId of rendered.mentionedUserIds) {
        if (receivers.has(userId) || !context.isBot(userId) || !context.isActive(userId)) continue
        flags.set(userId, MessageFlag.mentioned)
      }
    }
    for (const userId of item.starred_by ?? []) give(userId, MessageFlag.starred)
    for (const userId of item.collapsed_by ?? []) give(userId, MessageFlag.collapsed)
    if (item.id === undefined) return
    for (const userId of this.#reactors.get(item.id) ?? []) {
      if (!receivers.has(userId)) give(userId, 0)
    }
  }
}
