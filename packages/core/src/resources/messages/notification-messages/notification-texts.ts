import type { ChannelRow } from '../../channels/channels/index.js'

/** A link to a channel, as Markdown. */
export function channelLink(name: string): string {
  return `#**${name}**`
}

/** A link to a topic, as Markdown. */
export function topicLink(channelName: string, topic: string): string {
  return `#**${channelName}>${topic}**`
}

/** A silent mention of a user, as Markdown; it notifies no one. */
export function silentMention(user: { readonly id: number; readonly full_name: string }): string {
  return `@_**${user.full_name}|${user.id}**`
}

/** A silent mention of a group, as Markdown; it notifies no one. */
export function silentGroupMention(name: string): string {
  return `@_*${name}*`
}

/** The display name of the channel's privacy. */
export function privacyName(
  channel: Pick<ChannelRow, 'is_private' | 'is_web_public' | 'is_history_shared'>,
): string {
  if (channel.is_web_public) return 'Web-public'
  if (!channel.is_private) return 'Public'
  return channel.is_history_shared ? 'Private, shared history' : 'Private, protected history'
}

/** A channel's description in a quote block whose fence is longer than any in the description. */
export function quotedDescription(description: string): string {
  const longest = Math.max(3, ...(description.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence} quote\n${description === '' ? '*No description.*' : description}\n${fence}`
}
