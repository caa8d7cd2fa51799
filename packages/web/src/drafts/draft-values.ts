import type { Api, Draft } from '@parley/client'

import type { KeptDraft } from '../composer/drafts.js'
import type { Place } from '../place.js'
import type { Session } from '../session/session.js'

/** The conversation of a draft; undefined if it has none yet. */
export function placeOf({ type, to, topic }: Draft, session: Session): Place | undefined {
  const [channelId] = to
  if (type === 'private') return session.direct(to)
  if (type !== 'stream' || channelId === undefined) return undefined
  return topic === '' ? { kind: 'channel', channelId } : { kind: 'topic', channelId, topic }
}

/** A draft for the server; undefined if its place is no conversation. */
export function wireOf(
  { place, text, at }: KeptDraft,
  session: Session,
): Api.EditDraftParams['draft'] | undefined {
  const rest = { content: text, timestamp: at }
  if (place.kind === 'channel') {
    return { type: 'stream', to: [place.channelId], topic: '', ...rest }
  }
  const to = session.destinationOf(place)
  if (to === undefined) return undefined
  if ('channel' in to) return { type: 'stream', to: [to.channel], topic: to.topic, ...rest }
  return { type: 'private', to: to.direct, topic: '', ...rest }
}

/** White space at the ends is removed by the server. */
export function isEqual(one: string, other: string): boolean {
  return one.trim() === other.trim()
}
