import { inject } from 'tsyringe'

import { MessageFlag } from '../../../domain/messages/message-flags.js'
import type { Actor } from '../../../domain/users/actor.js'
import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import { UserDirectory } from '../../people/users/index.js'
import { SystemBotMessages, type SystemBotDraft } from '../sending/index.js'
import { silentMention } from './notification-texts.js'

/** Sends notification messages about actions of users. */
@perServer()
export class NotificationMessageSender {
  constructor(
    @inject(SystemBotMessages) private readonly messages: SystemBotMessages,
    @inject(UserDirectory) private readonly users: UserDirectory,
  ) {}

  /** A silent mention of `actor`, as Markdown. */
  async nameOf(tx: Transaction, actor: Actor): Promise<string> {
    return silentMention(await this.users.require(tx, actor.userId))
  }

  /** Sends notification messages; those in channels are flagged as read for `actor`. */
  async send(tx: Transaction, actor: Actor, drafts: readonly SystemBotDraft[]): Promise<void> {
    const messages = drafts.map((draft): SystemBotDraft => {
      if ('user' in draft.to) return draft
      const flags = new Map(draft.flags)
      flags.set(actor.userId, (flags.get(actor.userId) ?? 0) | MessageFlag.read)
      return { ...draft, flags }
    })
    await this.messages.send(tx, 'notification', messages, actor)
  }
}
