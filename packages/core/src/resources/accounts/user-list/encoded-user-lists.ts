import { inject } from 'tsyringe'

import { anyUserOf, isSpectator, type Actor } from '../../../domain/users/actor.js'
import { encodedList } from '../../../kernel/encoded-list.js'
import { EventLoopYielder } from '../../../kernel/event-loop-yielder.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'
import { UserAccess } from '../../people/user-access/index.js'
import { UserRepository, type ListedUser, type ViewableUser } from '../../people/users/index.js'
import { EncodedUsers, type EncodableUser } from './encoded-users.js'
import { ListedUsers, type UserListOptions } from './listed-users.js'
import { UserListCache, type ListMaker } from './user-list-cache.js'
import { UserListRepository } from './user-list-repository.js'

/** A user of a registration, which has the active and the inactive users apart. */
export type SnapshotUser = Omit<ListedUser, 'is_active'>

/** Users who are read and encoded at once: a multiple of those in a chunk. */
const usersPerPage = 1280

type Changes = ReadonlyMap<number, EncodableUser | undefined>

/** The lists of all users of large organizations, which are encoded once for many clients. */
@perServer()
export class EncodedUserLists {
  constructor(
    @inject(UserListCache) private readonly cache: UserListCache,
    @inject(UserListRepository) private readonly repository: UserListRepository,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(ListedUsers) private readonly listed: ListedUsers,
    @inject(UserAccess) private readonly access: UserAccess,
  ) {}

  /**
   * All users, for `GET /users`.
   *
   * @param headSeq an entry of the log that the scope contains.
   * @returns undefined if they must be listed one by one.
   */
  async all(
    scope: OrganizationScope,
    headSeq: number,
    actor: Actor,
    options: UserListOptions,
  ): Promise<ListedUser[] | undefined> {
    const lists = await this.#lists(scope, headSeq, actor, options, {
      name: 'all',
      split: async (users) => [users],
    })
    return lists && encodedList<ListedUser>(lists[0]?.parts ?? [])
  }

  /**
   * The active and the inactive users, for `POST /register`.
   *
   * @param headSeq the newest entry of the log in the scope's state of the database.
   * @returns undefined if they must be listed one by one.
   */
  async byActivity(
    scope: OrganizationScope,
    headSeq: number,
    actor: Actor,
    options: UserListOptions,
  ): Promise<{ readonly active: SnapshotUser[]; readonly inactive: SnapshotUser[] } | undefined> {
    const lists = await this.#lists(scope, headSeq, actor, options, {
      name: 'by activity',
      split: byActivity,
    })
    return (
      lists && {
        active: encodedList<SnapshotUser>(lists[0]?.parts ?? []),
        inactive: encodedList<SnapshotUser>(lists[1]?.parts ?? []),
      }
    )
  }

  async #lists(
    scope: OrganizationScope,
    headSeq: number,
    actor: Actor,
    options: UserListOptions,
    form: ListForm,
  ): Promise<readonly EncodedUsers[] | undefined> {
    if (isSpectator(actor) || !(await this.cache.isLong(scope))) return undefined
    if ((await this.access.accessibleTo(scope, actor)) !== undefined) return undefined
    const lists = await this.cache.get(scope, headSeq, this.#maker(scope, actor, options, form))
    return lists && this.#withOwn(scope, lists, actor)
  }

  #maker(
    scope: OrganizationScope,
    actor: Actor,
    options: UserListOptions,
    form: ListForm,
  ): ListMaker {
    // Users see more of themselves than others of their role do.
    const viewer = { ...actor, ...anyUserOf(actor.role) }
    const { clientGravatar, withProfileData } = options
    return {
      key: JSON.stringify([
        form.name,
        actor.role,
        this.listed.seesExternalIds(actor),
        clientGravatar,
        withProfileData,
      ]),
      make: async () => {
        let lists: readonly EncodedUsers[] = []
        const pages = this.repository.viewablePages(scope, usersPerPage, (rows) =>
          this.listed.profiles(scope, idsOf(rows), options),
        )
        for await (const { rows, more: profiles } of pages) {
          const users = await this.listed.withProfiles(viewer, rows, profiles, options)
          const parts = await form.split(users)
          lists = await Promise.all(
            parts.map((part, index) => (lists[index] ?? EncodedUsers.none).and(part)),
          )
        }
        return lists
      },
      read: async (userIds) => this.#read(scope, viewer, userIds, options, form),
    }
  }

  async #read(
    scope: OrganizationScope,
    viewer: Actor,
    userIds: readonly number[],
    options: UserListOptions,
    form: ListForm,
  ): Promise<readonly Changes[]> {
    const rows: readonly ViewableUser[] = await this.users.findViewable(scope, userIds)
    const profiles = await this.listed.profiles(scope, userIds, options)
    const users = await this.listed.withProfiles(viewer, rows, profiles, options)
    return (await form.split(users)).map((list) => {
      const found = new Map(list.map((user) => [user.user_id, user]))
      return new Map(userIds.map((id) => [id, found.get(id)]))
    })
  }

  /** The lists with the address that only the actor sees. */
  async #withOwn(
    scope: OrganizationScope,
    lists: readonly EncodedUsers[],
    actor: Actor,
  ): Promise<readonly EncodedUsers[]> {
    const rows = await this.users.findViewable(scope, [actor.userId])
    const [email] = rows.map((row) => row.email)
    return lists.map((list) => {
      const own = list.find(actor.userId)
      if (own === undefined || !('delivery_email' in own) || own.delivery_email === email) {
        return list
      }
      return list.with(new Map([[actor.userId, { ...own, delivery_email: email }]]))
    })
  }
}

function idsOf(users: readonly { readonly id: number }[]): number[] {
  return users.map(({ id }) => id)
}

/** How users are distributed among lists. */
interface ListForm {
  readonly name: string
  split(users: readonly ListedUser[]): Promise<readonly (readonly EncodableUser[])[]>
}

/** The active and the inactive users. */
export async function byActivity(users: readonly ListedUser[]): Promise<readonly SnapshotUser[][]> {
  const active: SnapshotUser[] = []
  const inactive: SnapshotUser[] = []
  const yielder = new EventLoopYielder()
  for (const { is_active, ...user } of users) {
    if (yielder.isDue) await yielder.yield()
    ;(is_active ? active : inactive).push(user)
  }
  return [active, inactive]
}
