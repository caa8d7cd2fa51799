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

/**
 * @throws {Error} if sessions share the processes of the server, as behind PgBouncer in transaction
 *   mode: time-outs would be those of others, and notifications would not arrive.
 */
export async function requireSessions(pool: Knex): Promise<void> {
  await withConnection(pool, async (one) => {
    const id = await processOf(one)
    if (id === one.processID) return
    await withConnection(pool, async (other) => {
      for (let attempt = 0; attempt < attempts; attempt += 1) {
        if (await areShared(one, id, other)) {
          throw new Error(
            'The database is behind a pooler that changes the process of the server with each transaction. ' +
              'Set pool_mode = session there, or use the address of the server',
          )
        }
      }
    })
  })
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
