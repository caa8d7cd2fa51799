import type { InjectionToken } from 'tsyringe'

import type { Transaction } from '../../../storage/index.js'
import type { UserRow } from './users-table.js'

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
