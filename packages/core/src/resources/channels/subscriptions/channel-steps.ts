import type { InjectionToken } from 'tsyringe'

import type { Actor } from '../../../domain/users/actor.js'
import type { Transaction } from '../../../storage/index.js'
import type { ChannelRow } from '../channels/index.js'
import type { ChannelUsers } from './subscription-repository.js'

/** Where messages tell of a new channel: nowhere, in itself, or also where new ones are announced. */
export type Announcement = 'nowhere' | 'in itself' | 'everywhere'

/** Users who were subscribed, and channels that were created for that. */
export interface NewSubscribers {
  readonly channels: readonly ChannelRow[]
  readonly created: readonly ChannelRow[]
  /** The ids of the newly subscribed users, by channel id. */
  readonly added: ReadonlyMap<number, readonly number[]>
  /** Whether to send notification messages to subscribed users other than the actor. */
  readonly notifiesSubscribers: boolean
  readonly announcement: Announcement
}

/** A step that another resource runs when channels or subscriptions change, in the transaction. */
export interface ChannelStep {
  /** Called after the events about new channels and subscriptions. */
  subscribed?(tx: Transaction, actor: Actor, what: NewSubscribers): Promise<void>
  /** Called after the events about the ended subscriptions. */
  unsubscribed?(tx: Transaction, ended: readonly ChannelUsers[]): Promise<void>
  /** Called after the events about the changes. */
  changed?(tx: Transaction, actor: Actor, old: ChannelRow, now: ChannelRow): Promise<void>
  /** Called after the events about the archived channel. */
  archived?(tx: Transaction, actor: Actor, channel: ChannelRow): Promise<void>
}

export const ChannelStepToken: InjectionToken<ChannelStep> = Symbol('ChannelStep')
