import { inject } from 'tsyringe'

import { announcedVersion, featureLevel } from '../../../domain/limits.js'
import { isSpectator, type Actor } from '../../../domain/users/actor.js'
import { firstIdOf } from '../../../events/event-id.js'
import type { EventQueueOptions } from '../../../events/queues/event-queue.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import {
  SnapshotLoadersToken,
  type SnapshotContext,
  type SnapshotLoader,
} from '../../../resource-definition/snapshot.js'
import { Database } from '../../../storage/index.js'
import {
  OrganizationRepository,
  organizationStateOf,
} from '../../organization/organizations/index.js'
import { actorOf, UserRepository } from '../../people/users/index.js'
import { EventQueueService } from '../event-queues/index.js'
import { withoutDisabledFeatures } from './disabled-features.js'
import { forSpectators, spectatorRow } from './spectator-snapshot.js'

export interface SnapshotRequest {
  /** Fetch types; null for all. */
  readonly fetchTypes: readonly string[] | null
  readonly includeSubscribers: 'true' | 'false' | 'partial'
  readonly presenceHistoryDays: number
  readonly chatUrl: string
}

/** Registers event queues, with a snapshot that their events continue without gap or overlap. */
@perServer()
export class RegisterService {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(OrganizationRepository) private readonly organizationRows: OrganizationRepository,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(EventQueueService) private readonly queues: EventQueueService,
    @inject(SnapshotLoadersToken) private readonly snapshots: readonly SnapshotLoader[],
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  get defaultIdleSeconds(): number {
    return this.facts.queueIdleTimeoutSeconds
  }

  /**
   * Reads the whole snapshot from one state of the database; the queue starts right after that
   * state.
   */
  async register(
    actor: Actor,
    options: EventQueueOptions,
    request: SnapshotRequest,
  ): Promise<{
    queue_id: string | null
    last_event_id?: number
    zulip_version: string
    zulip_merge_base: string
    zulip_feature_level: number
  }> {
    const { headSeq, keys } = await this.database.snapshot(actor.organizationId, async (scope) => {
      const [row, stored] = await scope.readTogether(
        () => this.organizationRows.findCurrent(scope),
        () => this.users.find(scope, actor.userId),
      )
      const self =
        row !== undefined && isSpectator(actor) ? spectatorRow(organizationStateOf(row)) : stored
      if (row === undefined || self === undefined) {
        throw new Error(`There is no user ${actor.userId} of organization ${actor.organizationId}`)
      }
      const context: SnapshotContext = {
        scope,
        headSeq: row.event_seq,
        // Not the authenticated actor: the role may have changed since authentication.
        actor: actorOf(self),
        self,
        organization: organizationStateOf(row),
        queue: options,
        chatUrl: request.chatUrl,
        includeSubscribers: request.includeSubscribers,
        presenceHistoryDays: request.presenceHistoryDays,
        wants: (type) => request.fetchTypes === null || request.fetchTypes.includes(type),
        names: (type) => request.fetchTypes?.includes(type) ?? false,
      }
      const parts = await scope.readTogether<Readonly<Record<string, unknown>>[]>(
        ...this.snapshots.map((load) => () => load(context)),
      )
      const keys: Record<string, unknown> = Object.assign({}, ...parts)
      return {
        headSeq: row.event_seq,
        keys: withoutDisabledFeatures(keys, this.facts.disabledOperations),
      }
    })
    const versions = {
      zulip_version: announcedVersion,
      zulip_merge_base: announcedVersion,
      zulip_feature_level: featureLevel,
    }
    if (isSpectator(actor)) {
      return { queue_id: null, ...versions, ...forSpectators(keys) }
    }
    const queue = await this.queues.create(actor, options, headSeq)
    return {
      queue_id: queue.id,
      last_event_id: firstIdOf(headSeq),
      ...versions,
      ...keys,
    }
  }
}
