import { encodeForHash } from '../markdown/index.js'

/** Where a message is, as links show it. */
export interface LinkedMessage {
  readonly id: number
  readonly topic: string
  /** The channel, or everybody in the direct conversation. */
  readonly place:
    | { readonly channel: { readonly id: number; readonly name: string } }
    | { readonly participantIds: readonly number[] }
}

/** The path at which clients show a message, with what is around it. */
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
