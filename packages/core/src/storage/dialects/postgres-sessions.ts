import type { Knex } from 'knex'

/** The members of a connection of the driver that are used here. */
interface Connection {
  /** The process of the server; behind a pooler, a number of the pooler's own. */
  readonly processID: number
  query(sql: string): Promise<{ readonly rows: readonly { readonly id: number }[] }>
  end(): Promise<void>
}

/** Looks at a pooler that is busy: another client may have the process that was free. */
const attempts = 10

/** What of the options needs sessions of its own, and what to do if it has none. */
const remedies = {
  'The database': 'Name the server itself in database.direct too, or set pool_mode = session there',
  'database.direct': 'Use the address of the server',
  readReplica: 'Name the primary in database.direct, or set pool_mode = session there',
}

/**
 * @throws {Error} if sessions share the processes of the server, as behind PgBouncer in transaction
 *   mode: time-outs would be those of others, and notifications would not arrive.
 */
export async function requireSessions(pool: Knex, name: keyof typeof remedies): Promise<void> {
  await withConnection(pool, async (one) => {
    const id = await processOf(one)
    if (id === one.processID) return
    await withConnection(pool, async (other) => {
      for (let attempt = 0; attempt < attempts; attempt += 1) {
        if (await areShared(one, id, other)) {
          throw new Error(
            `${name} is behind a pooler that changes the process of the server with each transaction. ${remedies[name]}`,
          )
        }
      }
    })
  })
}

/** @throws {Error} if migrations and notifications would be those of another database. */
export async function requireSameDatabase(pooled: Knex, direct: Knex): Promise<void> {
  const [one, other] = await Promise.all([placeOf(pooled), placeOf(direct)])
  if (one === other) return
  throw new Error(
    'database.direct is another server, database or schema than database.connection. Name the same in both',
  )
}

async function placeOf(pool: Knex): Promise<string> {
  const { rows } = await pool.raw<{ readonly rows: readonly [{ readonly place: string }] }>(
    `SELECT concat_ws('/', EXTRACT(EPOCH FROM pg_postmaster_start_time()),
       current_database(), current_schema()) AS place`,
  )
  return rows[0].place
}

/** Whether the other connection gets the process of this one, or this one gets another. */
async function areShared(one: Connection, id: number, other: Connection): Promise<boolean> {
  await other.query('BEGIN')
  try {
    return (await processOf(other)) === id || (await processOf(one)) !== id
  } finally {
    await other.query('ROLLBACK')
  }
}

async function processOf(connection: Connection): Promise<number> {
  const { rows } = await connection.query('SELECT pg_backend_pid() AS id')
  return Number(rows[0]?.id)
}

async function withConnection(
  pool: Knex,
  work: (connection: Connection) => Promise<void>,
): Promise<void> {
  const connection = (await pool.client.acquireRawConnection()) as Connection
  try {
    await work(connection)
  } finally {
    await connection.end()
  }
}
