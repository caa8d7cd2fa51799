import { Changes, type LiveState } from './reducer.js'
import type { UnreadState } from './state.js'
import { byNumber } from './unread.js'

function isMuted(state: LiveState, channelId: number, topicKey: string): boolean {
  const policy = state.topicPolicies.get(channelId)?.get(topicKey)
  if (policy !== undefined) return policy === 1
  return state.channels.get(channelId)?.subscription?.is_muted ?? false
}

/** The numbers that depend on mutes. Returns the same object if they are right. */
export function counted(state: LiveState): UnreadState {
  const { unread, unreadMentions } = state
  const changes = new Changes(0)
  let { channels } = unread
  let total = [...unread.direct.values()].reduce((sum, ids) => sum + ids.length, 0)
  const mutedIds = new Set<number>()
  const hasWildcards = [...unreadMentions.values()].includes('wildcard')
  for (const [channelId, channel] of unread.channels) {
    let { topics } = channel
    let count = 0
    for (const [key, topic] of channel.topics) {
      const muted = isMuted(state, channelId, key)
      if (!muted) count += topic.ids.length
      else if (hasWildcards) for (const id of topic.ids) mutedIds.add(id)
      if (muted !== topic.isMuted)
        topics = changes.map(topics).set(key, { ...topic, isMuted: muted })
    }
    total += count
    if (count === channel.count && topics === channel.topics) continue
    channels = changes.map(channels).set(channelId, { count, topics })
  }
  const mentioned = [...unreadMentions].filter(
    ([id, kind]) => kind === 'personal' || !mutedIds.has(id),
  )
  const mentions = mentioned.map(([id]) => id).sort(byNumber)
  const isSame =
    mentions.length === unread.mentions.length &&
    mentions.every((id, index) => id === unread.mentions[index])
  if (isSame && total === unread.total && channels === unread.channels) return unread
  return { ...unread, total, channels, mentions: isSame ? unread.mentions : mentions }
}
