import { badNarrow } from './bad-narrow.js'
import { inject } from 'tsyringe'

import { isGuest, isSpectator, type Actor } from '../../../domain/users/actor.js'
import { isChannelTerm, isDirectTerm, type NarrowTerm } from './narrow.js'
import type { SearchTexts } from './search-texts.js'
import { namedText } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'
import {
  ChannelAccess,
  ChannelRepository,
  type ChannelForUser,
} from '../../channels/channels/index.js'
import { mayRead, mayReadWholeHistory } from '../../channels/message-permissions/index.js'
import { ConversationTerms } from './conversation-terms.js'
import { TermResolver } from './term-resolver.js'
import type { ResolvedNarrow, ResolvedTerm } from './resolved-narrow.js'

/** The result of resolving a narrow. */
export interface NarrowResolution {
  readonly narrow: ResolvedNarrow
  /** Finds unread messages that muting does not hide. */
  readonly unread: ResolvedNarrow
  /** The texts to highlight in found messages; undefined without a text search. */
  readonly texts: SearchTexts | undefined
}

export interface NarrowOptions {
  /** Whether the narrow may contain `with`. */
  readonly allowsWith: boolean
  /** Whether to find only messages that the user has received, regardless of the narrow. */
  readonly onlyReceived?: boolean
}

/** Resolves the references in narrows, and limits them to messages that the caller may read. */
@perServer()
export class NarrowResolver {
  constructor(
    @inject(TermResolver) private readonly terms: TermResolver,
    @inject(ConversationTerms) private readonly conversationTerms: ConversationTerms,
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(ChannelAccess) private readonly access: ChannelAccess,
  ) {}

  /** @throws {ChatError} `BAD_NARROW` if the narrow is invalid or refers to missing objects. */
  async resolve(
    scope: OrganizationScope,
    actor: Actor,
    narrow: readonly NarrowTerm[],
    options: NarrowOptions,
  ): Promise<NarrowResolution> {
    const narrowTerms = options.allowsWith
      ? await this.conversationTerms.replaceWith(scope, actor, narrow)
      : narrow
    if (narrowTerms.some(isChannelTerm) && narrowTerms.some(isDirectTerm)) {
      throw badNarrow(namedText('NARROW_CHANNEL_AND_DIRECT'))
    }
    const resolvedTerms = await this.terms.resolve(scope, actor, narrowTerms)
    const channel = await this.#channelOf(scope, actor, resolvedTerms)
    const includesUnreceived =
      options.onlyReceived !== true &&
      (await this.#searchesShared(actor, narrowTerms, resolvedTerms, channel))
    const restriction = includesUnreceived ? [] : await this.#readable(actor, narrowTerms, channel)
    const resolved = {
      userId: actor.userId,
      terms: [...resolvedTerms, ...restriction],
      includesUnreceived,
    }
    return {
      narrow: resolved,
      unread: { ...resolved, terms: [...resolved.terms, ...unhidden(narrowTerms, channel)] },
      texts: wantedTextsOf(resolvedTerms),
    }
  }

  /** The channel of the last channel term. */
  async #channelOf(
    scope: OrganizationScope,
    actor: Actor,
    terms: readonly ResolvedTerm[],
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
   * Whether the narrow searches the shared history of channels, including messages that the user
   * never received. Personal flags exist for received messages only, so they exclude it.
   */
  async #searchesShared(
    actor: Actor,
    narrowTerms: readonly NarrowTerm[],
    terms: readonly ResolvedTerm[],
    channel: ChannelForUser | undefined,
  ): Promise<boolean> {
    if (narrowTerms.some(({ operator, operand }) => operator === 'is' && operand !== 'resolved')) {
      return false
    }
    const last = terms.findLast(
      ({ condition, isNegated }) =>
        !isNegated && (condition.kind === 'channel' || condition.kind === 'channels'),
    )
    if (last === undefined) return false
    // A spectator's narrow is limited to web-public channels, regardless of the last term.
    if (last.condition.kind === 'channels') return !isGuest(actor) || isSpectator(actor)
    if (channel === undefined) return false
    return mayReadWholeHistory(await this.access.viewer(actor), channel)
  }

  /** Excludes messages of channels that the user may no longer read. */
  async #readable(
    actor: Actor,
    narrowTerms: readonly NarrowTerm[],
    channel: ChannelForUser | undefined,
  ): Promise<ResolvedTerm[]> {
    if (narrowTerms.some(isDirectTerm)) return []
    const viewer = await this.access.viewer(actor)
    if (channel !== undefined && mayRead(viewer, channel, true)) return []
    return [{ condition: { kind: 'readable', viewer }, isNegated: false }]
  }
}

/** The texts of the search that is not negated. */
function wantedTextsOf(terms: readonly ResolvedTerm[]): SearchTexts | undefined {
  for (const { condition, isNegated } of terms) {
    if (condition.kind === 'search' && !isNegated) return condition.texts
  }
  return undefined
}

/** The terms that the anchor `first_unread` adds to the narrow. */
function unhidden(
  narrowTerms: readonly NarrowTerm[],
  channel: ChannelForUser | undefined,
): ResolvedTerm[] {
  if (narrowTerms.some(isDirectTerm)) return []
  // A narrow to a muted channel includes the channel's messages.
  if (channel !== undefined) return [{ condition: { kind: 'topicNotMuted' }, isNegated: false }]
  return [{ condition: { kind: 'hidden' }, isNegated: true }]
}
