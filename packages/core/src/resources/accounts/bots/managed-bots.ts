import { inject } from 'tsyringe'

import { hasRole, Role } from '../../../domain/actor.js'
import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import { OwnApiKey } from '../../access/authentication/index.js'
import { ApiKeys } from '../../people/credentials/index.js'
import {
  BotManagerRepository,
  coversRights,
  managesBot,
  UserRepository,
  type AccountStep,
  type UserRow,
} from '../../people/users/index.js'
import { botAdded, botDeleted } from './bot-events.js'
import { BotView } from './bot-view.js'

/**
 * Sends events to users who begin or cease to manage bots when a role changes. An API key that was
 * visible to users with fewer permissions than its bot has now is replaced: otherwise they could
 * use permissions that they were not given, or that were taken from them.
 */
@perServer()
export class ManagedBots implements AccountStep {
  constructor(
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(BotManagerRepository) private readonly managers: BotManagerRepository,
    @inject(OwnApiKey) private readonly keys: OwnApiKey,
    @inject(ApiKeys) private readonly apiKeys: ApiKeys,
    @inject(BotView) private readonly view: BotView,
  ) {}

  async roleChanged(tx: Transaction, user: UserRow, oldRole: Role): Promise<void> {
    await (user.is_bot
      ? this.#botChanged(tx, user, oldRole)
      : this.#viewerChanged(tx, user, { id: user.id, role: oldRole }))
  }

  async #botChanged(tx: Transaction, bot: UserRow, oldRole: Role): Promise<void> {
    const before = await this.managers.listManagers(tx, { ...bot, role: oldRole })
    const after = await this.managers.listManagers(tx, bot)
    const losing = before.filter((id) => !after.includes(id))
    const gaining = after.filter((id) => !before.includes(id))
    this.#take(tx, losing, [bot])
    // Users who ceased to manage the bot earlier may have the key as well.
    if (bot.role < oldRole) await this.#replaceKey(tx, bot)
    await this.#add(tx, gaining, [bot])
  }

  async #viewerChanged(
    tx: Transaction,
    after: UserRow,
    before: Pick<UserRow, 'id' | 'role'>,
  ): Promise<void> {
    const wasAdministrator = hasRole(before, Role.administrator)
    const managesAll = wasAdministrator || hasRole(after, Role.administrator)
    const bots = await this.users.listBots(tx, managesAll ? undefined : after.id)
    const lost = bots.filter((bot) => managesBot(before, bot) && !managesBot(after, bot))
    const gained = bots.filter((bot) => !managesBot(before, bot) && managesBot(after, bot))
    if (after.is_active) this.#take(tx, [after.id], lost)
    for (const bot of lost) if (!coversRights(after, bot)) await this.#replaceKey(tx, bot)
    if (after.is_active) await this.#add(tx, [after.id], gained)
  }

  #take(tx: Transaction, userIds: readonly number[], bots: readonly UserRow[]): void {
    if (userIds.length === 0) return
    for (const { id } of bots) tx.emit(botDeleted({ userIds }, { bot: { user_id: id } }))
  }

  async #add(tx: Transaction, userIds: readonly number[], bots: readonly UserRow[]): Promise<void> {
    for (const described of await this.view.describeFor(tx, bots, userIds)) {
      const audience = { userIds: described.userIds }
      for (const bot of described.bots) tx.emit(botAdded(audience, { bot }))
    }
  }

  async #replaceKey(tx: Transaction, bot: UserRow): Promise<void> {
    await this.keys.replace(tx, bot, this.apiKeys.create())
  }
}
