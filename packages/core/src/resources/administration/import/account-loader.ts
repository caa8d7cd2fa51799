import { inject } from 'tsyringe'

import { Role } from '../../../domain/users/actor.js'
import { canonicalTimeZone } from '../../../domain/users/time-zones.js'
import { perServer } from '../../../kernel/per-server.js'
import { chunksOf } from '../../../resource-definition/chunks.js'
import { toJson, type Transaction } from '../../../storage/index.js'
import { BotFileLoader } from '../../accounts/bots/index.js'
import { PasswordHasher } from '../../people/credentials/index.js'
import { UserService, type NewUser } from '../../people/users/index.js'
import type { FileBot, FileUser } from './organization-file-items.js'
import type { OrganizationFile } from './organization-file-schema.js'

/** Hashing one password takes a good part of a second on one of few threads. */
const hashesAtOnce = 4

/**
 * Accounts per batch; the loader yields to the event loop between batches, because encrypting API
 * keys takes long.
 */
const accountsPerChunk = 100

/** The hashes of the passwords in a file, by user id. */
export type PasswordHashes = ReadonlyMap<number, string>

/** Stores the users and bots of an organization file. */
@perServer()
export class AccountLoader {
  constructor(
    @inject(UserService) private readonly users: UserService,
    @inject(BotFileLoader) private readonly bots: BotFileLoader,
    @inject(PasswordHasher) private readonly passwords: PasswordHasher,
  ) {}

  async hashPasswords(file: OrganizationFile): Promise<PasswordHashes> {
    const hashes = new Map<number, string>()
    const withPassword = file.users.filter(({ password }) => password !== undefined)
    for (const chunk of chunksOf(withPassword, hashesAtOnce)) {
      await Promise.all(
        chunk.map(async ({ id, password }) => {
          hashes.set(id, await this.passwords.hashQueued(password ?? ''))
        }),
      )
    }
    return hashes
  }

  async load(
    tx: Transaction,
    file: OrganizationFile,
    hashes: PasswordHashes,
    createdAtSeconds: number,
  ): Promise<void> {
    for (const chunk of chunksOf(file.users, accountsPerChunk)) {
      const users = chunk.map((user) => newUser(user, hashes, createdAtSeconds))
      await this.users.insertMany(tx, users)
    }
    for (const chunk of chunksOf(file.bots ?? [], accountsPerChunk)) {
      await this.users.insertMany(
        tx,
        chunk.map((bot) => newBot(bot, createdAtSeconds)),
      )
    }
    await this.bots.load(tx, file.bots ?? [])
  }
}

function newUser(user: FileUser, hashes: PasswordHashes, createdAtSeconds: number): NewUser {
  // These two settings have columns of their own.
  const { timezone, email_address_visibility, ...settings } = user.settings ?? {}
  const zone = user.timezone ?? String(timezone ?? '')
  return {
    id: user.id,
    externalId: user.external_id ?? null,
    email: user.email,
    fullName: user.full_name.trim(),
    role: user.role ?? Role.member,
    isActive: user.is_active ?? true,
    passwordHash: hashes.get(user.id) ?? null,
    ...(user.api_key === undefined ? {} : { apiKey: user.api_key }),
    joinedAtMilliseconds: (user.joined_at_seconds ?? createdAtSeconds) * 1000,
    timezone: canonicalTimeZone(zone) ?? '',
    emailAddressVisibility: Number(email_address_visibility ?? 1),
    canCreateUsers: user.can_create_users ?? false,
    canChangeUserEmails: user.can_change_user_emails ?? false,
    settings: toJson(settings),
  }
}

function newBot(bot: FileBot, createdAtSeconds: number): NewUser {
  return {
    id: bot.id,
    email: bot.email,
    fullName: bot.full_name.trim(),
    role: bot.role ?? Role.member,
    isActive: bot.is_active ?? true,
    ...(bot.api_key === undefined ? {} : { apiKey: bot.api_key }),
    bot: { type: bot.bot_type ?? 1, ownerId: bot.owner_id },
    joinedAtMilliseconds: (bot.joined_at_seconds ?? createdAtSeconds) * 1000,
    canCreateUsers: bot.can_create_users ?? false,
  }
}
