import { encodeForHash } from '../markdown/index.js'

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
  const { channel } = place
  const slug = `${channel.id}-${encodeForHash(channel.name.replaceAll(' ', '-'))}`
  return `/#narrow/channel/${slug}/topic/${encodeForHash(topic)}/near/${id}`
}
