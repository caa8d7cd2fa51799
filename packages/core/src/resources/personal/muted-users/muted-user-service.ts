import { inject } from 'tsyringe'

import { Quotas } from '../../../domain/quotas.js'
import type { Actor } from '../../../domain/users/actor.js'
import { badRequest } from '../../../errors/index.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { UnitOfWork, type Transaction } from '../../../storage/index.js'
import { UnwrittenMessages } from '../../channels/unwritten-messages/index.js'
import { messageFlagsAdded } from '../../messages/flags/index.js'
import { UserAccess } from '../../people/user-access/index.js'
import { UsersAndSystemBots, UserRepository, mutedUsersChanged } from '../../people/users/index.js'
import { MutedUserRepository } from './muted-user-repository.js'
import { mutedUsers } from './muted-users-table.js'

/** Mutes users; messages from muted users are marked as read. */
@perServer()
export class MutedUserService {
  constructor(
    @inject(MutedUserRepository) private readonly mutedUsers: MutedUserRepository,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(UsersAndSystemBots) private readonly usersAndBots: UsersAndSystemBots,
    @inject(UserAccess) private readonly access: UserAccess,
    @inject(UnwrittenMessages) private readonly unwritten: UnwrittenMessages,
    @inject(Quotas) private readonly quotas: Quotas,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /** @throws {ChatError} `BAD_REQUEST` if the user may not be muted or is, or at the quota. */
  async mute(actor: Actor, mutedUserId: number): Promise<void> {
    if (mutedUserId === actor.userId) throw badRequest('CANNOT_MUTE_SELF')
    await this.unwritten.write(actor)
    await this.unitOfWork.runFor(actor, async (tx) => {
      // Events contain the whole list, so concurrent changes are serialized by a lock.
      await this.users.lock(tx, actor.userId)
      await this.#requireUser(tx, actor, mutedUserId)
      const muted = await this.mutedUsers.list(tx, actor.userId)
      if (muted.some(({ id }) => id === mutedUserId)) throw badRequest('USER_ALREADY_MUTED')
      this.quotas.require('mutedUsersPerUser', muted.length + 1)
      await tx.rows(mutedUsers).insert({
        user_id: actor.userId,
        muted_user_id: mutedUserId,
        muted_at_seconds: nowSeconds(this.clock),
      })
      await this.#markRead(tx, actor, mutedUserId)
      await this.#announce(tx, actor)
    })
  }

  /** @throws {ChatError} `BAD_REQUEST` if there is no such user, or the user is not muted. */
  async unmute(actor: Actor, mutedUserId: number): Promise<void> {
    await this.unitOfWork.runFor(actor, async (tx) => {
      // Events contain the whole list, so concurrent changes are serialized by a lock.
      await this.users.lock(tx, actor.userId)
      await this.#requireUser(tx, actor, mutedUserId)
      const muted = { user_id: actor.userId, muted_user_id: mutedUserId }
      if ((await tx.rows(mutedUsers).delete(muted)) === 0) throw badRequest('USER_NOT_MUTED')
      await this.#announce(tx, actor)
    })
  }

  async #requireUser(tx: Transaction, actor: Actor, userId: number): Promise<void> {
    const [user] = await this.usersAndBots.findMany(tx, [userId])
    await this.access.requireAccess(tx, actor, user)
  }

  async #markRead(tx: Transaction, actor: Actor, senderId: number): Promise<void> {
    await this.unwritten.writeWithin(tx, actor.userId)
    const messages = await this.mutedUsers.listUnreadFrom(tx, actor.userId, senderId)
    const last = messages.at(-1)
    if (last === undefined) return
    await this.mutedUsers.markReadFrom(tx, actor.userId, senderId, last)
    tx.emit(messageFlagsAdded({ userIds: [actor.userId] }, { flag: 'read', messages, all: false }))
  }

  async #announce(tx: Transaction, actor: Actor): Promise<void> {
    const muted_users = await this.mutedUsers.list(tx, actor.userId)
    tx.emit(mutedUsersChanged({ userIds: [actor.userId] }, { muted_users }))
  }
}
