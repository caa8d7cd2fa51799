import { createRequire } from 'node:module'

import { MikroORM, type Options as MikroOptions } from '@mikro-orm/core'
import {
  nodeSqliteTransaction,
  sqlite3Transaction,
  type NodeSqliteConnection,
  type TransactionExecutor,
} from '@parley/core/transactions'
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import { PrismaMariaDb } from '@prisma/adapter-mariadb'
import { PrismaPg } from '@prisma/adapter-pg'
import Database from 'better-sqlite3'
import { drizzle as drizzleOnSqlite } from 'drizzle-orm/better-sqlite3'
import { drizzle } from 'drizzle-orm/mysql2'
import { drizzle as drizzleOnPostgres } from 'drizzle-orm/node-postgres'
import type { Knex } from 'knex'
import { Kysely, MysqlDialect, PostgresDialect, SqliteDialect } from 'kysely'
import { createPool as createCallbackPool } from 'mysql2'
import { createPool } from 'mysql2/promise'
import pg from 'pg'
import { DataTypes, Sequelize } from 'sequelize'
import type { Database as Sqlite3Database } from 'sqlite3'
import { DataSource, type DataSourceOptions } from 'typeorm'

import type { DatabaseColumn } from '../support/databases.js'
import { createPrismaClient } from './prisma-client.js'
import * as inBetterSqlite3 from './recipes/transactions/better-sqlite3.js'
import * as inDrizzleOnSqlite from './recipes/transactions/drizzle-sqlite.js'
import * as inDrizzle from './recipes/transactions/drizzle.js'
import * as inDrizzleOnPostgres from './recipes/transactions/drizzle-postgres.js'
import * as inKysely from './recipes/transactions/kysely.js'
import * as inMikroOrm from './recipes/transactions/mikro-orm.js'
import * as inMysql2 from './recipes/transactions/mysql2.js'
import * as inPg from './recipes/transactions/pg.js'
import * as inPrisma from './recipes/transactions/prisma.js'
import * as inSequelize from './recipes/transactions/sequelize.js'
import * as inTypeorm from './recipes/transactions/typeorm.js'

const load = createRequire(import.meta.url)

type Announce = (within: TransactionExecutor) => Promise<unknown>

/** A product that stores orders with its own library. */
export interface OrderProduct {
  /** Runs `announce` in the transaction that stores the order. */
  placeOrder(item: string, announce: Announce): Promise<void>
  close(): unknown
}

/** Opens a product on a database that has the table `orders`. */
type Open = (config: Knex.Config) => OrderProduct | Promise<OrderProduct>

const filenameOf = ({ connection }: Knex.Config): string =>
  (connection as { readonly filename: string }).filename

interface Server {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  readonly database: string
}
const serverOf = ({ connection }: Knex.Config): Server => {
  const { host, port, user, password, database } = connection as Server
  return { host, port, user, password, database }
}

/** By the names of the libraries. The first one is the driver of the chat. */
type Products = Readonly<Record<string, Open>>

const productsOnPostgres: Products = {
  pg(config) {
    const pool = pgPool(config)
    return {
      placeOrder: (item, announce) => inPg.placeOrder(pool, item, announce),
      close: () => pool.end(),
    }
  },
  Drizzle(config) {
    const pool = pgPool(config)
    const db = drizzleOnPostgres(pool)
    return {
      placeOrder: (item, announce) => inDrizzleOnPostgres.placeOrder(db, item, announce),
      close: () => pool.end(),
    }
  },
  Kysely(config) {
    const db = new Kysely<inKysely.Tables>({
      dialect: new PostgresDialect({ pool: pgPool(config) }),
    })
    return {
      placeOrder: (item, announce) => inKysely.placeOrder(db, item, announce),
      close: () => db.destroy(),
    }
  },
  TypeORM(config) {
    const { user, ...server } = serverOf(config)
    return typeormProduct({ type: 'postgres', ...server, username: user })
  },
  async MikroORM(config) {
    const { PostgreSqlDriver } = await import('@mikro-orm/postgresql')
    const { database, ...server } = serverOf(config)
    return mikroOrmProduct({ driver: PostgreSqlDriver, ...server, dbName: database })
  },
  Sequelize(config) {
    const { user, ...server } = serverOf(config)
    return sequelizeProduct(
      new Sequelize({ dialect: 'postgres', ...server, username: user, logging: false }),
    )
  },
  Prisma: (config) => prismaProduct('postgresql', new PrismaPg(serverOf(config))),
}

const productsOnMysql: Products = {
  mysql2(config) {
    const pool = createPool({ ...serverOf(config), namedPlaceholders: true, rowsAsArray: true })
    return {
      placeOrder: (item, announce) => inMysql2.placeOrder(pool, item, announce),
      close: () => pool.end(),
    }
  },
  Drizzle(config) {
    const pool = createPool(serverOf(config))
    const db = drizzle(pool)
    return {
      placeOrder: (item, announce) => inDrizzle.placeOrder(db, item, announce),
      close: () => pool.end(),
    }
  },
  Kysely(config) {
    const db = new Kysely<inKysely.Tables>({
      dialect: new MysqlDialect({ pool: createCallbackPool(serverOf(config)) }),
    })
    return {
      placeOrder: (item, announce) => inKysely.placeOrder(db, item, announce),
      close: () => db.destroy(),
    }
  },
  TypeORM(config) {
    const { user, ...server } = serverOf(config)
    return typeormProduct({ type: 'mysql', ...server, username: user })
  },
  async MikroORM(config) {
    const { MySqlDriver } = await import('@mikro-orm/mysql')
    const { database, ...server } = serverOf(config)
    return mikroOrmProduct({ driver: MySqlDriver, ...server, dbName: database })
  },
  Sequelize(config) {
    const { user, ...server } = serverOf(config)
    return sequelizeProduct(
      new Sequelize({ dialect: 'mysql', ...server, username: user, logging: false }),
    )
  },
  Prisma(config) {
    const { user, ...server } = serverOf(config)
    return prismaProduct('mysql', new PrismaMariaDb({ ...server, user, connectionLimit: 2 }))
  },
}

/** By the driver of the chat. */
const productsOnSqlite: Readonly<Record<string, Products>> = {
  sqlite3: {
    sqlite3(config) {
      // With other drivers, its library must not be loaded.
      const { Database } = load('sqlite3') as {
        Database: new (filename: string) => Sqlite3Database
      }
      const db = new Database(filenameOf(config))
      const run = (sql: string, ...values: unknown[]) =>
        new Promise<void>((resolve, reject) => {
          db.run(sql, values, (error: Error | null) => (error === null ? resolve() : reject(error)))
        })
      return {
        async placeOrder(item, announce) {
          await run('BEGIN IMMEDIATE')
          try {
            await run('INSERT INTO orders (item) VALUES (?)', item)
            await announce(sqlite3Transaction(db))
            await run('COMMIT')
          } catch (error) {
            await run('ROLLBACK')
            throw error
          }
        },
        close: () => new Promise((resolve) => db.close(resolve)),
      }
    },
    Sequelize: (config) =>
      sequelizeProduct(
        new Sequelize({ dialect: 'sqlite', storage: filenameOf(config), logging: false }),
      ),
  },
  'better-sqlite3': {
    'better-sqlite3'(config) {
      const db = new Database(filenameOf(config))
      return {
        placeOrder: (item, announce) => inBetterSqlite3.placeOrder(db, item, announce),
        close: () => db.close(),
      }
    },
    Drizzle(config) {
      const connection = new Database(filenameOf(config))
      const db = drizzleOnSqlite(connection)
      return {
        placeOrder: (item, announce) => inDrizzleOnSqlite.placeOrder(db, item, announce),
        close: () => connection.close(),
      }
    },
    Kysely(config) {
      const db = new Kysely<inKysely.Tables>({
        dialect: new SqliteDialect({ database: new Database(filenameOf(config)) }),
      })
      return {
        placeOrder: (item, announce) => inKysely.placeOrder(db, item, announce),
        close: () => db.destroy(),
      }
    },
    TypeORM: (config) => typeormProduct({ type: 'better-sqlite3', database: filenameOf(config) }),
    async MikroORM(config) {
      const { BetterSqliteDriver } = await import('@mikro-orm/better-sqlite')
      return mikroOrmProduct({ driver: BetterSqliteDriver, dbName: filenameOf(config) })
    },
    Prisma: (config) =>
      prismaProduct('sqlite', new PrismaBetterSqlite3({ url: `file:${filenameOf(config)}` })),
  },
  'node:sqlite': {
    'node:sqlite'(config) {
      const { DatabaseSync } = load('node:sqlite') as {
        readonly DatabaseSync: new (
          filename: string,
        ) => NodeSqliteConnection & { exec(sql: string): void; close(): void }
      }
      const db = new DatabaseSync(filenameOf(config))
      return {
        async placeOrder(item, announce) {
          db.exec('BEGIN IMMEDIATE')
          try {
            db.prepare('INSERT INTO orders (item) VALUES (?)').run(item as never)
            await announce(nodeSqliteTransaction(db))
            db.exec('COMMIT')
          } catch (error) {
            db.exec('ROLLBACK')
            throw error
          }
        },
        close: () => db.close(),
      }
    },
  },
}

export function productsOn({ name }: Pick<DatabaseColumn, 'name'>): Products {
  if (name === 'postgres') return productsOnPostgres
  if (name === 'mysql') return productsOnMysql
  return productsOnSqlite[process.env.CHAT_TEST_SQLITE_DRIVER || 'sqlite3'] ?? {}
}

/** A pool that reads all values, such as numbers and booleans, in the way of the product. */
function pgPool(config: Knex.Config): pg.Pool {
  const types = { getTypeParser: () => (value: string) => `the product's ${value}` }
  return new pg.Pool({ ...serverOf(config), types } as pg.PoolConfig)
}

async function typeormProduct(options: DataSourceOptions): Promise<OrderProduct> {
  const source = new DataSource({ ...options, entities: [inTypeorm.Order] })
  await source.initialize()
  return {
    placeOrder: (item, announce) => inTypeorm.placeOrder(source, item, announce),
    close: () => source.destroy(),
  }
}

async function mikroOrmProduct(options: MikroOptions): Promise<OrderProduct> {
  const orm = await MikroORM.init({ ...options, entities: [inMikroOrm.Order] })
  return {
    placeOrder: (item, announce) => inMikroOrm.placeOrder(orm.em, item, announce),
    close: () => orm.close(),
  }
}

function sequelizeProduct(sequelize: Sequelize): OrderProduct {
  sequelize.define('orders', { item: DataTypes.TEXT }, { timestamps: false })
  return {
    placeOrder: (item, announce) => inSequelize.placeOrder(sequelize, item, announce),
    close: () => sequelize.close(),
  }
}

function prismaProduct(...parameters: Parameters<typeof createPrismaClient>): OrderProduct {
  const prisma = createPrismaClient(...parameters)
  return {
    placeOrder: (item, announce) => inPrisma.placeOrder(prisma, item, announce),
    close: () => prisma.$disconnect(),
  }
}
