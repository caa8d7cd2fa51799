import { inject } from 'tsyringe'

import type { OrganizationState } from '../domain/organizations/organization-state.js'
import { applicationActor, type Actor } from '../domain/users/actor.js'
import { badRequest, ChatError } from '../errors/index.js'
import { FollowedLogs } from '../events/log/followed-logs.js'
import { ApplicationCalls } from '../http/calls/application-calls.js'
import { knownOptions } from '../kernel/known-options.js'
import { perServer } from '../kernel/per-server.js'
import {
  ApplicationInvitations,
  type InvitationAnswer,
  type OpenInvitation,
} from '../resources/accounts/invitations/index.js'
import {
  ApplicationChannels,
  type ApplicationChannel,
  type EnsuredChannel,
  type EnsureResult,
} from '../resources/channels/application-channels/index.js'
import { OrganizationService } from '../resources/organization/organizations/index.js'
import {
  actorOf,
  ExternalAccounts,
  externalIdOf,
  isIdentity,
  requireIdentity,
  UserDirectory,
  UserRepository,
  type OrganizationReference,
  type UserRow,
} from '../resources/people/users/index.js'
import { Database, UnitOfWork, type OrganizationScope } from '../storage/index.js'
import type { ChatApi } from './api-types.generated.js'
import type { CallOptions, RepeatableCallOptions } from './call-options.js'
import type { SystemApi, UserApi, UserReference } from './chat-server.js'

/** Runs a call while the server is running. */
export type CallRunner = <Result>(call: () => Promise<Result>) => Promise<Result>

/** Calls of the application's own code, as users and as the application itself. */
@perServer()
export class UserCalls {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(UserDirectory) private readonly directory: UserDirectory,
    @inject(FollowedLogs) private readonly logs: FollowedLogs,
    @inject(ExternalAccounts) private readonly externalAccounts: ExternalAccounts,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ApplicationCalls) private readonly calls: ApplicationCalls,
    @inject(ApplicationChannels) private readonly channels: ApplicationChannels,
    @inject(ApplicationInvitations) private readonly invitations: ApplicationInvitations,
  ) {}

  /** @throws {TypeError} if the reference is invalid; the message names every wrong field. */
  as(reference: UserReference, run: CallRunner): UserApi {
    requireReference(reference)
    if (isIdentity(reference)) requireIdentity(reference, 'chat.as')
    const { organization: subdomain } = reference
    const find = (organization: OrganizationState) => this.#actor(organization, reference)
    return {
      api: this.#api(this.calls.names, subdomain, find, run),
      id: async (options) =>
        run(() =>
          this.#within(
            subdomain,
            knownOptions('id', options, { within: true }),
            isIdentity(reference),
            async (organization) => {
              return (await find(organization)).userId
            },
          ),
        ),
    }
  }

  asSystem(reference: OrganizationReference, run: CallRunner): SystemApi {
    const { organization: subdomain } = knownOptions('chat.asSystem', reference, {
      organization: true,
    })
    const find = async ({ id }: OrganizationState): Promise<Actor> => applicationActor(id)
    return { api: this.#api(this.calls.namesWithoutAccount, subdomain, find, run) }
  }

  async ensureChannel(channel: EnsuredChannel, options?: CallOptions): Promise<EnsureResult> {
    return this.#within(channel?.organization, options, true, ({ id }) =>
      this.channels.ensure(id, channel),
    )
  }

  async findChannel(
    externalId: string | number,
    { organization }: OrganizationReference = {},
  ): Promise<ApplicationChannel | undefined> {
    return this.channels.find((await this.#organization(organization)).id, externalId)
  }

  async findInvitation(
    token: string,
    { organization }: OrganizationReference = {},
  ): Promise<OpenInvitation | undefined> {
    return this.invitations.find((await this.#organization(organization)).id, token)
  }

  async acceptInvitation(answer: InvitationAnswer, options?: CallOptions): Promise<number> {
    return this.#within(answer?.organization, options, true, ({ id }) =>
      this.invitations.accept(id, answer),
    )
  }

  #api(
    names: readonly string[],
    subdomain: string | undefined,
    find: (organization: OrganizationState) => Promise<Actor>,
    run: CallRunner,
  ): ChatApi {
    const methods = names.map((name) => {
      const isWriting = this.calls.mayWrite(name)
      const method = async (
        params: Readonly<Record<string, unknown>> = {},
        options?: RepeatableCallOptions,
      ) =>
        run(() => {
          const { idempotencyKey, ...others } =
            knownOptions(name, options, this.calls.optionNames(name)) ?? {}
          return this.#within(subdomain, others, isWriting, async (organization) =>
            this.calls.call(name, params, {
              actor: await find(organization),
              organization,
              idempotencyKey,
            }),
          )
        })
      return [name, method]
    })
    // Both the names and their types follow from the same declarations; a test compares them.
    return Object.fromEntries(methods) as ChatApi
  }

  async #within<Result>(
    subdomain: string | undefined,
    { within }: CallOptions = {},
    isWriting: boolean,
    call: (organization: OrganizationState) => Promise<Result>,
  ): Promise<Result> {
    const organization = await this.#organization(subdomain)
    await this.logs.becomeCurrent(organization.id)
    if (within === undefined) return call(organization)
    return this.unitOfWork.join(organization.id, within, isWriting, () => call(organization))
  }

  async #actor(organization: OrganizationState, reference: UserReference): Promise<Actor> {
    const user = await this.#user(this.database.read(organization.id), reference)
    if (user === undefined) throw badRequest('USER_UNKNOWN')
    if (!user.is_active) throw new ChatError('CALLER_DEACTIVATED')
    return actorOf(user)
  }

  async #organization(subdomain: string | undefined): Promise<OrganizationState> {
    const organization = await this.organizations.requireNamed(subdomain)
    if (organization.isDeactivated) throw new ChatError('CALLER_REALM_DEACTIVATED')
    return organization
  }

  async #user(scope: OrganizationScope, reference: UserReference): Promise<UserRow | undefined> {
    if ('userId' in reference) return this.directory.find(scope, reference.userId)
    if (isIdentity(reference)) {
      return this.externalAccounts.ensure(scope, requireIdentity(reference, 'chat.as'))
    }
    const externalId = externalIdOf(reference.externalId)
    return externalId === undefined ? undefined : this.users.findByExternalId(scope, externalId)
  }
}

/** @throws {TypeError} because applications in plain JavaScript are not type-checked. */
function requireReference(reference: Partial<Record<'userId' | 'externalId', unknown>>): void {
  const { userId, externalId } = reference ?? {}
  if (!Number.isSafeInteger(userId) && externalIdOf(externalId) === undefined) {
    throw new TypeError(
      'chat.as: needs userId, an integer, or externalId, an integer or a string of 1 to 190 characters',
    )
  }
}
