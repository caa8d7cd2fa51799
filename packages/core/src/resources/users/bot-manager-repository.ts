import { Role } from '../../domain/actor.js'
import { perServer } from '../../kernel/per-server.js'
import type { OrganizationScope } from '../../storage/index.js'
import type { UserRow } from './user-repository.js'

/** Looks up who hears of what happens to bots. */
@perServer()
export class BotManagerRepository {
  /**
   * The bot's owner and the human administrators; the owner alone of a bot that uses a private
   * channel, whose name the administrators may not know.
   */
  async list(
    scope: OrganizationScope,
    bot: Pick<UserRow, 'id' | 'bot_owner_id'>,
  ): Promise<number[]> {
    const weakestRole = (await this.#usesPrivateChannel(scope, bot.id)) ? 0 : Role.administrator
    return this.#list(scope, weakestRole, bot.bot_owner_id ?? 0)
  }

  /** The active human administrators, who manage the bots of everyone. */
  async listAdministrators(scope: OrganizationScope): Promise<number[]> {
    return this.#list(scope, Role.administrator, 0)
  }

  async #list(scope: OrganizationScope, weakestRole: number, besidesId: number): Promise<number[]> {
    const rows = await scope
      .query('users')
      .where({ is_active: true, is_bot: false })
      .where((query) => void query.where('role', '<=', weakestRole).orWhere('id', besidesId))
      .orderBy('id')
      .select<{ id: number }[]>('id')
    return rows.map((row) => row.id)
  }

  async #usesPrivateChannel(scope: OrganizationScope, botId: number): Promise<boolean> {
    const row: unknown = await scope
      .queryAs('bot_details', 'd')
      .join(scope.as('channels', 'c'), (on) => {
        on.on('c.id', 'd.default_sending_channel_id').orOn('c.id', 'd.default_events_channel_id')
      })
      .where({ 'd.user_id': botId, 'c.is_private': true })
      .first('c.id')
    return row !== undefined
  }
}
