import type { NarrowTerm } from '@parley/client'

import { searchNear, searchReader } from './search/search.js'
import type { Session } from './session/session.js'

/** The messages that a conversation view shows. */
export type Place =
  | { readonly kind: 'all' }
  | { readonly kind: 'mentions' }
  | { readonly kind: 'starred' }
  | { readonly kind: 'channel'; readonly channelId: number }
  | { readonly kind: 'topic'; readonly channelId: number; readonly topic: string }
  /** `userIds` without the own one, ascending; empty for notes to oneself. */
  | { readonly kind: 'direct'; readonly userIds: readonly number[] }
  | { readonly kind: 'search'; readonly query: string }

export type Term = Extract<NarrowTerm, { readonly operator: string }>

/** A place, and a message in it. */
export interface Target {
  readonly place: Place
  readonly near?: number | undefined
}

/** A text that is equal for equal places only. */
export function placeKey(place: Place): string {
  switch (place.kind) {
    case 'channel':
      return `channel:${place.channelId}`
    case 'topic':
      return `topic:${place.channelId}:${place.topic.toLowerCase()}`
    case 'direct':
      return `direct:${place.userIds.join()}`
    case 'search':
      return `search:${place.query}`
    case 'all':
    case 'mentions':
    case 'starred':
      return place.kind
  }
}

/** The search that finds the messages of a place. */
export function narrowOf(place: Place, session: Session): readonly Term[] {
  switch (place.kind) {
    case 'all':
      return []
    case 'mentions':
      return [{ operator: 'is', operand: 'mentioned' }]
    case 'starred':
      return [{ operator: 'is', operand: 'starred' }]
    case 'channel':
      return [{ operator: 'channel', operand: place.channelId }]
    case 'topic':
      return [
        { operator: 'channel', operand: place.channelId },
        { operator: 'topic', operand: place.topic },
      ]
    case 'direct':
      return [
        {
          operator: 'dm',
          operand: place.userIds.length === 0 ? [session.state.me.user_id] : place.userIds,
        },
      ]
    case 'search':
      return searchReader.read?.(place.query, session).terms ?? []
  }
}

/** The part of an address after `#`, as other clients of the API know it. */
export function hashOf({ place, near }: Target): string {
  const end = near === undefined ? '' : `/near/${near}`
  switch (place.kind) {
    case 'all':
      return '#feed'
    case 'mentions':
      return '#narrow/is/mentioned'
    case 'starred':
      return '#narrow/is/starred'
    case 'channel':
      return `#narrow/channel/${place.channelId}${end}`
    case 'topic':
      return `#narrow/channel/${place.channelId}/topic/${encoded(place.topic)}${end}`
    case 'direct':
      return `#narrow/dm/${place.userIds.length === 0 ? 'me' : place.userIds.join()}${end}`
    case 'search':
      return `#narrow/search/${encoded(place.query)}`
  }
}

export function searchTarget(query: string): Target {
  return { place: { kind: 'search', query }, near: searchNear(query) }
}

/** @returns undefined if it leads to no place. */
export function targetOf(hash: string): Target | undefined {
  if (hash === '#feed') return { place: { kind: 'all' } }
  const parts = hash.split('/')
  if (parts[0] !== '#narrow') return undefined
  const values = new Map<string, string>()
  for (let index = 1; index + 1 < parts.length; index += 2) {
    values.set(parts[index] ?? '', parts[index + 1] ?? '')
  }
  const near = numberOf(values.get('near') ?? values.get('with'))
  const channelId = numberOf(values.get('channel') ?? values.get('stream'))
  if (channelId !== undefined) {
    const topic = values.get('topic') ?? values.get('subject')
    if (topic === undefined) return { place: { kind: 'channel', channelId }, near }
    return { place: { kind: 'topic', channelId, topic: decoded(topic) }, near }
  }
  const users = values.get('dm') ?? values.get('pm-with')
  if (users !== undefined) {
    const userIds = users
      .split('-')[0]
      ?.split(',')
      .map(Number)
      .filter((id) => Number.isSafeInteger(id) && id > 0)
      .sort((one, other) => one - other)
    return { place: { kind: 'direct', userIds: userIds ?? [] }, near }
  }
  const query = values.get('search')
  if (query !== undefined) return searchTarget(decoded(query))
  if (values.get('is') === 'mentioned') return { place: { kind: 'mentions' } }
  if (values.get('is') === 'starred') return { place: { kind: 'starred' } }
  return undefined
}

function numberOf(text: string | undefined): number | undefined {
  const number = Number.parseInt(text ?? '', 10)
  return Number.isSafeInteger(number) && number > 0 ? number : undefined
}

/** Dots are the escape characters of such addresses, so that mail programs do not break them. */
function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll('.', '%2E').replaceAll('%', '.')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('.', '%'))
  } catch {
    return text
  }
}
