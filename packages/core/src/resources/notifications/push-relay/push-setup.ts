import { randomUUID } from 'node:crypto'

import { LRUCache } from 'lru-cache'
import { inject } from 'tsyringe'

import type { OrganizationSettings } from '../../../domain/organizations/organization-settings.js'
import { ChatError } from '../../../errors/index.js'
import { entryLimit } from '../../../kernel/entry-limit.js'
import { keysOf } from '../../../kernel/objects.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import { Database, UnitOfWork, type OrganizationScope } from '../../../storage/index.js'
import { ActiveUsers, OrganizationService } from '../../organization/organizations/index.js'
import {
  PushRelayError,
  PushRelayToken,
  type PushRelay,
  type PushStatus,
  type PushUser,
} from './push-relay.js'
import { pushIdentities } from './push-identities-table.js'

/** The organization's settings that follow from the relay's status. */
type PushSettings = Partial<
  Pick<
    OrganizationSettings,
    'push_notifications_enabled' | 'push_notifications_enabled_end_timestamp'
  >
>

/** The id of the organization itself among the ids of its users. */
const organizationItself = 0

/** The identities that relays need, and the handling of relay responses. */
@perServer()
export class PushSetup {
  readonly #closing = new AbortController()
  /** UUIDs by organization and user. They never change, so they are never invalidated. */
  readonly #uuidCache = new LRUCache<string, string>(entryLimit(10_000))

  constructor(
    @inject(PushRelayToken) private readonly configured: { relay: PushRelay | undefined },
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(ActiveUsers) private readonly activeUsers: ActiveUsers,
    @inject(Database) private readonly database: Database,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Undefined if push notifications are not configured. */
  get relay(): PushRelay | undefined {
    return this.configured.relay
  }

  /** Aborted when the server closes. */
  get signal(): AbortSignal {
    return this.#closing.signal
  }

  /** @throws {ChatError} `PUSH_SERVICE_NOT_CONFIGURED` if there is no relay. */
  requireRelay(): PushRelay {
    if (this.relay === undefined) throw new ChatError('PUSH_SERVICE_NOT_CONFIGURED')
    return this.relay
  }

  /** Aborts all running requests to the relay. */
  close(): void {
    this.#closing.abort()
  }

  /** The UUIDs of a user and the organization at relays; created on first use. */
  async identify(organizationId: number, userId: number): Promise<PushUser> {
    const uuidOf = await this.#uuids(organizationId, [organizationItself, userId])
    return { realmUuid: uuidOf(organizationItself), userUuid: uuidOf(userId), userId }
  }

  async realmUuid(organizationId: number): Promise<string> {
    const uuidOf = await this.#uuids(organizationId, [organizationItself])
    return uuidOf(organizationItself)
  }

  /** Stores that the relay has accepted a request of the organization. */
  async noteAccepted(organizationId: number): Promise<void> {
    const { settings } = await this.organizations.require(organizationId)
    const { push_notifications_enabled_end_timestamp: expectedEndSeconds } = settings
    await this.note(organizationId, { canPush: true, expectedEndSeconds })
  }

  /**
   * Stores the relay's status of the organization, and sends an event to all users if it changed.
   */
  async note(organizationId: number, status: PushStatus | undefined): Promise<void> {
    if (status === undefined) return
    if (Object.keys(await this.#newsOf(organizationId, status)).length === 0) return
    await this.unitOfWork.run(organizationId, async (tx) => {
      // Read again in the transaction: another process may have stored it.
      const changes = await this.#newsOf(organizationId, status)
      if (Object.keys(changes).length === 0) return
      const audienceId = await this.activeUsers.audience(tx)
      await this.organizations.changeSettings(tx, { audienceId }, changes)
    })
  }

  async #newsOf(organizationId: number, status: PushStatus): Promise<PushSettings> {
    const { settings } = await this.organizations.require(organizationId)
    const newSettings: PushSettings = {
      push_notifications_enabled: status.canPush,
      push_notifications_enabled_end_timestamp: status.expectedEndSeconds,
    }
    const isNews = (name: keyof PushSettings): boolean => settings[name] !== newSettings[name]
    return Object.fromEntries(
      keysOf(newSettings)
        .filter(isNews)
        .map((name) => [name, newSettings[name]]),
    )
  }

  /**
   * Converts a relay's failure into the error for the client. Marks an organization that may no
   * longer use push.
   */
  async explain(organizationId: number, error: unknown): Promise<unknown> {
    if (!(error instanceof PushRelayError)) return error
    const { problem, message, cause } = error
    if (problem === 'unregistered' || problem === 'disallowed') {
      await this.note(organizationId, { canPush: false, expectedEndSeconds: null })
    }
    if (problem === 'unreachable') return new ChatError('FAILED_TO_CONNECT_BOUNCER', { cause })
    if (problem === 'broken') return new ChatError('INTERNAL_SERVER_ERROR_ON_BOUNCER', { cause })
    if (problem !== 'refused') return new ChatError('ADMIN_ACTION_REQUIRED', { cause })
    if (error.code === 'INVALID_REMOTE_PUSH_DEVICE_TOKEN') {
      return new ChatError('INVALID_REMOTE_PUSH_DEVICE_TOKEN', { message })
    }
    // The text is that of the relay.
    return new ChatError('BAD_REQUEST', { message })
  }

  async #uuids(
    organizationId: number,
    userIds: readonly number[],
  ): Promise<(id: number) => string> {
    const keyOf = (id: number) => `${organizationId}/${id}`
    const uuids = new Map(userIds.map((id) => [id, this.#uuidCache.get(keyOf(id))]))
    if ([...uuids.values()].includes(undefined)) {
      // Not in a transaction of the application, whose rollback would not reach the cache.
      const stored = await this.database.joined.outside(() =>
        this.#storedUuids(organizationId, userIds),
      )
      for (const [id, uuid] of stored) {
        this.#uuidCache.set(keyOf(id), uuid)
        uuids.set(id, uuid)
      }
    }
    return (id) => present(uuids.get(id), 'the UUID of each user')
  }

  async #storedUuids(
    organizationId: number,
    userIds: readonly number[],
  ): Promise<ReadonlyMap<number, string>> {
    const known = await uuidsOf(this.database.read(organizationId), userIds)
    if (known.size === userIds.length) return known
    await this.unitOfWork.run(organizationId, async (tx) => {
      const named = await uuidsOf(tx, userIds)
      const unnamed = userIds.filter((id) => !named.has(id))
      await tx
        .rows(pushIdentities)
        .insertMany(unnamed.map((user_id) => ({ user_id, uuid: randomUUID() })))
    })
    return uuidsOf(this.database.read(organizationId), userIds)
  }
}

/** The existing UUIDs of these users, by user id. */
async function uuidsOf(
  scope: OrganizationScope,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const rows = await scope.rows(pushIdentities).list({ user_id: userIds })
  return new Map(rows.map((row) => [row.user_id, row.uuid]))
}
