/** Whom a rendered message mentions so that they hear of it, in its order. */
export function mentionsIn(html: string): {
  readonly userIds: ReadonlySet<number>
  readonly groupIds: ReadonlySet<number>
} {
  // What people write is escaped, so only the renderer writes such elements; silent ones differ.
  const idsOf = (pattern: RegExp) =>
    new Set([...html.matchAll(pattern)].map(([, digits]) => Number(digits)))
  return {
    userIds: idsOf(/<span class="user-mention" data-user-id="(\d+)">/g),
    groupIds: idsOf(/<span class="user-group-mention" data-user-group-id="(\d+)">/g),
  }
}
