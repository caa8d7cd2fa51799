import { inject } from 'tsyringe'

import { isGuest, isSpectator, type Actor } from '../../domain/actor.js'
import { isChannelTerm, isDirectTerm, type NarrowTerm } from '../../domain/narrow.js'
import { wantedTexts, type SearchTexts } from '../../domain/narrow-search.js'
import { ChatError } from '../../errors/index.js'
import { perServer } from '../../kernel/per-server.js'
import type { OrganizationScope } from '../../storage/index.js'
import { ChannelAccess, ChannelRepository, type ChannelForUser } from '../channels/index.js'
import { mayRead, mayReadWholeHistory } from '../message-access/index.js'
import { ConversationTerms } from './conversation-terms.js'
import { NarrowTerms } from './narrow-terms.js'
import type { MessageSearch, SearchTerm } from './search-condition.js'

/** A narrow with everything that it names looked up. */
export interface ResolvedNarrow {
  readonly search: MessageSearch
  /** Finds the oldest unread message that is not hidden by muting. */
  readonly unread: MessageSearch
  /** What is highlighted in the found messages; undefined without a text search. */
  readonly texts: SearchTexts | undefined
}

export interface NarrowOptions {
  /** Whether the narrow may name a message whose conversation is meant. */
  readonly allowsWith: boolean
  /** Whether only messages that the user has received are meant, whatever the narrow says. */
  readonly onlyReceived?: boolean
}

/** Makes searches of narrows. */
@perServer()
export class NarrowResolver {
  constructor(
    @inject(NarrowTerms) private readonly terms: NarrowTerms,
    @inject(ConversationTerms) private readonly conversationTerms: ConversationTerms,
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(ChannelAccess) private readonly access: ChannelAccess,
  ) {}

  /** @throws {ChatError} `BAD_NARROW` if the narrow means nothing, or names what does not exist. */
  async resolve(
    scope: OrganizationScope,
    actor: Actor,
    narrow: readonly NarrowTerm[],
    options: NarrowOptions,
  ): Promise<ResolvedNarrow> {
    const asked = options.allowsWith
      ? await this.conversationTerms.replaceWith(scope, actor, narrow)
      : narrow
    if (asked.some(isChannelTerm) && asked.some(isDirectTerm)) {
      throw new ChatError('BAD_NARROW', {
        fields: { desc: 'No message can be both a channel message and direct message' },
      })
    }
    const searched = await this.terms.resolve(scope, actor, asked)
    const channel = await this.#channelOf(scope, actor, searched)
    const includesUnreceived =
      options.onlyReceived !== true && (await this.#searchesShared(actor, asked, searched, channel))
    const restriction = includesUnreceived ? [] : await this.#readable(actor, asked, channel)
    const search = {
      userId: actor.userId,
      terms: [...searched, ...restriction],
      includesUnreceived,
    }
    return {
      search,
      unread: { ...search, terms: [...search.terms, ...unhidden(asked, channel)] },
      texts: wantedTexts(asked),
    }
  }

  /** The channel that the last of several such terms names. */
  async #channelOf(
    scope: OrganizationScope,
    actor: Actor,
    terms: readonly SearchTerm[],
  ): Promise<ChannelForUser | undefined> {
    const term = terms.findLast(
      ({ condition, isNegated }) => condition.kind === 'channel' && !isNegated,
    )
    if (term?.condition.kind !== 'channel') return undefined
    const { channelId } = term.condition
    const [found] = await this.channels.findManyForUser(scope, [channelId], actor.userId)
    return found
  }

  /**
   * Whether the narrow searches what its channels share with everyone who may read them. Personal
   * states exist only of received messages, so they never do.
   */
  async #searchesShared(
    actor: Actor,
    asked: readonly NarrowTerm[],
    terms: readonly SearchTerm[],
    channel: ChannelForUser | undefined,
  ): Promise<boolean> {
    if (asked.some(({ operator, operand }) => operator === 'is' && operand !== 'resolved')) {
      return false
    }
    const last = terms.findLast(
      ({ condition, isNegated }) =>
        !isNegated && (condition.kind === 'channel' || condition.kind === 'channels'),
    )
    if (last === undefined) return false
    // A spectator's narrow says that only web-public channels are meant, whatever comes last.
    if (last.condition.kind === 'channels') return !isGuest(actor) || isSpectator(actor)
    if (channel === undefined) return false
    return mayReadWholeHistory(await this.access.viewer(actor), channel)
  }

  /** Keeps records of channels that the user may not read any more out. */
  async #readable(
    actor: Actor,
    asked: readonly NarrowTerm[],
    channel: ChannelForUser | undefined,
  ): Promise<SearchTerm[]> {
    if (asked.some(isDirectTerm)) return []
    const viewer = await this.access.viewer(actor)
    if (channel !== undefined && mayRead(viewer, channel, true)) return []
    return [{ condition: { kind: 'readable', viewer }, isNegated: false }]
  }
}

/** What the anchor `first_unread` passes over, besides what the narrow leaves out itself. */
function unhidden(asked: readonly NarrowTerm[], channel: ChannelForUser | undefined): SearchTerm[] {
  if (asked.some(isDirectTerm)) return []
  // Who looks into a muted channel wants to see it.
  if (channel !== undefined) return [{ condition: { kind: 'topicNotMuted' }, isNegated: false }]
  return [{ condition: { kind: 'hidden' }, isNegated: true }]
}
