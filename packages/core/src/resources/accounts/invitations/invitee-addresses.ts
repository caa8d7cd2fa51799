import { inject } from 'tsyringe'

import { foldCase } from '../../../domain/texts/folding.js'
import { isEmailAddress } from '../../../domain/users/email-address.js'
import { namedText, type NamedText } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'
import { EmailDomains } from '../../organization/domains/index.js'
import { FreeAddresses } from '../user-administration/index.js'

/** Why an address cannot be invited: the address, the reason, and whether its account is deactivated. */
export type InviteeProblem = readonly [string, string, boolean]

/** The addresses of a request, checked. */
export interface CheckedInvitees {
  readonly valid: readonly string[]
  /** Addresses that can belong to no new user of the organization. */
  readonly invalid: readonly InviteeProblem[]
  /** Addresses of accounts. */
  readonly taken: readonly InviteeProblem[]
}

const domainProblems = {
  foreign: 'EMAIL_ADDRESS_OUTSIDE_DOMAIN',
  disposable: 'EMAIL_ADDRESS_DISPOSABLE',
  tagged: 'EMAIL_ADDRESS_WITH_PLUS',
} as const

/** The texts of the fields are English for every client. */
function problemOf(email: string, problem: NamedText): InviteeProblem {
  const isDeactivated = problem.name === 'EMAIL_ADDRESS_OF_DEACTIVATED_ACCOUNT'
  return [email, problem.toString(), isDeactivated]
}

/** Reads and checks the addresses of people who are invited or sign up. */
@perServer()
export class InviteeAddresses {
  constructor(
    @inject(EmailDomains) private readonly domains: EmailDomains,
    @inject(FreeAddresses) private readonly addresses: FreeAddresses,
  ) {}

  async check(scope: OrganizationScope, emails: readonly string[]): Promise<CheckedInvitees> {
    const wellFormed = emails.filter(isEmailAddress)
    const isWellFormed = new Set(wellFormed)
    const foreign = await this.domains.problemsOf(scope, wellFormed)
    const owners = await this.addresses.problemsOf(scope, wellFormed, 0)
    const invalid = emails.flatMap((email): InviteeProblem[] => {
      if (!isWellFormed.has(email))
        return [problemOf(email, namedText('EMAIL_ADDRESS_WRONG_FORMAT'))]
      const problem = foreign.get(email)
      return problem === undefined ? [] : [problemOf(email, namedText(domainProblems[problem]))]
    })
    const allowed = wellFormed.filter((email) => !foreign.has(email))
    const taken = allowed.flatMap((email): InviteeProblem[] => {
      const problem = owners.get(email)
      return problem === undefined ? [] : [problemOf(email, problem)]
    })
    return { valid: allowed.filter((email) => !owners.has(email)), invalid, taken }
  }

  /** Why no new user of the organization can have the address, except that it is in use. */
  async problemOf(scope: OrganizationScope, email: string): Promise<NamedText | undefined> {
    if (!isEmailAddress(email)) return namedText('EMAIL_ADDRESS_WRONG_FORMAT')
    const problem = await this.domains.problemOf(scope, email)
    return problem && namedText(domainProblems[problem])
  }

  /** Why an account already has the address; undefined if none has. */
  async takenBy(scope: OrganizationScope, email: string): Promise<NamedText | undefined> {
    return this.addresses.problemOf(scope, email, 0)
  }
}

/**
 * The addresses of a text, each once: separated by commas or line breaks, alone or as
 * `Name <address>`.
 */
export function parseInvitees(text: string): string[] {
  const byKey = new Map<string, string>()
  for (const part of text.split(/[,\r\n]/)) {
    const email = addressIn(part.trim())
    if (email !== '' && !byKey.has(foldCase(email))) byKey.set(foldCase(email), email)
  }
  return [...byKey.values()]
}

function addressIn(text: string): string {
  const start = text.lastIndexOf('<')
  return start >= 0 && text.endsWith('>') ? text.slice(start + 1, -1).trim() : text
}
