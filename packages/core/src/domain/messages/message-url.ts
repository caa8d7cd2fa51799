import { encodeForHash } from '../../markdown/index.js'

/** The location of a message, as links refer to it. */
export interface LinkedMessage {
  readonly id: number
  readonly topic: string
  /** The channel, or all users of the direct conversation. */
  readonly place:
    | { readonly channel: { readonly id: number; readonly name: string } }
    | { readonly participantIds: readonly number[] }
}

/** The path at which clients show a message in its context. */
export function messageUrl({ id, topic, place }: LinkedMessage): string {
  if ('participantIds' in place) {
    const { participantIds } = place
    const kind = participantIds.length > 2 ? 'group' : 'dm'
    return `/#narrow/dm/${participantIds.join(',')}-${kind}/near/${id}`
  }
  return `${channelUrl(place.channel)}/topic/${encodeForHash(topic)}/near/${id}`
}

/** The path at which clients show a channel. */
export function channelUrl({ id, name }: { readonly id: number; readonly name: string }): string {
  return `/#narrow/channel/${id}-${encodeForHash(name.replaceAll(' ', '-'))}`
}
