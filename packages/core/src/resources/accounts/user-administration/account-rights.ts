import { inject } from 'tsyringe'

import { hasRole, Role, type Actor } from '../../../domain/users/actor.js'
import { badRequest, ChatError, namedText } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'
import { coversRights, OwnedBotRepository, type UserRow } from '../../people/users/index.js'

/** Decides who may administer users and bots. */
@perServer()
export class AccountRights {
  constructor(@inject(OwnedBotRepository) private readonly bots: OwnedBotRepository) {}

  /**
   * @throws {ChatError} `BAD_REQUEST` unless `actor` is an administrator or the bot's owner, or if
   *   the bot or its owner has a stronger role; `UNAUTHORIZED_PRINCIPAL` if only owners manage the
   *   bot.
   */
  async requireManager(scope: OrganizationScope, actor: Actor, user: UserRow): Promise<void> {
    const isOwnBot = user.is_bot && user.bot_owner_id === actor.userId
    if (!hasRole(actor, Role.administrator) && !isOwnBot) {
      throw badRequest('INSUFFICIENT_PERMISSION')
    }
    if (!user.is_bot || user.id === actor.userId) return
    const bot = await this.bots.withOwnerRole(scope, user)
    if (coversRights(actor, bot)) return
    if (!coversRights({ role: Role.administrator }, bot)) requireOwner(actor)
    throw badRequest('INSUFFICIENT_PERMISSION')
  }

  /**
   * @throws {ChatError} like {@link requireManager} if `actor` may neither deactivate nor reactivate
   *   the account; `UNAUTHORIZED_PRINCIPAL` if only owners may.
   */
  async requireActivation(scope: OrganizationScope, actor: Actor, user: UserRow): Promise<void> {
    await this.requireManager(scope, actor, user)
    if (user.role === Role.owner) requireOwner(actor)
  }
}

/** @throws {ChatError} `UNAUTHORIZED_PRINCIPAL` unless `actor` is an owner. */
export function requireOwner(actor: Actor): void {
  if (actor.role === Role.owner) return
  throw new ChatError('UNAUTHORIZED_PRINCIPAL', { text: namedText('OWNER_REQUIRED') })
}

/** @throws {ChatError} `UNAUTHORIZED_PRINCIPAL` unless `actor` is an administrator. */
export function requireAdministrator(actor: Actor): void {
  if (hasRole(actor, Role.administrator)) return
  throw new ChatError('UNAUTHORIZED_PRINCIPAL', { text: namedText('ADMINISTRATOR_REQUIRED') })
}
