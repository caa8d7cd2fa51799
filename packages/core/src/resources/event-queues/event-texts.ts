import { inject } from 'tsyringe'

import { EventCatalogue } from '../../events/event-catalogue.js'
import { textsErased, textsWithdrawn } from '../../events/text-changes.js'
import { perServer } from '../../kernel/per-server.js'
import { UnitOfWork, type Transaction } from '../../storage/index.js'
import { EventTextRepository } from './event-text-repository.js'

/**
 * Takes the text of messages back from the event log, and from what processes keep of it. An entry
 * stays, because numbers have no gaps, but brings no event: a queue that has not had a message yet
 * gets only the `delete_message` event, which clients know of messages that they have not loaded.
 */
@perServer()
export class EventTexts {
  constructor(
    @inject(EventTextRepository) private readonly texts: EventTextRepository,
    @inject(EventCatalogue) private readonly catalogue: EventCatalogue,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Takes back the texts of messages that are deleted; to be called after their deletion. */
  async erase(tx: Transaction, messageIds: readonly number[]): Promise<void> {
    const shared = this.catalogue.sharedKinds
    const seqs = await this.texts.listSeqs(tx, messageIds, shared)
    const kept: number[] = []
    // An event about several messages goes on without the text of the one that is deleted.
    await this.texts.each(tx, messageIds, shared, async ({ seq, kind, data }) => {
      const rest = this.catalogue.withoutText(kind, JSON.parse(data))
      if (rest === undefined) {
        seqs.push(seq)
        return
      }
      kept.push(seq)
      await this.texts.replace(tx, seq, JSON.stringify(rest))
    })
    await this.texts.erase(tx, seqs)
    tx.emit(textsErased([...seqs, ...kept], messageIds))
  }

  /**
   * Takes back the texts of messages that stay, from users who may no longer read them.
   *
   * @param endsFollowing whether queues that asked for all public channels do not get them either.
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
    tx.emit(textsWithdrawn(seqs, fromUserIds, endsFollowing))
  }
}
