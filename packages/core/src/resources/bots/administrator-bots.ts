import { inject } from 'tsyringe'

import { Role } from '../../domain/actor.js'
import { perServer } from '../../kernel/per-server.js'
import type { Transaction } from '../../storage/index.js'
import { actorOf, UserRepository, type AccountStep, type UserRow } from '../users/index.js'
import { botAdded, botDeleted } from './bot-events.js'
import { BotView } from './bot-view.js'

/** Tells who becomes an administrator of everyone's bots, and takes them from who ceases to be one. */
@perServer()
export class AdministratorBots implements AccountStep {
  constructor(
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(BotView) private readonly view: BotView,
  ) {}

  async roleChanged(tx: Transaction, user: UserRow, oldRole: Role): Promise<void> {
    const managesAll = user.role <= Role.administrator
    if (user.is_bot || !user.is_active || managesAll === oldRole <= Role.administrator) return
    const bots = await this.users.listBots(tx, undefined)
    const others = bots.filter((bot) => bot.bot_owner_id !== user.id)
    const audience = { userIds: [user.id] }
    if (managesAll) {
      for (const bot of await this.view.describe(tx, others, actorOf(user)))
        tx.emit(botAdded(audience, { bot }))
    } else {
      for (const { id } of others) tx.emit(botDeleted(audience, { bot: { user_id: id } }))
    }
  }
}
