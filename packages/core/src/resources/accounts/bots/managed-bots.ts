import { inject } from 'tsyringe'

import { hasRole, Role } from '../../../domain/users/actor.js'
import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import {
  BotManagerRepository,
  managesBot,
  OwnedBotRepository,
  type AccountStep,
  type BotRights,
  type BotViewer,
  type UserRow,
} from '../../people/users/index.js'
import { botAdded, botDeleted } from './bot-events.js'
import { BotSecrets } from './bot-secrets.js'
import { BotView } from './bot-view.js'

/**
 * Sends events to users who begin or cease to manage bots when a role changes. The secrets of a bot
 * that begins to have more permissions than its owner are replaced: otherwise the owner could use
 * permissions that they were not given, or that were taken from them.
 */
@perServer()
export class ManagedBots implements AccountStep {
  constructor(
    @inject(OwnedBotRepository) private readonly bots: OwnedBotRepository,
    @inject(BotManagerRepository) private readonly managers: BotManagerRepository,
    @inject(BotSecrets) private readonly secrets: BotSecrets,
    @inject(BotView) private readonly view: BotView,
  ) {}

  /** The bot may have been deactivated because its secrets were in the wrong hands. */
  async beforeReactivate(tx: Transaction, user: UserRow): Promise<void> {
    if (user.is_bot) await this.#replaceSecrets(tx, user)
  }

  async roleChanged(tx: Transaction, user: UserRow, oldRole: Role): Promise<void> {
    if (user.is_bot) {
      const before = await this.managers.listManagers(tx, { ...user, role: oldRole })
      // A stronger bot may have been managed by its owner until an earlier change.
      if (user.role < oldRole) await this.#replaceSecrets(tx, user)
      await this.#managersChanged(tx, user, before, await this.managers.listManagers(tx, user))
      return
    }
    await this.#viewerChanged(tx, user, { id: user.id, role: oldRole })
    for (const bot of await this.bots.list(tx, user.id)) {
      const isOther = (id: number): boolean => id !== user.id
      const before = (await this.managers.listManagers(tx, bot, oldRole)).filter(isOther)
      const after = (await this.managers.listManagers(tx, bot)).filter(isOther)
      await this.#managersChanged(tx, bot, before, after)
    }
  }

  async #managersChanged(
    tx: Transaction,
    bot: UserRow,
    before: readonly number[],
    after: readonly number[],
  ): Promise<void> {
    this.#take(
      tx,
      before.filter((id) => !after.includes(id)),
      [bot],
    )
    const gaining = after.filter((id) => !before.includes(id))
    await this.#add(tx, gaining, [bot])
  }

  async #viewerChanged(tx: Transaction, after: UserRow, before: BotViewer): Promise<void> {
    const wasAdministrator = hasRole(before, Role.administrator)
    const managesAll = wasAdministrator || hasRole(after, Role.administrator)
    const bots = await this.bots.list(tx, managesAll ? undefined : after.id)
    const managedBefore = (bot: BotRights): boolean =>
      managesBot(before, bot.bot_owner_id === after.id ? { ...bot, owner_role: before.role } : bot)
    const lost = bots.filter((bot) => managedBefore(bot) && !managesBot(after, bot))
    const gained = bots.filter((bot) => !managedBefore(bot) && managesBot(after, bot))
    if (after.is_active) this.#take(tx, [after.id], lost)
    for (const bot of lost) if (bot.bot_owner_id === after.id) await this.secrets.replace(tx, bot)
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

  async #replaceSecrets(tx: Transaction, bot: UserRow): Promise<void> {
    await this.secrets.replace(tx, bot)
    await this.secrets.announce(tx, bot)
  }
}
