import type { InjectionToken } from 'tsyringe'

import type { Actor } from '../../domain/actor.js'
import type { EventQueueOptions } from '../../events/event-queue.js'
import type { OrganizationScope } from '../../storage/index.js'
import type { Tables } from '../../storage/tables.js'
import type { OrganizationState } from '../organizations/index.js'

/** What a section of the snapshot may look at. */
export interface SnapshotContext {
  /** One unchanging state of the database; all of a snapshot is read through it. */
  readonly scope: OrganizationScope
  readonly actor: Actor
  /** The caller's own row; by its table's name, because the users have a section themselves. */
  readonly self: Tables['users']
  readonly organization: OrganizationState
  readonly queue: EventQueueOptions
  /** Origin under which the client reached the server. */
  readonly origin: string
  /** `include_subscribers` of the request. */
  readonly includeSubscribers: 'true' | 'false' | 'partial'
  /** `presence_history_limit_days` of the request. */
  readonly presenceHistoryDays: number
  /** Whether the client asked for the section of this name (or for everything). */
  wants(fetchType: string): boolean
  /** Whether the client named the sections it wants, this one among them. */
  names(fetchType: string): boolean
}

/**
 * The part of `POST /register`'s answer that one noun knows. Its keys are declared beside it and
 * listed in `register/registration.ts`.
 */
export interface SnapshotSection {
  /** The keys of the answer that the client asked for; reads everything through `context.scope`. */
  load(context: SnapshotContext): Promise<Record<string, unknown>>
}

/** All sections of a server. */
export const SnapshotSectionsToken: InjectionToken<readonly SnapshotSection[]> =
  Symbol('SnapshotSections')
