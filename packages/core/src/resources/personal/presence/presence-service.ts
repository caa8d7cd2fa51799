import { inject } from 'tsyringe'

import {
  backdatePresence,
  latestPresence,
  reportPresence,
  type PresenceStatus,
  type PresenceTimes,
} from './presence.js'
import type { Actor } from '../../../domain/users/actor.js'
import { parseUserSettings, type UserSettingsJson } from '../../../domain/users/user-settings.js'
import { EventBusToken, type EventBus } from '../../../events/bus/bus.js'
import { Background } from '../../../kernel/background.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { Database, type OrganizationScope, type Transaction } from '../../../storage/index.js'
import {
  ActiveUsers,
  OrganizationService,
  SharedValues,
  type SharedValue,
} from '../../organization/organizations/index.js'
import { UserAccess } from '../../people/user-access/index.js'
import { apiEmail, userChanges, UserDirectory, type UserRow } from '../../people/users/index.js'
import type { OrganizationPresences } from './organization-presences.js'
import { presenceChanged, type PresenceNews } from './presence-events.js'
import { PresenceMemory } from './presence-memory.js'
import { PresenceRepository } from './presence-repository.js'
import { PresenceUpkeep } from './presence-upkeep.js'
import { modernView, websiteView } from './presence-view.js'

/** In organizations with more active users, no event is sent when a user comes online. */
const maxRecipients = 100

/** Notes presences and sends events about them. */
@perServer()
export class PresenceService {
  /** As many active users as an event of a return may have recipients, and one more. */
  readonly #firstActive: SharedValue<readonly number[]>

  constructor(
    @inject(PresenceRepository) private readonly presences: PresenceRepository,
    @inject(PresenceMemory) private readonly memory: PresenceMemory,
    @inject(PresenceUpkeep) private readonly upkeep: PresenceUpkeep,
    @inject(Background) private readonly background: Background,
    @inject(UserDirectory) private readonly users: UserDirectory,
    @inject(UserAccess) private readonly userAccess: UserAccess,
    @inject(ActiveUsers) private readonly activeUsers: ActiveUsers,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(Database) private readonly database: Database,
    @inject(EventBusToken) private readonly bus: EventBus,
    @inject(ClockToken) private readonly clock: Clock,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
    @inject(SharedValues) shared: SharedValues,
  ) {
    this.#firstActive = shared.define('presence_recipients', {
      load: (scope) => this.presences.listActiveUserIds(scope, maxRecipients + 1),
      changedBy: userChanges.all,
    })
  }

  /** Notes a client's report, unless its user is set to be invisible. */
  async report(actor: Actor, status: PresenceStatus): Promise<void> {
    const { organizationId } = actor
    const scope = this.database.read(organizationId)
    const user = await this.users.require(scope, actor.userId)
    if (!isVisible(user.settings)) return
    const presences = await this.#openForReports(organizationId)
    const known = presences.find(user.id)
    const { times, hasChanged, isNews } = reportPresence(known, status, nowSeconds(this.clock))
    // Usually another client of the user has already reported the same.
    if (!hasChanged) return
    const hasId = presences.report(user, times)
    if (!hasId) this.background.wake(this.upkeep)
    if (isNews) await this.#publishOnline(scope, user, times)
  }

  /**
   * Makes a user visible from now on, or invisible since a while ago, in the transaction that
   * changes their setting `presence_enabled`. Sends an event to all users who can access the user.
   */
  async switchVisibility(tx: Transaction, user: UserRow, becomesVisible: boolean): Promise<void> {
    const now = nowSeconds(this.clock)
    const stored = await this.presences.find(tx, user.id)
    const change = this.memory.findChange(tx.organizationId, user.id)
    const known =
      stored === undefined || change === undefined
        ? (stored ?? change)
        : latestPresence(stored, change)
    const times = becomesVisible
      ? { activeAt: now, connectedAt: now }
      : backdatePresence(known, now)
    await this.presences.store(tx, [
      {
        user_id: user.id,
        active_at_seconds: times.activeAt,
        connected_at_seconds: times.connectedAt,
        update_id: await this.presences.nextUpdateId(tx),
      },
    ])
    if (await this.#isOff(tx)) return
    const audienceId = await this.activeUsers.audience(tx)
    const exceptUserIds = await this.userAccess.guestsWithoutAccess(tx, user)
    tx.emit(presenceChanged({ audienceId, exceptUserIds }, this.#newsOf(user, times)))
  }

  async #openForReports(organizationId: number): Promise<OrganizationPresences> {
    const presences = await this.memory.open(organizationId)
    // Not inside a transaction of the application: this one would wait for it.
    if (presences.hasReserved || this.database.joined.transaction !== undefined) return presences
    await this.memory.exchange(organizationId)
    return this.memory.open(organizationId)
  }

  async #publishOnline(
    scope: OrganizationScope,
    user: UserRow,
    times: PresenceTimes,
  ): Promise<void> {
    if (await this.#isOff(scope)) return
    const withoutAccess = new Set(await this.userAccess.guestsWithoutAccess(scope, user))
    const active =
      withoutAccess.size === 0
        ? await this.#firstActive.of(scope.organizationId)
        : await this.presences.listActiveUserIds(scope, maxRecipients + 1 + withoutAccess.size)
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

  #newsOf(user: UserRow, times: PresenceTimes): PresenceNews {
    const shown = { ...times, user }
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
