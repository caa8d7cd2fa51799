import { inject } from 'tsyringe'

import type { Audience } from '../../../events/event.js'
import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import { ChannelAudiences } from '../../channels/channels/index.js'
import {
  isHistoryProtected,
  MessageAccess,
  MessageReceiverRepository,
  type VisibleMessage,
} from '../../channels/message-permissions/index.js'

/** Determines the recipients of the event for an edited message. */
@perServer()
export class EditAudience {
  constructor(
    @inject(MessageAccess) private readonly access: MessageAccess,
    @inject(ChannelAudiences) private readonly audiences: ChannelAudiences,
    @inject(MessageReceiverRepository) private readonly receivers: MessageReceiverRepository,
  ) {}

  /** Users who have the message or receive its channel, and who may still read it. */
  async of(tx: Transaction, { message, channel: found }: VisibleMessage): Promise<Audience> {
    if (found === undefined || !found.channel.is_private) return this.access.audienceOf(tx, message)
    const { channel } = found
    const audience = await this.audiences.load(tx, [channel])
    const readers = audience.readers(channel)
    const usersWithMessage = await this.receivers.listIds(tx, {
      channelId: channel.id,
      ids: [message.id],
    })
    const receivers = isHistoryProtected(channel) ? [] : audience.subscribers(channel.id)
    const userIds = [...new Set([...usersWithMessage, ...receivers])].filter((id) =>
      readers.has(id),
    )
    return { userIds: userIds.sort((a, b) => a - b) }
  }
}
