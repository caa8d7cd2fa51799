import { EventLoopYielder } from '../../../kernel/event-loop-yielder.js'
import { externalIdOf, requireIdentity, type ExternalIdentity } from './external-identity.js'

/** A user of the application, for `chat.users.sync`. */
export interface SyncedUser {
  /**
   * The application's id of the user: a string of 1 to 190 characters, or an integer, which is the
   * same as its decimal text.
   */
  readonly externalId: string | number
  readonly email: string
  /** Not blank; truncated to 100 characters. */
  readonly fullName: string
  /**
   * 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.
   * @default the organization's role of new users (`newUserRole`), 400 unless it was changed; an
   *   existing user keeps the role
   */
  readonly role?: 100 | 200 | 300 | 400 | 600
  /**
   * The application's picture of the user: an https address or a path of the application, such as
   * `/pictures/7.png`, of at most 1,000 characters. Clients are redirected to it. Null for none;
   * a picture that the user has uploaded stays.
   * @default the picture stays as it is
   */
  readonly avatarUrl?: string | null
  /**
   * The application's ids of the application's user groups of which the user is a direct member, at
   * most 1,000: the user leaves its other groups. A group that does not exist is created. Groups
   * that were made in the chat are left alone.
   * @default the user stays in the same groups
   */
  readonly groups?: readonly (string | number)[]
  /**
   * Values of custom profile fields, by the name of the field, or by its id as decimal digits: a
   * text, a list of the chat's ids of users for a field of users, or null to remove the value.
   * Values of other fields stay.
   */
  readonly profile?: Readonly<Record<string, string | readonly number[] | null>>
  /**
   * False deactivates the account, true reactivates it.
   * @default true for a new user and with `deactivateMissing`; otherwise the account stays as it is
   */
  readonly isActive?: boolean
}

/** A user group of the application. */
export interface SyncedGroup {
  /**
   * The application's id of the group: a string of 1 to 190 characters, or an integer, which is the
   * same as its decimal text.
   */
  readonly externalId: string | number
  /** 1 to 100 characters, unique in the organization. */
  readonly name: string
}

/** Options of `chat.users.sync`. */
export interface SyncOptions {
  /** The `subdomain` of the users' organization. @default the only organization */
  readonly organization?: string
  /**
   * Whether users of the application who are not in the list are deactivated. Accounts without an
   * external id, and bots, are left alone.
   * @default false
   */
  readonly deactivateMissing?: boolean
  /**
   * The names of groups that users are members of: a group that has another name is renamed.
   * @default a new group is named as its id, the others keep their names
   */
  readonly groups?: readonly SyncedGroup[]
}

/** A user whose account is not, or not in every part, as the application wants it. */
export interface SyncProblem {
  readonly externalId: string
  /** The problem in words, without data of the user. */
  readonly message: string
}

/** The result of `chat.users.sync`. */
export interface SyncResult {
  /** Numbers of users; each user counts once. */
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly deactivated: number
  /** In no particular order; empty if every account is as it should be. */
  readonly problems: readonly SyncProblem[]
}

/** One user of the list, checked. */
export interface SyncEntry {
  readonly identity: ExternalIdentity
  readonly isActive: boolean | undefined
  /** Ids of groups, each once. */
  readonly groups?: readonly string[]
  readonly profile?: Readonly<Record<string, unknown>>
}

export interface CheckedUsers {
  readonly entries: readonly SyncEntry[]
  /** The ids of all users of the list, including the invalid ones. */
  readonly externalIds: ReadonlySet<string>
  readonly problems: readonly SyncProblem[]
}

const call = 'chat.users.sync'
const maxGroups = 1000
const maxProfileFields = 1000

/**
 * @throws {TypeError} if the list is not one of users with an id, or is empty although missing
 *   users are to be deactivated: then the application has most likely failed to read its own.
 */
export async function checkUsers(
  users: readonly SyncedUser[],
  { deactivateMissing, groups = [] }: SyncOptions,
): Promise<CheckedUsers> {
  if (!Array.isArray(users)) throw new TypeError(`${call}: users must be an array`)
  if (deactivateMissing === true && users.length === 0) {
    throw new TypeError(`${call}: an empty list would deactivate every user`)
  }
  requireGroups(groups)
  const externalIds = new Set<string>()
  const entries: SyncEntry[] = []
  const problems: SyncProblem[] = []
  const yielder = new EventLoopYielder()
  for (const [index, user] of users.entries()) {
    if (yielder.isDue) await yielder.yield()
    const externalId = externalIdOf(user?.externalId)
    if (externalId === undefined) {
      throw new TypeError(
        `${call}: users[${index}].externalId must be a string of 1 to 190 characters or an integer`,
      )
    }
    if (externalIds.has(externalId)) {
      problems.push({ externalId, message: 'The user is in the list more than once' })
      continue
    }
    externalIds.add(externalId)
    const entry = checkedEntry(user)
    if (typeof entry === 'string') problems.push({ externalId, message: entry })
    else entries.push(entry)
  }
  return { entries, externalIds, problems }
}

/** @returns the message, if a field is invalid. */
function checkedEntry(user: SyncedUser): SyncEntry | string {
  try {
    const { isActive, groups, profile }: Partial<Record<keyof SyncedUser, unknown>> = user
    const identity = requireIdentity(user, call)
    if (isActive !== undefined && typeof isActive !== 'boolean') {
      return `${call}: isActive must be a boolean`
    }
    const groupIds = groups === undefined ? undefined : idsOf(groups)
    if (groups !== undefined && groupIds === undefined) {
      return `${call}: groups must be at most ${maxGroups} ids of groups`
    }
    if (profile !== undefined && !isProfile(profile)) {
      return `${call}: profile must be an object with values of fields`
    }
    return {
      identity,
      isActive,
      ...(groupIds !== undefined && { groups: groupIds }),
      ...(profile !== undefined && { profile }),
    }
  } catch (error) {
    if (error instanceof TypeError) return error.message
    throw error
  }
}

/** @returns the ids, each once; undefined if it is not a list of ids. */
function idsOf(groups: unknown): string[] | undefined {
  if (!Array.isArray(groups) || groups.length > maxGroups) return undefined
  const ids = groups.map(externalIdOf)
  return ids.includes(undefined) ? undefined : [...new Set(ids.filter((id) => id !== undefined))]
}

function isProfile(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.keys(value).length <= maxProfileFields
}

/** @throws {TypeError} if it is not a list of groups. */
function requireGroups(groups: unknown): void {
  if (!Array.isArray(groups)) throw new TypeError(`${call}: groups must be an array`)
  for (const [index, group] of groups.entries()) {
    const { externalId, name }: { externalId?: unknown; name?: unknown } = Object(group)
    if (externalIdOf(externalId) !== undefined && typeof name === 'string') continue
    throw new TypeError(`${call}: groups[${index}] must be an object with externalId and name`)
  }
}
