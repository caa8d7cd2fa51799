import { inject } from 'tsyringe'

import type { Actor } from '../../domain/actor.js'
import { badRequest, ChatError } from '../../errors/index.js'
import { perServer } from '../../kernel/per-server.js'
import type { OrganizationScope, Transaction } from '../../storage/index.js'
import {
  ChannelAccess,
  ChannelRepository,
  normalizeChannelName,
  type ChannelForSender,
  type ChannelForUser,
} from '../channels/index.js'
import { actorOf, UserDirectory } from '../users/index.js'

/** Decides who may post in a channel. */
@perServer()
export class PostingPermission {
  constructor(
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(ChannelAccess) private readonly access: ChannelAccess,
    @inject(UserDirectory) private readonly users: UserDirectory,
  ) {}

  /**
   * The channel that `actor` wants to post in, in the topic of this key; its subscribers stay as they are until `tx` ends.
   *
   * @param isAnswer whether it is enough that the channel is not archived.
   * @throws {ChatError} `STREAM_DOES_NOT_EXIST` if there is no such channel.
   * @throws {ChatError} `BAD_REQUEST` if `actor` may not post there.
   */
  async requireChannel(
    tx: Transaction,
    actor: Actor,
    named: { readonly id: number } | { readonly name: string },
    topicKey: string,
    isAnswer = false,
  ): Promise<ChannelForSender> {
    if ('name' in named) normalizeChannelName(named.name)
    const found = await this.channels.findForSender(tx, named, actor.userId, topicKey)
    if (found === undefined) {
      throw new ChatError('STREAM_DOES_NOT_EXIST', {
        fields: 'id' in named ? { stream_id: named.id } : { stream: escapeHtml(named.name) },
      })
    }
    if (!isAnswer) await this.requireAllowed(tx, actor, found)
    else if (found.channel.is_archived) throw notAuthorized(found.channel.name)
    return found
  }

  /** @throws {ChatError} `BAD_REQUEST` if `actor` may not post in the channel. */
  async requireAllowed(
    scope: OrganizationScope,
    actor: Actor,
    found: ChannelForUser,
  ): Promise<void> {
    const { channel } = found
    const owner = await this.#owner(scope, actor)
    const maySend =
      (await this.access.allows(actor, channel, 'can_send_message_group')) ||
      (owner !== undefined && (await this.access.allows(owner, channel, 'can_send_message_group')))
    if (!maySend) throw badRequest('You do not have permission to post in this channel.')
    if (channel.is_archived) throw notAuthorized(channel.name)
    if (await this.access.hasContentAccess(actor, found)) return
    if (owner !== undefined) {
      const forOwner = await this.channels.findForUser(scope, { id: channel.id }, owner.userId)
      if (forOwner?.isSubscribed === true) return
    }
    throw notAuthorized(channel.name)
  }

  /** The owner of a bot, whose rights the bot may use. */
  async #owner(scope: OrganizationScope, actor: Actor): Promise<Actor | undefined> {
    if (!actor.isBot || actor.botOwnerId === null) return undefined
    const owner = await this.users.find(scope, actor.botOwnerId)
    return owner === undefined ? undefined : actorOf(owner)
  }
}

function notAuthorized(channelName: string): ChatError {
  return badRequest(`Not authorized to send to channel '${channelName}'`)
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
