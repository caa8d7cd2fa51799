import { BotType, hasRole, isGuest, Role, type Actor } from '../../domain/users/actor.js'
import { badRequest, ChatError, namedText } from '../../errors/index.js'
import type { Access, Operation } from '../operation.js'

/**
 * Refuses actors who may not call an operation, whatever its parameters.
 *
 * @throws {ChatError} `BAD_REQUEST` for guests and bots, `UNAUTHORIZED_PRINCIPAL` for a role with
 *   too few permissions.
 */
export function requireAccess(access: Access, actor: Actor): void {
  switch (access) {
    case 'anyone':
    case 'visitor':
    case 'user':
    case 'userOrSpectator':
      return
    case 'human':
      requireHuman(actor)
      return
    case 'nonGuest':
      requireNonGuest(actor)
      return
    case 'humanNonGuest':
      requireNonGuest(actor)
      requireHuman(actor)
      return
    case 'administrator':
      requireRole(actor, Role.administrator, 'ADMINISTRATOR_REQUIRED')
      return
    case 'owner':
      requireRole(actor, Role.owner, 'OWNER_REQUIRED')
  }
}

const callers: Readonly<Record<Access, string>> = {
  anyone: 'anyone, without credentials',
  visitor: 'anyone, with credentials or without',
  userOrSpectator: 'users; anyone where the organization shows channels to the web',
  user: 'any user',
  human: 'users, no bots',
  nonGuest: 'users, no guests',
  humanNonGuest: 'users, no guests or bots',
  administrator: 'administrators',
  owner: 'owners',
}

/** Describes who may call an operation, for the documentation. */
export function callersOf({ access }: Pick<Operation, 'access'>): string {
  return callers[access]
}

/**
 * Restricts incoming webhook bots to the operations that serve them.
 *
 * @throws {ChatError} `UNAUTHORIZED` for incoming webhook bots where they are not served.
 */
export function requireServedActor(
  { servesIncomingWebhooks }: Pick<Operation, 'servesIncomingWebhooks'>,
  actor: Actor,
): void {
  if (actor.botType !== BotType.incomingWebhook || servesIncomingWebhooks === true) return
  throw new ChatError('UNAUTHORIZED', {
    text: namedText('INCOMING_WEBHOOK_BOTS_NOT_ALLOWED'),
  })
}

/**
 * Refuses operations that the application has switched off, for every role.
 *
 * @throws {ChatError} `UNAUTHORIZED_PRINCIPAL` if the operation is one of them.
 */
export function requireEnabled(disabled: ReadonlySet<string>, { id }: Pick<Operation, 'id'>): void {
  if (!disabled.has(id)) return
  throw new ChatError('UNAUTHORIZED_PRINCIPAL', {
    text: namedText('OPERATION_NOT_AVAILABLE'),
  })
}

function requireHuman(actor: Actor): void {
  if (actor.isBot) throw badRequest('BOTS_NOT_ALLOWED')
}

function requireNonGuest(actor: Actor): void {
  if (isGuest(actor)) throw badRequest('GUESTS_NOT_ALLOWED')
}

function requireRole(
  actor: Actor,
  role: Role,
  text: 'ADMINISTRATOR_REQUIRED' | 'OWNER_REQUIRED',
): void {
  if (!hasRole(actor, role))
    throw new ChatError('UNAUTHORIZED_PRINCIPAL', { text: namedText(text) })
}
