import type { InjectionToken } from 'tsyringe'

import { ApplicationEvents } from '../events/application/application-events.js'
import type { BusRefusals } from '../events/bus/bus-refusals.js'
import type { EventCatalogue } from '../events/event-catalogue.js'
import type { Logger } from '../kernel/logger.js'
import {
  unreadChanges,
  UnreadMessageRepository,
} from '../resources/messages/unread-counts/index.js'
import { ExternalDirectory } from '../resources/people/users/index.js'
import type { Database } from '../storage/index.js'

/** The events of the application, with the application's ids of users and channels. */
export function createApplicationEvents(
  catalogue: EventCatalogue,
  database: Database,
  resolve: <Service>(token: InjectionToken<Service>) => Service,
  logger: Logger,
  refusals: BusRefusals,
): ApplicationEvents {
  return new ApplicationEvents(
    catalogue,
    (organizationId, userIds) =>
      resolve(ExternalDirectory).usersAmong(database.readCommitted(organizationId), userIds),
    async (organizationId, channelIds) => {
      const scope = database.readCommitted(organizationId)
      const channels = await resolve(UnreadMessageRepository).listChannels(scope, channelIds)
      return channels.map(({ id, external_id }) => ({ id, externalId: external_id }))
    },
    unreadChanges,
    logger,
    refusals,
  )
}
