import { inject } from 'tsyringe'

import type { Actor } from '../../../domain/actor.js'
import { systemBots } from '../../../domain/system-bots.js'
import { badRequest } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { Database, type OrganizationScope } from '../../../storage/index.js'
import { ChannelAccess } from '../channels/index.js'
import { PostingPermission } from '../message-permissions/index.js'
import { UserDirectory } from '../../people/users/index.js'

/** The e-mail addresses of channels. */
@perServer()
export class ChannelEmailAddresses {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(ChannelAccess) private readonly channels: ChannelAccess,
    @inject(PostingPermission) private readonly posting: PostingPermission,
    @inject(UserDirectory) private readonly users: UserDirectory,
  ) {}

  /**
   * Returns the address at which mail becomes a message in the channel: an empty string, because
   * the server receives no mail.
   *
   * @param senderId the sender of those messages; the e-mail gateway if undefined.
   * @throws {ChatError} `BAD_REQUEST` if `actor` may not read the channel or not post there, or if
   *   the sender is neither `actor`, nor a bot of theirs, nor the e-mail gateway.
   */
  async addressOf(actor: Actor, channelId: number, senderId: number | undefined): Promise<string> {
    const scope = this.database.read(actor.organizationId)
    const found = await this.channels.requireReadable(scope, actor, channelId)
    await this.posting.requireAllowed(scope, actor, found)
    if (senderId !== undefined) await this.#requireOwnSender(scope, actor, senderId)
    return ''
  }

  async #requireOwnSender(scope: OrganizationScope, actor: Actor, id: number): Promise<void> {
    if (id === actor.userId || id === systemBots.emailGateway.id) return
    const sender = await this.users.find(scope, id)
    if (sender === undefined || !sender.is_bot) throw badRequest('BOT_UNKNOWN')
    if (sender.bot_owner_id !== actor.userId) throw badRequest('INSUFFICIENT_PERMISSION')
  }
}
