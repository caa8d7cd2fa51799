import type { ChangingKind, RecordKind } from '../../../events/record-kind.js'
import type { Database, OrganizationScope } from '../../../storage/index.js'
import type { SharedValue, SharedValues } from './shared-values.js'

/** Limit of the rows that are kept of an organization. The one that was kept first leaves. */
const maxRows = 20_000
/** More rows are read and not kept: a list of everybody would displace those of recent calls. */
const maxKeptAtOnce = 1000

interface KnownRows<Row> {
  /** Where rows are read that are not kept yet. */
  readonly scope: OrganizationScope
  readonly rows: Map<number, Row>
  /** Increases with every change: a row that was read before it is not kept. */
  version: number
}

/** How rows are read, and which events change them. */
export interface SharedRowsRules<Row> {
  /** The rows with these ids; there may be none of some. */
  load(scope: OrganizationScope, ids: readonly number[]): Promise<ReadonlyMap<number, Row>>
  /** Each commit that changes rows has a record of one of these kinds. */
  readonly changedBy: readonly (RecordKind | ChangingKind)[]
  /** Whether a row is small enough to be kept. @default always */
  isSmall?(row: Row): boolean
}

/** Rows that are kept after they were read, each until the event log reports a change of it. */
export class SharedRows<Row> {
  readonly #known: SharedValue<KnownRows<Row>>

  constructor(
    private readonly database: Database,
    shared: SharedValues,
    name: string,
    private readonly rules: SharedRowsRules<Row>,
  ) {
    this.#known = shared.define(name, {
      load: async ({ organizationId }) => ({
        scope: database.read(organizationId),
        rows: new Map<number, Row>(),
        version: 0,
      }),
      changedBy: rules.changedBy,
      correct: (known, ids) => {
        known.version += 1
        for (const id of ids) known.rows.delete(id)
      },
    })
  }

  /**
   * The rows with these ids in the state that `scope` reads, in any order; those that do not exist
   * are left out. Not to be changed.
   */
  in(scope: OrganizationScope, ids: readonly number[]): Promise<ReadonlyMap<number, Row>> {
    return this.database.readsPublished(scope)
      ? this.committed(scope.organizationId, ids)
      : this.rules.load(scope, ids)
  }

  /** The same of committed rows, whatever the caller reads. */
  async committed(
    organizationId: number,
    ids: readonly number[],
  ): Promise<ReadonlyMap<number, Row>> {
    const found = new Map<number, Row>()
    if (ids.length === 0) return found
    const known = await this.#known.of(organizationId)
    const missing: number[] = []
    for (const id of ids) {
      const row = known.rows.get(id)
      if (row === undefined) missing.push(id)
      else found.set(id, row)
    }
    if (missing.length === 0) return found
    const { version } = known
    const read = await this.rules.load(known.scope, missing)
    const keeps = missing.length <= maxKeptAtOnce && known.version === version
    for (const [id, row] of read) {
      found.set(id, row)
      if (keeps && this.rules.isSmall?.(row) !== false) keep(known.rows, id, row)
    }
    return found
  }
}

function keep<Row>(rows: Map<number, Row>, id: number, row: Row): void {
  const [first] = rows.size < maxRows ? [] : rows.keys()
  if (first !== undefined) rows.delete(first)
  rows.set(id, row)
}
