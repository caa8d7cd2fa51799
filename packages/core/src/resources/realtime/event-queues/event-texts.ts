import { inject } from 'tsyringe'

import { EventCatalogue } from '../../../events/event-catalogue.js'
import { textsErased, textsWithdrawn } from '../../../events/log/text-changes.js'
import { perServer } from '../../../kernel/per-server.js'
import { UnitOfWork, type Transaction } from '../../../storage/index.js'
import { EventTextRepository } from './event-text-repository.js'

/**
 * Removes the texts of messages from the event log, and from the caches of processes. An entry
 * remains, because sequence numbers have no gaps, but produces no event: a queue that has not
 * received a message yet gets only the `delete_message` event, which clients also expect for
 * messages that they have not loaded.
 */
@perServer()
export class EventTexts {
  constructor(
    @inject(EventTextRepository) private readonly texts: EventTextRepository,
    @inject(EventCatalogue) private readonly catalogue: EventCatalogue,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Removes the texts of deleted messages. Must be called after their deletion. */
  async erase(tx: Transaction, messageIds: readonly number[]): Promise<void> {
    const shared = this.catalogue.sharedKinds
    const seqs = await this.texts.listSeqs(tx, messageIds, shared)
    const kept: number[] = []
    const channelIds = new Set<number>()
    // An event about several messages remains, without the text of the deleted one.
    await this.texts.each(tx, messageIds, shared, async ({ seq, kind, data }) => {
      const whole: unknown = JSON.parse(data)
      const rest = this.catalogue.withoutText(kind, whole)
      if (rest === undefined) {
        for (const id of this.catalogue.movedBetween(kind, whole)) channelIds.add(id)
        seqs.push(seq)
        return
      }
      kept.push(seq)
      await this.texts.replace(tx, seq, JSON.stringify(rest))
    })
    await this.texts.erase(tx, seqs)
    tx.emit(textsErased({ seqs: [...seqs, ...kept], messageIds, channelIds: [...channelIds] }))
  }

  /**
   * Withdraws the texts of remaining messages from users who may no longer read them.
   *
   * @param endsFollowing whether they are also withdrawn from queues that receive all public
   *   channels.
   */
  async withdraw(
    tx: Transaction,
    messageIds: readonly number[],
    fromUserIds: readonly number[],
    endsFollowing: boolean,
  ): Promise<void> {
    if (fromUserIds.length === 0 && !endsFollowing) return
    const seqs = await this.texts.listSeqs(tx, messageIds, [])
    if (seqs.length === 0) return
    if (endsFollowing) await this.texts.endFollowing(tx, seqs)
    for (const [known, ofList] of await this.texts.listWithdrawn(tx, seqs)) {
      const { audiences } = this.unitOfWork
      const before = known === null ? [] : await audiences.members(tx, known)
      const audienceId = await audiences.intern(tx, [...before, ...fromUserIds])
      await this.texts.setWithdrawn(tx, ofList, audienceId)
    }
    tx.emit(textsWithdrawn({ seqs, endsFollowing }, { userIds: fromUserIds }))
  }
}
