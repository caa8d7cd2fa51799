import type { InjectionToken } from 'tsyringe'

import { OperationHooks } from '../events/application/operation-hooks.js'
import { isCallable, methodName } from '../http/calls/callable-operations.js'
import type { Logger } from '../kernel/logger.js'
import { allOperations } from '../resources/index.js'
import { hookUserOf, UserRepository } from '../resources/people/users/index.js'
import type { Database } from '../storage/index.js'

/** Creates the hooks of a server: of the operations that the application's code can call. */
export function createHooks(
  database: Database,
  resolve: <Service>(token: InjectionToken<Service>) => Service,
  logger: Logger,
): OperationHooks {
  return new OperationHooks({
    names: allOperations.filter(isCallable).map(({ id }) => methodName(id)),
    findUser: async ({ organizationId, userId }) => {
      const user = await resolve(UserRepository).find(database.read(organizationId), userId)
      return user && hookUserOf(user)
    },
    logger,
  })
}
