import { inject } from 'tsyringe'

import { MessageFlag, unreceivedFlags } from '../../../domain/messages/message-flags.js'
import { highlightWords } from '../../../domain/texts/search-words.js'
import { type Actor, isSpectator } from '../../../domain/users/actor.js'
import { EventLoopYielder } from '../../../kernel/event-loop-yielder.js'
import { keyWithin, type MadeKey } from '../../../kernel/limit-keys.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import { SharedWork } from '../../../kernel/shared-work.js'
import { Database, type OrganizationScope } from '../../../storage/index.js'
import {
  type Anchor,
  describeRange,
  escapeHtml,
  type MessageRange,
  MessageSearchRepository,
  type NarrowResolution,
  NarrowResolver,
  type NarrowTerm,
  newestAnchor,
  type SearchedMessage,
  type SearchTexts,
} from '../narrows/index.js'
import { type MessageFormat, type MessageObject, MessageView } from '../objects/index.js'
import { fittingMessages } from './fitting-messages.js'

/**
 * How many searches of a user run at once, those of the user's bots included; and how many of all
 * visitors of an organization. Each may occupy a connection for seconds, and SQLite has four.
 */
const maxRunningPerKey = 2

/** Runs the searches of a user a few at a time, so that others do not wait for them. */
@perServer()
export class UserSearches {
  readonly #searches = new SharedWork({
    maxRunning: Infinity,
    maxRunningPerKey,
    maxWaiting: Infinity,
  })

  run<Result>(actor: Actor, search: () => Promise<Result>): Promise<Result> {
    return this.#searches.run(keyOf(actor), search)
  }
}

/** All spectators of an organization have the same id. */
function keyOf({ organizationId, userId, botOwnerId }: Actor): MadeKey {
  return keyWithin(String(organizationId), botOwnerId ?? userId)
}

/** A range whose anchor may be symbolic. */
export type RangeRequest = Omit<MessageRange, 'anchor'> & { readonly anchor: Anchor }

/** The messages of a narrow in a range. */
export interface FetchedRange<Item> {
  readonly items: readonly Item[]
  /** The anchor that was used. */
  readonly anchor: number
  readonly foundAnchor: boolean
  readonly foundOldest: boolean
  readonly foundNewest: boolean
}

/** The content and topic of a found message with search terms highlighted; both are HTML. */
export interface MatchTexts {
  readonly match_content: string
  readonly match_subject: string
}

/** Fetches messages by narrow and range. */
@perServer()
export class MessageFetch {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(NarrowResolver) private readonly narrows: NarrowResolver,
    @inject(MessageSearchRepository) private readonly messages: MessageSearchRepository,
    @inject(MessageView) private readonly view: MessageView,
    @inject(UserSearches) private readonly searches: UserSearches,
  ) {}

  /** @throws {ChatError} `BAD_NARROW` if the narrow is invalid or refers to missing objects. */
  async range(
    actor: Actor,
    narrow: readonly NarrowTerm[],
    request: RangeRequest,
    format: MessageFormat,
  ): Promise<FetchedRange<MessageObject>> {
    return this.#read(actor, (scope) => this.#range(scope, actor, narrow, request, format))
  }

  async #range(
    scope: OrganizationScope,
    actor: Actor,
    narrow: readonly NarrowTerm[],
    request: RangeRequest,
    format: MessageFormat,
  ): Promise<FetchedRange<MessageObject>> {
    const resolved = await this.narrows.resolve(scope, actor, narrow, { allowsWith: true })
    const range = await this.#anchored(scope, resolved, request)
    const { messages, omittedIds } = await this.messages.findRange(scope, resolved.narrow, range)
    const all = await this.#objects(scope, actor, messages, format, resolved.texts)
    const items = await fittingMessages(all, range.anchor)
    const fitting = new Set(items)
    return {
      items,
      anchor: range.anchor,
      ...describeRange(
        items.map(({ id }) => id),
        range,
        [...omittedIds, ...all.filter((item) => !fitting.has(item)).map(({ id }) => id)],
      ),
    }
  }

  /**
   * Returns the given messages that match the narrow.
   *
   * @throws {ChatError} `BAD_NARROW` if the narrow is invalid or refers to missing objects.
   */
  async among(
    actor: Actor,
    narrow: readonly NarrowTerm[],
    messageIds: readonly number[],
    format: MessageFormat,
  ): Promise<MessageObject[]> {
    return this.#read(actor, async (scope) => {
      const resolved = await this.narrows.resolve(scope, actor, narrow, { allowsWith: true })
      const { messages } = await this.messages.findAmong(scope, resolved.narrow, messageIds)
      const all = await this.#objects(scope, actor, messages, format, resolved.texts)
      return fittingMessages(all, 0)
    })
  }

  /**
   * The message ids in a range, for a change of all its messages.
   *
   * @throws {ChatError} `BAD_NARROW` as {@link range} does.
   */
  async idRange(
    actor: Actor,
    narrow: readonly NarrowTerm[],
    request: RangeRequest,
  ): Promise<FetchedRange<number>> {
    return this.searches.run(actor, async () => {
      // Not from a read replica, because a write relies on it.
      const scope = this.database.read(actor.organizationId)
      const resolved = await this.narrows.resolve(scope, actor, narrow, { allowsWith: false })
      const range = await this.#anchored(scope, resolved, request)
      const items = await this.messages.findRangeIds(scope, resolved.narrow, range)
      return { items, anchor: range.anchor, ...describeRange(items, range) }
    })
  }

  /**
   * The highlighted texts of the given messages that the user has received and that match the
   * narrow, by message id.
   *
   * @throws {ChatError} `BAD_NARROW` if the narrow is invalid or refers to missing objects.
   */
  async matches(
    actor: Actor,
    narrow: readonly NarrowTerm[],
    messageIds: readonly number[],
  ): Promise<ReadonlyMap<number, MatchTexts>> {
    return this.#read(actor, async (scope) => {
      const { narrow: resolved, texts } = await this.narrows.resolve(scope, actor, narrow, {
        allowsWith: false,
        onlyReceived: true,
      })
      const { messages } = await this.messages.findAmong(scope, resolved, messageIds)
      const matches: (MatchTexts & { readonly id: number })[] = []
      const yielder = new EventLoopYielder()
      for (const message of messages) {
        if (yielder.isDue) await yielder.yield()
        matches.push({ id: message.id, ...matchTexts(message, texts) })
      }
      const fitting = await fittingMessages(matches, 0)
      return new Map(fitting.map(({ id, ...ofMessage }) => [id, ofMessage]))
    })
  }

  #read<Result>(
    actor: Actor,
    search: (scope: OrganizationScope) => Promise<Result>,
  ): Promise<Result> {
    return this.searches.run(actor, () => this.database.readReplicated(actor, search))
  }

  async #anchored(
    scope: OrganizationScope,
    { unread }: NarrowResolution,
    request: RangeRequest,
  ): Promise<MessageRange> {
    if (request.anchor !== 'first_unread') return { ...request, anchor: request.anchor }
    const firstUnread = await this.messages.findFirstUnread(scope, unread)
    return { ...request, anchor: firstUnread ?? newestAnchor }
  }

  async #objects(
    scope: OrganizationScope,
    actor: Actor,
    found: readonly SearchedMessage[],
    format: MessageFormat,
    texts: SearchTexts | undefined,
  ): Promise<MessageObject[]> {
    const defaultFlags = isSpectator(actor) ? MessageFlag.read : unreceivedFlags
    const flagged = found.map((message) => ({
      message,
      flags: message.user_message_flags ?? defaultFlags,
    }))
    const objects = await this.view.objects(scope, actor, flagged, format)
    if (texts === undefined) return objects
    const highlighted: MessageObject[] = []
    const yielder = new EventLoopYielder()
    for (const [index, object] of objects.entries()) {
      if (yielder.isDue) await yielder.yield()
      const message = present(found[index], 'the message of each object')
      highlighted.push({ ...object, ...matchTexts(message, texts) })
    }
    return highlighted
  }
}

function matchTexts(message: SearchedMessage, texts: SearchTexts | undefined): MatchTexts {
  const topic = escapeHtml(message.topic)
  if (texts === undefined) return { match_content: message.rendered_content, match_subject: topic }
  return {
    match_content: highlightWords(message.rendered_content, texts),
    match_subject: highlightWords(topic, texts),
  }
}
