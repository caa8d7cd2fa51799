import { inject } from 'tsyringe'

import type { UserApi, UserReference } from './chat-server.js'
import type { Actor } from './domain/actor.js'
import { badRequest } from './errors/index.js'
import { perServer } from './kernel/per-server.js'
import { MessageService } from './resources/messages/index.js'
import { OrganizationService } from './resources/organizations/index.js'
import { actorOf, UserRepository } from './resources/users/index.js'
import { Database } from './storage/index.js'

/** The name of the client that messages of the application's own code carry. */
const clientName = 'Internal'

/** Calls of the application's own code in the name of users: the same services as over HTTP. */
@perServer()
export class UserCalls {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(MessageService) private readonly messages: MessageService,
  ) {}

  /** @throws {ChatError} `BAD_REQUEST` if there is no such organization or active user. */
  async as(reference: UserReference): Promise<UserApi> {
    const actor = await this.#actor(reference)
    return {
      userId: actor.userId,
      messages: {
        send: async (draft, options = {}) => ({
          id: await this.messages.send(
            actor,
            { ...draft, to: JSON.stringify(draft.to), clientName },
            { within: options.transaction },
          ),
        }),
      },
    }
  }

  async #actor(reference: UserReference): Promise<Actor> {
    const organization =
      reference.organization === undefined
        ? await this.organizations.findOnly()
        : await this.organizations.findBySubdomain(reference.organization)
    if (organization === undefined) throw badRequest('No such organization')
    const scope = this.database.read(organization.id)
    const user =
      'userId' in reference
        ? await this.users.find(scope, reference.userId)
        : await this.users.findByExternalId(scope, reference.externalId)
    if (user === undefined) throw badRequest('No such user')
    if (!user.is_active) throw badRequest('User is deactivated')
    return actorOf(user)
  }
}
