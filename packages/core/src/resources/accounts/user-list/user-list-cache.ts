import { LRUCache } from 'lru-cache'
import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'
import type { EncodableUser, EncodedUsers } from './encoded-users.js'
import { UserListRepository } from './user-list-repository.js'

const mebibyte = 1024 * 1024
/** Memory limit of all encoded lists of a server, in bytes. */
export const maxEncodedBytes = 64 * mebibyte
/** Shorter lists are made for each request. */
export const minEncodedUsers = 200
/** Beyond so many changed users, or entries of the log, a list is made again. */
const maxChangedUsers = 100
const maxEntries = 5000

/** Organizations of which the server remembers whether they have many users. */
const maxKnownOrganizations = 1000

/** The lists that clients of one kind get: of all users, or of the active and the inactive ones. */
interface EncodedLists {
  /** They agree with the entries of the log from `sinceSeq` to `headSeq`. */
  readonly sinceSeq: number
  readonly headSeq: number
  readonly lists: readonly EncodedUsers[]
}

/** How the lists of one kind are made. */
export interface ListMaker {
  /** Equal for clients that get the same lists. */
  readonly key: string
  /** Reads all users. */
  make(): Promise<readonly EncodedUsers[]>
  /** Reads some users; per user their objects in the lists, undefined where they are not. */
  read(
    userIds: readonly number[],
  ): Promise<readonly ReadonlyMap<number, EncodableUser | undefined>[]>
}

/**
 * Keeps the encoded lists of the users of large organizations. The event log tells whether a list is
 * still that of a state of the database, or which users have changed since.
 */
@perServer()
export class UserListCache {
  readonly #lists = new LRUCache<string, EncodedLists>({
    maxSize: maxEncodedBytes,
    sizeCalculation: ({ lists }) => 1 + lists.reduce((sum, { bytes }) => sum + bytes, 0),
  })
  /** Lists that are being made: other requests wait for them, of which there are many after a start. */
  readonly #making = new Map<string, Promise<EncodedLists>>()
  /** Whether organizations have many users. */
  readonly #long = new LRUCache<number, boolean>({ max: maxKnownOrganizations })

  constructor(@inject(UserListRepository) private readonly repository: UserListRepository) {}

  /** Notes how many users an organization has. */
  note(organizationId: number, users: number): void {
    this.#long.set(organizationId, users >= minEncodedUsers)
  }

  /** Whether the lists of the organization are worth being kept. */
  async isLong(scope: OrganizationScope): Promise<boolean> {
    const known = this.#long.get(scope.organizationId)
    if (known !== undefined) return known
    const isLong = await this.repository.hasUsers(scope, minEncodedUsers)
    this.#long.set(scope.organizationId, isLong)
    return isLong
  }

  /**
   * @param scope the scope that `maker` reads, in a state that is at least as new as `headSeq`.
   * @returns undefined if another request has made newer lists, which differ.
   */
  async get(
    scope: OrganizationScope,
    headSeq: number,
    maker: ListMaker,
  ): Promise<readonly EncodedUsers[] | undefined> {
    const key = `${scope.organizationId}/${maker.key}`
    const known = this.#lists.get(key) ?? (await this.#making.get(key)?.catch(() => undefined))
    if (known !== undefined && headSeq <= known.headSeq) {
      return headSeq < known.sinceSeq ? undefined : known.lists
    }
    const current =
      (known && (await this.#current(scope, headSeq, known, maker))) ??
      (await this.#make(key, headSeq, maker))
    const newest = this.#lists.get(key)
    if (newest === undefined || newest.headSeq < headSeq) this.#lists.set(key, current)
    return current.lists
  }

  async #make(key: string, headSeq: number, maker: ListMaker): Promise<EncodedLists> {
    const making = maker.make().then((lists) => ({ sinceSeq: headSeq, headSeq, lists }))
    this.#making.set(key, making)
    try {
      return await making
    } finally {
      if (this.#making.get(key) === making) this.#making.delete(key)
    }
  }

  /** @returns undefined if the lists must be made again. */
  async #current(
    scope: OrganizationScope,
    headSeq: number,
    { headSeq: knownSeq, sinceSeq, lists }: EncodedLists,
    maker: ListMaker,
  ): Promise<EncodedLists | undefined> {
    if (headSeq - knownSeq > maxEntries) return undefined
    const userIds = await this.repository.changedUserIds(scope, knownSeq, headSeq)
    if (userIds === undefined || userIds.length > maxChangedUsers) return undefined
    if (userIds.length === 0) return { sinceSeq, headSeq, lists }
    const changes = await maker.read(userIds)
    return {
      sinceSeq: headSeq,
      headSeq,
      lists: lists.map((list, index) => list.with(changes[index] ?? new Map())),
    }
  }
}
