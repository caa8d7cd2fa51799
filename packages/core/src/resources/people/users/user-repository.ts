import { foldCase } from '../../../domain/texts/folding.js'
import { Role, type Actor } from '../../../domain/users/actor.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import { standInDomain, type ServerFacts } from '../../../kernel/server-facts.js'
import { idList, type OrganizationScope, type Transaction } from '../../../storage/index.js'
import { completeUserRow, type NewUserRow, viewColumns, type ViewableUser } from './user-rows.js'
import { users, type UserRow } from './users-table.js'
import { asSeenBy } from './user-view.js'

@perServer()
export class UserRepository {
  async find(scope: OrganizationScope, id: number): Promise<UserRow | undefined> {
    return scope.rows(users).find({ id })
  }

  /** The same, with an exclusive lock on the row until the transaction ends. */
  async lock(tx: Transaction, id: number): Promise<UserRow | undefined> {
    const query = tx.dialect.lockForUpdate(tx.query('users').where({ id }))
    return query.first<UserRow | undefined>()
  }

  /** The same as `find`, for a user who is known to exist, such as the caller. */
  async get(scope: OrganizationScope, id: number): Promise<UserRow> {
    return present(await this.find(scope, id), `user ${id}`)
  }

  /** The same as `lock`, for a user who is known to exist. */
  async getLocked(tx: Transaction, id: number): Promise<UserRow> {
    return present(await this.lock(tx, id), `user ${id}`)
  }

  async findMany(scope: OrganizationScope, ids: readonly number[]): Promise<UserRow[]> {
    if (ids.length === 0) return []
    return scope
      .query('users')
      .whereIn('id', [...ids])
      .orderBy('id')
      .select('*')
  }

  async findByEmailKey(scope: OrganizationScope, emailKey: string): Promise<UserRow | undefined> {
    return scope.query('users').where({ email_key: emailKey }).first<UserRow | undefined>()
  }

  /**
   * Finds users by the addresses that `viewer` is shown by `apiEmail`: the real one, or a stand-in
   * that contains the id.
   */
  async findByApiEmails(
    scope: OrganizationScope,
    viewer: Pick<Actor, 'userId'>,
    emailKeys: readonly string[],
    facts: ServerFacts,
  ): Promise<UserRow[]> {
    const suffix = `@${standInDomain(facts)}`
    const ids = emailKeys
      .filter((key) => key.startsWith('user') && key.endsWith(suffix))
      .map((key) => Number(key.slice('user'.length, -suffix.length)))
      .filter((id) => Number.isSafeInteger(id))
    const rows: UserRow[] = await scope
      .query('users')
      .where((query) => void query.whereIn('email_key', [...emailKeys]).orWhereIn('id', ids))
      .select('*')
    const [namedKeys, namedIds] = [new Set(emailKeys), new Set(ids)]
    // If the real address is hidden, only the stand-in matches.
    return rows.filter((row) =>
      asSeenBy(viewer, row).email_address_visibility === 1
        ? namedKeys.has(row.email_key)
        : namedIds.has(row.id),
    )
  }

  async findByAvatarName(scope: OrganizationScope, name: string): Promise<UserRow | undefined> {
    return scope.query('users').where({ avatar_name: name }).first<UserRow | undefined>()
  }

  async findByExternalId(
    scope: OrganizationScope,
    externalId: string,
  ): Promise<UserRow | undefined> {
    return scope.query('users').where({ external_id: externalId }).first<UserRow | undefined>()
  }

  /** The visible columns of every user, including bots and deactivated users, ascending by id. */
  async listViewable(scope: OrganizationScope): Promise<ViewableUser[]> {
    return scope.listRows<ViewableUser>(scope.query('users').orderBy('id'), viewColumns)
  }

  async findViewable(scope: OrganizationScope, ids: readonly number[]): Promise<ViewableUser[]> {
    if (ids.length === 0) return []
    const query = scope.query('users').orderBy('id')
    // For few users, the driver's rows and a prepared statement are faster.
    if (ids.length < 100)
      return query.whereIn('id', [...ids]).select<ViewableUser[]>(...viewColumns)
    return scope.listRows<ViewableUser>(query.whereRaw(`id IN (${idList(ids)})`), viewColumns)
  }

  /** The users with one of these values of `email_address_visibility`, ascending by id. */
  async listByEmailVisibility(
    scope: OrganizationScope,
    visibilities: readonly number[],
  ): Promise<Pick<UserRow, 'id' | 'email'>[]> {
    return scope
      .query('users')
      .whereIn('email_address_visibility', [...visibilities])
      .orderBy('id')
      .select('id', 'email')
  }

  /** Every user, including bots and deactivated users, ascending by id. */
  async list(scope: OrganizationScope): Promise<UserRow[]> {
    return scope.query('users').orderBy('id').select('*')
  }

  async listActive(scope: OrganizationScope): Promise<UserRow[]> {
    return scope.query('users').where({ is_active: true }).orderBy('id').select('*')
  }

  /** Users whom this one has muted, and users who have muted this one. */
  async listMutesWith(scope: OrganizationScope, userId: number): Promise<number[]> {
    const rows = await scope
      .query('muted_users')
      .where((query) => {
        void query.where({ user_id: userId }).orWhere({ muted_user_id: userId })
      })
      .select<{ user_id: number; muted_user_id: number }[]>('user_id', 'muted_user_id')
    return rows.map((row) => (row.user_id === userId ? row.muted_user_id : row.user_id))
  }

  /** The active users with at least this role, and one more user. */
  async listActiveIdsWithRole(
    scope: OrganizationScope,
    weakestRole: number,
    besidesId: number,
  ): Promise<number[]> {
    const rows = await scope
      .query('users')
      .where({ is_active: true })
      .where((query) => void query.where('role', '<=', weakestRole).orWhere('id', besidesId))
      .orderBy('id')
      .select<{ id: number }[]>('id')
    return rows.map((row) => row.id)
  }

  /**
   * The active users of a role who joined after the first moment, up to and including the second.
   */
  async listActiveIdsJoinedBetween(
    scope: OrganizationScope,
    role: Role,
    afterMilliseconds: number,
    untilMilliseconds: number,
  ): Promise<number[]> {
    const rows = await scope
      .query('users')
      .where({ is_active: true, role })
      .where('joined_at_milliseconds', '>', afterMilliseconds)
      .where('joined_at_milliseconds', '<=', untilMilliseconds)
      .orderBy('id')
      .select<{ id: number }[]>('id')
    return rows.map((row) => row.id)
  }

  /** The time at which the `count`th of them joined; undefined if there are fewer. */
  async findNthJoinedBetween(
    scope: OrganizationScope,
    role: Role,
    afterMilliseconds: number,
    untilMilliseconds: number,
    count: number,
  ): Promise<number | undefined> {
    const row = await scope
      .query('users')
      .where({ is_active: true, role })
      .where('joined_at_milliseconds', '>', afterMilliseconds)
      .where('joined_at_milliseconds', '<=', untilMilliseconds)
      .orderBy('joined_at_milliseconds')
      .offset(count - 1)
      .first<{ joined_at_milliseconds: number } | undefined>('joined_at_milliseconds')
    return row?.joined_at_milliseconds
  }

  /**
   * Whether the user is the organization's only active human owner. Takes a lock on the owners
   * until the transaction ends.
   */
  async isOnlyOwner(tx: Transaction, user: UserRow): Promise<boolean> {
    if (user.role !== Role.owner || user.is_bot || !user.is_active) return false
    const query = tx
      .query('users')
      .where({ is_active: true, is_bot: false, role: Role.owner })
      .select<{ id: number }[]>('id')
    return (await tx.dialect.lockForUpdate(query)).length === 1
  }

  /** Whether no other user or bot is active. */
  async isOnlyActive(scope: OrganizationScope, id: number): Promise<boolean> {
    const other = await scope
      .query('users')
      .where({ is_active: true })
      .whereNot({ id })
      .first<{ id: number } | undefined>('id')
    return other === undefined
  }

  async isActiveBotName(
    scope: OrganizationScope,
    fullName: string,
    exceptId: number,
  ): Promise<boolean> {
    const other = await scope
      .query('users')
      .where({ is_active: true, is_bot: true, full_name_key: foldCase(fullName) })
      .whereNot({ id: exceptId })
      .first<{ id: number } | undefined>('id')
    return other !== undefined
  }

  async isNameTaken(
    scope: OrganizationScope,
    names: readonly string[],
    exceptId: number,
  ): Promise<boolean> {
    const row = await scope
      .query('users')
      .whereIn('full_name_key', names.map(foldCase))
      .whereNot({ id: exceptId })
      .first<{ id: number } | undefined>('id')
    return row !== undefined
  }

  async listActiveHumans(scope: OrganizationScope): Promise<UserRow[]> {
    return scope.query('users').where({ is_active: true, is_bot: false }).orderBy('id').select('*')
  }

  /** Does nothing if the stored hash has changed meanwhile. */
  async replacePasswordHash(
    tx: Transaction,
    id: number,
    oldHash: string,
    newHash: string,
  ): Promise<void> {
    await tx.query('users').where({ id, password_hash: oldHash }).update({ password_hash: newHash })
  }

  async insert(tx: Transaction, row: NewUserRow): Promise<number> {
    return tx.rows(users).insert(completeUserRow(row))
  }

  async insertMany(tx: Transaction, rows: readonly NewUserRow[]): Promise<void> {
    await tx.rows(users).insertMany(rows.map(completeUserRow))
  }

  async update(tx: Transaction, id: number, changes: Partial<UserRow>): Promise<void> {
    const { full_name } = changes
    const derived = full_name === undefined ? {} : { full_name_key: foldCase(full_name) }
    await tx
      .query('users')
      .where({ id })
      .update({ ...changes, ...derived })
  }
}
