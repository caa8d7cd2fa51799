import { inject } from 'tsyringe'

import type { Actor } from '../../../domain/actor.js'
import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import type { MembershipStep } from '../../groups/user-groups/index.js'
import { UserRepository } from '../../people/users/index.js'
import { NotificationMessageSender } from './notification-message-sender.js'
import { silentGroupMention } from './notification-texts.js'

/** Sends notification messages to users whom another user added to or removed from a group. */
@perServer()
export class GroupNotificationMessages implements MembershipStep {
  constructor(
    @inject(NotificationMessageSender) private readonly sender: NotificationMessageSender,
    @inject(UserRepository) private readonly users: UserRepository,
  ) {}

  async membersAdded(
    tx: Transaction,
    actor: Actor,
    groupName: string,
    userIds: readonly number[],
  ): Promise<void> {
    const text = `added you to the group ${silentGroupMention(groupName)}.`
    await this.#send(tx, actor, userIds, text)
  }

  async membersRemoved(
    tx: Transaction,
    actor: Actor,
    groupName: string,
    userIds: readonly number[],
  ): Promise<void> {
    const text = `removed you from the group ${silentGroupMention(groupName)}.`
    await this.#send(tx, actor, userIds, text)
  }

  async #send(
    tx: Transaction,
    actor: Actor,
    userIds: readonly number[],
    text: string,
  ): Promise<void> {
    const others = userIds.filter((id) => id !== actor.userId)
    if (others.length === 0) return
    const humans = (await this.users.findMany(tx, others)).filter((user) => !user.is_bot)
    const content = `${await this.sender.nameOf(tx, actor)} ${text}`
    await this.sender.send(
      tx,
      actor,
      humans.map((user) => ({ to: { user }, content })),
    )
  }
}
