import type {
  ChatClient,
  ChatState,
  ChatStore,
  Credentials,
  Destination,
  Message,
} from '@parley/client'

import type { Place, Target } from '../place.js'
import { Files } from './files.js'

/** A client, and the data about it that several elements of a page share. */
export class Session {
  readonly client: ChatClient
  readonly url: string
  readonly files: Files
  /** Whether the user has no account, and can only read. */
  readonly isVisitor: boolean

  constructor(client: ChatClient, url: string, credentials: Credentials) {
    this.client = client
    this.url = url
    this.isVisitor = credentials.type === 'visitor'
    this.files = new Files(client, url, credentials)
  }

  get store(): ChatStore {
    return this.client.store
  }

  get state(): ChatState {
    return this.client.store.state
  }

  /** An address of the server that an answer names relatively. */
  address(path: string): string {
    return new URL(path, `${this.url}/`).href
  }

  nameOf(userId: number): string {
    return this.state.users.get(userId)?.full_name ?? ''
  }

  /** The conversation of a message. */
  placeOf(message: Pick<Message, 'type' | 'stream_id' | 'subject' | 'display_recipient'>): Place {
    if (message.type === 'stream' && message.stream_id !== undefined) {
      return { kind: 'topic', channelId: message.stream_id, topic: message.subject }
    }
    const recipients =
      typeof message.display_recipient === 'string' ? [] : message.display_recipient
    return this.direct(recipients.map(({ id }) => id))
  }

  placeOfDestination(to: Destination): Place {
    if ('channel' in to) return { kind: 'topic', channelId: to.channel, topic: to.topic }
    return this.direct(to.direct)
  }

  /** The conversation with these users, and oneself. */
  direct(userIds: readonly number[]): Place {
    const others = new Set(userIds)
    others.delete(this.state.me.user_id)
    return { kind: 'direct', userIds: [...others].sort((one, other) => one - other) }
  }

  /** Links to direct conversations may name the user too. */
  withoutSelf(target: Target | undefined): Target | undefined {
    const { place } = target ?? {}
    return place?.kind === 'direct' ? { ...target, place: this.direct(place.userIds) } : target
  }

  /** Whether its channel is archived, or hidden from the user. */
  isClosed(place: Place): boolean {
    return 'channelId' in place && this.state.channels.get(place.channelId)?.is_archived !== false
  }

  /** Where messages that are written in a place go; undefined if that is no conversation. */
  destinationOf(place: Place): Destination | undefined {
    if (place.kind === 'topic') return { channel: place.channelId, topic: place.topic }
    if (place.kind !== 'direct') return undefined
    return { direct: place.userIds.length === 0 ? [this.state.me.user_id] : place.userIds }
  }
}
