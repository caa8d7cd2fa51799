import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'
import type { RecordType } from './export-records.js'

/** A row, by the names of its columns. */
export type ExportedRow = Readonly<Record<string, string | number | boolean | null>>

/** Reads the rows of one user for an export. */
@perServer()
export class ExportRepository {
  /** The next rows of the user after a row, in the order of the keys. */
  async page(
    scope: OrganizationScope,
    { table, owner, keys, columns }: RecordType,
    userId: number,
    after: ExportedRow | undefined,
    limit: number,
  ): Promise<ExportedRow[]> {
    const query = scope.queryAs(table, 'r').where(`r.${owner}`, userId)
    if (after !== undefined) {
      const [first = '', second = ''] = keys
      const [firstValue = null, secondValue = null] = [after[first], after[second]]
      void query.where((rows) => {
        void rows.whereRaw('?? > ?', [first, firstValue])
        if (second === '') return
        void rows.orWhereRaw('(?? = ? AND ?? > ?)', [first, firstValue, second, secondValue])
      })
    }
    for (const key of keys) void query.orderBy(`r.${key}`)
    return query.limit(limit).select<ExportedRow[]>(...new Set([...keys, ...columns]))
  }

  /** Rows of a table by their ids. */
  async listByIds(
    scope: OrganizationScope,
    { table, columns }: RecordType,
    ids: readonly number[],
  ): Promise<ExportedRow[]> {
    const query = scope.queryAs(table, 'r').whereIn('r.id', [...ids])
    return query.orderBy('r.id').select<ExportedRow[]>(...columns)
  }

  /** The names of channels or groups by their ids. */
  async names(
    scope: OrganizationScope,
    table: 'channels' | 'user_groups',
    ids: readonly number[],
  ): Promise<ReadonlyMap<number, string | null>> {
    if (ids.length === 0) return new Map()
    const query = scope.queryAs(table, 'n').whereIn('n.id', [...ids])
    const rows = await query.select<{ id: number; name: string | null }[]>('n.id', 'n.name')
    return new Map(rows.map(({ id, name }) => [id, name]))
  }
}
