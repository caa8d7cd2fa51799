import { inject } from 'tsyringe'

import { foldCase } from '../../../domain/texts/folding.js'
import { Role } from '../../../domain/users/actor.js'
import {
  isSystemBotAddress,
  systemBots,
  type SystemBotName,
} from '../../../domain/users/system-bots.js'
import { keysOf } from '../../../kernel/objects.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import { toJson } from '../../../storage/index.js'
import { unstoredUser } from './unstored-user.js'
import type { UserRow } from './users-table.js'
import type { UserObject } from './user-schemas.js'
import { userObject } from './user-view.js'

/**
 * The accounts with which the server itself sends messages. They have the same ids in every
 * organization. They are not stored in a table, so queries of users never find, count, change or
 * authenticate them.
 */
@perServer()
export class SystemBots {
  constructor(@inject(ServerFactsToken) private readonly facts: ServerFacts) {}

  /** A system bot, as if it were a member of the organization. */
  get(organizationId: number, name: SystemBotName): UserRow {
    const { id, fullName, mailbox } = systemBots[name]
    const email = `${mailbox}@${this.facts.systemBotDomain}`
    return {
      ...unstoredUser,
      id,
      organization_id: organizationId,
      email,
      email_key: foldCase(email),
      full_name: fullName,
      full_name_key: foldCase(fullName),
      role: Role.member,
      is_bot: true,
      bot_type: 1,
      settings: toJson({}),
    }
  }

  /** All system bots, ascending by id. */
  list(organizationId: number): UserRow[] {
    return keysOf(systemBots).map((name) => this.get(organizationId, name))
  }

  find(organizationId: number, id: number): UserRow | undefined {
    return this.list(organizationId).find((bot) => bot.id === id)
  }

  /** Whether a system bot has the address. */
  hasAddress(email: string): boolean {
    return isSystemBotAddress(email, this.facts.systemBotDomain)
  }

  /** All system bots on the wire. */
  objects(organizationId: number): (UserObject & { readonly is_system_bot: true })[] {
    return this.list(organizationId).map((bot) => ({
      ...userObject(bot, { userId: bot.id, role: bot.role }, this.facts, { clientGravatar: false }),
      is_system_bot: true,
    }))
  }
}
