import { idList, type OrganizationScope } from '../../../storage/index.js'

/** A condition on `user_id`: a client of the user has an event queue. */
export function hasQueueSql(scope: OrganizationScope): string {
  return `user_id IN (SELECT q.user_id FROM ${scope.table('event_queues')} q
    WHERE q.organization_id IN (${idList([scope.organizationId])}))`
}

/**
 * A condition on a user: each message of a channel notifies them.
 *
 * @param subscription the alias of their subscription; undefined for one that is new.
 * @param userId SQL of the user's id.
 */
export function notifiesSql(
  scope: OrganizationScope,
  subscription: string | undefined,
  userId: string,
): string {
  const ofSubscription =
    subscription === undefined
      ? ''
      : `COALESCE(${subscription}.push_notifications, FALSE)
          OR COALESCE(${subscription}.email_notifications, FALSE) OR `
  return `(${ofSubscription}EXISTS (SELECT 1 FROM ${scope.table('users')} w
    WHERE w.id = ${userId} AND (w.settings LIKE '%"enable_stream_push_notifications":true%'
      OR w.settings LIKE '%"enable_stream_email_notifications":true%')))`
}
