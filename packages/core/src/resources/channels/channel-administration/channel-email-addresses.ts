import { inject } from 'tsyringe'

import type { Actor } from '../../../domain/users/actor.js'
import { systemBots } from '../../../domain/users/system-bots.js'
import { badRequest } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { Database, type OrganizationScope } from '../../../storage/index.js'
import { IncomingAddresses } from '../../people/mail-addresses/index.js'
import { UserDirectory } from '../../people/users/index.js'
import { ChannelAccess, type ChannelForUser } from '../channels/index.js'
import { PostingPermission } from '../message-permissions/index.js'

/** The e-mail addresses of channels. */
@perServer()
export class ChannelEmailAddresses {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(ChannelAccess) private readonly channels: ChannelAccess,
    @inject(PostingPermission) private readonly posting: PostingPermission,
    @inject(UserDirectory) private readonly users: UserDirectory,
    @inject(IncomingAddresses) private readonly addresses: IncomingAddresses,
  ) {}

  /**
   * Returns the address at which mail becomes a message in the channel, always the same one; an
   * empty string if the server receives no mail.
   *
   * @param senderId the sender of those messages; the e-mail gateway if undefined.
   * @throws {ChatError} the errors of {@link requireUsable}.
   */
  async addressOf(actor: Actor, channelId: number, senderId: number | undefined): Promise<string> {
    const { organizationId, userId } = actor
    const scope = this.database.read(organizationId)
    const sender = senderId ?? systemBots.emailGateway.id
    const { channel } = await this.requireUsable(scope, actor, channelId, sender)
    return this.addresses.addressOf(
      { kind: 'channel', organizationId, channelId, creatorId: userId, senderId: sender },
      channel.name,
      ['show-sender'],
    )
  }

  /**
   * Checks whether `actor` may have mail posted in a channel, when they ask for its address and
   * whenever a mail arrives.
   *
   * @throws {ChatError} `BAD_REQUEST` if `actor` may not read the channel or not post there, or if
   *   the sender is neither `actor`, nor an active bot of theirs, nor the e-mail gateway.
   */
  async requireUsable(
    scope: OrganizationScope,
    actor: Actor,
    channelId: number,
    senderId: number,
  ): Promise<ChannelForUser> {
    const found = await this.channels.requireReadable(scope, actor, channelId)
    await this.posting.requireAllowed(scope, actor, found)
    await this.#requireOwnSender(scope, actor, senderId)
    return found
  }

  async #requireOwnSender(scope: OrganizationScope, actor: Actor, id: number): Promise<void> {
    if (id === actor.userId || id === systemBots.emailGateway.id) return
    const sender = await this.users.find(scope, id)
    if (sender === undefined || !sender.is_bot) throw badRequest('BOT_UNKNOWN')
    if (sender.bot_owner_id !== actor.userId) throw badRequest('INSUFFICIENT_PERMISSION')
  }
}
