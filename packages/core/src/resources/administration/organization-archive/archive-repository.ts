import type { Knex } from 'knex'

import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope, TableName, Transaction } from '../../../storage/index.js'
import { receivedOfMessagesSql } from '../../channels/unwritten-messages/index.js'
import {
  columnsOf,
  type ArchivedRow,
  type ArchivedTable,
  type ArchivedValue,
} from './archived-tables.js'

/** Reads and writes rows of any archived table. */
@perServer()
export class ArchiveRepository {
  /**
   * The next rows of a table after a row, in the order of its keys; of user messages also those that
   * are not written.
   *
   * @param owners for a table whose rows belong to those of another one: the ids of these.
   */
  async page(
    scope: OrganizationScope,
    table: ArchivedTable,
    after: ArchivedRow | undefined,
    limit: number,
    owners: readonly number[] = [],
  ): Promise<ArchivedRow[]> {
    const isReceived = table.name === 'user_messages'
    const received = isReceived ? receivedOfMessagesSql(scope, owners) : ''
    const query = isReceived
      ? scope.executor.from(scope.executor.raw(`(${received}) r`))
      : scope.queryAs(table.name, 'r')
    if (table.of !== undefined && !isReceived) void query.whereIn(table.of.column, [...owners])
    if (after !== undefined) void query.where((next) => followsKeys(next, table.keys, after))
    for (const key of table.keys) void query.orderBy(key)
    return scope.listRows<ArchivedRow>(query.limit(limit), columnsOf(table))
  }

  /** Some columns of the rows in which a column has one of these values. */
  async listWhere(
    scope: OrganizationScope,
    table: TableName,
    column: string,
    values: readonly number[],
    columns: readonly string[],
  ): Promise<ArchivedRow[]> {
    const query = scope.queryAs(table, 'r').whereIn(column, [...values])
    return scope.listRows<ArchivedRow>(query, columns)
  }

  /** The receivers of messages, with user messages that are not written too. */
  async listReceivers(
    scope: OrganizationScope,
    messageIds: readonly number[],
  ): Promise<{ readonly user_id: number; readonly message_id: number }[]> {
    if (messageIds.length === 0) return []
    const columns = ['user_id', 'message_id']
    return scope.listRawRows(receivedOfMessagesSql(scope, messageIds), [], columns)
  }

  /** Some columns of all rows of a table. */
  async listAll(
    scope: OrganizationScope,
    table: 'users' | 'channels' | 'user_groups' | 'user_group_subgroups',
    columns: readonly string[],
  ): Promise<ArchivedRow[]> {
    return scope.listRows<ArchivedRow>(scope.queryAs(table, 'r'), columns)
  }

  /** The row of the organization. */
  async organization(
    scope: OrganizationScope,
    columns: readonly string[],
  ): Promise<ArchivedRow | undefined> {
    return scope.organization().first<ArchivedRow | undefined>(...columns)
  }

  async insert(tx: Transaction, table: TableName, rows: readonly ArchivedRow[]): Promise<void> {
    const ofOrganization = rows.map((row) => ({ ...row, organization_id: tx.organizationId }))
    await tx.dialect.insertRows(tx.executor, tx.table(table), ofOrganization, 'none')
  }
}

/** `k1 > a OR (k1 = a AND k2 > b) OR …`: MySQL finds no index for a comparison of lists. */
function followsKeys(query: Knex.QueryBuilder, keys: readonly string[], after: ArchivedRow): void {
  for (const [index, key] of keys.entries()) {
    void query.orWhere((next) => {
      for (const equal of keys.slice(0, index)) void next.where(equal, valueOf(after, equal))
      void next.where(key, '>', valueOf(after, key))
    })
  }
}

function valueOf(row: ArchivedRow, key: string): ArchivedValue {
  return row[key] ?? null
}
