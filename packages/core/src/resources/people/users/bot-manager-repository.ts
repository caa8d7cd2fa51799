import { Role } from '../../../domain/users/actor.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'
import { managesBot, seesSecrets, type BotRights } from './bot-rights.js'
import type { UserRow } from './users-table.js'

type Bot = Omit<BotRights, 'owner_role'>
type Candidate = Pick<UserRow, 'id' | 'role' | 'is_active' | 'is_bot'>

/** Finds the users who get events about bots. */
@perServer()
export class BotManagerRepository {
  /**
   * The users who manage the bot and can see all of its data except secrets: only the owner if the
   * bot uses a private channel, because administrators may be unable to see the channel's name.
   */
  async list(scope: OrganizationScope, bot: Bot): Promise<number[]> {
    const managers = await this.listManagers(scope, bot)
    if (!(await this.#usesPrivateChannel(scope, bot.id))) return managers
    return managers.filter((id) => id === bot.bot_owner_id)
  }

  /**
   * The active users who manage the bot, see `managesBot`.
   *
   * @param ownerRole the role of the owner. @default the stored one
   */
  async listManagers(scope: OrganizationScope, bot: Bot, ownerRole?: Role): Promise<number[]> {
    const candidates = await this.#candidates(scope, bot.bot_owner_id ?? 0)
    const owner = candidates.find(({ id }) => id === bot.bot_owner_id)
    const ranked = { ...bot, owner_role: ownerRole ?? owner?.role ?? null }
    return candidates
      .filter((viewer) => isActivePerson(viewer) && managesBot(viewer, ranked))
      .map(({ id }) => id)
  }

  /** The active user who is shown the bot's secrets, see `seesSecrets`. */
  async listSecretHolders(scope: OrganizationScope, bot: Bot): Promise<number[]> {
    const candidates = await this.#candidates(scope, bot.bot_owner_id ?? 0)
    return candidates
      .filter(
        (viewer) =>
          isActivePerson(viewer) && seesSecrets({ userId: viewer.id, role: viewer.role }, bot),
      )
      .map(({ id }) => id)
  }

  /** The active human administrators. */
  async listAdministrators(scope: OrganizationScope): Promise<number[]> {
    return (await this.#candidates(scope, 0)).map(({ id }) => id)
  }

  /** The active human administrators, and one more user, who may be deactivated. */
  async #candidates(scope: OrganizationScope, besidesId: number): Promise<Candidate[]> {
    return scope
      .query('users')
      .where((query) => {
        void query
          .where({ is_active: true, is_bot: false })
          .where('role', '<=', Role.administrator)
          .orWhere('id', besidesId)
      })
      .orderBy('id')
      .select<Candidate[]>('id', 'role', 'is_active', 'is_bot')
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

function isActivePerson({ is_active, is_bot }: Candidate): boolean {
  return is_active && !is_bot
}
