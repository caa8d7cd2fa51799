/** Whether an event of this kind reports a change of users. */
export function changesUsers(kind: string): boolean {
  return kind.startsWith('realm_user/') || kind === '@user' || kind === 'user_settings/update'
}

/**
 * The ids of the users whom an event of the log reports a change of; none for other kinds of events.
 *
 * @param recipients the recipients that the entry names.
 */
export function changedUserIds(
  kind: string,
  data: unknown,
  recipients: Iterable<number>,
): readonly number[] {
  if (kind === 'user_settings/update') return [...recipients]
  // Every entry of this kind has the user's id
  if (kind === '@user') return [(data as { userId: number }).userId]
  if (!kind.startsWith('realm_user/')) return []
  // All events about users have the person
  return [(data as { person: { user_id: number } }).person.user_id]
}
