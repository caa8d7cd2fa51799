import { inject } from 'tsyringe'

import { Role } from '../../domain/actor.js'
import { foldCase } from '../../domain/folding.js'
import { isSystemBotAddress, systemBots, type SystemBotName } from '../../domain/system-bots.js'
import { perServer } from '../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../kernel/server-facts.js'
import { unstoredUser, userObject, type UserObject, type UserRow } from '../users/index.js'

/**
 * The accounts that speak for the server itself, in every organization under the same ids. They
 * are in no table, so that nothing that reads users can find, count, change or log in one: who
 * wants to meet them asks here.
 */
@perServer()
export class SystemBots {
  constructor(@inject(ServerFactsToken) private readonly facts: ServerFacts) {}

  /** One of them, as if it were a member of the organization. */
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
      settings: '{}',
    }
  }

  /** All of them, ascending by id. */
  list(organizationId: number): UserRow[] {
    return (Object.keys(systemBots) as SystemBotName[]).map((name) =>
      this.get(organizationId, name),
    )
  }

  find(organizationId: number, id: number): UserRow | undefined {
    return this.list(organizationId).find((bot) => bot.id === id)
  }

  /** Whether one of them has the address. */
  hasAddress(email: string): boolean {
    return isSystemBotAddress(email, this.facts.systemBotDomain)
  }

  /** As clients learn of them. */
  objects(organizationId: number): (UserObject & { readonly is_system_bot: true })[] {
    return this.list(organizationId).map((bot) => ({
      ...userObject(bot, { userId: bot.id, role: bot.role }, this.facts, { clientGravatar: false }),
      is_system_bot: true,
    }))
  }
}
