import { inject, injectAll } from 'tsyringe'

import { limits } from '../../../domain/limits.js'
import { Quotas } from '../../../domain/quotas.js'
import { foldCase } from '../../../domain/texts/folding.js'
import type { Actor } from '../../../domain/users/actor.js'
import { badRequest, ChatError } from '../../../errors/index.js'
import { forEachInSlices } from '../../../kernel/event-loop-yielder.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import { UnitOfWork, type Transaction } from '../../../storage/index.js'
import {
  ChannelCreation,
  type NewChannel,
  type NewChannelOptions,
} from '../channel-creation/index.js'
import {
  ChannelAccess,
  ChannelRepository,
  type ChannelForUser,
  type ChannelRow,
} from '../channels/index.js'
import { DefaultChannelService } from '../default-channels/index.js'
import {
  ChannelStepToken,
  type Announcement,
  type ChannelStep,
  type NewSubscribers,
} from './channel-steps.js'
import { PrincipalFinder, type Principals, type PrincipalsParameter } from './principals.js'
import { auditSubscribers, SubscriberChanges } from './subscriber-changes.js'
import { SubscribingOthers } from './subscribing-others.js'

/** A channel of a subscribe request; created if no channel has the name. */
export interface RequestedChannel extends NewChannel {
  /** `#rrggbb`, or undefined for a color that the subscriber does not use yet. */
  readonly color: string | undefined
}

export interface SubscribeRequest {
  readonly channels: readonly RequestedChannel[]
  readonly principals: PrincipalsParameter | undefined
  /** Whether a channel that the actor may not read fails the whole request. */
  readonly areRefusalsFatal: boolean
  readonly sendsMessages: boolean
  readonly announcement: Announcement
  /** Options of channels that are created. */
  readonly options: NewChannelOptions
}

export interface SubscribeOutcome {
  /** Names of channels by user id. */
  readonly subscribed: Record<string, string[]>
  readonly already_subscribed: Record<string, string[]>
  readonly unauthorized?: string[]
  readonly new_subscription_messages_sent?: boolean
}

/** Subscribes users to channels, and creates channels that do not exist. */
@perServer()
export class SubscribeService {
  constructor(
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(ChannelAccess) private readonly access: ChannelAccess,
    @inject(ChannelCreation) private readonly creation: ChannelCreation,
    @inject(DefaultChannelService) private readonly defaultChannels: DefaultChannelService,
    @inject(SubscribingOthers) private readonly subscribing: SubscribingOthers,
    @inject(PrincipalFinder) private readonly principals: PrincipalFinder,
    @inject(SubscriberChanges) private readonly changes: SubscriberChanges,
    @injectAll(ChannelStepToken) private readonly steps: readonly ChannelStep[],
    @inject(Quotas) private readonly quotas: Quotas,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * @throws {ChatError} `BAD_REQUEST` if `actor` may not create or read one of the channels, or not
   *   subscribe one of the users, and the errors of {@link ChannelCreation.create}.
   */
  async subscribe(actor: Actor, request: SubscribeRequest): Promise<SubscribeOutcome> {
    return this.unitOfWork.runFor(actor, (tx) => this.subscribeWithin(tx, actor, request))
  }

  /**
   * Creates one channel and subscribes exactly the given users.
   *
   * @returns the channel's id.
   * @throws {ChatError} `CHANNEL_ALREADY_EXISTS` if the name is in use; `BAD_REQUEST` if a user
   *   does not exist or is deactivated; the errors of {@link ChannelCreation.create}.
   */
  async createChannel(
    actor: Actor,
    channel: NewChannel,
    subscriberIds: readonly number[],
    options: NewChannelOptions,
    announcement: Announcement,
  ): Promise<number> {
    return this.unitOfWork.runFor(actor, (tx) =>
      this.createChannelWithin(tx, actor, channel, subscriberIds, options, announcement),
    )
  }

  /** The same in the caller's transaction. */
  async createChannelWithin(
    tx: Transaction,
    actor: Actor,
    channel: NewChannel,
    subscriberIds: readonly number[],
    options: NewChannelOptions,
    announcement: Announcement,
  ): Promise<number> {
    await this.creation.requireFolder(tx, options.folderId)
    const [existing] = await this.channels.lockManyByName(tx, [channel.name], actor.userId)
    if (existing !== undefined) {
      const isKnown = await this.access.hasMetadataAccess(actor, existing)
      // Only users who may create it get an error that reveals the name of a hidden channel.
      if (!isKnown) await this.creation.requireAllowed(actor, options)
      throw new ChatError('CHANNEL_ALREADY_EXISTS', {
        fields: { channel_name: isKnown ? existing.channel.name : channel.name },
      })
    }
    const principals =
      subscriberIds.length === 0
        ? { users: [], areAllKnown: true }
        : await this.principals.find(tx, actor, [...subscriberIds])
    const { rows } = await this.creation.create(tx, actor, [channel], options)
    await this.principals.requireActive(actor, principals)
    const added = await this.#add(tx, rows, rows, principals, options)
    await this.#finish(tx, actor, {
      channels: rows,
      created: rows,
      added,
      notifiesSubscribers: false,
      announcement,
    })
    return present(rows[0], 'the created channel').id
  }

  /** As {@link subscribe}, in the caller's transaction. */
  async subscribeWithin(
    tx: Transaction,
    actor: Actor,
    request: SubscribeRequest,
  ): Promise<SubscribeOutcome> {
    const { options, areRefusalsFatal } = request
    await this.creation.requireFolder(tx, options.folderId)
    const channelsByKey = new Map(
      request.channels.map((channel) => [foldCase(channel.name), channel]),
    )
    const names = [...channelsByKey.values()].map(({ name }) => name)
    const existing = await this.channels.lockManyByName(tx, names, actor.userId)
    const known = new Set(existing.map(({ channel }) => channel.name_key))
    const missing = [...channelsByKey]
      .filter(([key]) => !known.has(key))
      .map(([, channel]) => channel)
    const principals = await this.principals.find(tx, actor, request.principals)

    const { readable, refused, hidden } = await this.#readable(actor, existing)
    // Only users who may create it get an error that reveals the name of a hidden channel.
    if (hidden.length > 0) await this.creation.requireAllowed(actor, options)
    for (const { name_key } of hidden) refused.push(channelsByKey.get(name_key)?.name ?? '')
    const created = await this.creation.create(tx, actor, missing, options)
    if (areRefusalsFatal && refused.length > 0) {
      throw badRequest('CHANNELS_NOT_ACCESSIBLE', { names: refused.join(', ') })
    }
    await this.#requireMaySubscribe(actor, principals, readable, created.creatorMaySubscribeOthers)
    await this.principals.requireActive(actor, principals)

    const rows = [...readable.map(({ channel }) => channel), ...created.rows]
    const colors = new Map<number, string>()
    for (const row of rows) {
      const color = channelsByKey.get(row.name_key)?.color
      if (color !== undefined) colors.set(row.id, color)
    }
    const added = await this.#add(tx, rows, created.rows, principals, options, colors)
    const others = new Set<number>()
    await forEachInSlices([...added.values()].flat(), (id) => others.add(id))
    others.delete(actor.userId)
    const areFew = others.size <= limits.maxBulkNewSubscriptionMessages
    await this.#finish(tx, actor, {
      channels: rows,
      created: created.rows,
      added,
      notifiesSubscribers: request.sendsMessages && areFew,
      announcement: request.announcement,
    })
    return {
      ...(await namesByUser(rows, principals, added)),
      ...(areRefusalsFatal ? {} : { unauthorized: refused }),
      ...(request.sendsMessages && { new_subscription_messages_sent: areFew }),
    }
  }

  async #finish(tx: Transaction, actor: Actor, what: NewSubscribers): Promise<void> {
    for (const step of this.steps) await step.subscribed?.(tx, actor, what)
  }

  async #add(
    tx: Transaction,
    rows: readonly ChannelRow[],
    created: readonly ChannelRow[],
    { users }: Principals,
    options: NewChannelOptions,
    colors?: ReadonlyMap<number, string>,
  ): Promise<ReadonlyMap<number, number[]>> {
    this.quotas.require('subscriptionsPerRequest', rows.length * users.length)
    const added = await this.changes.add(tx, {
      channels: rows,
      userIds: users.map(({ id }) => id),
      ...(created.length > 0 && { createdIds: new Set(created.map(({ id }) => id)) }),
      ...(colors !== undefined && { colors }),
    })
    await auditSubscribers(tx, 'channel.subscriber_added', added)
    if (options.isDefault && created.length > 0) await this.defaultChannels.announceAdded(tx)
    return added
  }

  async #readable(
    actor: Actor,
    existing: readonly ChannelForUser[],
  ): Promise<{ readable: ChannelForUser[]; refused: string[]; hidden: ChannelRow[] }> {
    const viewer = await this.access.viewer(actor)
    const readable = existing.filter((found) => viewer.hasContentAccess(found))
    const others = existing.filter((found) => !viewer.hasContentAccess(found))
    const refused = others.filter((found) => viewer.hasMetadataAccess(found))
    const hidden = others.filter((found) => !viewer.hasMetadataAccess(found))
    return {
      readable,
      refused: refused.map(({ channel }) => channel.name),
      hidden: hidden.map(({ channel }) => channel),
    }
  }

  /** Subscribing only oneself needs no permission. */
  async #requireMaySubscribe(
    actor: Actor,
    { users, areAllKnown }: Principals,
    existing: readonly ChannelForUser[],
    mayInCreated: boolean,
  ): Promise<void> {
    if (areAllKnown && users.every(({ id }) => id === actor.userId)) return
    const isAllowed = mayInCreated
      ? await this.subscribing.isAllowed(actor, existing)
      : await this.subscribing.isAllowedEverywhere(actor)
    if (!isAllowed) throw badRequest('INSUFFICIENT_PERMISSION')
  }
}

async function namesByUser(
  rows: readonly ChannelRow[],
  { users }: Principals,
  added: ReadonlyMap<number, readonly number[]>,
): Promise<Pick<SubscribeOutcome, 'subscribed' | 'already_subscribed'>> {
  const subscribed: Record<string, string[]> = {}
  const already: Record<string, string[]> = {}
  for (const row of rows) {
    const newUsers = new Set(added.get(row.id))
    await forEachInSlices(users, ({ id }) => {
      const names = newUsers.has(id) ? subscribed : already
      ;(names[id] ??= []).push(row.name)
    })
  }
  return { subscribed, already_subscribed: already }
}
