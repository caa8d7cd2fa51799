import type { InjectionToken } from 'tsyringe'
import type { Static, TSchema } from 'typebox'

import type { OrganizationState } from '../domain/organizations/organization-state.js'
import type { Actor } from '../domain/users/actor.js'
import type { EventQueueOptions } from '../events/queues/event-queue.js'
import type { DeepReadonly } from '../kernel/deep-readonly.js'
import type { OrganizationScope } from '../storage/index.js'
import type { Tables } from '../storage/rows/tables.js'

/** The input of a part of the snapshot. */
export interface SnapshotContext {
  /** One consistent state of the database; every read of a snapshot uses this scope. */
  readonly scope: OrganizationScope
  /** Number of the newest entry of the log that this state contains. */
  readonly headSeq: number
  readonly actor: Actor
  /**
   * The caller's row. Its type names the table, because the users' resource implements a part
   * itself.
   */
  readonly self: Tables['users']
  readonly organization: OrganizationState
  readonly queue: EventQueueOptions
  /** The URL at which the client reached the chat. */
  readonly chatUrl: string
  /** `include_subscribers` of the request. */
  readonly includeSubscribers: 'true' | 'false' | 'partial'
  /** `presence_history_limit_days` of the request. */
  readonly presenceHistoryDays: number
  /** Whether the client requests the part of this name, or all parts. */
  wants(fetchType: string): boolean
  /** Whether the client lists parts, this one among them. */
  names(fetchType: string): boolean
}

/** The values of a part's keys; a key is absent if the client does not request it. */
export type SnapshotValues<Keys extends Readonly<Record<string, TSchema>>> = {
  readonly [Key in keyof Keys]?: DeepReadonly<Static<Keys[Key]>> | undefined
}

/** The part of the response of `POST /register` that one resource provides. */
export interface Snapshot {
  /** Schemas of the keys that it can add to the response. */
  readonly keys: Readonly<Record<string, TSchema>>
  /** The part's only fetch type: {@link load} is called only if the client requests it. */
  readonly fetchType?: string
  readonly service: InjectionToken<unknown>
  /** Returns the keys that the client requests; reads only through `context.scope`. */
  load(service: unknown, context: SnapshotContext): Promise<Readonly<Record<string, unknown>>>
}

/** Declares a resource's part of the snapshot; infers the types of its values from `keys`. */
export function defineSnapshot<
  const Keys extends Readonly<Record<string, TSchema>>,
  Service,
>(definition: {
  readonly keys: Keys
  readonly fetchType?: string
  readonly service: InjectionToken<Service>
  load(service: Service, context: SnapshotContext): Promise<SnapshotValues<Keys>>
}): Snapshot {
  // Its service is only ever passed to its own `load`.
  return definition as Snapshot
}

/** Loads one part of the snapshot; returns no keys if the client does not request it. */
export type SnapshotLoader = (
  context: SnapshotContext,
) => Promise<Readonly<Record<string, unknown>>>

/** The parts of a server's snapshots, with their services. */
export const SnapshotLoadersToken: InjectionToken<readonly SnapshotLoader[]> =
  Symbol('SnapshotLoaders')

/** @param resolve resolves the service of the part when it is first loaded. */
export function snapshotLoader(
  snapshot: Snapshot,
  resolve: <Service>(token: InjectionToken<Service>) => Service,
): SnapshotLoader {
  return async (context) =>
    snapshot.fetchType !== undefined && !context.wants(snapshot.fetchType)
      ? {}
      : snapshot.load(resolve(snapshot.service), context)
}
