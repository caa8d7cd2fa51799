import type { InjectionToken } from 'tsyringe'

import type { OrganizationScope, Transaction } from '../../../storage/index.js'
import type { MessageRow } from '../../channels/message-permissions/index.js'
import type { MessageParts } from './message-schemas.js'

/** Adds the parts of message objects that another resource owns, such as reactions. */
export interface MessageDecoration {
  /**
   * The parts of the messages that have any, by message id; the other messages keep empty lists.
   * The number of statements must not depend on the number of messages.
   */
  partsOf(
    scope: OrganizationScope,
    messages: readonly MessageRow[],
  ): Promise<ReadonlyMap<number, Partial<MessageParts>>>

  /**
   * Stores the initial state of a new message with a widget, before its event is emitted.
   *
   * @param widget JSON.
   * @returns the initial parts of the message.
   */
  begin?(
    tx: Transaction,
    message: { readonly id: number; readonly senderId: number },
    widget: string,
  ): Promise<Partial<MessageParts>>
}

export const MessageDecorationToken: InjectionToken<MessageDecoration> = Symbol('MessageDecoration')
