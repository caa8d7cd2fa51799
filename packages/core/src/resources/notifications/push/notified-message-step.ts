import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import type { MessageSentStep, StagedMessage } from '../../messages/sending/index.js'
import { PushDecisions } from './push-decisions.js'

/** Queues push notifications and mails for every new message. */
@perServer()
export class NotifiedMessageStep implements MessageSentStep {
  constructor(@inject(PushDecisions) private readonly decisions: PushDecisions) {}

  async sent(tx: Transaction, messages: readonly StagedMessage[]): Promise<void> {
    const reachable = await this.decisions.reachable(tx.organizationId)
    if (reachable === undefined) return
    const messageIds = messages
      .filter(
        ({ destination, sender }) =>
          destination.kind === 'channel' ||
          destination.participants.some(({ id }) => id !== sender.id && reachable(id)),
      )
      .map(({ id }) => id)
    if (messageIds.length === 0) return
    const range = { messageIds, wasPushed: false }
    await this.decisions.notify(tx, await this.decisions.decide(tx, range))
  }
}
