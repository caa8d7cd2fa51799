import { inject } from 'tsyringe'

import { widgetOf } from '../../../domain/widgets.js'
import { addTo } from '../../../kernel/grouping.js'
import { perServer } from '../../../kernel/per-server.js'
import { EventLoopYielder } from '../../../kernel/event-loop-yielder.js'
import type { Transaction } from '../../../storage/index.js'
import { chunksOf } from '../../../resource-definition/chunks.js'
import {
  ConversationRepository,
  MessageLoadRepository,
  newMessageRow,
  type LoadedRecord,
} from '../../messages/objects/index.js'
import { SubmessageRepository } from '../../messages/submessages/index.js'
import type { ChannelRecipients } from './channel-loader.js'
import type { PlannedMessage } from './planned-messages.js'

/** Messages per batch; also the batch size for user messages with explicit flags. */
const messagesPerChunk = 250
const recordsPerChunk = 1000
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
    planned: readonly PlannedMessage[],
    channels: ChannelRecipients,
    userIds: readonly number[],
    createdAtSeconds: number,
  ): Promise<void> {
    const conversations = await this.#insertConversations(tx, planned)
    const recipientOf = ({ item, participants }: PlannedMessage): number =>
      (participants === undefined
        ? channels.get(item.channel_id as number)
        : conversations.get(participants.join())) as number
    const records = new Map<number, LoadedRecord[]>()
    const yielder = new EventLoopYielder()
    const withIds = planned.filter(({ item }) => item.id !== undefined)
    const withoutIds = planned.filter(({ item }) => item.id === undefined)
    for (const list of [withIds, withoutIds]) {
      for (const chunk of chunksOf(list, messagesPerChunk)) {
        const rows = chunk.map((message) =>
          messageRow(message, recipientOf(message), createdAtSeconds),
        )
        const ids = await this.messages.insertMessages(tx, rows)
        await this.submessages.insertMany(tx, widgetsOf(chunk, ids))
        for (const [index, { flags }] of chunk.entries()) {
          if (yielder.isDue) await yielder.yield()
          noteRecords(records, ids[index] as number, flags)
        }
      }
    }
    if (planned.length === 0) return
    await this.messages.noteFirstMessages(tx)
    await this.#insertRecords(tx, records, userIds)
  }

  /** @returns the conversations' ids by the participants' ids. */
  async #insertConversations(
    tx: Transaction,
    planned: readonly PlannedMessage[],
  ): Promise<ReadonlyMap<string, number>> {
    const groups = new Map<string, readonly number[]>()
    for (const { participants } of planned) {
      if (participants !== undefined) groups.set(participants.join(), participants)
    }
    const ids = new Map<string, number>()
    for (const chunk of chunksOf([...groups], messagesPerChunk)) {
      const inserted = await this.conversations.findOrInsertMany(
        tx,
        chunk.map(([, participants]) => participants),
      )
      for (const [index, [key]] of chunk.entries()) ids.set(key, inserted[index] as number)
    }
    return ids
  }

  async #insertRecords(
    tx: Transaction,
    records: ReadonlyMap<number, readonly LoadedRecord[]>,
    userIds: readonly number[],
  ): Promise<void> {
    let chunk: LoadedRecord[] = []
    for (const userId of [...records.keys()].sort((a, b) => a - b)) {
      for (const record of records.get(userId) ?? []) {
        chunk.push(record)
        if (chunk.length < recordsPerChunk) continue
        await this.messages.insertRecords(tx, chunk)
        chunk = []
      }
    }
    await this.messages.insertRecords(tx, chunk)
    const usersInOrder = userIds.toSorted((a, b) => a - b)
    for (const users of chunksOf(usersInOrder, usersPerChunk)) {
      await this.messages.insertOtherRecords(tx, users)
    }
  }
}

/** Messages come in the order of their ids, so the user messages of one user do too. */
function noteRecords(
  records: Map<number, LoadedRecord[]>,
  message_id: number,
  flags: ReadonlyMap<number, number>,
): void {
  for (const [user_id, mask] of flags) {
    const record = { user_id, message_id, flags: mask }
    addTo(records, user_id, record)
  }
}

/** The first submessages of polls and lists, for messages that create one. */
function widgetsOf(messages: readonly PlannedMessage[], ids: readonly number[]) {
  return messages.flatMap(({ item, content }, index) => {
    const widget = widgetOf(content, undefined)
    if (widget === undefined) return []
    const message_id = ids[index] as number
    return [{ message_id, sender_id: item.sender_id, msg_type: 'widget', content: widget }]
  })
}

function messageRow(
  { item, content, topic, rendered }: PlannedMessage,
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
