import { inject } from 'tsyringe'

import type { OrganizationState } from '../../../domain/organizations/organization-state.js'
import { shortened } from '../../../domain/texts/plain-text.js'
import type { UserSettings } from '../../../domain/users/user-settings.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import type { OrganizationScope } from '../../../storage/index.js'
import type { Mail } from '../../accounts/email-changes/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import { UserAccess } from '../../people/user-access/index.js'
import { actorOf, unknownUser, UsersAndSystemBots, type UserRow } from '../../people/users/index.js'
import { MailLinks, type MailLink } from './mail-links.js'

/** Maximum length of a subject; longer ones are truncated. */
const maxSubjectLength = 200

/** The common parts of all mails that users can turn off. */
@perServer()
export class MailParts {
  constructor(
    @inject(UsersAndSystemBots) private readonly users: UsersAndSystemBots,
    @inject(UserAccess) private readonly userAccess: UserAccess,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(MailLinks) private readonly links: MailLinks,
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
  ) {}

  /** URL of the chat. Mails are sent only if it is fixed. */
  get chatUrl(): string {
    return this.facts.address.url ?? ''
  }

  /** The right side of the ids of mails. */
  get host(): string {
    return new URL(this.chatUrl).hostname
  }

  /** A user, if mails may be sent to them now. */
  async findReceiver(scope: OrganizationScope, userId: number): Promise<UserRow | undefined> {
    const { isDeactivated } = await this.organizations.require(scope.organizationId)
    const [receiver] = await this.users.findMany(scope, [userId])
    if (isDeactivated || receiver?.is_active !== true) return undefined
    // The stand-in of a user whose own address belongs to another account.
    return receiver.email.endsWith(`@${this.facts.fakeEmailDomain}`) ? undefined : receiver
  }

  /** The full names of users, as the receiver of a mail may know them. */
  async namesFor(
    scope: OrganizationScope,
    receiver: UserRow,
    userIds: Iterable<number>,
  ): Promise<(id: number) => string> {
    const names = new Map<number, string>()
    for (const user of await this.users.findMany(scope, [...new Set(userIds)])) {
      if (await this.userAccess.allows(scope, actorOf(receiver), user)) {
        names.set(user.id, user.full_name)
      }
    }
    return (id) => names.get(id) ?? unknownUser(id, this.facts).full_name
  }

  /** Whether mails to a user may contain texts and names. */
  mayQuote(settings: UserSettings, organization: OrganizationState): boolean {
    return (
      settings.message_content_in_email_notifications &&
      organization.settings.message_content_allowed_in_email_notifications
    )
  }

  /** URL of the page on which the receiver turns off the kind of mail. */
  unsubscribeUrl(link: MailLink): string {
    const path = this.facts.address.api(`/mail_notifications/unsubscribe/${this.links.sign(link)}`)
    return new URL(this.chatUrl).origin + path
  }

  /** A subject of one line, and headers for mail programs (RFC 8058, RFC 3834). */
  envelope(subject: string, unsubscribeUrl: string): Pick<Mail, 'subject' | 'headers'> {
    return {
      subject: shortened(subject.replaceAll(/[\r\n]+/g, ' '), maxSubjectLength),
      headers: {
        'List-Unsubscribe': `<${unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        'Auto-Submitted': 'auto-generated',
      },
    }
  }
}
