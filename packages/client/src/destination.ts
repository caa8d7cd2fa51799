/** Where a message goes: a topic of a channel, or users, with or without oneself. */
export type Destination =
  | { readonly channel: number; readonly topic: string }
  | { readonly direct: readonly number[] }

/** The same text for the same conversation. */
export function conversationOf(to: Destination): string {
  if ('channel' in to) return `${to.channel}:${to.topic.trim().toLowerCase()}`
  return [...new Set(to.direct)].sort((one, other) => one - other).join(',')
}
