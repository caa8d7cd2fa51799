import { inject } from 'tsyringe'

import type { NewMessage, UserApi, UserReference } from './chat-server.js'
import type { Actor } from './domain/actor.js'
import { badRequest, ChatError } from './errors/index.js'
import type { HostIdentity } from './http/host-identity.js'
import { perServer } from './kernel/per-server.js'
import { MessageService } from './resources/messages/sending/index.js'
import { OrganizationService } from './resources/organization/organizations/index.js'
import {
  actorOf,
  ExternalAccounts,
  externalIdOf,
  requireIdentity,
  UserRepository,
  type UserRow,
} from './resources/people/users/index.js'
import { Database, type OrganizationScope } from './storage/index.js'

/** The client name of messages that the application's own code sends. */
const clientName = 'Internal'

/** Calls of the application's own code as users: the same services as over HTTP. */
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
   * @throws {ChatError} `BAD_REQUEST` if there is no such organization or user,
   *   `REALM_DEACTIVATED` or `USER_DEACTIVATED` if it is deactivated.
   * @throws {TypeError} if the reference is invalid; the message names every wrong field.
   */
  async as(reference: UserReference): Promise<UserApi> {
    requireReference(reference)
    const actor = await this.#actor(reference)
    return {
      userId: actor.userId,
      messages: {
        send: async (draft, options = {}) => {
          requireDraft(draft)
          await this.#requireOpen(actor.organizationId)
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
    if (organization.isDeactivated) throw new ChatError('CALLER_REALM_DEACTIVATED')
    const scope = this.database.read(organization.id)
    const user = await this.#user(scope, reference)
    if (user === undefined) throw badRequest('No such user')
    if (!user.is_active) throw new ChatError('CALLER_DEACTIVATED')
    return actorOf(user)
  }

  async #requireOpen(organizationId: number): Promise<void> {
    const { isDeactivated } = await this.organizations.require(organizationId)
    if (isDeactivated) throw new ChatError('CALLER_REALM_DEACTIVATED')
  }

  async #user(scope: OrganizationScope, reference: UserReference): Promise<UserRow | undefined> {
    if ('userId' in reference) return this.users.find(scope, reference.userId)
    if (isIdentity(reference)) {
      return this.externalAccounts.ensure(scope, requireIdentity(reference, 'chat.as'))
    }
    const externalId = externalIdOf(reference.externalId)
    return externalId === undefined ? undefined : this.users.findByExternalId(scope, externalId)
  }
}

/** Whether the reference is an identity, even an incomplete one, and not only an id. */
function isIdentity(reference: UserReference): reference is HostIdentity {
  return ['email', 'fullName', 'role'].some((field) => field in reference)
}

// Applications in plain JavaScript are not type-checked.

function requireReference(reference: Partial<Record<'userId' | 'externalId', unknown>>): void {
  const { userId, externalId } = reference ?? {}
  if (!Number.isSafeInteger(userId) && externalIdOf(externalId) === undefined) {
    throw new TypeError(
      'chat.as: needs userId, an integer, or externalId, an integer or a string of 1 to 190 characters',
    )
  }
}

/** Rejects a misspelled type, which would otherwise mean a direct message. */
function requireDraft(draft: NewMessage): void {
  const { type, to, topic, content } = (draft ?? {}) as Partial<Record<keyof NewMessage, unknown>>
  const problems: string[] = []
  if (type !== 'channel' && type !== 'direct') problems.push("type must be 'channel' or 'direct'")
  if (to === undefined) problems.push('to is missing')
  if (topic !== undefined && typeof topic !== 'string') problems.push('topic must be a text')
  if (typeof content !== 'string') problems.push('content must be a text')
  if (problems.length > 0) throw new TypeError(`messages.send: ${problems.join('; ')}`)
}
