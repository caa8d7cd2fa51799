import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

import type { HostIdentity } from '@parley/core'
import { and, eq, getTableColumns, gt } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'

import { accounts, sessions, type Account } from './database.js'

const derive = promisify<string, Buffer, number, Buffer>(scrypt)
const sessionSeconds = 7 * 24 * 60 * 60

/** An account, without what only the login needs. */
type Person = Omit<Account, 'passwordHash'>

/** The shop's own users and their sessions. */
export class Accounts {
  constructor(private readonly database: NodePgDatabase) {}

  /** Adds an account unless there is one of that id or address. */
  async add(account: Person, password: string): Promise<void> {
    const salt = randomBytes(16)
    const hash = await derive(password, salt, 32)
    const passwordHash = `${salt.toString('hex')}.${hash.toString('hex')}`
    await this.database
      .insert(accounts)
      .values({ ...account, passwordHash })
      .onConflictDoNothing()
  }

  /** @returns the text for a session cookie, or undefined if address and password do not match. */
  async login(email: string, password: string): Promise<string | undefined> {
    const [account] = await this.database.select().from(accounts).where(eq(accounts.email, email))
    // An unknown address takes as long as a wrong password.
    const [salt = '', hash = ''] = (account?.passwordHash ?? '00.00').split('.')
    const derived = await derive(password, Buffer.from(salt, 'hex'), 32)
    const expected = Buffer.from(hash, 'hex')
    const isRight = expected.length === derived.length && timingSafeEqual(expected, derived)
    if (account === undefined || !isRight) return undefined
    const token = randomBytes(24).toString('base64url')
    const expiresAt = new Date(Date.now() + sessionSeconds * 1000)
    const session = { tokenHash: hashOf(token), accountId: account.id, expiresAt }
    await this.database.insert(sessions).values(session)
    return `session=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${sessionSeconds}`
  }

  async logout(cookie: string | undefined): Promise<void> {
    await this.database.delete(sessions).where(eq(sessions.tokenHash, hashOf(tokenOf(cookie))))
  }

  /** @returns whose session the cookie names, or undefined if nobody's. */
  async find(cookie: string | undefined): Promise<Account | undefined> {
    const isValid = and(
      eq(sessions.tokenHash, hashOf(tokenOf(cookie))),
      gt(sessions.expiresAt, new Date()),
    )
    const [account] = await this.database
      .select(getTableColumns(accounts))
      .from(sessions)
      .innerJoin(accounts, eq(accounts.id, sessions.accountId))
      .where(isValid)
    return account
  }
}

/** A user of the shop as the chat knows it. */
export function chatUserOf({ id, email, fullName, isStaff }: Person): HostIdentity {
  return { externalId: String(id), email, fullName, role: isStaff ? 100 : 600 }
}

function tokenOf(cookie = ''): string {
  return /(?:^|;\s*)session=([^;]+)/.exec(cookie)?.[1] ?? ''
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
