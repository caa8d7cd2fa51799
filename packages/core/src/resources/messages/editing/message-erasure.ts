import { inject } from 'tsyringe'

import type { Audience } from '../../../events/event.js'
import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import { AttachmentClaims } from '../../files/attachments/index.js'
import {
  ChannelRepository,
  channelUpdated,
  type ChannelRow,
} from '../../channels/channels/index.js'
import { EventTexts } from '../../realtime/event-queues/index.js'
import { MessageEditRepository } from './message-edit-repository.js'

/** Deletes messages from the database permanently. The caller sends the events. */
@perServer()
export class MessageErasure {
  constructor(
    @inject(AttachmentClaims) private readonly attachments: AttachmentClaims,
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(MessageEditRepository) private readonly edits: MessageEditRepository,
    @inject(EventTexts) private readonly texts: EventTexts,
  ) {}

  /**
   * Deletes messages with all rows that belong to them, and their contents in the event log.
   * Releases the files that only they link to.
   */
  async erase(tx: Transaction, messageIds: readonly number[]): Promise<void> {
    await this.attachments.release(tx, messageIds)
    await this.edits.delete(tx, messageIds)
    await this.texts.erase(tx, messageIds)
  }

  /**
   * Updates the first message of a channel and sends the event.
   *
   * @param channel the row from before the deletion; nothing happens unless its first message is
   *   one of the deleted messages.
   */
  async renewFirstMessage(
    tx: Transaction,
    channel: Pick<ChannelRow, 'id' | 'name' | 'is_archived' | 'first_message_id'>,
    messageIds: readonly number[],
    audience: Audience,
  ): Promise<void> {
    if (channel.first_message_id === null || !messageIds.includes(channel.first_message_id)) return
    const first_message_id = await this.edits.firstMessageId(tx, channel.id)
    await this.channels.update(tx, channel.id, { first_message_id })
    tx.emit(
      channelUpdated(audience, {
        update: {
          stream_id: channel.id,
          name: channel.name,
          property: 'first_message_id',
          value: first_message_id,
        },
        isOfArchived: channel.is_archived,
      }),
    )
  }
}
