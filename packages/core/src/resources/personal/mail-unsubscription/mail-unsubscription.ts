import { inject } from 'tsyringe'

import { ChatError, namedText } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { Database, UnitOfWork } from '../../../storage/index.js'
import { SubscriptionSettingsService } from '../../channels/subscriptions/index.js'
import { MailLinks } from '../../notifications/mails/index.js'
import { actorOf, UserRepository, type UserRow } from '../../people/users/index.js'
import { UserSettingsService } from '../user-settings/index.js'

type Kind = NonNullable<Awaited<ReturnType<MailLinks['open']>>>['kind']

/** The user's setting for each kind of mail. */
const settingOf = {
  mentions: 'enable_offline_email_notifications',
  followed_topic: 'enable_followed_topic_email_notifications',
  digest: 'enable_digest_emails',
} as const satisfies Record<Exclude<Kind, 'channel'>, string>

/** Turns off mails by the links in them, without signing in. */
@perServer()
export class MailUnsubscription {
  constructor(
    @inject(MailLinks) private readonly links: MailLinks,
    @inject(Database) private readonly database: Database,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(UserSettingsService) private readonly settings: UserSettingsService,
    @inject(SubscriptionSettingsService)
    private readonly subscriptions: SubscriptionSettingsService,
  ) {}

  /**
   * @returns the kind of mails that the link turns off.
   * @throws {ChatError} `OBJECT_NOT_FOUND` if the link is invalid, or the account is inactive.
   */
  async requireKind(organizationId: number, token: string): Promise<Kind> {
    return (await this.#require(organizationId, token)).kind
  }

  /**
   * Turns off the mails; without effect if they are off.
   *
   * @throws {ChatError} `OBJECT_NOT_FOUND` as {@link requireKind}.
   */
  async unsubscribe(organizationId: number, token: string): Promise<Kind> {
    const { kind, channelId, user } = await this.#require(organizationId, token)
    if (kind === 'channel') await this.#turnOffChannel(user, channelId)
    else {
      const name = settingOf[kind]
      await this.unitOfWork.run(organizationId, (tx) =>
        this.settings.changeWithin(tx, user.id, { [name]: false }),
      )
    }
    return kind
  }

  async #turnOffChannel(user: UserRow, channelId: number): Promise<void> {
    try {
      await this.subscriptions.change(actorOf(user), [
        { channelId, property: 'email_notifications', value: false },
      ])
    } catch (error) {
      // Users who have left the channel get no mails of it.
      if (!(error instanceof ChatError)) throw error
    }
  }

  async #require(organizationId: number, token: string) {
    const link = this.links.open(token)
    const isHere = link?.organizationId === organizationId
    const user = isHere
      ? await this.users.find(this.database.read(organizationId), link.userId)
      : undefined
    if (link === undefined || user?.is_active !== true) {
      throw new ChatError('OBJECT_NOT_FOUND', { text: namedText('MAIL_LINK_INVALID') })
    }
    return { ...link, user }
  }
}
