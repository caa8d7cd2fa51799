import { inject } from 'tsyringe'

import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import type { Transaction } from '../../../storage/index.js'
import type { MessageSentStep, StagedMessage } from '../../messages/sending/index.js'
import { OutgoingWebhookRepository } from './outgoing-webhook-repository.js'
import { OutgoingWebhookRulesToken, type OutgoingWebhookRules } from './outgoing-webhook-rules.js'

/** Queues calls for every new message that triggers a bot. */
@perServer()
export class OutgoingWebhookStep implements MessageSentStep {
  #queued = (): void => {}

  constructor(
    @inject(OutgoingWebhookRulesToken) private readonly rules: OutgoingWebhookRules,
    @inject(OutgoingWebhookRepository) private readonly calls: OutgoingWebhookRepository,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /** Calls `callback` when calls were queued. */
  onQueued(callback: () => void): void {
    this.#queued = callback
  }

  async sent(tx: Transaction, messages: readonly StagedMessage[]): Promise<void> {
    if (!this.rules.isOn) return
    const due_at_seconds = nowSeconds(this.clock)
    const rows = messages.flatMap(({ id, calledBotIds }) =>
      calledBotIds.map((bot_id) => ({ bot_id, message_id: id, attempts: 0, due_at_seconds })),
    )
    if (rows.length === 0) return
    await this.calls.insertMany(tx, rows)
    tx.afterCommit(() => this.#queued())
  }
}
