import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'

import type { Knex } from 'knex'

const derive = promisify(scrypt) as (
  password: string,
  salt: Buffer,
  length: number,
) => Promise<Buffer>

const columns = ['id', 'email', 'full_name', 'is_staff']
const sessionSeconds = 7 * 24 * 60 * 60

export interface Account {
  readonly id: number
  readonly email: string
  readonly full_name: string
  readonly is_staff: boolean
}

type AccountRow = Omit<Account, 'is_staff'> & { readonly is_staff: number }

/** The product's own users and their sessions, in the product's own tables. */
export class Accounts {
  constructor(private readonly database: Knex) {}

  async createTables(): Promise<void> {
    await this.database.schema.raw(
      `CREATE TABLE IF NOT EXISTS product_accounts (
         id INTEGER NOT NULL PRIMARY KEY, email VARCHAR(190) NOT NULL UNIQUE,
         full_name VARCHAR(100) NOT NULL, is_staff INTEGER NOT NULL,
         password_hash VARCHAR(200) NOT NULL)`,
    )
    await this.database.schema.raw(
      `CREATE TABLE IF NOT EXISTS product_sessions (
         token_hash VARCHAR(64) NOT NULL PRIMARY KEY, account_id INTEGER NOT NULL,
         expires_at_seconds BIGINT NOT NULL)`,
    )
  }

  /** Adds an account unless there is one of that id or address. */
  async add(account: Account & { readonly password: string }): Promise<void> {
    const { password, is_staff, ...row } = account
    const salt = randomBytes(16)
    const hash = await derive(password, salt, 32)
    await this.database('product_accounts')
      .insert({
        ...row,
        is_staff: Number(is_staff),
        password_hash: `${salt.toString('hex')}.${hash.toString('hex')}`,
      })
      .onConflict('email')
      .ignore()
  }

  async list(): Promise<Account[]> {
    const rows = await this.database('product_accounts').orderBy('id').select<AccountRow[]>(columns)
    return rows.map(accountOf)
  }

  async rename(id: number, fullName: string): Promise<void> {
    await this.database('product_accounts').where({ id }).update({ full_name: fullName })
  }

  /** @returns the text for a session cookie, or undefined if address and password do not match. */
  async login(email: string, password: string): Promise<string | undefined> {
    const row = await this.database('product_accounts')
      .where({ email })
      .first<{ id: number; password_hash: string } | undefined>()
    // An unknown address takes as long as a wrong password.
    const [salt = '', hash = ''] = (row?.password_hash ?? '00.00').split('.')
    const derived = await derive(password, Buffer.from(salt, 'hex'), 32)
    const expected = Buffer.from(hash, 'hex')
    const isRight = expected.length === derived.length && timingSafeEqual(expected, derived)
    if (row === undefined || !isRight) return undefined
    const token = randomBytes(24).toString('base64url')
    await this.database('product_sessions').insert({
      token_hash: hashOf(token),
      account_id: row.id,
      expires_at_seconds: nowSeconds() + sessionSeconds,
    })
    return `session=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${sessionSeconds}`
  }

  async logout(request: IncomingMessage): Promise<void> {
    const token = sessionToken(request)
    if (token === undefined) return
    await this.database('product_sessions')
      .where({ token_hash: hashOf(token) })
      .delete()
  }

  /** @returns whose session the request's cookie names, or undefined if nobody's. */
  async find(request: IncomingMessage): Promise<Account | undefined> {
    const token = sessionToken(request)
    if (token === undefined) return undefined
    const row = await this.database('product_sessions as s')
      .join('product_accounts as a', 'a.id', 's.account_id')
      .where('s.token_hash', hashOf(token))
      .where('s.expires_at_seconds', '>', nowSeconds())
      .first<AccountRow | undefined>(columns.map((name) => `a.${name}`))
    return row && accountOf(row)
  }
}

function accountOf(row: AccountRow): Account {
  return { ...row, is_staff: row.is_staff === 1 }
}

function sessionToken({ headers }: IncomingMessage): string | undefined {
  return /(?:^|;\s*)session=([^;]+)/.exec(headers.cookie ?? '')?.[1]
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000)
}
