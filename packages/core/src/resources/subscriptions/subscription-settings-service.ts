import { inject } from 'tsyringe'

import type { Actor } from '../../domain/actor.js'
import { badRequest } from '../../errors/index.js'
import { perServer } from '../../kernel/per-server.js'
import { UnitOfWork, type Transaction } from '../../storage/index.js'
import { ChannelAccess } from '../channels/index.js'
import { parseColor } from './colors.js'
import { subscriptionUpdated } from './subscription-events.js'
import { SubscriptionRepository, type SubscriptionRow } from './subscription-repository.js'

/** One personal setting of one channel, as a client wants it. */
export interface PersonalChange {
  readonly channelId: number
  readonly property: string
  readonly value: unknown
}

const switches = [
  'is_muted',
  'pin_to_top',
  'desktop_notifications',
  'audible_notifications',
  'push_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
] as const satisfies readonly (keyof SubscriptionRow)[]

/** Changes what users have set for the channels that they are subscribed to. */
@perServer()
export class SubscriptionSettingsService {
  constructor(
    @inject(ChannelAccess) private readonly access: ChannelAccess,
    @inject(SubscriptionRepository) private readonly subscriptions: SubscriptionRepository,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Makes the changes one after the other; those before one that fails stay.
   *
   * @throws {ChatError} `BAD_REQUEST` for the first change that cannot be made.
   */
  async change(actor: Actor, changes: readonly PersonalChange[]): Promise<void> {
    for (const [index, change] of changes.entries()) {
      await this.unitOfWork.run(actor.organizationId, (tx) =>
        this.#change(tx, actor, change, `subscription_data[${index}]`),
      )
    }
  }

  async #change(
    tx: Transaction,
    actor: Actor,
    { channelId, property, value }: PersonalChange,
    place: string,
  ): Promise<void> {
    const found = await this.access.requireVisible(tx, actor, { id: channelId })
    if (!found.isSubscribed) throw badRequest(`Not subscribed to channel ID ${channelId}`)
    const announce = (name: string, shown: boolean | string): void => {
      const data = { stream_id: channelId, property: name, value: shown }
      tx.emit(subscriptionUpdated({ userIds: [actor.userId] }, data))
    }
    if (property === 'color') {
      const color = requireColor(value, place)
      await this.subscriptions.update(tx, actor.userId, channelId, { color })
      announce(property, color)
      return
    }
    const name =
      property === 'in_home_view' ? 'is_muted' : switches.find((known) => known === property)
    if (name === undefined) throw badRequest(`Unknown subscription property: ${property}`)
    if (typeof value !== 'boolean') throw badRequest(`${property} is not a boolean`)
    const stored = property === 'in_home_view' ? !value : value
    await this.subscriptions.update(tx, actor.userId, channelId, { [name]: stored })
    if (name === 'is_muted') announce('in_home_view', !stored)
    announce(name, stored)
  }
}

function requireColor(value: unknown, place: string): string {
  if (typeof value !== 'string') throw badRequest('color is not a string')
  const color = parseColor(value)
  if (color !== undefined) return color
  throw badRequest(`Invalid ${place}: Value error, color is not a valid hex color code`)
}
