import { inject } from 'tsyringe'

import { limits } from '../../../domain/limits.js'
import type { Actor } from '../../../domain/users/actor.js'
import { badRequest } from '../../../errors/index.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { Database, type OrganizationScope } from '../../../storage/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import { UserAccess } from '../../people/user-access/index.js'
import { UserLookup, UserRepository, type UserRow } from '../../people/users/index.js'
import type { KnownPresence, OrganizationPresences } from './organization-presences.js'
import { PresenceMemory } from './presence-memory.js'
import type { Presences, SinglePresence, WebsitePresence } from './presence-events.js'
import { presencesView, websiteView } from './presence-view.js'

const daySeconds = 86_400

/** Number of days of presence history unless the client sets it. */
export const defaultHistoryDays = 14

/** The presences that a client requests. */
export interface PresenceQuery {
  /** The newest update that the client has; only newer ones are returned. */
  readonly lastUpdateId?: number | undefined
  /** Number of days since users were last connected; applies if the client has no update yet. */
  readonly historyDays: number
  readonly format: 'modern' | 'legacy'
}

export interface PresenceAnswer {
  readonly presences: Presences
  /** The newest update returned; without one, the client's last update, or -1. */
  readonly presence_last_update_id: number
  /** UNIX seconds with a fraction. */
  readonly server_timestamp: number
}

/** The presence of a user as it is now. */
export interface CurrentPresence {
  readonly status: 'active' | 'idle' | 'offline'
  /** Null for a user who was connected but never active. */
  readonly activeAtSeconds: number | null
  /** As the clients of the user have reported it, however long ago. */
  readonly reported: Pick<WebsitePresence, 'status' | 'timestamp'>
}

/** Reads the presences of users. */
@perServer()
export class PresenceReader {
  constructor(
    @inject(PresenceMemory) private readonly memory: PresenceMemory,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(UserLookup) private readonly lookup: UserLookup,
    @inject(UserAccess) private readonly userAccess: UserAccess,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(Database) private readonly database: Database,
    @inject(ClockToken) private readonly clock: Clock,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  /** The presences of the active human users whom `actor` can access. */
  async read(
    actor: Actor,
    query: PresenceQuery,
    scope: OrganizationScope = this.database.read(actor.organizationId),
  ): Promise<PresenceAnswer> {
    const { lastUpdateId, format } = query
    const server_timestamp = this.clock.now() / 1000
    const { settings } = await this.organizations.require(actor.organizationId)
    if (settings.presence_disabled) {
      return { presences: {}, presence_last_update_id: -1, server_timestamp }
    }
    const found = await this.#list(scope, actor, query)
    return {
      presences: presencesView(found, format, this.facts),
      presence_last_update_id: found.reduce(
        (newest, { updateId }) => Math.max(newest, updateId ?? newest),
        lastUpdateId ?? -1,
      ),
      server_timestamp,
    }
  }

  /**
   * @param named an id or an address.
   * @throws {ChatError} `BAD_REQUEST` if there is no such user whom `actor` can access, it is a
   *   bot, or it has no presence.
   */
  async readOne(actor: Actor, named: string): Promise<SinglePresence> {
    const scope = this.database.read(actor.organizationId)
    const found = await this.#find(scope, actor, named)
    const user = await this.userAccess.requireAccess(scope, actor, found)
    if (!user.is_active) throw badRequest('USER_UNKNOWN')
    if (user.is_bot) throw badRequest('PRESENCE_OF_BOT')
    const presences = await this.readCurrent(actor.organizationId, [user.id])
    const presence = presences.get(user.id)
    if (presence === undefined) throw badRequest('PRESENCE_UNKNOWN', { user: named })
    const { status, reported } = presence
    const { timestamp } = reported
    return {
      aggregated: { status, timestamp },
      website: { status: reported.status, timestamp },
    }
  }

  /** The presences of users as they are now; without users who have none. */
  async readCurrent(
    organizationId: number,
    userIds: readonly number[],
  ): Promise<Map<number, CurrentPresence>> {
    const current = new Map<number, CurrentPresence>()
    const { settings } = await this.organizations.require(organizationId)
    if (settings.presence_disabled) return current
    const presences = await this.#open({ organizationId })
    for (const userId of userIds) {
      const presence = presences.find(userId)
      if (presence === undefined) continue
      const reported = websiteView(presence)
      const age = nowSeconds(this.clock) - reported.timestamp
      const isOffline = age > limits.presenceOfflineThresholdSeconds
      const status = isOffline ? 'offline' : reported.status
      current.set(userId, { status, activeAtSeconds: presence.activeAt, reported })
    }
    return current
  }

  async #list(
    scope: OrganizationScope,
    actor: Actor,
    { lastUpdateId, historyDays }: PresenceQuery,
  ): Promise<readonly KnownPresence[]> {
    const hasSome = lastUpdateId !== undefined && lastUpdateId > 0
    if (!hasSome && historyDays === 0) return []
    const connectedFrom = Math.max(0, nowSeconds(this.clock) - historyDays * daySeconds)
    const presences = await this.#open(actor)
    const news = presences.after(lastUpdateId)
    const recent = hasSome ? news : news.filter(({ connectedAt }) => connectedAt >= connectedFrom)
    const accessible = await this.userAccess.accessibleTo(scope, actor)
    return accessible === undefined ? recent : recent.filter(({ user }) => accessible.has(user.id))
  }

  async #open({ organizationId }: Pick<Actor, 'organizationId'>): Promise<OrganizationPresences> {
    const uncommitted = await this.memory.openUncommitted(organizationId)
    return uncommitted ?? this.memory.open(organizationId)
  }

  async #find(scope: OrganizationScope, actor: Actor, named: string): Promise<UserRow | undefined> {
    if (!/^\d+$/.test(named)) return this.lookup.findByEmail(scope, actor, named)
    return this.users.find(scope, Math.min(Number(named), Number.MAX_SAFE_INTEGER))
  }
}
