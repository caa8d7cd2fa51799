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

/** A channel as a request names it. */
type NamedChannel = { readonly id: number } | { readonly name: string }

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
   * @throws {ChatError} `STREAM_DOES_NOT_EXIST` if there is no such channel, or neither `actor` nor
   *   the owner of a bot may know of it.
   * @throws {ChatError} `BAD_REQUEST` if `actor` may not post there.
   */
  async requireChannel(
    tx: Transaction,
    actor: Actor,
    named: NamedChannel,
    topicKey: string,
    isAnswer = false,
  ): Promise<ChannelForSender> {
    if ('name' in named) normalizeChannelName(named.name)
    const found = await this.channels.findForSender(tx, named, actor.userId, topicKey)
    if (found === undefined) throw missingChannel(named)
    const refusal = isAnswer ? archivedRefusal(found) : await this.#refusal(tx, actor, found)
    if (refusal === undefined) return found
    // The text of a refusal has the current name of the channel.
    throw (await this.#mayKnow(tx, actor, found)) ? refusal : missingChannel(named)
  }

  /**
   * @param found a channel that `actor` may know of.
   * @throws {ChatError} `BAD_REQUEST` if `actor` may not post in the channel.
   */
  async requireAllowed(
    scope: OrganizationScope,
    actor: Actor,
    found: ChannelForUser,
  ): Promise<void> {
    const refusal = await this.#refusal(scope, actor, found)
    if (refusal !== undefined) throw refusal
  }

  /** Why `actor` may not post in the channel; undefined if `actor` may. */
  async #refusal(
    scope: OrganizationScope,
    actor: Actor,
    found: ChannelForUser,
  ): Promise<ChatError | undefined> {
    const { channel } = found
    const owner = await this.#owner(scope, actor)
    const maySend =
      (await this.access.allows(actor, channel, 'can_send_message_group')) ||
      (owner !== undefined && (await this.access.allows(owner, channel, 'can_send_message_group')))
    if (!maySend) return badRequest('You do not have permission to post in this channel.')
    if (channel.is_archived) return archivedRefusal(found)
    if (await this.access.hasContentAccess(actor, found)) return undefined
    if (owner !== undefined) {
      const forOwner = await this.channels.findForUser(scope, { id: channel.id }, owner.userId)
      if (forOwner?.isSubscribed === true) return undefined
    }
    return notAuthorized(channel.name)
  }

  /** Whether `actor`, or the owner of a bot, may know that the channel exists. */
  async #mayKnow(scope: OrganizationScope, actor: Actor, found: ChannelForUser): Promise<boolean> {
    if (await this.access.hasMetadataAccess(actor, found)) return true
    const owner = await this.#owner(scope, actor)
    if (owner === undefined) return false
    const by = { id: found.channel.id }
    const forOwner = await this.channels.findForUser(scope, by, owner.userId)
    return forOwner !== undefined && this.access.hasMetadataAccess(owner, forOwner)
  }

  /** The owner of a bot, whose rights the bot may use. */
  async #owner(scope: OrganizationScope, actor: Actor): Promise<Actor | undefined> {
    if (!actor.isBot || actor.botOwnerId === null) return undefined
    const owner = await this.users.find(scope, actor.botOwnerId)
    return owner === undefined ? undefined : actorOf(owner)
  }
}

function missingChannel(named: NamedChannel): ChatError {
  return new ChatError('STREAM_DOES_NOT_EXIST', {
    fields: 'id' in named ? { stream_id: named.id } : { stream: escapeHtml(named.name) },
  })
}

function archivedRefusal({ channel }: ChannelForUser): ChatError | undefined {
  return channel.is_archived ? notAuthorized(channel.name) : undefined
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
