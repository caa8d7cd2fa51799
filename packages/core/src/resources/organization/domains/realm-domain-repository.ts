import { perServer } from '../../../kernel/per-server.js'
import type { NewRow, OrganizationScope, Transaction } from '../../../storage/index.js'
import { realmDomains, type RealmDomainRow } from './realm-domains-table.js'

@perServer()
export class RealmDomainRepository {
  /** The number of domains of the organization. */
  async count(scope: OrganizationScope): Promise<number> {
    return scope.rows(realmDomains).count()
  }

  /** All domains of the organization, oldest first. */
  async list(scope: OrganizationScope): Promise<RealmDomainRow[]> {
    return scope.query('realm_domains').orderBy('id').select('*')
  }

  async findAmong(scope: OrganizationScope, domains: readonly string[]): Promise<RealmDomainRow[]> {
    return scope
      .query('realm_domains')
      .whereIn('domain', [...domains])
      .select('*')
  }

  async find(scope: OrganizationScope, domain: string): Promise<RealmDomainRow | undefined> {
    return scope.query('realm_domains').where({ domain }).first<RealmDomainRow | undefined>()
  }

  async insert(tx: Transaction, row: NewRow<RealmDomainRow>): Promise<number> {
    return tx.insert('realm_domains', row)
  }

  async insertMany(tx: Transaction, rows: readonly NewRow<RealmDomainRow>[]): Promise<void> {
    await tx.insert('realm_domains', rows)
  }

  async update(tx: Transaction, id: number, allow_subdomains: boolean): Promise<void> {
    await tx.query('realm_domains').where({ id }).update({ allow_subdomains })
  }

  async delete(tx: Transaction, id: number): Promise<void> {
    await tx.query('realm_domains').where({ id }).delete()
  }
}
