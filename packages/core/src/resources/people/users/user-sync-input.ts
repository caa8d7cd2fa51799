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
   * @default 400 for a new user; an existing one keeps the role
   */
  readonly role?: 100 | 200 | 300 | 400 | 600
  /**
   * False deactivates the account, true reactivates it.
   * @default true for a new user and with `deactivateMissing`; otherwise the account stays as it is
   */
  readonly isActive?: boolean
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
}

/** A user whose account is not, or not in every part, as the application wants it. */
export interface SyncProblem {
  readonly externalId: string
  /** What is wrong, without values. */
  readonly message: string
}

/** What `chat.users.sync` has done. */
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
}

export interface CheckedUsers {
  readonly entries: readonly SyncEntry[]
  /** The ids of all users of the list, including the invalid ones. */
  readonly externalIds: ReadonlySet<string>
  readonly problems: readonly SyncProblem[]
}

const call = 'chat.users.sync'

/**
 * @throws {TypeError} if the list is not one of users with an id, or is empty although missing
 *   users are to be deactivated: then the application has most likely failed to read its own.
 */
export function checkUsers(
  users: readonly SyncedUser[],
  { deactivateMissing }: SyncOptions,
): CheckedUsers {
  if (!Array.isArray(users)) throw new TypeError(`${call}: users must be an array`)
  if (deactivateMissing === true && users.length === 0) {
    throw new TypeError(`${call}: an empty list would deactivate every user`)
  }
  const externalIds = new Set<string>()
  const entries: SyncEntry[] = []
  const problems: SyncProblem[] = []
  for (const [index, user] of users.entries()) {
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
    const { isActive }: { isActive?: unknown } = user
    const identity = requireIdentity(user, call)
    if (isActive === undefined || typeof isActive === 'boolean') return { identity, isActive }
    return `${call}: isActive must be a boolean`
  } catch (error) {
    if (error instanceof TypeError) return error.message
    throw error
  }
}
