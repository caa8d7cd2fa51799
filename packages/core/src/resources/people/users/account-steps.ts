import type { InjectionToken } from 'tsyringe'

import type { Role } from '../../../domain/users/actor.js'
import type { Transaction } from '../../../storage/index.js'
import type { UserRow } from './users-table.js'

/** A step that another resource runs when an account changes, in the same transaction. */
export interface AccountStep {
  /** Called before the events about the deactivation of a user or bot. */
  beforeDeactivate?(tx: Transaction, user: UserRow): Promise<void>
  /** Called after the events about the deactivation. */
  afterDeactivate?(tx: Transaction, user: UserRow): Promise<void>
  /** Called before the events about the reactivation, if the user or bot is not active. */
  beforeReactivate?(tx: Transaction, user: UserRow): Promise<void>
  /** Called after the events about the reactivation of a user or bot. */
  reactivated?(tx: Transaction, user: UserRow): Promise<void>
  /** Called before the picture of `user` is replaced or removed, if they have an uploaded one. */
  uploadedAvatarReplaced?(tx: Transaction, user: UserRow): Promise<void>
  /** Called after the events about the new role of `user`. */
  roleChanged?(tx: Transaction, user: UserRow, oldRole: Role): Promise<void>
}

/** A step that another resource runs when an API key is replaced, in the same transaction. */
export interface KeyReplacedStep {
  /** Called for users and bots. */
  keyReplaced(tx: Transaction, userId: number): Promise<void>
}

export const AccountStepToken: InjectionToken<AccountStep> = Symbol('AccountStep')
export const KeyReplacedStepToken: InjectionToken<KeyReplacedStep> = Symbol('KeyReplacedStep')

/** The invitation with which a new user joins. */
export interface Joining {
  readonly invitationId: number
  readonly inviterId: number
  /** Whether it can be accepted only once. */
  readonly isUsedUp: boolean
  /** Channels of the invitation; archived ones are left out. */
  readonly channelIds: readonly number[]
  /** Whether the user is also subscribed to the default channels. */
  readonly joinsDefaultChannels: boolean
  /** Groups of the invitation; deactivated ones are left out. */
  readonly groupIds: readonly number[]
  /**
   * Markdown in place of the organization's own welcome message: null for that one, an empty text
   * for none.
   */
  readonly welcomeText: string | null
  /** Whether the inviter gets a message that the user has joined. */
  readonly notifiesInviter: boolean
}

/** A step that another resource runs for new users, in the transaction that creates them. */
export interface NewcomerStep {
  /**
   * Called after the events about the new users; also for bots. The number of statements should not
   * depend on the number of users.
   *
   * @param joining the invitation of the only new user; undefined without one.
   */
  welcome(tx: Transaction, users: readonly UserRow[], joining?: Joining): Promise<void>
}

export const NewcomerStepToken: InjectionToken<NewcomerStep> = Symbol('NewcomerStep')
