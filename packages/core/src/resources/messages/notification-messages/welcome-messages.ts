import { inject } from 'tsyringe'

import { MessageFlag } from '../../../domain/messages/message-flags.js'
import type { Actor } from '../../../domain/users/actor.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import { UnitOfWork, type Transaction } from '../../../storage/index.js'
import { namedText, type NamedText } from '../../../texts/index.js'
import { ChannelRepository } from '../../channels/channels/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import {
  actorOf,
  UserDirectory,
  UserRepository,
  type Joining,
  type NewcomerStep,
  type UserRow,
} from '../../people/users/index.js'
import { MessageSending, SystemBotMessages } from '../sending/index.js'
import { silentMention } from './notification-texts.js'

/** The number of users whom the message about users who join together names. */
const maxNamed = 20

/** Sends a welcome message to each new human user, and announces them in the organization. */
@perServer()
export class WelcomeMessages implements NewcomerStep {
  constructor(
    @inject(SystemBotMessages) private readonly messages: SystemBotMessages,
    @inject(ChannelRepository) private readonly channels: ChannelRepository,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(UserDirectory) private readonly users: UserDirectory,
    @inject(UserRepository) private readonly userRows: UserRepository,
    @inject(MessageSending) private readonly sending: MessageSending,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  async welcome(tx: Transaction, users: readonly UserRow[], joining?: Joining): Promise<void> {
    const people = users.filter((user) => !user.is_bot && user.is_active)
    const [first] = people
    if (first === undefined) return
    const organization = await this.organizations.requireWithin(tx)
    const customText = joining?.welcomeText ?? organization.settings.welcome_message_custom_text
    const usual = namedText('WELCOME_MESSAGE', { organization: organization.name })
    await this.messages.send(
      tx,
      'welcome',
      people.flatMap((user) => [
        ...(organization.newUsers.isWelcomed
          ? [
              {
                to: { user },
                content: usual,
                flags: new Map([[user.id, MessageFlag.starred]]),
              },
            ]
          : []),
        ...(customText.trim() === '' ? [] : [{ to: { user }, content: customText }]),
      ]),
    )
    await this.#announce(tx, organization.settings.signup_announcements_stream_id, people, first)
    if (joining?.notifiesInviter) await this.#notifyInviter(tx, joining.inviterId, first)
  }

  async #announce(
    tx: Transaction,
    channelId: number,
    people: readonly UserRow[],
    first: UserRow,
  ): Promise<void> {
    const [channel] = channelId > 0 ? await this.channels.findMany(tx, [channelId]) : []
    if (channel === undefined) return
    const content = namedText('USERS_JOINED_MESSAGE', { users: namesOf(people) })
    const to = { channelId, topic: namedText('SIGNUPS_TOPIC') }
    const cause = people.length === 1 ? actorOf(first) : undefined
    await this.messages.send(tx, 'notification', [{ to, content }], cause)
  }

  async #notifyInviter(tx: Transaction, inviterId: number, newcomer: UserRow): Promise<void> {
    const inviter = await this.userRows.find(tx, inviterId)
    if (inviter?.is_active !== true) return
    const content = namedText('INVITATION_ACCEPTED_MESSAGE', { user: silentMention(newcomer) })
    await this.messages.send(
      tx,
      'notification',
      [{ to: { user: inviter }, content }],
      actorOf(inviter),
    )
  }

  /**
   * Sends `actor` a preview of a custom welcome message.
   *
   * @returns the id of the message.
   */
  async preview(actor: Actor, text: string): Promise<number> {
    const [sent] = await this.unitOfWork.runPreparedFor(actor, this.sending, async (scope) => {
      const user = await this.users.require(scope, actor.userId)
      const draft = { to: { user }, content: text }
      return { messages: await this.messages.prepare(scope, 'welcome', [draft]) }
    })
    return present(sent, 'the sent message').id
  }
}

/** Silent mentions of the users; many are only counted. */
function namesOf(users: readonly UserRow[]): string | NamedText {
  const named = users.slice(0, maxNamed).map(silentMention)
  const count = users.length - named.length
  if (count > 0) {
    const last =
      count === 1 ? namedText('USERS_ONE_OTHER') : namedText('USERS_MANY_OTHERS', { count })
    return namedText('USERS_LIST', { users: named.join(', '), last })
  }
  const last = named.pop() ?? ''
  return named.length > 0 ? namedText('USERS_LIST', { users: named.join(', '), last }) : last
}
