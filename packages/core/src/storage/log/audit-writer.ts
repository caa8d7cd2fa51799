import type { Knex } from 'knex'

import {
  auditActions,
  type AuditChanges,
  type AuditEntry,
} from '../../domain/organizations/audit-actions.js'
import { creatorIdOf, type Actor } from '../../domain/users/actor.js'
import { inProcess } from '../../domain/users/call-origin.js'
import { nowSeconds, type Clock } from '../../kernel/clock.js'
import { forEachInSlices } from '../../kernel/event-loop-yielder.js'
import type { Dialect } from '../dialects/dialect.js'
import type { AuditRow } from './audit-log-table.js'
import type { Transaction } from '../transactions/transaction.js'

/** Characters of the JSON of one value; a longer one is stored as the beginning of its JSON. */
const maxValueLength = 2000
/** Characters of the JSON of all changes; further properties are stored without their values. */
const maxChangesLength = 16_000

/** A statement must stay below the largest packet of MySQL, 16 MiB. */
const rowsPerStatement = 5000

type OriginColumns = Pick<AuditRow, 'via' | 'client_address' | 'client_name'>

/** Stores the rows of the audit trail in the transactions that they are about. */
export class AuditWriter {
  constructor(
    private readonly clock: Clock,
    private readonly tablePrefix: string,
  ) {}

  /** Inserts the rows that `transactions` have added to the trail, at least one. */
  async insert(
    transactions: readonly Transaction[],
    executor: Knex,
    dialect: Dialect,
  ): Promise<void> {
    const audited = transactions.flatMap((tx) => tx.audited)
    const createdAtSeconds = nowSeconds(this.clock)
    const rows: Omit<AuditRow, 'id'>[] = []
    const originColumnsOf = new Map<Transaction, OriginColumns>()
    await forEachInSlices(audited, ({ tx, entry }) => {
      let origin = originColumnsOf.get(tx)
      if (origin === undefined) originColumnsOf.set(tx, (origin = originColumns(tx.caller)))
      rows.push({
        organization_id: tx.organizationId,
        created_at_seconds: createdAtSeconds,
        ...rowOf(entry),
        ...actorColumns(tx.caller, entry),
        ...origin,
      })
    })
    for (let start = 0; start < rows.length; start += rowsPerStatement) {
      const chunk = rows.slice(start, start + rowsPerStatement)
      await dialect.insertRows(executor, `${this.tablePrefix}audit_log`, chunk, 'none')
    }
  }
}

function rowOf({ action, objectId, userId, changes }: AuditEntry) {
  const object_type = auditActions[action].object
  return {
    action,
    object_type,
    object_id: objectId ?? null,
    user_id: userId ?? (object_type === 'user' ? (objectId ?? null) : null),
    changes: changes === undefined ? null : changesJson(changes),
  }
}

/** Determining the address takes long, so it is done once for all rows of a call. */
function originColumns(caller: Actor | undefined): OriginColumns {
  const { via, clientAddress, clientName } = caller?.origin ?? inProcess
  return { via, client_address: clientAddress ?? null, client_name: clientName ?? null }
}

function actorColumns(
  caller: Actor | undefined,
  { isBySystem = false }: AuditEntry,
): Pick<AuditRow, 'actor_type' | 'actor_id'> {
  const userId = caller === undefined ? null : creatorIdOf(caller)
  return {
    actor_type: userId === null ? (isBySystem ? 'system' : 'application') : 'user',
    actor_id: userId,
  }
}

/** JSON of limited length. @returns null if nothing has changed. */
export function changesJson(changes: AuditChanges): string | null {
  const names = Object.keys(changes)
  if (names.length === 0) return null
  const limited: Record<string, Record<string, unknown>> = {}
  let length = 0
  for (const name of names) {
    const values: Record<string, unknown> = {}
    for (const [which, value] of Object.entries(changes[name] ?? {})) {
      const json = JSON.stringify(value)
      if (json === undefined) continue
      values[which] = json.length > maxValueLength ? `${json.slice(0, maxValueLength)}…` : value
      length += Math.min(json.length, maxValueLength)
    }
    limited[name] = length > maxChangesLength ? {} : values
  }
  return JSON.stringify(limited)
}
