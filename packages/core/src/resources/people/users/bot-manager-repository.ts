import { Role } from '../../../domain/actor.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'
import { managesBot, type BotRights, type BotViewer } from './bot-rights.js'

/** Finds the users who get events about bots. */
@perServer()
export class BotManagerRepository {
  /**
   * The users who manage the bot and can see all of its data: only the owner if the bot uses a
   * private channel, because administrators may be unable to see the channel's name.
   */
  async list(scope: OrganizationScope, bot: BotRights): Promise<number[]> {
    const managers = await this.listManagers(scope, bot)
    if (!(await this.#usesPrivateChannel(scope, bot.id))) return managers
    return managers.filter((id) => id === bot.bot_owner_id)
  }

  /** The active users who manage the bot, see `managesBot`. */
  async listManagers(scope: OrganizationScope, bot: BotRights): Promise<number[]> {
    const candidates = await this.#list(scope, bot.bot_owner_id ?? 0)
    return candidates.filter((viewer) => managesBot(viewer, bot)).map(({ id }) => id)
  }

  /** The active human administrators. */
  async listAdministrators(scope: OrganizationScope): Promise<number[]> {
    return (await this.#list(scope, 0)).map(({ id }) => id)
  }

  /** The active human administrators, and one more user. */
  async #list(scope: OrganizationScope, besidesId: number): Promise<BotViewer[]> {
    return scope
      .query('users')
      .where({ is_active: true, is_bot: false })
      .where((query) => void query.where('role', '<=', Role.administrator).orWhere('id', besidesId))
      .orderBy('id')
      .select<BotViewer[]>('id', 'role')
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
