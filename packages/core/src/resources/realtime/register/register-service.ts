import { inject } from 'tsyringe'

import { announcedVersion, featureLevel } from '../../../domain/limits.js'
import { type Actor, isSpectator } from '../../../domain/users/actor.js'
import { firstIdOf } from '../../../events/event-id.js'
import type { EventQueueOptions } from '../../../events/queues/event-queue.js'
import { perServer } from '../../../kernel/per-server.js'
import { type ServerFacts, ServerFactsToken } from '../../../kernel/server-facts.js'
import {
  type SnapshotContext,
  type SnapshotLoader,
  SnapshotLoadersToken,
} from '../../../resource-definition/snapshot.js'
import { Database } from '../../../storage/index.js'
import {
  OrganizationRepository,
  organizationStateOf,
} from '../../organization/organizations/index.js'
import { actorOf, UserRepository } from '../../people/users/index.js'
import { EventQueueService } from '../event-queues/index.js'
import { forSpectators, spectatorRow } from './spectator-snapshot.js'

interface DisabledFeature {
  /** The feature is off if all of these operations are switched off. */
  readonly operations: readonly string[]
  /** The values that clients get then, by the key of the registration. */
  readonly values: Readonly<Record<string, boolean | number | string>>
}

/** The features for which registrations have a word. */
const features: readonly DisabledFeature[] = [
  { operations: ['upload-file'], values: { max_file_upload_size_mib: 0 } },
  {
    operations: ['upload-avatar', 'remove-avatar'],
    values: { server_avatar_changes_disabled: true },
  },
  { operations: ['update-presence'], values: { realm_presence_disabled: true } },
  { operations: ['get-read-receipts'], values: { realm_enable_read_receipts: false } },
  { operations: ['update-message'], values: { realm_allow_message_editing: false } },
  {
    operations: ['get-message-history'],
    values: { realm_message_edit_history_visibility_policy: 'none' },
  },
  {
    // Subscribing creates channels that do not exist.
    operations: ['create-channel', 'subscribe'],
    values: {
      can_create_streams: false,
      can_create_public_streams: false,
      can_create_private_streams: false,
      can_create_web_public_streams: false,
    },
  },
  {
    operations: ['add-apns-token', 'add-fcm-token', 'register-push-device'],
    values: { realm_push_notifications_enabled: false },
  },
]

/** The keys of a registration, in which the features that are switched off are off. */
function withoutDisabledFeatures(
  keys: Readonly<Record<string, unknown>>,
  disabledOperations: ReadonlySet<string>,
): Readonly<Record<string, unknown>> {
  if (disabledOperations.size === 0) return keys
  const shown: Record<string, unknown> = { ...keys }
  for (const { operations, values } of features) {
    if (!operations.every((id) => disabledOperations.has(id))) continue
    for (const [name, value] of Object.entries(values)) if (name in shown) shown[name] = value
  }
  return shown
}

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
