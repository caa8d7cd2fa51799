import type { CallOrigin } from './call-origin.js'
import { systemBots } from './system-bots.js'

/** A user's role; a smaller number has more permissions. */
export const Role = {
  owner: 100,
  administrator: 200,
  moderator: 300,
  member: 400,
  guest: 600,
} as const
export type Role = (typeof Role)[keyof typeof Role]

/** The types of bot, with their `bot_type` on the wire. */
export const BotType = { generic: 1, incomingWebhook: 2, outgoingWebhook: 3, embedded: 4 } as const

/** The acting user: the authenticated user of a request or of an in-process call. */
export interface Actor {
  readonly organizationId: number
  readonly userId: number
  readonly role: Role
  readonly isBot: boolean
  readonly botType: number | null
  readonly botOwnerId: number | null
  readonly joinedAtSeconds: number
  /** The operator's permission to create users through the API; off for everyone by default. */
  readonly canCreateUsers: boolean
  /** The operator's permission to change others' e-mail addresses; off for everyone by default. */
  readonly canChangeUserEmails: boolean
  /**
   * SHA-256 of the API key by which the caller was identified, hexadecimal: a write is refused if the
   * account has another one by then. Undefined for sessions of the application, and in its own calls.
   */
  readonly apiKeyHash?: string | undefined
  /** The same of the access token by which the caller was identified. */
  readonly accessTokenHash?: string | undefined
  /** How the call reached the chat, for the audit trail. @default a call in the process */
  readonly origin?: CallOrigin
  /** The actor without an origin, which several calls share. @default the actor itself */
  readonly shared?: Actor
}

/** The same actor, for one call. */
export function actorOfCall(actor: Actor, origin: CallOrigin): Actor {
  // Each property by its name: spreading takes several microseconds, in every request.
  return {
    organizationId: actor.organizationId,
    userId: actor.userId,
    role: actor.role,
    isBot: actor.isBot,
    botType: actor.botType,
    botOwnerId: actor.botOwnerId,
    joinedAtSeconds: actor.joinedAtSeconds,
    canCreateUsers: actor.canCreateUsers,
    canChangeUserEmails: actor.canChangeUserEmails,
    apiKeyHash: actor.apiKeyHash,
    accessTokenHash: actor.accessTokenHash,
    origin,
    shared: actor,
  }
}

/** The application itself, in calls of its own code: an owner without an account. */
export function applicationActor(organizationId: number): Actor {
  return {
    organizationId,
    userId: systemBots.notification.id,
    role: Role.owner,
    isBot: false,
    botType: null,
    botOwnerId: null,
    joinedAtSeconds: 0,
    canCreateUsers: true,
    canChangeUserEmails: true,
  }
}

export function isApplication(actor: Pick<Actor, 'userId'>): boolean {
  return actor.userId === systemBots.notification.id
}

/** The id under which an object names its creator; null for the application's own objects. */
export function creatorIdOf(actor: Pick<Actor, 'userId'>): number | null {
  return isApplication(actor) ? null : actor.userId
}

/** Whether `actor` has `role` or a role with more permissions. */
export function hasRole(actor: Pick<Actor, 'role'>, role: Role): boolean {
  return actor.role <= role
}

export function isGuest(actor: Pick<Actor, 'role'>): boolean {
  return actor.role === Role.guest
}

/** All users of a role, where an object is built once for several of them. */
export function anyUserOf(role: Role): Pick<Actor, 'userId' | 'role'> {
  return { userId: anyUserId, role }
}

/** A spectator: a reader without an account, who may read web-public content only. */
export function spectatorOf(organizationId: number): Actor {
  return {
    organizationId,
    userId: spectatorId,
    role: Role.guest,
    isBot: false,
    botType: null,
    botOwnerId: null,
    joinedAtSeconds: 0,
    canCreateUsers: false,
    canChangeUserEmails: false,
  }
}

export function isSpectator(actor: Pick<Actor, 'userId'>): boolean {
  return actor.userId === spectatorId
}

/** Ids that no account has. */
const spectatorId = 0
const anyUserId = -1
