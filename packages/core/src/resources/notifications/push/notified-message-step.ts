import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import { UnwrittenMessageRepository } from '../../channels/unwritten-messages/index.js'
import type { MessageSentStep, StagedMessage } from '../../messages/sending/index.js'
import { PushDecisions, type ReachableUsers } from './push-decisions.js'

/** Queues push notifications and mails for every new message. */
@perServer()
export class NotifiedMessageStep implements MessageSentStep {
  constructor(
    @inject(PushDecisions) private readonly decisions: PushDecisions,
    @inject(UnwrittenMessageRepository) private readonly userMessages: UnwrittenMessageRepository,
  ) {}

  async sent(tx: Transaction, messages: readonly StagedMessage[]): Promise<void> {
    const reachable = await this.decisions.reachable(tx.organizationId)
    if (reachable === undefined) return
    const messageIds = messages
      .filter(
        ({ destination, sender }) =>
          destination.kind === 'channel' ||
          destination.participants.some(({ id }) => id !== sender.id && reachable.has(id)),
      )
      .map(({ id }) => id)
    if (messageIds.length === 0) return
    await this.#writeMentions(tx, messages, reachable)
    const range = { messageIds, wasPushed: false }
    await this.decisions.notify(tx, await this.decisions.decide(tx, range))
  }

  /** Writes the user messages of messages that mention everybody: notifications are found by them. */
  async #writeMentions(
    tx: Transaction,
    messages: readonly StagedMessage[],
    { ids }: ReachableUsers,
  ): Promise<void> {
    const forAll = messages.filter(
      ({ destination, flags }) => destination.kind === 'channel' && flags.forEveryone !== 0,
    )
    await this.userMessages.writeMessages(
      tx,
      forAll.map(({ id }) => id),
      ids && [...ids],
    )
  }
}
