import type { Knex } from 'knex'

/** Statements that a trigger of a table refuses. */
interface Refused {
  readonly name: string
  readonly table: string
  readonly change: 'INSERT' | 'UPDATE'
  /** A condition on the row `NEW`. @default every row */
  readonly when?: string
}

/** Makes the database refuse changes of a table. @returns a function that ends it. */
export async function refuseChanges(
  knex: Knex,
  { name, table, change, when = '1 = 1' }: Refused,
): Promise<() => Promise<void>> {
  const head = `CREATE TRIGGER ${name} BEFORE ${change} ON ${table} FOR EACH ROW`
  if (knex.client.driverName === 'mysql2') {
    await knex.raw(`${head} BEGIN IF ${when} THEN SIGNAL SQLSTATE '45000'; END IF; END`)
  } else if (knex.client.driverName === 'pg') {
    await knex.raw(
      `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN IF ${when} THEN RAISE 'refused'; END IF; RETURN NEW; END $$`,
    )
    await knex.raw(`${head} EXECUTE FUNCTION ${name}()`)
  } else {
    await knex.raw(`${head} WHEN ${when} BEGIN SELECT RAISE(ABORT, 'refused'); END`)
  }
  return async () => {
    if (knex.client.driverName === 'pg') await knex.raw(`DROP FUNCTION ${name} CASCADE`)
    else await knex.raw(`DROP TRIGGER ${name}`)
  }
}
