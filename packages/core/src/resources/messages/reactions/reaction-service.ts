import { inject } from 'tsyringe'

import { MessageFlag } from '../../../domain/messages/message-flags.js'
import { Quotas } from '../../../domain/quotas.js'
import type { Actor } from '../../../domain/users/actor.js'
import { badRequest, ChatError } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { type ServerFacts, ServerFactsToken } from '../../../kernel/server-facts.js'
import { type OrganizationScope, type Transaction, UnitOfWork } from '../../../storage/index.js'
import { MessageAccess, type MessageRow } from '../../channels/message-permissions/index.js'
import { TopicParticipation } from '../../channels/topics/index.js'
import { EmojiLookup, type KnownEmoji, storedType } from '../../content/emoji/index.js'
import { UserAccess } from '../../people/user-access/index.js'
import { apiEmail, unknownUser, UserDirectory, type UserRow } from '../../people/users/index.js'
import {
  type EmojiParameters,
  reactionAdded,
  type ReactionEvent,
  reactionRemoved,
} from './reaction-events.js'
import { ReactionRepository } from './reaction-repository.js'
import { type ReactionRow, reactions } from './reactions-table.js'

/** The columns that identify an emoji. Its name does not. */
type EmojiKey = Pick<ReactionRow, 'reaction_type' | 'emoji_code'>

type AnyEmoji = Record<keyof KnownEmoji, string>

/** Adds and removes reactions. */
@perServer()
export class ReactionService {
  constructor(
    @inject(MessageAccess) private readonly messages: MessageAccess,
    @inject(ReactionRepository) private readonly stored: ReactionRepository,
    @inject(EmojiLookup) private readonly emoji: EmojiLookup,
    @inject(UserDirectory) private readonly users: UserDirectory,
    @inject(UserAccess) private readonly userAccess: UserAccess,
    @inject(TopicParticipation) private readonly participation: TopicParticipation,
    @inject(Quotas) private readonly quotas: Quotas,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  /**
   * Adds a reaction. If the actor did not receive the message, it is added to their history.
   *
   * @throws {ChatError} `BAD_REQUEST` if the actor cannot see the message, there is no such emoji,
   *   or there are too many reactions.
   * @throws {ChatError} `REACTION_ALREADY_EXISTS` if the actor has already reacted with it.
   */
  async add(
    actor: Actor,
    messageId: number,
    parameters: EmojiParameters & { emoji_name: string },
  ): Promise<void> {
    await this.unitOfWork.runFor(actor, async (tx) => {
      const { message, hasUserMessage, channel } = await this.messages.requireChangeable(
        tx,
        actor,
        messageId,
      )
      const emoji = await this.#complete(tx, parameters)
      const ofMessage = { message_id: messageId }
      const [others, counts] = await tx.readTogether(
        () => tx.rows(reactions).list({ ...ofMessage, ...keyOf(emoji) }, 'id'),
        () => this.stored.counts(tx, messageId, actor.userId),
      )
      if (others.some((reaction) => reaction.user_id === actor.userId)) {
        throw new ChatError('REACTION_ALREADY_EXISTS')
      }
      this.quotas.require('reactionsPerUserAndMessage', counts.own + 1)
      this.quotas.require('reactionsPerMessage', counts.all + 1)
      // Further reactions use the name of the first one, even if the emoji was deleted since.
      const [first] = others
      if (first === undefined) await this.emoji.requireKnown(tx, emoji)
      const emoji_name = first?.emoji_name ?? emoji.emoji_name
      const row = { ...ofMessage, user_id: actor.userId, ...keyOf(emoji), emoji_name }
      await tx.rows(reactions).insert(row)
      if (!hasUserMessage) {
        const flags = MessageFlag.read | MessageFlag.historical
        await tx.insert('user_messages', { ...ofMessage, user_id: actor.userId, flags })
      }
      const user = await this.users.require(tx, actor.userId)
      await this.participation.note(tx, user, channel, message.topic)
      const audience = await this.messages.audienceOf(tx, message, channel)
      tx.emit(
        reactionAdded(audience, await this.#event(tx, user, message, { ...emoji, emoji_name })),
      )
    })
  }

  /**
   * Removes `actor`'s reaction.
   *
   * @throws {ChatError} `BAD_REQUEST` if the actor cannot see the message, or there is no such emoji.
   * @throws {ChatError} `REACTION_DOES_NOT_EXIST` if the actor has no such reaction to it.
   */
  async remove(actor: Actor, messageId: number, parameters: EmojiParameters): Promise<void> {
    await this.unitOfWork.runFor(actor, async (tx) => {
      const { message, channel } = await this.messages.requireChangeable(tx, actor, messageId)
      const key = await this.#keyToRemove(tx, parameters)
      const ofActor = { message_id: messageId, user_id: actor.userId, ...key }
      const own = await tx.rows(reactions).find(ofActor)
      if (own === undefined) {
        await this.emoji.requireCode(tx, key.reaction_type, key.emoji_code)
        throw new ChatError('REACTION_DOES_NOT_EXIST')
      }
      await tx.rows(reactions).delete(ofActor)
      const audience = await this.messages.audienceOf(tx, message, channel)
      const user = await this.users.require(tx, actor.userId)
      tx.emit(reactionRemoved(audience, await this.#event(tx, user, message, own)))
    })
  }

  /** Removes a user's reaction to a message, whatever the user may see, and sends the event. */
  async withdraw(tx: Transaction, message: MessageRow, reaction: ReactionRow): Promise<void> {
    const { user_id } = reaction
    const whole = { message_id: message.id, user_id, ...keyOf(reaction) }
    const existed = (await tx.rows(reactions).delete(whole)) > 0
    if (!existed) return
    const audience = await this.messages.audienceOf(tx, message)
    const user = await this.users.require(tx, reaction.user_id)
    tx.emit(reactionRemoved(audience, await this.#event(tx, user, message, reaction)))
  }

  /** Fills in the parameters that the client has left out, from the emoji's name. */
  async #complete(
    scope: OrganizationScope,
    parameters: EmojiParameters & { emoji_name: string },
  ): Promise<AnyEmoji> {
    const { emoji_name, emoji_code, reaction_type } = parameters
    if (emoji_code !== undefined && reaction_type !== undefined) {
      return { emoji_name, emoji_code, reaction_type: storedType(reaction_type) }
    }
    const named = await this.emoji.byName(scope, emoji_name)
    return {
      emoji_name,
      emoji_code: emoji_code ?? named.emoji_code,
      reaction_type: storedType(reaction_type ?? named.reaction_type),
    }
  }

  async #keyToRemove(scope: OrganizationScope, parameters: EmojiParameters): Promise<EmojiKey> {
    const { emoji_name, emoji_code, reaction_type } = parameters
    if (emoji_code === undefined) {
      if (emoji_name === undefined) {
        throw badRequest('REACTION_EMOJI_MISSING')
      }
      const named = await this.emoji.byName(scope, emoji_name)
      return {
        ...keyOf(named),
        ...(reaction_type === undefined ? {} : { reaction_type: storedType(reaction_type) }),
      }
    }
    const type = storedType(reaction_type ?? (await this.#typeOfName(scope, emoji_name)))
    return { emoji_code, reaction_type: type }
  }

  async #typeOfName(scope: OrganizationScope, name: string | undefined): Promise<string> {
    if (name === undefined) return 'unicode_emoji'
    return (await this.emoji.byName(scope, name)).reaction_type
  }

  async #event(
    tx: Transaction,
    user: UserRow,
    message: MessageRow,
    { emoji_name, emoji_code, reaction_type }: AnyEmoji,
  ): Promise<ReactionEvent> {
    // The participants of a direct conversation can all access each other.
    const isDirect = message.channel_id === null
    const toUserIds = isDirect ? [] : await this.userAccess.guestsWithoutAccess(tx, user)
    return {
      user_id: user.id,
      user: { user_id: user.id, email: apiEmail(user, this.facts), full_name: user.full_name },
      message_id: message.id,
      emoji_name,
      emoji_code,
      reaction_type: this.emoji.wireType(reaction_type),
      ...(toUserIds.length === 0
        ? {}
        : { placeholder: { toUserIds, user: placeholderOf(user.id, this.facts) } }),
    }
  }
}

function placeholderOf(userId: number, facts: ServerFacts): ReactionEvent['user'] {
  const { user_id, email, full_name } = unknownUser(userId, facts)
  return { user_id, email, full_name }
}

function keyOf({ reaction_type, emoji_code }: EmojiKey): EmojiKey {
  return { reaction_type, emoji_code }
}
