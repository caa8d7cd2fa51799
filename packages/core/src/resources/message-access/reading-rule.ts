import { isGuest } from '../../domain/actor.js'
import type { OrganizationScope } from '../../storage/index.js'
import {
  channelContentPermissions,
  type ChannelForUser,
  type ChannelRow,
  type ChannelViewer,
} from '../channels/index.js'

/** A part of a statement and the values for its placeholders. */
export interface SqlPart {
  readonly sql: string
  readonly bindings: readonly unknown[]
}

/** One reader and one message, as far as the rule needs them. */
interface Reading {
  readonly viewer: ChannelViewer
  /** The channel of the message; undefined for a direct message. */
  readonly found: ChannelForUser | undefined
  /** Whether the message is in the reader's personal history. */
  readonly hasRecord: boolean
}

/** Something that a case asks: of rows that were read, and of rows in a statement. */
interface Fact {
  readonly holds: (reading: Reading) => boolean
  /**
   * SQL over `m`, the message; `um`, the reader's record of it; `c`, its channel; and `s`, the
   * reader's subscription. All but `m` may be NULL.
   */
  readonly sql: (viewer: ChannelViewer) => SqlPart
}

const received: Fact = {
  holds: ({ hasRecord }) => hasRecord,
  sql: () => part('um.user_id IS NOT NULL'),
}
const direct: Fact = {
  holds: ({ found }) => found === undefined,
  sql: () => part('m.channel_id IS NULL'),
}
const webPublic: Fact = {
  holds: ({ found }) => Boolean(found?.channel.is_web_public),
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
/** Named by a setting of the channel that lets its group subscribe, and so read. */
const mayJoin: Fact = {
  holds: ({ viewer, found }) =>
    found !== undefined &&
    channelContentPermissions.some((name) => viewer.allows(found.channel, name)),
  sql: (viewer) => {
    const groupIds = viewer.groupIds.map(Number)
    const allowed = channelContentPermissions.filter((name) => viewer.mayBeAllowed(name))
    if (groupIds.length === 0 || allowed.length === 0) return never
    const names = allowed.map(
      (name) => `JSON_EXTRACT(c.settings, '$.${name}') IN (${groupIds.join(', ')})`,
    )
    return part(`(${names.join(' OR ')})`)
  },
}
/** Whether those who may read the channel may read what was sent before they came. */
const sharedHistory: Fact = {
  holds: ({ found }) => found !== undefined && !isHistoryProtected(found.channel),
  sql: () => part('(c.is_private = ? OR c.is_history_shared = ?)', false, true),
}
const notArchived: Fact = {
  holds: ({ found }) => found !== undefined && !found.channel.is_archived,
  sql: () => part('c.is_archived = ?', false),
}

/** Who may read which messages: whoever meets all facts of one of the cases. */
const cases: readonly (readonly Fact[])[] = [
  [direct, received],
  [webPublic],
  [publicToNonGuest],
  [subscribed, received],
  [subscribed, sharedHistory, notArchived],
  [mayJoin, received],
  [mayJoin, sharedHistory, notArchived],
]

const never: SqlPart = { sql: '1 = 0', bindings: [] }

/**
 * Whether a user may read a message.
 *
 * @param found the channel of the message; undefined for a direct message.
 * @param hasRecord whether the message is in the user's personal history.
 */
export function mayRead(
  viewer: ChannelViewer,
  found: ChannelForUser | undefined,
  hasRecord: boolean,
): boolean {
  const reading = { viewer, found, hasRecord }
  return cases.some((facts) => facts.every((fact) => fact.holds(reading)))
}

/** Whether a user may read all messages of a channel, those that they never received included. */
export function mayReadWholeHistory(viewer: ChannelViewer, found: ChannelForUser): boolean {
  return mayRead(viewer, found, false)
}

/**
 * Whether only those who received a message of the channel may read it, in so far as that depends
 * on nothing but the channel.
 */
export function isHistoryProtected(
  channel: Pick<ChannelRow, 'is_private' | 'is_history_shared'>,
): boolean {
  return Boolean(channel.is_private) && !channel.is_history_shared
}

/**
 * The same as {@link mayRead} as a condition of a statement with `m`, the message, and `um`, the
 * user's record of it, which may be NULL. It is never NULL.
 */
export function readableSql(scope: OrganizationScope, viewer: ChannelViewer): SqlPart {
  const [ofDirect, ...ofChannels] = cases.map((facts) =>
    joined(
      facts.map((fact) => fact.sql(viewer)),
      ' AND ',
    ),
  ) as [SqlPart, ...SqlPart[]]
  const inChannel = joined(ofChannels, ' OR ')
  // A subquery of one row; see `exists` in the conditions of searches.
  return {
    sql: `(${ofDirect.sql} OR (
      SELECT 1 FROM ${scope.table('channels')} c
      LEFT JOIN ${scope.table('subscriptions')} s ON s.channel_id = c.id AND s.user_id = ?
      WHERE c.id = m.channel_id AND (${inChannel.sql}) LIMIT 1) IS NOT NULL)`,
    bindings: [...ofDirect.bindings, viewer.actor.userId, ...inChannel.bindings],
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
