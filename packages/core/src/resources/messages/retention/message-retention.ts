import { inject } from 'tsyringe'

import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import type { BackgroundWork, Round } from '../../../kernel/periodic-task.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { Database, UnitOfWork, type Transaction } from '../../../storage/index.js'
import { ChannelRepository } from '../../channels/channels/index.js'
import {
  eachOrganization,
  OrganizationRepository,
  OrganizationService,
} from '../../organization/organizations/index.js'
import { LocalIds } from '../sending/index.js'
import { BatchDeletion } from './batch-deletion.js'
import {
  MessageRetentionRepository,
  secondsPerDay,
  type ExpiredPlace,
} from './message-retention-repository.js'

/**
 * Messages have their ids in the order of their times, except those of some organization files: these
 * are found once a day, by looking at all old messages.
 */
const roundsPerSearch = 48

/** Small, so that other writes do not wait long for the lock of the organization. */
const messagesPerBatch = 100

/**
 * Deletes expired messages: those of a channel after its `message_retention_days`, all others
 * after the retention time of the organization. Starred messages, archived channels and
 * deactivated organizations are not exempt.
 *
 * It also deletes the clients' own ids of messages, a day after they were sent.
 *
 * Each batch is selected and deleted in one transaction, so several processes may run at once.
 */
@perServer()
export class MessageRetention implements BackgroundWork {
  readonly name = 'Deleting messages that are no longer kept'
  /** A message may remain this much longer than its retention time. */
  readonly intervalMilliseconds = 30 * 60 * 1000

  #rounds = 0

  constructor(
    @inject(MessageRetentionRepository) private readonly expired: MessageRetentionRepository,
    @inject(BatchDeletion) private readonly deletion: BatchDeletion,
    @inject(LocalIds) private readonly localIds: LocalIds,
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @inject(OrganizationService) private readonly states: OrganizationService,
    @inject(Database) private readonly database: Database,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  async round(round: Round): Promise<void> {
    const looksAtAll = this.#rounds % roundsPerSearch === 0
    this.#rounds += 1
    await eachOrganization(this.organizations, round, async (id) => {
      await this.localIds.removeOld(id, round.stopping)
      for (const place of await this.#listPlaces(id, looksAtAll)) {
        let isDone = false
        while (!isDone) {
          if (round.stopping.aborted) return
          const deleted = await this.unitOfWork.run(id, (tx) => this.#deleteBatch(tx, place))
          isDone = deleted < messagesPerBatch
        }
      }
    })
  }

  async #listPlaces(organizationId: number, looksAtAll: boolean): Promise<ExpiredPlace[]> {
    const scope = this.database.read(organizationId)
    const own = (await this.states.require(organizationId)).settings.message_retention_days
    const ofChannels = await this.expired.shortestOfChannels(scope)
    const limits = [own, ofChannels ?? -1].filter((days) => days > 0)
    if (limits.length === 0) return []
    const now = nowSeconds(this.clock)
    if (looksAtAll) return this.expired.listPlaces(scope, now, Math.min(...limits), own)
    const channels = await this.expired.listChannels(scope, now, own)
    if (own <= 0) return channels
    const hasDirect = await this.expired.hasDirectBefore(scope, now - own * secondsPerDay)
    return hasDirect ? [...channels, { channelId: null }] : channels
  }

  async #deleteBatch(tx: Transaction, place: ExpiredPlace): Promise<number> {
    const { channelId } = place
    const channel = channelId === null ? undefined : await this.channels.find(tx, channelId)
    const { settings } = await this.states.requireWithin(tx)
    // The setting may have changed since the places were listed.
    const days = channel?.message_retention_days ?? settings.message_retention_days
    if (days <= 0) return 0
    const before = nowSeconds(this.clock) - days * secondsPerDay
    const messages = await this.expired.listExpired(tx, place, before, messagesPerBatch)
    if (messages.length === 0) return 0
    if (channel === undefined) await this.deletion.deleteDirect(tx, messages)
    else await this.deletion.deleteOfChannel(tx, channel, messages)
    return messages.length
  }
}
