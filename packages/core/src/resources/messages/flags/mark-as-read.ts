import { inject } from 'tsyringe'

import { MessageFlag } from '../../../domain/messages/message-flags.js'
import { interpretTopic, topicKey } from '../../../domain/messages/topics.js'
import type { Actor } from '../../../domain/users/actor.js'
import { badRequest } from '../../../errors/index.js'
import type { Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { UnitOfWork, type Transaction } from '../../../storage/index.js'
import { ChannelAccess } from '../../channels/channels/index.js'
import { UnwrittenMessages } from '../../channels/unwritten-messages/index.js'
import { messageFlagsAdded } from './message-flag-events.js'
import { MessageFlagRepository } from './message-flag-repository.js'
import { MessageFlagService } from './message-flag-service.js'

/** The number of messages that are marked in one transaction. */
const batchSize = 2000
const maxMilliseconds = 50_000

/** The deprecated operations that mark all messages, a channel or a topic as read. */
@perServer()
export class MarkAsRead {
  constructor(
    @inject(MessageFlagRepository) private readonly userMessages: MessageFlagRepository,
    @inject(MessageFlagService) private readonly flags: MessageFlagService,
    @inject(UnwrittenMessages) private readonly unwritten: UnwrittenMessages,
    @inject(ChannelAccess) private readonly access: ChannelAccess,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /**
   * Marks all messages as read, newest first, for up to 50 seconds.
   *
   * @returns whether all are marked.
   */
  async all(actor: Actor): Promise<boolean> {
    const deadline = this.clock.now() + maxMilliseconds
    await this.unwritten.write(actor)
    const markBatch = (tx: Transaction) => this.#markBatch(tx, actor)
    while (!(await this.unitOfWork.runFor(actor, markBatch))) {
      if (this.clock.now() >= deadline) return false
    }
    return true
  }

  /** @throws {ChatError} `BAD_REQUEST` if there is no such channel, or `actor` may not read it. */
  async channel(actor: Actor, channelId: number): Promise<void> {
    await this.unwritten.write(actor)
    await this.unitOfWork.runFor(actor, async (tx) => {
      await this.access.requireReadable(tx, actor, channelId)
      await this.unwritten.writeWithin(tx, actor.userId)
      await this.#mark(tx, actor, { channelId })
    })
  }

  /**
   * @throws {ChatError} `BAD_REQUEST` if there is no such channel, or `actor` may not read it or
   *   has received no message of the topic.
   */
  async topic(actor: Actor, channelId: number, topicName: string): Promise<void> {
    const key = topicKey(interpretTopic(topicName))
    await this.unwritten.write(actor)
    await this.unitOfWork.runFor(actor, async (tx) => {
      await this.access.requireReadable(tx, actor, channelId)
      await this.unwritten.writeWithin(tx, actor.userId)
      if (!(await this.userMessages.hasTopic(tx, actor.userId, channelId, key))) {
        throw badRequest('TOPIC_UNKNOWN', { topic: topicName })
      }
      await this.#mark(tx, actor, { channelId, topicKey: key })
    })
  }

  async #mark(
    tx: Transaction,
    actor: Actor,
    place: { readonly channelId: number; readonly topicKey?: string },
  ): Promise<void> {
    const ids = await this.userMessages.listUnreadIds(tx, actor.userId, place)
    await this.flags.markRead(tx, actor.userId, ids.reverse())
  }

  /** Emits the event after the last batch only. @returns whether it was the last batch. */
  async #markBatch(tx: Transaction, actor: Actor): Promise<boolean> {
    await this.unwritten.writeWithin(tx, actor.userId)
    const ids = await this.userMessages.listUnreadIds(tx, actor.userId, {}, batchSize)
    await this.userMessages.setFlag(tx, actor.userId, ids, { add: MessageFlag.read })
    if (ids.length === batchSize) return false
    tx.emit(
      messageFlagsAdded({ userIds: [actor.userId] }, { flag: 'read', messages: [], all: true }),
    )
    return true
  }
}
