import { inject } from 'tsyringe'

import type { Actor } from '../../../domain/users/actor.js'
import { perServer } from '../../../kernel/per-server.js'
import { chunksOf } from '../../../resource-definition/chunks.js'
import type { Transaction } from '../../../storage/index.js'
import { namedText } from '../../../texts/index.js'
import type { MembershipStep } from '../../groups/user-groups/index.js'
import { UserRepository } from '../../people/users/index.js'
import { NotificationMessageSender } from './notification-message-sender.js'
import { silentGroupMention } from './notification-texts.js'

/** The event loop runs between chunks; a group may have all users of an organization. */
const usersPerChunk = 500

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
    await this.#send(tx, actor, userIds, 'GROUP_ADDED_MESSAGE', groupName)
  }

  async membersRemoved(
    tx: Transaction,
    actor: Actor,
    groupName: string,
    userIds: readonly number[],
  ): Promise<void> {
    await this.#send(tx, actor, userIds, 'GROUP_REMOVED_MESSAGE', groupName)
  }

  async #send(
    tx: Transaction,
    actor: Actor,
    userIds: readonly number[],
    textName: 'GROUP_ADDED_MESSAGE' | 'GROUP_REMOVED_MESSAGE',
    groupName: string,
  ): Promise<void> {
    const others = userIds.filter((id) => id !== actor.userId)
    if (others.length === 0) return
    const user = await this.sender.nameOf(tx, actor)
    const content = namedText(textName, { user, group: silentGroupMention(groupName) })
    for (const userIdsOfChunk of chunksOf(others, usersPerChunk)) {
      const users = await this.users.findMany(tx, userIdsOfChunk)
      const humans = users.filter(({ is_bot }) => !is_bot)
      await this.sender.send(
        tx,
        actor,
        humans.map((human) => ({ to: { user: human }, content })),
      )
    }
  }
}
