import type { InjectionToken } from 'tsyringe'

import type { Actor } from '../domain/actor.js'
import type { EventQueueOptions } from '../events/event-queue.js'
import type { OrganizationScope } from '../storage/index.js'
import type { Tables } from '../storage/tables.js'
import type { OrganizationState } from '../domain/organization-state.js'

/** The input of a snapshot section. */
export interface SnapshotContext {
  /** One consistent state of the database; every read of a snapshot uses this scope. */
  readonly scope: OrganizationScope
  readonly actor: Actor
  /**
   * The caller's row. Its type names the table, because the users' resource implements a section
   * itself.
   */
  readonly self: Tables['users']
  readonly organization: OrganizationState
  readonly queue: EventQueueOptions
  /** The origin at which the client reached the server. */
  readonly origin: string
  /** `include_subscribers` of the request. */
  readonly includeSubscribers: 'true' | 'false' | 'partial'
  /** `presence_history_limit_days` of the request. */
  readonly presenceHistoryDays: number
  /** Whether the client requests the section of this name, or all sections. */
  wants(fetchType: string): boolean
  /** Whether the client lists sections, this one among them. */
  names(fetchType: string): boolean
}

/**
 * The part of the response of `POST /register` that one resource provides. Its keys are declared
 * beside it and listed in `register/registration.ts`.
 */
export interface SnapshotSection {
  /** Returns the keys that the client requests; reads only through `context.scope`. */
  load(context: SnapshotContext): Promise<Record<string, unknown>>
}

/** All sections of a server. */
export const SnapshotSectionsToken: InjectionToken<readonly SnapshotSection[]> =
  Symbol('SnapshotSections')
