import { LRUCache } from 'lru-cache'

import type { UserIds } from './user-ids.js'

const mebibyte = 1024 * 1024

/** Memory limit for the interned audiences that a server caches, in bytes. */
export const maxAudienceBytes = 16 * mebibyte

/** Size of a list without its users: its objects, its buffer, and its place in the cache. */
const listBytes = 500
/** Size of a user in a `SortedUserIds`. */
const idBytes = 4

/**
 * Creates a cache of interned audiences, by their ids. Beyond {@link maxAudienceBytes} it drops the
 * least recently used. Limited by bytes: most lists are short, and take more than their users do.
 */
export function createAudienceCache(): LRUCache<number, UserIds> {
  return new LRUCache({
    maxSize: maxAudienceBytes,
    sizeCalculation: ({ size }) => listBytes + idBytes * size,
  })
}
