/** The users and groups that a rendered message mentions with a notification, in text order. */
export function mentionsIn(html: string): {
  readonly userIds: ReadonlySet<number>
  readonly groupIds: ReadonlySet<number>
} {
  // User input is escaped, so only the renderer creates such elements. Silent mentions look
  // different.
  const idsOf = (pattern: RegExp) =>
    new Set([...html.matchAll(pattern)].map(([, digits]) => Number(digits)))
  return {
    userIds: idsOf(/<span class="user-mention" data-user-id="(\d+)">/g),
    groupIds: idsOf(/<span class="user-group-mention" data-user-group-id="(\d+)">/g),
  }
}
