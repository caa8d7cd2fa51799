import { inject } from 'tsyringe'

import { addTo, shareLists } from '../../../kernel/grouping.js'
import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import type { ChannelStep, ChannelUsers } from '../../channels/subscriptions/index.js'
import { LeftChannelRepository } from './left-channel-repository.js'
import { messageFlagsAdded } from './message-flag-events.js'

/** Marks messages as read in channels that users have left. */
@perServer()
export class LeftChannels implements ChannelStep {
  constructor(@inject(LeftChannelRepository) private readonly messages: LeftChannelRepository) {}

  async unsubscribed(tx: Transaction, ended: readonly ChannelUsers[]): Promise<void> {
    const unread = await this.messages.listUnread(tx, ended)
    if (unread.length === 0) return
    await this.messages.markRead(tx, ended)
    const byUser = new Map<number, number[]>()
    for (const { user_id, message_id } of unread) addTo(byUser, user_id, message_id)
    for (const { keys: userIds, items: messages } of shareLists(byUser, (id) => id)) {
      tx.emit(messageFlagsAdded({ userIds }, { flag: 'read', messages, all: false }))
    }
  }
}
