import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import { boolean, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import type { Pool } from 'pg'

export const accounts = pgTable('accounts', {
  id: integer().primaryKey(),
  email: text().notNull().unique(),
  fullName: text('full_name').notNull(),
  isStaff: boolean('is_staff').notNull(),
  passwordHash: text('password_hash').notNull(),
})

export const sessions = pgTable('sessions', {
  tokenHash: text('token_hash').primaryKey(),
  accountId: integer('account_id').notNull(),
  expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
})

export const items = pgTable('items', {
  name: text().primaryKey(),
  stock: integer().notNull(),
})

export const orders = pgTable('orders', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  accountId: integer('account_id').notNull(),
  item: text().notNull(),
  /** The chat's channel about this order. */
  channelId: integer('channel_id').notNull().default(0),
})

export type Account = typeof accounts.$inferSelect
export type Order = typeof orders.$inferSelect

/** Creates the tables where they are missing. Products do this with migrations of drizzle-kit. */
export async function openDatabase(pool: Pool): Promise<NodePgDatabase> {
  await pool.query(`
    CREATE TABLE IF NOT EXISTS accounts (
      id integer PRIMARY KEY, email text NOT NULL UNIQUE, full_name text NOT NULL,
      is_staff boolean NOT NULL, password_hash text NOT NULL);
    CREATE TABLE IF NOT EXISTS sessions (
      token_hash text PRIMARY KEY, account_id integer NOT NULL REFERENCES accounts,
      expires_at timestamptz NOT NULL);
    CREATE TABLE IF NOT EXISTS items (name text PRIMARY KEY, stock integer NOT NULL);
    CREATE TABLE IF NOT EXISTS orders (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      account_id integer NOT NULL REFERENCES accounts, item text NOT NULL REFERENCES items,
      channel_id integer NOT NULL DEFAULT 0)`)
  const database = drizzle(pool)
  await database
    .insert(items)
    .values([
      { name: 'tea', stock: 100 },
      { name: 'lamp', stock: 0 },
    ])
    .onConflictDoNothing()
  return database
}
