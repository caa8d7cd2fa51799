import { inject } from 'tsyringe'

import type { Actor } from '../../../domain/actor.js'
import {
  backdatePresence,
  reportPresence,
  type PresenceStatus,
  type PresenceTimes,
} from '../../../domain/presence.js'
import { parseUserSettings, type UserSettingsJson } from '../../../domain/user-settings.js'
import { EventBusToken, type EventBus } from '../../../events/bus.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import { ClockToken } from '../../../kernel/tokens.js'
import {
  Database,
  UnitOfWork,
  type OrganizationScope,
  type Transaction,
} from '../../../storage/index.js'
import { ActiveUsers, OrganizationService } from '../../organization/organizations/index.js'
import { UserAccess } from '../../people/user-access/index.js'
import { apiEmail, UserDirectory, type UserRow } from '../../people/users/index.js'
import { presenceChanged, type PresenceNews } from './presence-events.js'
import { PresenceRepository, type PresenceRow } from './presence-repository.js'
import { modernView, websiteView } from './presence-view.js'

/** In organizations with more active users, no event is sent when a user comes online. */
const maxRecipients = 100

/** Stores presences and sends events about them. */
@perServer()
export class PresenceService {
  constructor(
    @inject(PresenceRepository) private readonly presences: PresenceRepository,
    @inject(UserDirectory) private readonly users: UserDirectory,
    @inject(UserAccess) private readonly userAccess: UserAccess,
    @inject(ActiveUsers) private readonly activeUsers: ActiveUsers,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(Database) private readonly database: Database,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(EventBusToken) private readonly bus: EventBus,
    @inject(ClockToken) private readonly clock: Clock,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  /** Stores a client's report, unless its user is set to be invisible. */
  async report(actor: Actor, status: PresenceStatus): Promise<void> {
    const scope = this.database.read(actor.organizationId)
    const user = await this.users.require(scope, actor.userId)
    if (!isVisible(user.settings)) return
    const now = nowSeconds(this.clock)
    const known = timesOf(await this.presences.find(scope, user.id))
    // Usually another client of the user has already reported the same.
    if (!reportPresence(known, status, now).hasChanged) return
    const reportWithin = async (tx: Transaction): Promise<PresenceTimes | undefined> => {
      // Read again under the lock: the user may have become invisible after the first check.
      if (!isVisible(await this.presences.lockSettings(tx, user.id))) return undefined
      const stored = timesOf(await this.presences.findForChange(tx, user.id))
      const report = reportPresence(stored, status, now)
      if (!report.hasChanged) return undefined
      await this.#store(tx, user.id, report.times, stored === undefined)
      return report.isNews ? report.times : undefined
    }
    const news = await this.unitOfWork.runFor(actor, reportWithin, { skipWriteLock: true })
    if (news !== undefined) await this.#publishOnline(scope, user, news)
  }

  /**
   * Makes a user visible from now on, or invisible since a while ago, in the transaction that
   * changes their setting `presence_enabled`. Sends an event to all users who can access the user.
   */
  async switchVisibility(tx: Transaction, user: UserRow, becomesVisible: boolean): Promise<void> {
    const now = nowSeconds(this.clock)
    const stored = timesOf(await this.presences.findForChange(tx, user.id))
    const times = becomesVisible
      ? { activeAt: now, connectedAt: now }
      : backdatePresence(stored, now)
    await this.#store(tx, user.id, times, stored === undefined)
    if (await this.#isOff(tx)) return
    const audienceId = await this.activeUsers.audience(tx)
    const exceptUserIds = await this.userAccess.guestsWithoutAccess(tx, user)
    tx.emit(presenceChanged({ audienceId, exceptUserIds }, this.#newsOf(user, times)))
  }

  async #store(
    tx: Transaction,
    userId: number,
    { activeAt, connectedAt }: PresenceTimes,
    isFirst: boolean,
  ): Promise<void> {
    const changes = {
      active_at_seconds: activeAt,
      connected_at_seconds: connectedAt,
      update_id: await this.presences.nextUpdateId(tx),
    }
    if (!isFirst) {
      await this.presences.update(tx, userId, changes)
      return
    }
    try {
      await this.presences.insert(tx, { user_id: userId, ...changes })
    } catch (error) {
      // Two clients of the user sent a first report concurrently, with the same data.
      if (!tx.dialect.isUniqueViolation(error)) throw error
      await this.presences.update(tx, userId, changes)
    }
  }

  async #publishOnline(
    scope: OrganizationScope,
    user: UserRow,
    times: PresenceTimes,
  ): Promise<void> {
    if (await this.#isOff(scope)) return
    const withoutAccess = new Set(await this.userAccess.guestsWithoutAccess(scope, user))
    const limit = maxRecipients + 1 + withoutAccess.size
    const active = await this.presences.listActiveUserIds(scope, limit)
    const userIds = active.filter((id) => !withoutAccess.has(id))
    if (userIds.length > maxRecipients) return
    const { organizationId } = scope
    const { kind } = presenceChanged.definition
    const data = this.#newsOf(user, times)
    this.bus.publishEphemeral({ organizationId, kind, userIds, data })
  }

  async #isOff(scope: OrganizationScope): Promise<boolean> {
    const { settings } = await this.organizations.require(scope.organizationId)
    return settings.presence_disabled
  }

  #newsOf(user: UserRow, { activeAt, connectedAt }: PresenceTimes): PresenceNews {
    const shown = {
      active_at_seconds: activeAt,
      connected_at_seconds: connectedAt,
      joined_at_milliseconds: user.joined_at_milliseconds,
    }
    return {
      user_id: user.id,
      email: apiEmail(user, this.facts),
      server_timestamp: this.clock.now() / 1000,
      modern: modernView(shown),
      website: websiteView(shown),
    }
  }
}

function isVisible(settings: UserSettingsJson): boolean {
  return parseUserSettings(settings).presence_enabled
}

function timesOf(row: PresenceRow | undefined): PresenceTimes | undefined {
  if (row === undefined) return undefined
  return { activeAt: row.active_at_seconds, connectedAt: row.connected_at_seconds }
}
