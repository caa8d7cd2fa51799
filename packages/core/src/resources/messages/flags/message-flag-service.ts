import { inject } from 'tsyringe'

import { MessageFlag, unreceivedFlags } from '../../../domain/messages/message-flags.js'
import type { Actor } from '../../../domain/users/actor.js'
import { badRequest } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { UnitOfWork, type Transaction } from '../../../storage/index.js'
import { MessageAccess } from '../../channels/message-permissions/index.js'
import { UnwrittenMessages } from '../../channels/unwritten-messages/index.js'
import type { NarrowTerm } from '../narrows/index.js'
import { ConversationRepository } from '../objects/index.js'
import { MessageFetch, type RangeRequest, type FetchedRange } from '../reading/index.js'
import { requireFlagChange, type FlagOperation } from './flag-change.js'
import {
  messageFlagsAdded,
  messageFlagsRemoved,
  type UnreadDetails,
} from './message-flag-events.js'
import { MessageFlagRepository } from './message-flag-repository.js'
import { PlacedMessageRepository } from './placed-message-repository.js'

/** The result of a request to change a flag. */
export interface FlagOutcome {
  /** The messages whose flag changed, in the order of the request. */
  readonly changedIds: readonly number[]
  /** Channels whose messages stay read because the user is not subscribed. */
  readonly ignoredChannelIds: readonly number[]
}

/** Changes the personal flags of messages and sends the events to the user's clients. */
@perServer()
export class MessageFlagService {
  constructor(
    @inject(MessageFlagRepository) private readonly userMessages: MessageFlagRepository,
    @inject(PlacedMessageRepository) private readonly placed: PlacedMessageRepository,
    @inject(UnwrittenMessages) private readonly unwritten: UnwrittenMessages,
    @inject(MessageAccess) private readonly access: MessageAccess,
    @inject(MessageFetch) private readonly fetch: MessageFetch,
    @inject(ConversationRepository) private readonly conversations: ConversationRepository,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Adds a flag to messages, or removes it.
   *
   * @throws {ChatError} `BAD_REQUEST` if the flag or operation is invalid, the flag is not
   *   editable, or `actor` may not see one of the messages.
   */
  async update(
    actor: Actor,
    messageIds: readonly number[],
    request: { readonly op: string; readonly flag: string },
  ): Promise<FlagOutcome> {
    const change = requireFlagChange(request)
    const ids = [...new Set(messageIds)]
    return this.unitOfWork.runFor(actor, async (tx) => {
      const masks = await this.userMessages.lockUserMessages(tx, actor.userId, ids)
      return this.#updateWithin(tx, actor, ids, masks, change)
    })
  }

  /**
   * Adds a flag to all messages of a range, or removes it.
   *
   * @throws {ChatError} `BAD_REQUEST` as {@link update} does.
   * @throws {ChatError} `BAD_NARROW` if the narrow is invalid or refers to missing objects.
   */
  async updateRange(
    actor: Actor,
    narrow: readonly NarrowTerm[],
    request: RangeRequest,
    flagChange: { readonly op: string; readonly flag: string },
  ): Promise<FlagOutcome & { readonly range: FetchedRange<number> }> {
    const change = requireFlagChange(flagChange)
    // A search may take seconds, so it is not part of the transaction.
    const range = await this.fetch.idRange(actor, narrow, request)
    if (range.items.length === 0) return { range, changedIds: [], ignoredChannelIds: [] }
    const outcome = await this.unitOfWork.runFor(actor, async (tx) => {
      const masks = await this.userMessages.lockUserMessages(tx, actor.userId, range.items)
      return this.#updateWithin(tx, actor, range.items, masks, change, 'skip')
    })
    return { range, ...outcome }
  }

  /**
   * @param known the flags of the messages that the user has received.
   * @param invisible what to do with messages that `actor` may not see: those of a search may have
   *   been deleted or moved since.
   */
  async #updateWithin(
    tx: Transaction,
    actor: Actor,
    ids: readonly number[],
    known: ReadonlyMap<number, number>,
    { op, flag }: FlagOperation,
    invisible: 'refuse' | 'skip' = 'refuse',
  ): Promise<FlagOutcome> {
    const masks = await this.#completed(tx, actor.userId, ids, known)
    const bit = MessageFlag[flag]
    const hasRequestedState = (mask: number) => ((mask & bit) !== 0) === (op === 'add')
    // Of thousands of messages, the user has usually received all.
    const unreceived = masks.size === ids.length ? [] : ids.filter((id) => !masks.has(id))
    const mustSee = !hasRequestedState(unreceivedFlags) && unreceived.length > 0
    const seen = mustSee ? await this.#visibleIds(tx, actor, unreceived) : new Set<number>()
    if (mustSee && seen.size < unreceived.length && invisible === 'refuse') {
      throw badRequest('MESSAGE_UNKNOWN')
    }
    let candidates =
      seen.size === unreceived.length ? ids : ids.filter((id) => masks.has(id) || seen.has(id))
    let ignoredChannelIds: readonly number[] = []
    if (flag === 'read' && op === 'remove') {
      const split = await this.#splitBySubscription(tx, actor, candidates)
      candidates = split.subscribed
      ignoredChannelIds = split.ignoredChannelIds
    }
    const changedIds = candidates.filter(
      (id) => !hasRequestedState(masks.get(id) ?? unreceivedFlags),
    )
    const isMixed = unreceived.length > 0
    const created = isMixed ? changedIds.filter((id) => !masks.has(id)) : []
    const updated = isMixed ? changedIds.filter((id) => masks.has(id)) : changedIds
    const mask = op === 'add' ? unreceivedFlags | bit : unreceivedFlags & ~bit
    await this.userMessages.insertUserMessages(tx, actor.userId, created, mask)
    await this.userMessages.setFlag(
      tx,
      actor.userId,
      updated,
      op === 'add' ? { add: bit } : { remove: bit },
    )
    if (changedIds.length > 0) await this.#announce(tx, actor, changedIds, { op, flag })
    return { changedIds, ignoredChannelIds }
  }

  /**
   * Marks messages as read for a user, who need not be the acting user, and sends the event to the
   * user's clients. Messages that are already read or were never received are skipped.
   */
  async markRead(tx: Transaction, userId: number, messageIds: readonly number[]): Promise<void> {
    const masks = await this.userMessages.lockUserMessages(tx, userId, messageIds)
    const unread = messageIds.filter(
      (id) => ((masks.get(id) ?? MessageFlag.read) & MessageFlag.read) === 0,
    )
    if (unread.length === 0) return
    await this.userMessages.setFlag(tx, userId, unread, { add: MessageFlag.read })
    tx.emit(
      messageFlagsAdded({ userIds: [userId] }, { flag: 'read', messages: unread, all: false }),
    )
  }

  async #visibleIds(
    tx: Transaction,
    actor: Actor,
    messageIds: readonly number[],
  ): Promise<ReadonlySet<number>> {
    const visible = await this.access.listVisible(tx, actor, messageIds)
    return new Set(visible.map(({ message }) => message.id))
  }

  async #splitBySubscription(
    tx: Transaction,
    actor: Actor,
    messageIds: readonly number[],
  ): Promise<{ subscribed: number[]; ignoredChannelIds: readonly number[] }> {
    const states = await this.userMessages.listSubscriptions(tx, actor.userId, messageIds)
    const ignoredIds = new Set<number>()
    const ignoredChannelIds = new Set<number>()
    for (const { messageId, channelId, isSubscribed } of states) {
      if (channelId === null || isSubscribed) continue
      ignoredIds.add(messageId)
      ignoredChannelIds.add(channelId)
    }
    return {
      subscribed: messageIds.filter((id) => !ignoredIds.has(id)),
      ignoredChannelIds: [...ignoredChannelIds],
    }
  }

  /** The same flags with those of messages that the user has received, and were not written. */
  async #completed(
    tx: Transaction,
    userId: number,
    ids: readonly number[],
    known: ReadonlyMap<number, number>,
  ): Promise<ReadonlyMap<number, number>> {
    if (known.size === ids.length) return known
    const missing = ids.filter((id) => !known.has(id))
    await this.unwritten.writeMessages(tx, userId, missing)
    return new Map([...known, ...(await this.userMessages.lockUserMessages(tx, userId, missing))])
  }

  async #announce(
    tx: Transaction,
    actor: Actor,
    messages: readonly number[],
    { op, flag }: FlagOperation,
  ): Promise<void> {
    const audience = { userIds: [actor.userId] }
    if (op === 'add') {
      tx.emit(messageFlagsAdded(audience, { flag, messages, all: false }))
      return
    }
    const details = flag === 'read' ? await this.#details(tx, actor.userId, messages) : undefined
    tx.emit(
      messageFlagsRemoved(audience, {
        flag,
        messages,
        ...(details === undefined ? {} : { details }),
      }),
    )
  }

  async #details(
    tx: Transaction,
    userId: number,
    messageIds: readonly number[],
  ): Promise<Record<string, UnreadDetails>> {
    const userMessages = await this.placed.listPlaced(tx, userId, messageIds)
    const direct = userMessages.filter(({ channelId }) => channelId === null)
    const members = await this.conversations.members(tx, [
      ...new Set(direct.map(({ recipientId }) => recipientId)),
    ])
    return Object.fromEntries(
      userMessages.map((userMessage) => {
        const mentioned = userMessage.isMention ? { mentioned: true as const } : {}
        const details: UnreadDetails =
          userMessage.channelId === null
            ? {
                type: 'private',
                user_ids: (members.get(userMessage.recipientId) ?? []).filter(
                  (id) => id !== userId,
                ),
                ...mentioned,
              }
            : {
                type: 'stream',
                stream_id: userMessage.channelId,
                topic: userMessage.topic,
                unmuted_stream_msg: !userMessage.isMuted,
                ...mentioned,
              }
        return [String(userMessage.messageId), details]
      }),
    )
  }
}
