import type { InjectionToken } from 'tsyringe'

import type { EventDefinition } from '../events/event.js'
import type { Operation } from '../http/operation.js'
import { getApiDescription } from './api-description/index.js'
import { deleteQueue, getEvents } from './event-queues/index.js'
import { renderMessage } from './message-rendering/index.js'
import { messageSent, sendMessage } from './messages/index.js'
import { registerQueue } from './register/index.js'
import { getServerSettings } from './server-settings/index.js'
import type { SnapshotSection } from './snapshot/index.js'
import { userAdded, userUpdated, type NewcomerStep } from './users/index.js'

/** Every operation of the API: the table of contents. */
export const allOperations: readonly Operation[] = [
  getApiDescription,
  renderMessage,
  getServerSettings,
  registerQueue,
  getEvents,
  deleteQueue,
  sendMessage,
]

/** Every event that clients may receive. */
export const allEvents: readonly EventDefinition[] = [
  messageSent.definition,
  userAdded.definition,
  userUpdated.definition,
] as readonly EventDefinition<never>[] as readonly EventDefinition[]

/** The nouns that have a part in `POST /register`'s answer. */
export const allSnapshotSections: readonly InjectionToken<SnapshotSection>[] = []

/** What nouns do about every new user, in this order. */
export const allNewcomerSteps: readonly InjectionToken<NewcomerStep>[] = []
