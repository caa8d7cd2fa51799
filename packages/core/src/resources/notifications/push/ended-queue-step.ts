import { inject } from 'tsyringe'

import { seqOf } from '../../../events/event-id.js'
import { perServer } from '../../../kernel/per-server.js'
import type { Transaction } from '../../../storage/index.js'
import {
  EventQueueRepository,
  type EndedQueue,
  type QueueEndStep,
} from '../../realtime/event-queues/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import { PushDecisions } from './push-decisions.js'
import type { PushedMessage } from './push-notification-repository.js'
import { PushRecipientRepository } from './push-recipient-repository.js'

/**
 * Maximum number of missed messages that are notified; users find the others among their unread
 * messages.
 */
const maxMissed = 1000

/**
 * Sends push notifications and mails of messages that a user's last client did not fetch. The user counted as
 * online when the messages were sent, because a disconnected client is only detected after a
 * timeout.
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
    if (reachable === undefined) return
    const ended = queues.filter((queue) => queue.takesMessages && reachable.has(queue.userId))
    if (ended.length === 0) return
    if ((await this.organizations.require(tx.organizationId)).isDeactivated) return
    const userIds = ended.map(({ userId }) => userId)
    const present = new Set(await this.queues.listOwnersTakingMessages(tx, userIds))
    // By user: the last log entry that one of their clients has acknowledged.
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
      const { push, mail } = await this.decisions.decide(tx, range, true)
      const isMissed = ({ user_id, message_id }: PushedMessage): boolean =>
        (seqs.get(message_id) ?? 0) > (seen.get(user_id) ?? Number.MAX_SAFE_INTEGER)
      return { push: push.filter(isMissed), mail: mail.filter(isMissed) }
    }
    const { push, mail } = await missed([...seqs.keys()])
    const found = new Set([...push, ...mail].map(({ message_id }) => message_id))
    if (found.size === 0) return
    // Serializes this decision with edits of the messages and with the end of the user's other
    // queues.
    await this.recipients.lockMessages(tx, [...found])
    await this.decisions.notify(tx, await missed([...found]))
  }
}
