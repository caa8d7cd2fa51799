import type { InjectionToken } from 'tsyringe'

import type { EventDefinition } from '../events/event.js'
import type { Operation } from '../http/operation.js'
import type { BackgroundWork } from '../kernel/periodic-task.js'
import type { FileSection } from './file-section.js'
import type { Snapshot } from './snapshot.js'

/**
 * The parts that a resource adds to the server. Hooks, whose order is a contract, are in
 * `resources/steps.ts`.
 */
export interface Resource {
  readonly operations: readonly Operation[]
  readonly events: readonly EventDefinition[]
  /** Its part of the response of `POST /register`. */
  readonly snapshot: Snapshot | undefined
  /** Its list in organization files. */
  readonly fileSection: FileSection | undefined
  /** Work that runs while the server is running. */
  readonly backgroundWork: readonly InjectionToken<BackgroundWork>[]
}

/** Declares a resource, in the `index.ts` of its folder; `resources/index.ts` lists all of them. */
export function defineResource(definition: {
  readonly operations?: readonly Operation[]
  /** The results of `defineEvent`. */
  readonly events?: readonly { readonly definition: EventDefinition<never> }[]
  readonly snapshot?: Snapshot
  readonly fileSection?: FileSection
  readonly backgroundWork?: readonly InjectionToken<BackgroundWork>[]
}): Resource {
  const { operations = [], events = [], backgroundWork = [], snapshot, fileSection } = definition
  return {
    operations,
    // The data of an event is only ever passed to its own definition.
    events: events.map(({ definition: event }) => event as EventDefinition),
    snapshot,
    fileSection,
    backgroundWork,
  }
}
