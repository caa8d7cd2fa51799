import { inject } from 'tsyringe'

import type { Actor } from '../../../domain/users/actor.js'
import { badRequest, ChatError } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'
import { actorOf, UserDirectory } from '../../people/users/index.js'
import {
  ChannelAccess,
  ChannelRepository,
  normalizeChannelName,
  type ChannelForSender,
  type ChannelForUser,
} from '../channels/index.js'

/** A channel in a request. */
type NamedChannel = { readonly id: number } | { readonly name: string }

/** Checks the permission to post in channels. */
@perServer()
export class PostingPermission {
  constructor(
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(ChannelAccess) private readonly access: ChannelAccess,
    @inject(UserDirectory) private readonly users: UserDirectory,
  ) {}

  /**
   * Returns the channel that `actor` wants to post in, with the state of the topic.
   *
   * @param isAnswer whether the message is the answer of an outgoing webhook bot to a message that
   *   mentioned it: then only archived channels are refused.
   * @throws {ChatError} `STREAM_DOES_NOT_EXIST` if there is no such channel, or neither `actor` nor
   *   the owner of a bot may access its metadata.
   * @throws {ChatError} `BAD_REQUEST` if `actor` may not post there.
   */
  async requireChannel(
    scope: OrganizationScope,
    actor: Actor,
    named: NamedChannel,
    topicKey: string,
    isAnswer = false,
  ): Promise<ChannelForSender> {
    if ('name' in named) normalizeChannelName(named.name)
    const found = await this.channels.findForSender(scope, named, actor.userId, topicKey)
    if (found === undefined) throw missingChannel(named)
    const refusal = isAnswer ? archivedRefusal(found) : await this.#refusal(scope, actor, found)
    if (refusal === undefined) return found
    // The message of a refusal contains the name of the channel.
    throw (await this.#hasMetadataAccess(scope, actor, found)) ? refusal : missingChannel(named)
  }

  /**
   * @param found a channel whose metadata `actor` may access.
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

  /** The error if `actor` may not post in the channel; otherwise undefined. */
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
    if (!maySend) return badRequest('CHANNEL_POSTING_NOT_ALLOWED')
    if (channel.is_archived) return archivedRefusal(found)
    if (await this.access.hasContentAccess(actor, found)) return undefined
    if (owner !== undefined) {
      const forOwner = await this.channels.findForUser(scope, { id: channel.id }, owner.userId)
      if (forOwner?.isSubscribed === true) return undefined
    }
    return notAuthorized(channel.name)
  }

  /** Whether `actor`, or the owner of a bot, may access the metadata of the channel. */
  async #hasMetadataAccess(
    scope: OrganizationScope,
    actor: Actor,
    found: ChannelForUser,
  ): Promise<boolean> {
    if (await this.access.hasMetadataAccess(actor, found)) return true
    const owner = await this.#owner(scope, actor)
    if (owner === undefined) return false
    const by = { id: found.channel.id }
    const forOwner = await this.channels.findForUser(scope, by, owner.userId)
    return forOwner !== undefined && this.access.hasMetadataAccess(owner, forOwner)
  }

  /** The owner of a bot, whose permissions the bot has too. */
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
  return badRequest('CHANNEL_SENDING_NOT_AUTHORIZED', { name: channelName })
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
