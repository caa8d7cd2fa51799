import { inject } from 'tsyringe'

import { widgetOf } from '../../../domain/messages/widgets.js'
import { EventLoopYielder } from '../../../kernel/event-loop-yielder.js'
import { addTo } from '../../../kernel/grouping.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import { chunksOf } from '../../../resource-definition/chunks.js'
import type { Transaction } from '../../../storage/index.js'
import {
  ConversationRepository,
  MessageLoadRepository,
  newMessageRow,
  type NewUserMessage,
} from '../../messages/objects/index.js'
import { SubmessageRepository } from '../../messages/submessages/index.js'
import type { ChannelRecipients } from './channel-loader.js'
import type { PreparedFileMessage } from './prepared-file-messages.js'

/** Messages per batch; also the batch size for user messages with explicit flags. */
const messagesPerChunk = 250
const userMessagesPerChunk = 1000
/** Users per batch whose remaining user messages, with the default flags, are inserted. */
const usersPerChunk = 200

/** Stores the messages of an organization file as if they had been sent. */
@perServer()
export class MessageLoader {
  constructor(
    @inject(MessageLoadRepository) private readonly messages: MessageLoadRepository,
    @inject(ConversationRepository) private readonly conversations: ConversationRepository,
    @inject(SubmessageRepository) private readonly submessages: SubmessageRepository,
  ) {}

  async load(
    tx: Transaction,
    prepared: readonly PreparedFileMessage[],
    channels: ChannelRecipients,
    userIds: readonly number[],
    createdAtSeconds: number,
  ): Promise<void> {
    const conversations = await this.#insertConversations(tx, prepared)
    const recipientOf = ({ item, participants }: PreparedFileMessage): number => {
      const recipient =
        item.channel_id === undefined
          ? conversations.get(participants?.join() ?? '')
          : channels.get(item.channel_id)
      return present(recipient, 'the recipient of a message')
    }
    const userMessages = new Map<number, NewUserMessage[]>()
    const yielder = new EventLoopYielder()
    const withIds = prepared.filter(({ item }) => item.id !== undefined)
    const withoutIds = prepared.filter(({ item }) => item.id === undefined)
    for (const list of [withIds, withoutIds]) {
      for (const chunk of chunksOf(list, messagesPerChunk)) {
        const rows = chunk.map((message) =>
          messageRow(message, recipientOf(message), createdAtSeconds),
        )
        const ids = await this.messages.insertMessages(tx, rows)
        await this.submessages.insertMany(tx, widgetsOf(chunk, ids))
        for (const [index, { flags }] of chunk.entries()) {
          if (yielder.isDue) await yielder.yield()
          collectUserMessages(userMessages, present(ids[index], 'the id of a message'), flags)
        }
      }
    }
    if (prepared.length === 0) return
    await this.messages.noteFirstMessages(tx)
    await this.#insertUserMessages(tx, userMessages, userIds)
  }

  /** @returns the conversations' ids by the participants' ids. */
  async #insertConversations(
    tx: Transaction,
    prepared: readonly PreparedFileMessage[],
  ): Promise<ReadonlyMap<string, number>> {
    const groups = new Map<string, readonly number[]>()
    for (const { participants } of prepared) {
      if (participants !== undefined) groups.set(participants.join(), participants)
    }
    const ids = new Map<string, number>()
    for (const chunk of chunksOf([...groups], messagesPerChunk)) {
      const inserted = await this.conversations.findOrInsertMany(
        tx,
        chunk.map(([, participants]) => participants),
      )
      for (const [index, [key]] of chunk.entries()) {
        ids.set(key, present(inserted[index], 'the id of a conversation'))
      }
    }
    return ids
  }

  async #insertUserMessages(
    tx: Transaction,
    userMessages: ReadonlyMap<number, readonly NewUserMessage[]>,
    userIds: readonly number[],
  ): Promise<void> {
    let chunk: NewUserMessage[] = []
    for (const userId of [...userMessages.keys()].sort((a, b) => a - b)) {
      for (const userMessage of userMessages.get(userId) ?? []) {
        chunk.push(userMessage)
        if (chunk.length < userMessagesPerChunk) continue
        await this.messages.insertUserMessages(tx, chunk)
        chunk = []
      }
    }
    await this.messages.insertUserMessages(tx, chunk)
    const usersInOrder = userIds.toSorted((a, b) => a - b)
    for (const users of chunksOf(usersInOrder, usersPerChunk)) {
      await this.messages.insertOtherUserMessages(tx, users)
    }
  }
}

/** Messages come in the order of their ids, so the user messages of one user do too. */
function collectUserMessages(
  userMessages: Map<number, NewUserMessage[]>,
  message_id: number,
  flags: ReadonlyMap<number, number>,
): void {
  for (const [user_id, mask] of flags) {
    const userMessage = { user_id, message_id, flags: mask }
    addTo(userMessages, user_id, userMessage)
  }
}

/** The first submessages of polls and lists, for messages that create one. */
function widgetsOf(messages: readonly PreparedFileMessage[], ids: readonly number[]) {
  return messages.flatMap(({ item, content }, index) => {
    const widget = widgetOf(content, undefined)
    if (widget === undefined) return []
    const message_id = present(ids[index], 'the id of a message')
    return [{ message_id, sender_id: item.sender_id, msg_type: 'widget', content: widget }]
  })
}

function messageRow(
  { item, content, topic, rendered }: PreparedFileMessage,
  recipientId: number,
  createdAtSeconds: number,
) {
  const row = newMessageRow({
    senderId: item.sender_id,
    recipientId,
    channelId: item.channel_id ?? null,
    topic,
    content,
    rendered,
    sentAtSeconds: item.sent_at_seconds ?? createdAtSeconds,
    clientName: item.client ?? 'Internal',
  })
  return item.id === undefined ? row : { ...row, id: item.id }
}
