import { inject } from 'tsyringe'

import { organizationPermissions } from '../../../domain/organizations/organization-settings.js'
import { fromKeys, keysOf } from '../../../kernel/objects.js'
import { perServer } from '../../../kernel/per-server.js'
import {
  Database,
  toJson,
  type OrganizationRow,
  type OrganizationScope,
  type Transaction,
} from '../../../storage/index.js'
import { organizations, type StoredOrganizationSettings } from './organizations-table.js'

export type OrganizationRowData = Pick<
  OrganizationRow,
  | 'id'
  | 'subdomain'
  | 'name'
  | 'created_at_seconds'
  | 'is_deactivated'
  | 'epoch'
  | 'event_floor_seq'
  | 'settings'
  | 'user_defaults'
>

/** Ids of the interned lists of all active users, and of those who are not guests. */
export interface ActiveAudiences {
  readonly everyone: number | null
  readonly members: number | null
}

/** Reads and writes organizations, the only rows that are not scoped to an organization. */
@perServer()
export class OrganizationRepository {
  constructor(@inject(Database) private readonly database: Database) {}

  async find(id: number): Promise<OrganizationRowData | undefined> {
    return this.#all().where({ id }).first()
  }

  /**
   * The scope's own organization as the scope's transaction sees it, including uncommitted rows.
   */
  async findCurrent(scope: OrganizationScope): Promise<OrganizationRow | undefined> {
    return scope.memoize('organization', async () => {
      const query = scope.organization().limit(1)
      return (await scope.listRows<OrganizationRow>(query, keysOf(organizations.columns)))[0]
    })
  }

  /** The same, with an exclusive lock on the row until the transaction ends. */
  async lockCurrent(tx: Transaction): Promise<OrganizationRowData> {
    const row = await tx.dialect.lockForUpdate(tx.organization().first())
    if (row === undefined) throw new Error(`There is no organization ${tx.organizationId}`)
    return row
  }

  async findBySubdomain(subdomain: string): Promise<OrganizationRowData | undefined> {
    return this.#all().where({ subdomain }).first()
  }

  /** Up to `limit` complete rows of organizations after `afterId`, oldest first. */
  async listRows(limit: number, afterId: number): Promise<OrganizationRowData[]> {
    return this.#all().where('id', '>', afterId).orderBy('id').limit(limit)
  }

  /** Up to `limit` active organizations after `afterId` that have digests turned on, oldest first. */
  async listWithDigests(limit: number, afterId: number): Promise<OrganizationRowData[]> {
    return this.#all()
      .where('id', '>', afterId)
      .where({ is_deactivated: false })
      .where('settings', 'like', '%"digest_emails_enabled":true%')
      .orderBy('id')
      .limit(limit)
  }

  /** Deletes the organization's own row; the rows of its other tables must be deleted before. */
  async deleteCurrent(tx: Transaction): Promise<void> {
    await tx.organization().delete()
  }

  /** The ids and identifiers of up to `limit` organizations after `afterId`, oldest first. */
  async list(limit: number, afterId = 0): Promise<{ id: number; subdomain: string }[]> {
    return this.#all()
      .where('id', '>', afterId)
      .orderBy('id')
      .limit(limit)
      .select('id', 'subdomain')
  }

  /**
   * Inserts an organization whose permissions no group has until `update` stores them.
   *
   * @returns its id.
   */
  async insert(
    tx: Transaction,
    row: Omit<OrganizationRowData, 'id' | 'event_floor_seq' | 'settings'> & { id?: number },
  ): Promise<number> {
    const permissions = fromKeys(keysOf(organizationPermissions), () => 0)
    const settings = toJson<StoredOrganizationSettings>({ permissions })
    const rows = [{ ...row, settings }]
    const [id] = await tx.dialect.insertRows(tx.executor, tx.table('organizations'), rows, 'first')
    if (id === undefined) throw new Error('The driver has not returned the id of the organization')
    return id
  }

  async update(tx: Transaction, changes: Partial<Omit<OrganizationRowData, 'id'>>): Promise<void> {
    await tx.organization().update(changes)
  }

  /** The interned lists of active users; null if they must be built. */
  async activeAudiences(scope: OrganizationScope): Promise<ActiveAudiences> {
    const row = await scope.organization().first('active_audience_id', 'member_audience_id')
    return { everyone: row?.active_audience_id ?? null, members: row?.member_audience_id ?? null }
  }

  /** Stores lists that were built. */
  async setActiveAudiences(tx: Transaction, ids: Partial<ActiveAudiences>): Promise<void> {
    const { everyone, members } = ids
    await tx.organization().update({
      ...(everyone === undefined ? {} : { active_audience_id: everyone }),
      ...(members === undefined ? {} : { member_audience_id: members }),
    })
  }

  /** Latest join time of the full members for whom clients have received events; null at first. */
  async fullMembersJoinedUntil(scope: OrganizationScope): Promise<number | null> {
    const row = await scope.organization().first('full_members_joined_until_milliseconds as until')
    return row?.until ?? null
  }

  async setFullMembersJoinedUntil(tx: Transaction, milliseconds: number): Promise<void> {
    await tx.organization().update({ full_members_joined_until_milliseconds: milliseconds })
  }

  /** The head and the floor of the organization's event log. */
  async logBounds(scope: OrganizationScope): Promise<{ headSeq: number; floorSeq: number }> {
    const row = await scope.organization().first('event_seq', 'event_floor_seq')
    if (row === undefined) throw new Error(`There is no organization ${scope.organizationId}`)
    return { headSeq: row.event_seq, floorSeq: row.event_floor_seq }
  }

  /** All organizations except those that are being imported. */
  #all() {
    return this.database.queryAll('organizations').whereNull('importing_until_seconds')
  }
}
