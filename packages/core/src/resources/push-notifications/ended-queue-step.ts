import { inject } from 'tsyringe'

import { seqOf } from '../../events/event-id.js'
import { perServer } from '../../kernel/per-server.js'
import type { Transaction } from '../../storage/index.js'
import { EventQueueRepository, type EndedQueue, type QueueEndStep } from '../event-queues/index.js'
import { OrganizationService } from '../organizations/index.js'
import { PushDecisions } from './push-decisions.js'
import { PushRecipientRepository } from './push-recipient-repository.js'

/** Those who come back to more than this have the rest in their unread messages. */
const maxMissed = 1000

/**
 * Has those notified of messages that their last client never took. They seemed to be there when
 * the messages were sent, because a client that goes away is only missed after a while.
 */
@perServer()
export class EndedQueueStep implements QueueEndStep {
  constructor(
    @inject(PushDecisions) private readonly decisions: PushDecisions,
    @inject(PushRecipientRepository) private readonly recipients: PushRecipientRepository,
    @inject(EventQueueRepository) private readonly queues: EventQueueRepository,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
  ) {}

  async ended(tx: Transaction, queues: readonly EndedQueue[]): Promise<void> {
    const reachable = await this.decisions.reachable(tx.organizationId)
    const ended = queues.filter((queue) => queue.takesMessages && reachable.has(queue.userId))
    if (ended.length === 0) return
    if ((await this.organizations.require(tx.organizationId)).isDeactivated) return
    const userIds = ended.map(({ userId }) => userId)
    const present = new Set(await this.queues.listOwnersTakingMessages(tx, userIds))
    // By user: up to where the last of their clients had come.
    const seen = new Map<number, number>()
    for (const { userId, acknowledgedId } of ended) {
      if (present.has(userId)) continue
      seen.set(userId, Math.max(seen.get(userId) ?? 0, seqOf(acknowledgedId)))
    }
    if (seen.size > 0) await this.#notifyMissed(tx, seen)
  }

  async #notifyMissed(tx: Transaction, seen: ReadonlyMap<number, number>): Promise<void> {
    const sent = await this.recipients.listSentAfter(tx, Math.min(...seen.values()), maxMissed)
    const seqs = new Map(sent.map(({ messageId, seq }) => [messageId, seq]))
    const missed = async (messageIds: readonly number[]) => {
      const range = { messageIds, userIds: [...seen.keys()], wasPushed: false }
      const decisions = await this.decisions.decide(tx, range, true)
      return decisions.filter(
        ({ user_id, message_id }) =>
          (seqs.get(message_id) ?? 0) > (seen.get(user_id) ?? Number.MAX_SAFE_INTEGER),
      )
    }
    const found = new Set((await missed([...seqs.keys()])).map(({ message_id }) => message_id))
    if (found.size === 0) return
    // Whoever edits one of them, or ends the user's other queues, decides after this or before it.
    await this.recipients.lockMessages(tx, [...found])
    await this.decisions.notify(tx, await missed([...found]))
  }
}
