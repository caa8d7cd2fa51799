import type { InjectionToken } from 'tsyringe'

import type { OrganizationScope, Transaction } from '../../storage/index.js'
import type { MessageRow } from '../message-access/index.js'
import type { MessageParts } from './message-schemas.js'

/** The part of message objects that another noun knows, such as their reactions. */
export interface MessageDecoration {
  /**
   * The parts of those of the messages that have any, by message id; the others keep empty lists.
   * The number of its statements must not grow with the messages.
   */
  partsOf(
    scope: OrganizationScope,
    messages: readonly MessageRow[],
  ): Promise<ReadonlyMap<number, Partial<MessageParts>>>

  /**
   * Stores what a new message with a widget begins with, before anybody hears of the message.
   *
   * @param widget JSON.
   * @returns the parts that the message begins with.
   */
  begin?(
    tx: Transaction,
    message: { readonly id: number; readonly senderId: number },
    widget: string,
  ): Promise<Partial<MessageParts>>
}

/** Asked for the decorations each time, because the nouns behind them know the messages in turn. */
export const MessageDecorationsToken: InjectionToken<() => readonly MessageDecoration[]> =
  Symbol('MessageDecorations')
