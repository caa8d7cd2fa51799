import { inject } from 'tsyringe'

import { hasRole, Role, type Actor } from '../../../domain/users/actor.js'
import { badRequest, ChatError, namedText } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { UnitOfWork, type Transaction } from '../../../storage/index.js'
import { PermissionGroups } from '../../groups/user-groups/index.js'
import { UserAccess } from '../../people/user-access/index.js'
import { AccountChanges, UserRepository, type UserRow } from '../../people/users/index.js'
import { AccountRights } from './account-rights.js'
import { BotQuotas } from './bot-quotas.js'
import { UserAdministration } from './user-administration.js'

/** Deactivates and reactivates accounts. */
@perServer()
export class AccountDeactivation {
  constructor(
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(UserAccess) private readonly access: UserAccess,
    @inject(AccountRights) private readonly rights: AccountRights,
    @inject(BotQuotas) private readonly quotas: BotQuotas,
    @inject(AccountChanges) private readonly changes: AccountChanges,
    @inject(UserAdministration) private readonly administration: UserAdministration,
    @inject(PermissionGroups) private readonly groups: PermissionGroups,
  ) {}

  /**
   * Deactivates a user and the bots that they own.
   *
   * @throws {ChatError} `BAD_REQUEST` if there is no such active user, `actor` may not deactivate
   *   them, or the organization would have no owner; `UNAUTHORIZED_PRINCIPAL` if only owners may.
   */
  async deactivate(actor: Actor, userId: number): Promise<void> {
    await this.unitOfWork.runFor(actor, async (tx) => {
      const user = await this.access.requireAccess(tx, actor, await this.users.lock(tx, userId))
      if (user.is_bot) throw badRequest('USER_UNKNOWN')
      if (!user.is_active) throw badRequest('USER_INACTIVE')
      await this.rights.requireActivation(tx, actor, user)
      if (await this.administration.isOnlyOwner(tx, user)) {
        throw badRequest('ONLY_OWNER_NOT_DEACTIVATED')
      }
      await this.changes.deactivate(tx, user)
    })
  }

  /** @throws {ChatError} `CANNOT_DEACTIVATE_LAST_USER` if no user or no owner would be left. */
  async deactivateOwn(actor: Actor): Promise<void> {
    await this.unitOfWork.runFor(actor, async (tx) => {
      const user = await this.users.getLocked(tx, actor.userId)
      if (await this.users.isOnlyActive(tx, user.id)) throw lastUser('user')
      if (await this.administration.isOnlyOwner(tx, user)) throw lastUser('organization owner')
      await this.changes.deactivate(tx, user)
    })
  }

  /**
   * Reactivates an account, with its previous subscriptions and groups, and a new API key.
   *
   * @throws {ChatError} `BAD_REQUEST` if there is no such account, or `actor` may not reactivate
   *   it; `UNAUTHORIZED_PRINCIPAL` if only owners may.
   */
  async reactivate(actor: Actor, userId: number): Promise<void> {
    await this.unitOfWork.runFor(actor, async (tx) => {
      const user = await this.access.requireAccess(tx, actor, await this.users.lock(tx, userId))
      if (!hasRole(actor, Role.administrator)) throw badRequest('INSUFFICIENT_PERMISSION')
      await this.rights.requireActivation(tx, actor, user)
      if (user.is_bot) await this.#requireBotReactivation(tx, actor, user)
      await this.changes.reactivate(tx, user)
    })
  }

  async #requireBotReactivation(tx: Transaction, actor: Actor, bot: UserRow): Promise<void> {
    if (!(await this.groups.allows(actor, 'can_create_bots_group'))) {
      throw badRequest('INSUFFICIENT_PERMISSION')
    }
    const owner =
      bot.bot_owner_id === null ? undefined : await this.users.find(tx, bot.bot_owner_id)
    if (owner?.is_active === false) throw badRequest('BOT_WITH_DEACTIVATED_OWNER')
    if (bot.is_active) return
    if (owner !== undefined) await this.quotas.requireAnotherActive(tx, owner.id)
    if (await this.users.isActiveBotName(tx, bot.full_name, bot.id)) {
      throw badRequest('BOT_NAME_TAKEN', { name: bot.full_name })
    }
  }
}

function lastUser(entity: 'user' | 'organization owner'): ChatError {
  const isLastOwner = entity === 'organization owner'
  return new ChatError('CANNOT_DEACTIVATE_LAST_USER', {
    text: namedText('CANNOT_DEACTIVATE_LAST_USER', {
      entity: namedText(isLastOwner ? 'LAST_OWNER' : 'LAST_USER'),
    }),
    fields: { is_last_owner: isLastOwner, entity },
  })
}
