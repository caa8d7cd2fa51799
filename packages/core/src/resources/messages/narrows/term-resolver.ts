import { badNarrow } from './bad-narrow.js'
import { inject } from 'tsyringe'

import { isSpectator, type Actor } from '../../../domain/users/actor.js'
import { foldCase } from '../../../domain/texts/folding.js'
import { mentionFlags, MessageFlag } from '../../../domain/messages/message-flags.js'
import { operandText, type NarrowOperand, type NarrowTerm } from './narrow.js'
import { hasWords } from './condition-sql.js'
import { searchesOf, type SearchTexts } from './search-texts.js'
import { interpretTopic, topicKey } from '../../../domain/messages/topics.js'
import { namedText } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'
import { ChannelAccess, ChannelRepository } from '../../channels/channels/index.js'
import { contentTraits } from '../../content/rendering/index.js'
import { UsersAndSystemBots } from '../../people/users/index.js'
import { UserAccess } from '../../people/user-access/index.js'
import { ConversationRepository } from '../objects/index.js'
import { SearchIndex } from '../search-index/index.js'
import type { Condition, ResolvedTerm, SearchCondition } from './resolved-narrow.js'

const maxMessageId = 2_147_483_647
/** No channel and no user has it. */
const noId = 0

export const states = {
  dm: { kind: 'direct' },
  private: { kind: 'direct' },
  starred: { kind: 'flags', mask: MessageFlag.starred },
  unread: { kind: 'unread' },
  mentioned: { kind: 'flags', mask: mentionFlags },
  alerted: { kind: 'flags', mask: MessageFlag.has_alert_word },
  resolved: { kind: 'resolved' },
  followed: { kind: 'followed' },
  muted: { kind: 'hidden' },
} satisfies Readonly<Record<string, Condition>>

export const contents = {
  link: { kind: 'traits', mask: contentTraits.link },
  image: { kind: 'traits', mask: contentTraits.image },
  attachment: { kind: 'traits', mask: contentTraits.attachment },
  reaction: { kind: 'reaction' },
} satisfies Readonly<Record<string, Condition>>

/** Resolves the references in the terms of a narrow. */
@perServer()
export class TermResolver {
  constructor(
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(ChannelAccess) private readonly access: ChannelAccess,
    @inject(UsersAndSystemBots) private readonly users: UsersAndSystemBots,
    @inject(UserAccess) private readonly userAccess: UserAccess,
    @inject(ConversationRepository) private readonly conversations: ConversationRepository,
    @inject(SearchIndex) private readonly searchIndex: SearchIndex,
  ) {}

  /** @throws {ChatError} `BAD_NARROW` for the first invalid term, or for too large searches. */
  async resolve(
    scope: OrganizationScope,
    actor: Actor,
    terms: readonly NarrowTerm[],
  ): Promise<ResolvedTerm[]> {
    const found: ResolvedTerm[] = []
    const { wanted, unwanted } = searchesOf(terms)
    if (wanted !== undefined) found.push({ condition: searchFor(wanted), isNegated: false })
    for (const texts of unwanted) {
      found.push({ condition: searchFor(texts), isNegated: true })
    }
    for (const { operator, operand, isNegated } of terms) {
      if (operator === 'search') continue
      const condition = await this.#condition(scope, actor, operator, operand)
      if (condition !== undefined) found.push({ condition, isNegated })
    }
    return this.#withUnindexed(scope, found)
  }

  /** Looks for the texts in the messages that are not indexed, once for all terms. */
  async #withUnindexed(
    scope: OrganizationScope,
    terms: readonly ResolvedTerm[],
  ): Promise<ResolvedTerm[]> {
    const searches = terms.flatMap(({ condition }) =>
      condition.kind === 'search' && hasWords(condition.texts) ? [condition] : [],
    )
    if (searches.length === 0) return [...terms]
    const found = await this.searchIndex.findUnindexed(
      scope,
      searches.map(({ texts }) => texts),
    )
    const idsOf = new Map<Condition, readonly number[]>(
      searches.map((condition, index) => [condition, found[index] ?? []]),
    )
    return terms.map(({ condition, isNegated }) =>
      condition.kind === 'search'
        ? {
            condition: { ...condition, unindexedIds: idsOf.get(condition) ?? [] },
            isNegated,
          }
        : { condition, isNegated },
    )
  }

  /** Returns undefined for a term that matches all messages, negated or not. */
  async #condition(
    scope: OrganizationScope,
    actor: Actor,
    operator: string,
    operand: NarrowOperand,
  ): Promise<Condition | undefined> {
    const text = operandText(operand)
    switch (operator) {
      case 'channel':
        return this.#channel(scope, actor, operand)
      case 'channels':
        if (text === 'public' || text === 'web-public') return { kind: 'channels', which: text }
        throw badNarrow(namedText('NARROW_CHANNELS_UNKNOWN', { operand: text }))
      case 'topic':
        return { kind: 'topic', topicKey: topicKey(interpretTopic(text)) }
      case 'sender':
        return { kind: 'sender', userId: await this.#userId(scope, actor, operand) }
      case 'dm':
        return this.#conversation(scope, actor, operand)
      case 'dm-including':
      case 'group-pm-with': {
        const userId = await this.#userId(scope, actor, operand)
        return { kind: 'participant', userId, groupsOnly: operator === 'group-pm-with' }
      }
      case 'is':
        return known(states, text, 'NARROW_IS_UNKNOWN')
      case 'has':
        return known(contents, text, 'NARROW_HAS_UNKNOWN')
      case 'in':
        if (text === 'all') return undefined
        if (text === 'home') return { kind: 'shown' }
        throw badNarrow(namedText('NARROW_IN_UNKNOWN', { operand: text }))
      case 'id':
        return { kind: 'id', messageId: messageId(text) }
      case 'near':
        return undefined
      default:
        throw badNarrow(namedText('NARROW_OPERATOR_UNKNOWN', { operator }))
    }
  }

  async #channel(scope: OrganizationScope, actor: Actor, named: NarrowOperand): Promise<Condition> {
    const text = operandText(named)
    const [found] =
      typeof named === 'number'
        ? await this.channels.findManyForUser(scope, [named], actor.userId)
        : await this.channels.findManyByName(scope, [text.trim()], actor.userId)
    if (isSpectator(actor)) {
      if (!found?.channel.is_web_public) {
        throw badNarrow(namedText('NARROW_WEB_PUBLIC_CHANNEL_UNKNOWN', { operand: text }))
      }
    } else if (found === undefined || !(await this.access.hasMetadataAccess(actor, found))) {
      // An error would tell which channels exist.
      return { kind: 'channel', channelId: noId }
    }
    return { kind: 'channel', channelId: found.channel.id }
  }

  async #userId(scope: OrganizationScope, actor: Actor, named: NarrowOperand): Promise<number> {
    if (typeof named === 'number') {
      const [user] = await this.users.findViewable(scope, [named])
      if (user !== undefined) return user.id
    } else {
      const emailKey = foldCase(operandText(named).trim())
      const [user] = await this.users.findByApiEmails(scope, actor, [emailKey])
      // Messages may show the id of a user who is not accessible, but never the address.
      if (user !== undefined && (await this.userAccess.allows(scope, actor, user))) return user.id
    }
    if (await this.#seesSomeUsers(actor)) return noId
    throw badNarrow(namedText('NARROW_USER_UNKNOWN', { operand: operandText(named) }))
  }

  /** Whether an error about an unknown user would tell `actor` which other users exist. */
  async #seesSomeUsers(actor: Actor): Promise<boolean> {
    return isSpectator(actor) || this.userAccess.isLimited(actor)
  }

  async #conversation(
    scope: OrganizationScope,
    actor: Actor,
    named: NarrowOperand,
  ): Promise<Condition> {
    const others = await this.#userIds(scope, actor, named)
    if (others === undefined && !(await this.#seesSomeUsers(actor))) {
      throw badNarrow(namedText('NARROW_USERS_UNKNOWN', { operand: operandText(named) }))
    }
    if (others === undefined || others.length === 0) {
      return { kind: 'conversation', recipientId: null }
    }
    const participants = [...new Set([...others, actor.userId])]
    const recipientId = await this.conversations.find(scope, participants)
    return { kind: 'conversation', recipientId: recipientId ?? null }
  }

  /** @returns undefined if a user was not found. */
  async #userIds(
    scope: OrganizationScope,
    actor: Actor,
    named: NarrowOperand,
  ): Promise<number[] | undefined> {
    if (typeof named !== 'string') {
      const ids = [...new Set([named].flat())]
      return idsOfAll(ids, await this.users.findViewable(scope, ids))
    }
    const addresses = named.split(',').map((email) => foldCase(email.trim()))
    const emails = [...new Set(addresses)].filter(Boolean)
    return idsOfAll(emails, await this.users.findByApiEmails(scope, actor, emails))
  }
}

function searchFor(texts: SearchTexts): SearchCondition {
  return { kind: 'search', texts, unindexedIds: [] }
}

/** @returns undefined if one of the users was not found. */
function idsOfAll(
  keys: readonly unknown[],
  found: readonly { readonly id: number }[],
): number[] | undefined {
  return found.length < keys.length ? undefined : found.map(({ id }) => id)
}

function known(
  conditions: Readonly<Record<string, Condition>>,
  operand: string,
  problem: 'NARROW_IS_UNKNOWN' | 'NARROW_HAS_UNKNOWN',
): Condition {
  const condition = Object.hasOwn(conditions, operand) ? conditions[operand] : undefined
  if (condition === undefined) throw badNarrow(namedText(problem, { operand }))
  return condition
}

function messageId(text: string): number {
  const id = /^\d{1,10}$/.test(text) ? Number(text) : Infinity
  if (id > maxMessageId) throw badNarrow(namedText('NARROW_MESSAGE_ID_INVALID'))
  return id
}
