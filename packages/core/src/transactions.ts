export type {
  ExecutorResult,
  TransactionExecutor,
} from './storage/connections/transaction-executor.js'
export {
  betterSqlite3Transaction,
  type BetterSqlite3Connection,
} from './storage/executors/better-sqlite3.js'
export { drizzleTransaction, type DrizzleTransaction } from './storage/executors/drizzle.js'
export { kyselyTransaction, type KyselyTransaction } from './storage/executors/kysely.js'
export { mikroOrmTransaction, type MikroOrmManager } from './storage/executors/mikro-orm.js'
export { mysql2Transaction, type Mysql2Connection } from './storage/executors/mysql2.js'
export {
  nodeSqliteTransaction,
  type NodeSqliteConnection,
} from './storage/executors/node-sqlite.js'
export { pgTransaction, type PgConnection } from './storage/executors/pg.js'
export { prismaTransaction, type PrismaTransaction } from './storage/executors/prisma.js'
export { sequelizeTransaction, type SequelizeTransaction } from './storage/executors/sequelize.js'
export { sqlite3Transaction, type Sqlite3Connection } from './storage/executors/sqlite3.js'
export { typeormTransaction, type TypeormManager } from './storage/executors/typeorm.js'
