import { namedText, type NamedText } from '../../../texts/index.js'
import type { ChannelRow } from '../../channels/channels/index.js'

/** A link to a channel, as Markdown. */
export function channelLink(name: string): string {
  return `#**${name}**`
}

/** A link to a topic, as Markdown. */
export function topicLink(channelName: string, topic: string): string {
  return `#**${channelName}>${topic}**`
}

/** How the silent mention of a user begins. */
export const mentionStart = '@_**'

/** A silent mention of a user, as Markdown; it notifies no one. */
export function silentMention(user: { readonly id: number; readonly full_name: string }): string {
  return `${mentionStart}${user.full_name}|${user.id}**`
}

/** A silent mention of a group, as Markdown; it notifies no one. */
export function silentGroupMention(name: string): string {
  return `@_*${name}*`
}

/** The display name of the channel's privacy. */
export function privacyName(
  channel: Pick<ChannelRow, 'is_private' | 'is_web_public' | 'is_history_shared'>,
): NamedText {
  if (channel.is_web_public) return namedText('CHANNEL_WEB_PUBLIC')
  if (!channel.is_private) return namedText('CHANNEL_PUBLIC')
  return namedText(
    channel.is_history_shared ? 'CHANNEL_PRIVATE_SHARED' : 'CHANNEL_PRIVATE_PROTECTED',
  )
}

/** A channel's description, or the text for none. */
export function shownDescription({ description }: ChannelRow): string | NamedText {
  return description === '' ? namedText('CHANNEL_WITHOUT_DESCRIPTION') : description
}

/** The fence of a quote block, longer than any in the description. */
export function descriptionFence({ description }: ChannelRow): string {
  const longest = Math.max(3, ...(description.match(/`+/g) ?? []).map((run) => run.length))
  return '`'.repeat(longest + 1)
}
