import { inject } from 'tsyringe'

import type { Actor } from '../../../domain/users/actor.js'
import { badRequest, ChatError } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { UnitOfWork, type Transaction } from '../../../storage/index.js'
import { ChannelAccess, ChannelRepository } from '../channels/index.js'
import { UnwrittenMessageRepository } from '../unwritten-messages/index.js'
import { parseColor } from './colors.js'
import { subscriptionUpdated } from './subscription-events.js'
import { personalSwitches, SubscriptionRepository } from './subscription-repository.js'

/** One personal setting of one channel in a request. */
export interface PersonalChange {
  readonly channelId: number
  readonly property: string
  readonly value: unknown
}

/** A change of a column. */
interface PossibleChange {
  readonly channelId: number
  readonly name: (typeof personalSwitches)[number] | 'color'
  readonly value: boolean | string
}

/** Changes the personal settings of channels. */
@perServer()
export class SubscriptionSettingsService {
  constructor(
    @inject(ChannelAccess) private readonly access: ChannelAccess,
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(SubscriptionRepository) private readonly subscriptions: SubscriptionRepository,
    @inject(UnwrittenMessageRepository) private readonly userMessages: UnwrittenMessageRepository,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Applies the changes one after the other; if one fails, those before it are kept.
   *
   * @throws {ChatError} `BAD_REQUEST` for the first invalid change.
   */
  async change(actor: Actor, changes: readonly PersonalChange[]): Promise<void> {
    const failure = await this.unitOfWork.runFor(actor, async (tx) => {
      const { possible, failure: first } = await this.#possible(tx, actor, changes)
      await this.#store(tx, actor, possible)
      for (const change of possible) this.#announce(tx, actor, change)
      return first
    })
    if (failure !== undefined) throw failure
  }

  /** The changes before the first invalid one, and the error of that one. */
  async #possible(
    tx: Transaction,
    actor: Actor,
    changes: readonly PersonalChange[],
  ): Promise<{ possible: readonly PossibleChange[]; failure?: ChatError }> {
    const ids = [...new Set(changes.map(({ channelId }) => channelId))]
    const channels = await this.channels.findManyForUser(tx, ids, actor.userId)
    const viewer = await this.access.viewer(actor)
    const byId = new Map(channels.map((found) => [found.channel.id, found]))
    const possible: PossibleChange[] = []
    for (const [index, change] of changes.entries()) {
      const { channelId } = change
      try {
        const found = byId.get(channelId)
        if (found === undefined || !viewer.hasMetadataAccess(found)) {
          throw badRequest('CHANNEL_ID_INVALID')
        }
        if (!found.isSubscribed) throw badRequest('NOT_SUBSCRIBED', { channelId })
        possible.push(requirePossible(change, `subscription_data[${index}]`))
      } catch (failure) {
        if (!(failure instanceof ChatError)) throw failure
        return { possible, failure }
      }
    }
    return { possible }
  }

  /** One statement per setting, whatever the number of channels. */
  async #store(tx: Transaction, actor: Actor, changes: readonly PossibleChange[]): Promise<void> {
    for (const name of new Set(changes.map((change) => change.name))) {
      const ofName = changes.filter((change) => change.name === name)
      // The last change of a channel applies.
      const values = new Map(ofName.map(({ channelId, value }) => [channelId, value]))
      await this.subscriptions.updateMany(tx, actor.userId, name, values)
      if (name === 'push_notifications' || name === 'email_notifications') {
        await this.userMessages.adaptToNotifications(tx, actor.userId, [...values.keys()])
      }
    }
  }

  #announce(tx: Transaction, actor: Actor, { channelId, name, value }: PossibleChange): void {
    const emitUpdate = (property: string, shown: boolean | string): void => {
      const data = { stream_id: channelId, property, value: shown }
      tx.emit(subscriptionUpdated({ userIds: [actor.userId] }, data))
    }
    if (name === 'is_muted') emitUpdate('in_home_view', !value)
    emitUpdate(name, value)
  }
}

/** @throws {ChatError} `BAD_REQUEST` if there is no such setting, or the value is invalid. */
function requirePossible(
  { channelId, property, value }: PersonalChange,
  place: string,
): PossibleChange {
  if (property === 'color') return { channelId, name: 'color', value: requireColor(value, place) }
  const name =
    property === 'in_home_view' ? 'is_muted' : personalSwitches.find((known) => known === property)
  if (name === undefined) throw badRequest('SUBSCRIPTION_PROPERTY_UNKNOWN', { property })
  if (typeof value !== 'boolean') throw badRequest('PARAMETER_NOT_BOOLEAN', { parameter: property })
  return { channelId, name, value: property === 'in_home_view' ? !value : value }
}

function requireColor(value: unknown, place: string): string {
  if (typeof value !== 'string') throw badRequest('PARAMETER_NOT_TEXT', { parameter: 'color' })
  const color = parseColor(value)
  if (color !== undefined) return color
  throw badRequest('PARAMETER_NOT_COLOR', { parameter: place, key: 'color' })
}
