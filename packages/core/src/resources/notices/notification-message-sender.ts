import { inject } from 'tsyringe'

import type { Actor } from '../../domain/actor.js'
import { MessageFlag } from '../../domain/message-flags.js'
import { perServer } from '../../kernel/per-server.js'
import type { Transaction } from '../../storage/index.js'
import { BotMessages, type BotMessage } from '../messages/index.js'
import { UserDirectory } from '../users/index.js'
import { silentMention } from './notice-texts.js'

/** What the notification bot has to say of somebody's action. */
export type Notice = Pick<BotMessage, 'to' | 'content' | 'flags'>

/** Lets the notification bot tell of what users do. */
@perServer()
export class NotificationMessageSender {
  constructor(
    @inject(BotMessages) private readonly messages: BotMessages,
    @inject(UserDirectory) private readonly users: UserDirectory,
  ) {}

  /** The name of `actor`, as Markdown that notifies nobody. */
  async nameOf(tx: Transaction, actor: Actor): Promise<string> {
    return silentMention(await this.users.require(tx, actor.userId))
  }

  /** Sends the notices; `actor`, who knows what they tell, has read them. */
  async send(tx: Transaction, actor: Actor, notices: readonly Notice[]): Promise<void> {
    const messages = notices.map((notice): BotMessage => {
      if ('user' in notice.to) return notice
      const flags = new Map(notice.flags)
      flags.set(actor.userId, (flags.get(actor.userId) ?? 0) | MessageFlag.read)
      return { ...notice, flags }
    })
    await this.messages.send(tx, 'notification', messages, actor)
  }
}
