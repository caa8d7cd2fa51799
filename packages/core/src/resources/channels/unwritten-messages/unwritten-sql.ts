import { idList, type OrganizationScope } from '../../../storage/index.js'

/**
 * An SQL expression of the id of the organization's newest message, also if it was deleted after a
 * move of messages; 0 without one.
 */
export function newestMessageSql(scope: OrganizationScope): string {
  const organization = `organization_id IN (${idList([scope.organizationId])})`
  return `(SELECT COALESCE(MAX(newest.id), 0) FROM (
    SELECT MAX(id) AS id FROM ${scope.table('messages')} WHERE ${organization}
    UNION ALL SELECT MAX(moved_after_message_id) FROM ${scope.table('moved_messages')}
    WHERE ${organization}) newest)`
}

/** Which intervals are meant, as conditions without texts from clients. */
interface IntervalChoice {
  /** A condition on `user_id` and `channel_id`. */
  readonly where: string
  /** Leaves out intervals of users who still receive the channel. @default false */
  readonly areEnded?: boolean
}

/**
 * A condition: the messages of a channel that a user received, and of which user messages are not
 * written, contain one with this id. All parameters are SQL.
 */
function isWithinSql(
  scope: OrganizationScope,
  userId: string,
  channelId: string,
  messageId: string,
): string {
  return `(EXISTS (SELECT 1 FROM ${scope.table('subscriptions')} o WHERE o.user_id = ${userId}
      AND o.channel_id = ${channelId} AND o.unwritten_after_message_id < ${messageId})
    OR EXISTS (SELECT 1 FROM ${scope.table('unwritten_intervals')} e WHERE e.user_id = ${userId}
      AND e.channel_id = ${channelId} AND e.after_message_id < ${messageId}
      AND e.until_message_id >= ${messageId}))`
}

/** An SQL expression of the flags of these messages; null if they do not contain the message. */
function flagsWithinSql(
  scope: OrganizationScope,
  userId: string,
  channelId: string,
  messageId: string,
): string {
  return `COALESCE(
    (SELECT 0 FROM ${scope.table('subscriptions')} o WHERE o.user_id = ${userId}
      AND o.channel_id = ${channelId} AND o.unwritten_after_message_id < ${messageId}),
    (SELECT MAX(e.flags) FROM ${scope.table('unwritten_intervals')} e WHERE e.user_id = ${userId}
      AND e.channel_id = ${channelId} AND e.after_message_id < ${messageId}
      AND e.until_message_id >= ${messageId}))`
}

/** A condition: no user message of `m` is written for the user. */
function isNotWrittenSql(scope: OrganizationScope, userId: string): string {
  // MariaDB would read the user messages of all users for `NOT EXISTS`.
  return `(SELECT k.flags FROM ${scope.table('user_messages')} k
    WHERE k.user_id = ${userId} AND k.message_id = m.id) IS NULL`
}

/**
 * SQL of the user messages that are not written: `organization_id`, `user_id`, `message_id`, `flags`.
 *
 * @param ofMessages a condition on the messages `m`, without texts from clients.
 */
export function unwrittenSql(
  scope: OrganizationScope,
  ofIntervals: IntervalChoice,
  ofMessages = '1 = 1',
): string {
  const isOfOrganization = scope.dialect.sql.equalWithoutIndex(
    'm.organization_id',
    idList([scope.organizationId]),
  )
  const sent = ofEachInterval(
    scope,
    ofIntervals,
    ({ intervals, flags, isWithin }) => `SELECT m.organization_id, i.user_id, m.id AS message_id,
      ${flags} AS flags
    FROM ${intervals} i
    ${scope.orderedJoin('messages', 'm', `m.channel_id = i.channel_id AND ${isWithin('m.id')}`)}
    WHERE ${isOfOrganization}
      AND m.changed_channel_at_seconds IS NULL AND ${ofMessages}
      AND ${isNotWrittenSql(scope, 'i.user_id')}`,
  )
  return `${sent} UNION ALL ${unwrittenMovedSql(scope, ofIntervals, ofMessages)}`
}

/**
 * SQL of the user messages that are not written, of messages that have moved to the channels of the
 * intervals.
 *
 * @param ofMessages a condition on the messages `m` and moves `v`.
 */
export function unwrittenMovedSql(
  scope: OrganizationScope,
  ofIntervals: IntervalChoice,
  ofMessages = '1 = 1',
): string {
  return ofEachInterval(
    scope,
    ofIntervals,
    ({ intervals, flags, isWithin }) => `SELECT m.organization_id, i.user_id, m.id AS message_id,
      ${flags} AS flags
    FROM ${intervals} i
    ${scope.orderedJoin(
      'moved_messages',
      'v',
      `v.channel_id = i.channel_id AND ${isWithin('v.moved_after_message_id')}`,
    )}
    ${scope.orderedJoin('messages', 'm', 'm.id = v.message_id')}
    WHERE m.organization_id IN (${idList([scope.organizationId])}) AND ${ofMessages}
      AND ${isWithinSql(scope, 'i.user_id', 'v.sent_channel_id', 'm.id')}
      AND ${isNotWrittenSql(scope, 'i.user_id')}`,
  )
}

/** The argument of {@link ofEachInterval}'s function, for one kind of intervals `i`. */
interface IntervalKind {
  readonly intervals: string
  /** Of a user message of `m`. */
  readonly flags: string
  /** A condition that an interval contains the message with an id, which is SQL. */
  readonly isWithin: (messageId: string) => string
}

/**
 * The same SELECT for the intervals that are open and for those that have ended. Databases would store
 * a union of both before they read it, which takes as long as all the rest.
 */
function ofEachInterval(
  scope: OrganizationScope,
  { where, areEnded = false }: IntervalChoice,
  select: (kind: IntervalKind) => string,
): string {
  const ofOrganization = `organization_id IN (${idList([scope.organizationId])}) AND ${where}`
  const ended = select({
    intervals: `(SELECT user_id, channel_id, after_message_id, until_message_id, flags
      FROM ${scope.table('unwritten_intervals')} WHERE ${ofOrganization})`,
    flags: 'i.flags + m.shared_flags',
    isWithin: (id) => `${id} > i.after_message_id AND ${id} <= i.until_message_id`,
  })
  if (areEnded) return ended
  const open = select({
    intervals: `(SELECT user_id, channel_id, unwritten_after_message_id
      FROM ${scope.table('subscriptions')}
      WHERE ${ofOrganization} AND unwritten_after_message_id IS NOT NULL)`,
    flags: 'm.shared_flags',
    isWithin: (id) => `${id} > i.unwritten_after_message_id`,
  })
  return `${open} UNION ALL ${ended}`
}

/**
 * SQL of the user messages that are not written, of messages that have moved away from the channels of
 * the intervals.
 */
export function unwrittenMovedFromSql(
  scope: OrganizationScope,
  ofIntervals: IntervalChoice,
): string {
  const flags = flagsWithinSql(scope, 'i.user_id', 'v.channel_id', 'v.moved_after_message_id')
  const isMoved = `v.sent_channel_id = i.channel_id AND v.message_id > i.after_message_id
      AND (i.until_message_id IS NULL OR v.message_id <= i.until_message_id)`
  return `SELECT m.organization_id, i.user_id, m.id AS message_id, m.shared_flags + ${flags} AS flags
    FROM (${intervalsSql(scope, ofIntervals)}) i
    ${scope.orderedJoin('moved_messages', 'v', isMoved)}
    ${scope.orderedJoin('messages', 'm', 'm.id = v.message_id')}
    WHERE m.organization_id IN (${idList([scope.organizationId])})
      AND ${isWithinSql(scope, 'i.user_id', 'v.channel_id', 'v.moved_after_message_id')}
      AND ${isNotWrittenSql(scope, 'i.user_id')}`
}

/**
 * SQL of the user messages of some users that are not written.
 *
 * @param channelIds @default all channels
 */
export function missingSql(
  scope: OrganizationScope,
  userIds: readonly number[],
  channelIds?: readonly number[],
): string {
  const inChannels = channelIds === undefined ? '' : ` AND channel_id IN (${idList(channelIds)})`
  return unwrittenSql(scope, { where: `user_id IN (${idList(userIds)})${inChannels}` })
}

/**
 * SQL of the intervals of messages for which no user messages are written: those that are still
 * open, and those that ended when a user stopped to receive a channel.
 */
export function intervalsSql(
  scope: OrganizationScope,
  { where, areEnded = false }: IntervalChoice,
): string {
  const organization = `organization_id IN (${idList([scope.organizationId])})`
  const ended = `SELECT user_id, channel_id, after_message_id, until_message_id, flags
    FROM ${scope.table('unwritten_intervals')}
    WHERE ${organization} AND ${where}`
  if (areEnded) return ended
  return `SELECT user_id, channel_id, unwritten_after_message_id AS after_message_id,
      NULL AS until_message_id, 0 AS flags
    FROM ${scope.table('subscriptions')}
    WHERE ${organization} AND ${where} AND unwritten_after_message_id IS NOT NULL
    UNION ALL ${ended}`
}

/**
 * An SQL expression of the flags of a user's user message of the message `m`, written or not; null if
 * they did not receive it.
 *
 * @param written SQL of the flags of the one that is written; null without one.
 */
export function receivedFlagsSql(
  scope: OrganizationScope,
  userId: number,
  written = `(SELECT k.flags FROM ${scope.table('user_messages')} k
    WHERE k.user_id IN (${idList([userId])}) AND k.message_id = m.id)`,
): string {
  const user = idList([userId])
  const flags = flagsWithinSql(scope, user, 'm.channel_id', 'm.id')
  const flagsAfterMove = flagsWithinSql(scope, user, 'v.channel_id', 'v.moved_after_message_id')
  return `COALESCE(${written}, m.shared_flags + CASE
    WHEN m.changed_channel_at_seconds IS NULL THEN ${flags}
    ELSE (SELECT ${flagsAfterMove} FROM ${scope.table('moved_messages')} v
      WHERE v.message_id = m.id AND ${isWithinSql(scope, user, 'v.sent_channel_id', 'm.id')}) END)`
}

/**
 * SQL of the user messages of messages, written or not: `user_id`, `message_id`, `flags`.
 *
 * @param unwritten SQL of those that are not written. @default all
 */
export function receivedOfMessagesSql(
  scope: OrganizationScope,
  ids: readonly number[],
  unwritten = unwrittenOfMessagesSql(scope, `m.id IN (${idList(ids)})`),
): string {
  const { integer } = scope.dialect.sql
  return `SELECT k.user_id, k.message_id, k.flags FROM ${scope.table('user_messages')} k
    WHERE k.organization_id IN (${idList([scope.organizationId])})
      AND k.message_id IN (${idList(ids)})
    UNION ALL SELECT ${integer('n.user_id')}, ${integer('n.message_id')}, n.flags
    FROM (${unwritten}) n`
}

/**
 * SQL of the user messages of messages that are not written, as {@link unwrittenSql}; it begins with
 * the messages instead of the intervals, for few messages of many users.
 *
 * @param ofMessages a condition on the messages `m`, without texts from clients.
 * @param ofUsers a condition on `i.user_id`. @default all
 */
export function unwrittenOfMessagesSql(
  scope: OrganizationScope,
  ofMessages: string,
  ofUsers = '1 = 1',
): string {
  /** @param moved a join with the move `v`; empty for messages that have not moved. */
  const select = (
    intervals: 'subscriptions' | 'unwritten_intervals',
    { id, moved, condition }: { id: string; moved: string; condition: string },
  ): string => {
    const isOpen = intervals === 'subscriptions'
    const isIn = isOpen
      ? `i.is_active = TRUE AND i.is_user_active = TRUE AND i.unwritten_after_message_id < ${id}`
      : `i.after_message_id < ${id} AND i.until_message_id >= ${id}`
    return `SELECT m.organization_id, i.user_id, m.id AS message_id,
       ${isOpen ? '' : 'i.flags + '}m.shared_flags AS flags
     FROM ${scope.table('messages')} m ${moved}
     ${scope.orderedJoin(intervals, 'i', `i.channel_id = m.channel_id AND ${isIn} AND ${ofUsers}`)}
     WHERE m.organization_id IN (${idList([scope.organizationId])}) AND ${ofMessages}
       AND ${condition} AND ${isNotWrittenSql(scope, 'i.user_id')}`
  }
  const unmoved = { id: 'm.id', moved: '', condition: 'm.changed_channel_at_seconds IS NULL' }
  const moved = {
    id: 'v.moved_after_message_id',
    moved: scope.orderedJoin('moved_messages', 'v', 'v.message_id = m.id'),
    condition: isWithinSql(scope, 'i.user_id', 'v.sent_channel_id', 'm.id'),
  }
  return [
    select('subscriptions', unmoved),
    select('unwritten_intervals', unmoved),
    select('subscriptions', moved),
    select('unwritten_intervals', moved),
  ].join(' UNION ALL ')
}
