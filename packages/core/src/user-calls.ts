import { inject } from 'tsyringe'

import type { NewMessage, UserApi, UserReference } from './chat-server.js'
import type { Actor } from './domain/actor.js'
import { badRequest } from './errors/index.js'
import { perServer } from './kernel/per-server.js'
import { MessageService } from './resources/messages/index.js'
import { OrganizationService } from './resources/organizations/index.js'
import { actorOf, ExternalAccounts, UserRepository, type UserRow } from './resources/users/index.js'
import { Database, type OrganizationScope } from './storage/index.js'

/** The name of the client that messages of the application's own code carry. */
const clientName = 'Internal'

/** Calls of the application's own code in the name of users: the same services as over HTTP. */
@perServer()
export class UserCalls {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(ExternalAccounts) private readonly externalAccounts: ExternalAccounts,
    @inject(MessageService) private readonly messages: MessageService,
  ) {}

  /**
   * @throws {ChatError} `BAD_REQUEST` if there is no such organization or active user.
   * @throws {TypeError} if the reference names nobody in any of the ways there are.
   */
  async as(reference: UserReference): Promise<UserApi> {
    requireReference(reference)
    const actor = await this.#actor(reference)
    return {
      userId: actor.userId,
      messages: {
        send: async (draft, options = {}) => {
          requireDraft(draft)
          const { id } = await this.messages.send(
            actor,
            { ...draft, to: JSON.stringify(draft.to), clientName },
            { within: options.transaction },
          )
          return { id }
        },
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
    const user = await this.#user(scope, reference)
    if (user === undefined) throw badRequest('No such user')
    if (!user.is_active) throw badRequest('User is deactivated')
    return actorOf(user)
  }

  async #user(scope: OrganizationScope, reference: UserReference): Promise<UserRow | undefined> {
    if ('userId' in reference) return this.users.find(scope, reference.userId)
    if ('email' in reference) return this.externalAccounts.ensure(scope, reference)
    return this.users.findByExternalId(scope, reference.externalId)
  }
}

// Applications in plain JavaScript have no compiler to tell them.

function requireReference(reference: Partial<Record<'userId' | 'externalId', unknown>>): void {
  const { userId, externalId } = reference ?? {}
  if (!Number.isSafeInteger(userId) && (typeof externalId !== 'string' || externalId === '')) {
    throw new TypeError('chat.as: needs userId, a number, or externalId, a text')
  }
}

/** Rather than a direct message where the type was misspelt. */
function requireDraft(draft: NewMessage): void {
  const { type, to, topic, content } = (draft ?? {}) as Partial<Record<keyof NewMessage, unknown>>
  const problems: string[] = []
  if (type !== 'channel' && type !== 'direct') problems.push("type must be 'channel' or 'direct'")
  if (to === undefined) problems.push('to is missing')
  if (topic !== undefined && typeof topic !== 'string') problems.push('topic must be a text')
  if (typeof content !== 'string') problems.push('content must be a text')
  if (problems.length > 0) throw new TypeError(`messages.send: ${problems.join('; ')}`)
}
