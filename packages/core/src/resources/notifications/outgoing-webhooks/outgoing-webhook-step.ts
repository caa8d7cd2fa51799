import { inject } from 'tsyringe'

import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import type { Transaction } from '../../../storage/index.js'
import type { MessageSentStep, StagedMessage } from '../../messages/sending/index.js'
import { OutgoingWebhookRulesToken, type OutgoingWebhookRules } from './outgoing-webhook-rules.js'
import { outgoingWebhookCalls } from './outgoing-webhook-calls-table.js'

/** Queues calls for every new message that triggers a bot. */
@perServer()
export class OutgoingWebhookStep implements MessageSentStep {
  #queued = (): void => {}

  constructor(
    @inject(OutgoingWebhookRulesToken) private readonly rules: OutgoingWebhookRules,
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
    await tx.rows(outgoingWebhookCalls).insertMany(rows)
    tx.afterCommit(() => this.#queued())
  }
}
