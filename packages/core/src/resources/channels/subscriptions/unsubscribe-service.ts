import { inject } from 'tsyringe'

import { foldCase } from '../../../domain/texts/folding.js'
import { hasRole, isGuest, Role, type Actor } from '../../../domain/users/actor.js'
import { badRequest, ChatError } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { UnitOfWork, type Transaction } from '../../../storage/index.js'
import { ChannelAccess, ChannelRepository, type ChannelForUser } from '../channels/index.js'
import { PrincipalFinder, type Principals, type PrincipalsParameter } from './principals.js'
import { auditSubscribers, SubscriberChanges } from './subscriber-changes.js'

/** Names of channels, one for each user and channel. */
export interface UnsubscribeOutcome {
  readonly removed: string[]
  readonly not_removed: string[]
}

/** Unsubscribes users from channels. */
@perServer()
export class UnsubscribeService {
  constructor(
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(ChannelAccess) private readonly access: ChannelAccess,
    @inject(PrincipalFinder) private readonly principals: PrincipalFinder,
    @inject(SubscriberChanges) private readonly changes: SubscriberChanges,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * @throws {ChatError} `STREAM_DOES_NOT_EXIST` if there is no channel of one of the names that
   *   `actor` can see.
   * @throws {ChatError} `BAD_REQUEST` if a user does not exist or is deactivated, or `actor` may
   *   not unsubscribe them.
   */
  async unsubscribe(
    actor: Actor,
    names: readonly string[],
    named: PrincipalsParameter | undefined,
  ): Promise<UnsubscribeOutcome> {
    return this.unitOfWork.runFor(actor, (tx) => this.unsubscribeWithin(tx, actor, names, named))
  }

  /** The same in the caller's transaction. */
  async unsubscribeWithin(
    tx: Transaction,
    actor: Actor,
    names: readonly string[],
    named: PrincipalsParameter | undefined,
  ): Promise<UnsubscribeOutcome> {
    const principals = await this.principals.find(tx, actor, named)
    await this.principals.requireActive(actor, principals)
    const found = await this.#requireChannels(tx, actor, names)
    await this.#requireAllowed(actor, principals, found)
    const channels = found.map(({ channel }) => channel)
    const userIds = principals.users.map(({ id }) => id)
    const removed = await this.changes.remove(tx, channels, userIds)
    await auditSubscribers(tx, 'channel.subscriber_removed', removed)
    const outcome: UnsubscribeOutcome = { removed: [], not_removed: [] }
    for (const { id, name } of channels) {
      const left = new Set(removed.get(id))
      for (const userId of userIds) {
        outcome[left.has(userId) ? 'removed' : 'not_removed'].push(name)
      }
    }
    return outcome
  }

  async #requireChannels(
    tx: Transaction,
    actor: Actor,
    names: readonly string[],
  ): Promise<ChannelForUser[]> {
    const viewer = await this.access.viewer(actor)
    const trimmed = names.map((name) => name.trim())
    const found = (await this.channels.lockManyByName(tx, trimmed, actor.userId)).filter(
      (channel) => viewer.hasMetadataAccess(channel),
    )
    const keys = new Set(found.map(({ channel }) => channel.name_key))
    const unknownName = trimmed.find((name) => !keys.has(foldCase(name)))
    if (unknownName !== undefined) {
      throw new ChatError('STREAM_DOES_NOT_EXIST', { fields: { stream: unknownName } })
    }
    return found
  }

  /** Users may always unsubscribe themselves and their own bots. */
  async #requireAllowed(
    actor: Actor,
    { users }: Principals,
    channels: readonly ChannelForUser[],
  ): Promise<void> {
    const isOwn = users.every(
      (user) => user.id === actor.userId || (user.is_bot && user.bot_owner_id === actor.userId),
    )
    if (isOwn || hasRole(actor, Role.administrator)) return
    const viewer = await this.access.viewer(actor)
    const mayEverywhere =
      !isGuest(actor) &&
      channels.every(
        (found) =>
          viewer.administers(found) || viewer.allows(found.channel, 'can_remove_subscribers_group'),
      )
    if (!mayEverywhere) throw badRequest('INSUFFICIENT_PERMISSION')
  }
}
