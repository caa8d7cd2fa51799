import { inject } from 'tsyringe'

import { Quotas } from '../../../domain/quotas.js'
import { foldCase } from '../../../domain/texts/folding.js'
import type { Actor } from '../../../domain/users/actor.js'
import { isSystemBotId } from '../../../domain/users/system-bots.js'
import { badRequest } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import type { OrganizationScope, Transaction } from '../../../storage/index.js'
import { PermissionGroups } from '../../groups/user-groups/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import { UserAccess } from '../../people/user-access/index.js'
import { GuestUserVisibility } from '../../people/user-visibility/index.js'
import {
  UsersAndSystemBots,
  actorOf,
  apiEmail,
  UserRepository,
  type UserRow,
} from '../../people/users/index.js'
import { ConversationRepository, MessageRepository } from '../objects/index.js'
import type { DirectUsers } from './message-target.js'

/** Finds the participants of direct messages and checks that they may be sent. */
@perServer()
export class DirectRecipients {
  constructor(
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(UsersAndSystemBots) private readonly usersAndBots: UsersAndSystemBots,
    @inject(ConversationRepository) private readonly conversationRows: ConversationRepository,
    @inject(MessageRepository) private readonly messages: MessageRepository,
    @inject(PermissionGroups) private readonly groups: PermissionGroups,
    @inject(UserAccess) private readonly userAccess: UserAccess,
    @inject(GuestUserVisibility) private readonly visibility: GuestUserVisibility,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
    @inject(Quotas) private readonly quotas: Quotas,
  ) {}

  /**
   * Returns all participants, including the actor, ascending by id.
   *
   * @throws {ChatError} `BAD_REQUEST` if a named user does not exist, or there are too many. Actors
   *   who cannot access all users get the error that {@link requireAllowed} has for users whom they
   *   cannot access.
   */
  async resolve(scope: OrganizationScope, actor: Actor, named: DirectUsers): Promise<UserRow[]> {
    const { length } = 'ids' in named ? named.ids : named.emails
    this.quotas.require('usersPerDirectConversation', length)
    const found =
      'ids' in named
        ? await this.#byId(scope, actor, named.ids)
        : await this.#byEmail(scope, actor, named.emails)
    const byId = new Map(found.map((user) => [user.id, user]))
    if (!byId.has(actor.userId)) {
      const self = await this.users.find(scope, actor.userId)
      if (self !== undefined) byId.set(self.id, self)
    }
    this.quotas.require('usersPerDirectConversation', byId.size)
    return [...byId.values()].sort((a, b) => a.id - b.id)
  }

  /** @throws {ChatError} `BAD_REQUEST` if the actor may not write to these users. */
  async requireAllowed(
    scope: OrganizationScope,
    actor: Actor,
    participants: readonly UserRow[],
  ): Promise<void> {
    const accessible = await this.userAccess.accessibleTo(scope, actor)
    if (participants.some(({ id }) => accessible?.has(id) === false)) {
      throw badRequest('RECIPIENTS_NOT_ACCESSIBLE')
    }
    for (const user of participants) {
      if (user.is_active) continue
      throw badRequest('RECIPIENT_INACTIVE', { email: apiEmail(user, this.facts) })
    }
    const others = participants.filter((user) => user.id !== actor.userId)
    if (actor.isBot || others.every((user) => user.is_bot)) return
    await this.#requireAuthorized(participants)
    if (await this.groups.allows(actor, 'direct_message_initiator_group')) return
    const known = await this.conversationRows.find(
      scope,
      participants.map((user) => user.id),
    )
    if (known !== undefined && (await this.messages.hasMessages(scope, known))) return
    throw badRequest('DIRECT_MESSAGE_NOT_INITIATED')
  }

  /**
   * The conversation of each list of users, in the same order. Conversations are inserted for their
   * first messages; guests among the users then get access to the others.
   */
  async conversations(
    tx: Transaction,
    participantLists: readonly (readonly UserRow[])[],
  ): Promise<readonly number[]> {
    for (const participants of participantLists) {
      const users = participants.filter(({ id }) => !isSystemBotId(id))
      const diff = users.length > 1 ? await this.visibility.among(tx, users) : undefined
      if (diff === undefined) continue
      // One after the other, so that users whom several conversations show appear once.
      await this.conversationRows.findOrInsertMany(tx, [participants.map(({ id }) => id)])
      await this.visibility.sendGained(tx, diff)
    }
    return this.conversationRows.findOrInsertMany(
      tx,
      participantLists.map((participants) => participants.map(({ id }) => id)),
    )
  }

  async #requireAuthorized(participants: readonly UserRow[]): Promise<void> {
    const [first] = participants
    if (first === undefined) return
    for (const user of participants) {
      if (await this.groups.allows(actorOf(user), 'direct_message_permission_group')) return
    }
    const organization = await this.organizations.require(first.organization_id)
    const graph = await this.groups.graph(first.organization_id)
    const isDisabled =
      organization.permissions.direct_message_permission_group ===
      graph.systemGroupId('role:nobody')
    throw badRequest(isDisabled ? 'DIRECT_MESSAGES_DISABLED' : 'DIRECT_MESSAGE_NOT_AUTHORIZED')
  }

  async #byId(scope: OrganizationScope, actor: Actor, ids: readonly number[]): Promise<UserRow[]> {
    const found = await this.usersAndBots.findMany(scope, ids)
    const known = new Set(found.map((user) => user.id))
    const missing = ids.find((id) => !known.has(id))
    if (missing !== undefined) {
      await this.#requireAllVisible(actor)
      throw badRequest('RECIPIENT_ID_INVALID', { userId: missing })
    }
    return found
  }

  async #byEmail(
    scope: OrganizationScope,
    actor: Actor,
    emails: readonly string[],
  ): Promise<UserRow[]> {
    const found = await this.usersAndBots.findByApiEmails(scope, actor, emails.map(foldCase))
    const known = new Set(found.map((user) => foldCase(apiEmail(user, this.facts))))
    const missing = emails.find((email) => !known.has(foldCase(email)))
    if (missing !== undefined) {
      await this.#requireAllVisible(actor)
      throw badRequest('RECIPIENT_EMAIL_INVALID', { email: missing })
    }
    return found
  }

  /** @throws {ChatError} `BAD_REQUEST` if `actor` cannot access all users. */
  async #requireAllVisible(actor: Actor): Promise<void> {
    if (await this.userAccess.isLimited(actor)) throw badRequest('RECIPIENTS_NOT_ACCESSIBLE')
  }
}
