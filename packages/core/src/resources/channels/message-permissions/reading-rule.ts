import { isApplication, isGuest } from '../../../domain/users/actor.js'
import type { OrganizationScope } from '../../../storage/index.js'
import {
  channelContentPermissions,
  type ChannelForUser,
  type ChannelRow,
  type ChannelViewer,
} from '../channels/index.js'

/** A fragment of a statement and the values of its placeholders. */
export interface SqlPart {
  readonly sql: string
  readonly bindings: readonly unknown[]
}

/** The facts about one reader and one message that the rule depends on. */
interface Reading {
  readonly viewer: ChannelViewer
  /** The channel of the message; undefined for a direct message. */
  readonly found: ChannelForUser | undefined
  /** Whether the reader has a user message for the message. */
  readonly hasUserMessage: boolean
}

/** A condition of a case, for rows in memory and for rows in a statement. */
interface Fact {
  readonly holds: (reading: Reading) => boolean
  /**
   * SQL over `m`, the message; `um`, the reader's user message; `c`, its channel; and `s`, the
   * reader's subscription. All but `m` may be NULL.
   */
  readonly sql: (viewer: ChannelViewer, scope: OrganizationScope) => SqlPart
}

const received: Fact = {
  holds: ({ hasUserMessage }) => hasUserMessage,
  sql: () => part('um.user_id IS NOT NULL'),
}
const direct: Fact = {
  holds: ({ found }) => found === undefined,
  sql: () => part('m.channel_id IS NULL'),
}
const webPublic: Fact = {
  holds: ({ found }) => found?.channel.is_web_public === true,
  sql: () => part('c.is_web_public = ?', true),
}
const publicToNonGuest: Fact = {
  holds: ({ viewer, found }) =>
    found !== undefined && !found.channel.is_private && !isGuest(viewer.actor),
  sql: ({ actor }) => (isGuest(actor) ? never : part('c.is_private = ?', false)),
}
const subscribed: Fact = {
  holds: ({ found }) => found?.isSubscribed === true,
  sql: () => part('s.is_active = ?', true),
}
/** Allowed by a setting of the channel whose group may subscribe, and therefore read. */
const mayJoin: Fact = {
  holds: ({ viewer, found }) =>
    found !== undefined &&
    channelContentPermissions.some((name) => viewer.allows(found.channel, name)),
  sql: (viewer, { dialect }) => {
    if (isApplication(viewer.actor)) return never
    const groupIds = viewer.groupIds.map(Number)
    const allowed = channelContentPermissions.filter((name) => viewer.mayBeAllowed(name))
    if (groupIds.length === 0 || allowed.length === 0) return never
    const names = allowed.map(
      (name) => `${dialect.sql.jsonNumber('c.settings', name)} IN (${groupIds.join(', ')})`,
    )
    return part(`(${names.join(' OR ')})`)
  },
}
/** Whether readers of the channel may read messages that were sent before they subscribed. */
const sharedHistory: Fact = {
  holds: ({ found }) => found !== undefined && !isHistoryProtected(found.channel),
  sql: () => part('(c.is_private = ? OR c.is_history_shared = ?)', false, true),
}
const notArchived: Fact = {
  holds: ({ found }) => found !== undefined && !found.channel.is_archived,
  sql: () => part('c.is_archived = ?', false),
}

/** The application reads every channel, but no direct messages of others. */
const byApplication: Fact = {
  holds: ({ viewer, found }) => found !== undefined && isApplication(viewer.actor),
  sql: (viewer) => (isApplication(viewer.actor) ? always : never),
}

type Case = readonly Fact[]

/** A user may read a message if all facts of at least one case hold. */
const cases: readonly [ofDirect: Case, ...ofChannels: Case[]] = [
  [direct, received],
  [webPublic],
  [publicToNonGuest],
  [subscribed, received],
  [subscribed, sharedHistory, notArchived],
  [mayJoin, received],
  [mayJoin, sharedHistory, notArchived],
  [byApplication],
]

const never: SqlPart = { sql: '1 = 0', bindings: [] }
const always: SqlPart = { sql: '1 = 1', bindings: [] }

/**
 * Whether a user may read a message.
 *
 * @param found the channel of the message; undefined for a direct message.
 * @param hasUserMessage whether the user has a user message for the message.
 */
export function mayRead(
  viewer: ChannelViewer,
  found: ChannelForUser | undefined,
  hasUserMessage: boolean,
): boolean {
  const reading = { viewer, found, hasUserMessage }
  return cases.some((facts) => facts.every((fact) => fact.holds(reading)))
}

/** Whether a user may read all messages of a channel, including messages never received. */
export function mayReadWholeHistory(viewer: ChannelViewer, found: ChannelForUser): boolean {
  return mayRead(viewer, found, false)
}

/**
 * Whether the channel's own settings limit its messages to the users who received them.
 */
export function isHistoryProtected(
  channel: Pick<ChannelRow, 'is_private' | 'is_history_shared'>,
): boolean {
  return channel.is_private && !channel.is_history_shared
}

/**
 * {@link mayRead} as an SQL condition over `m`, the message, and `um`, the user's user message,
 * which may be NULL. The condition is never NULL.
 */
export function readableSql(scope: OrganizationScope, viewer: ChannelViewer): SqlPart {
  const all = (facts: Case): SqlPart =>
    joined(
      facts.map((fact) => fact.sql(viewer, scope)),
      ' AND ',
    )
  const [ofDirect, ...ofChannels] = cases
  const inConversation = all(ofDirect)
  const inChannel = joined(ofChannels.map(all), ' OR ')
  // A subquery of at most one row; see `exists` in the search conditions.
  return {
    sql: `(${inConversation.sql} OR (
      SELECT 1 FROM ${scope.table('channels')} c
      LEFT JOIN ${scope.table('subscriptions')} s ON s.channel_id = c.id AND s.user_id = ?
      WHERE c.id = m.channel_id AND (${inChannel.sql}) LIMIT 1) IS NOT NULL)`,
    bindings: [...inConversation.bindings, viewer.actor.userId, ...inChannel.bindings],
  }
}

function part(sql: string, ...bindings: readonly unknown[]): SqlPart {
  return { sql, bindings }
}

function joined(parts: readonly SqlPart[], separator: string): SqlPart {
  return {
    sql: `(${parts.map(({ sql }) => sql).join(separator)})`,
    bindings: parts.flatMap(({ bindings }) => bindings),
  }
}
