import { inject } from 'tsyringe'

import type { Actor } from '../../../domain/actor.js'
import { MessageFlag } from '../../../domain/message-flags.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import { UnitOfWork, type Transaction } from '../../../storage/index.js'
import { ChannelRepository } from '../../channels/channels/index.js'
import { MessageSending, SystemBotMessages } from '../sending/index.js'
import { OrganizationService } from '../../organization/organizations/index.js'
import {
  actorOf,
  UserDirectory,
  type NewcomerStep,
  type UserRow,
} from '../../people/users/index.js'
import { silentMention } from './notification-texts.js'

/** The topic of notification messages about new users. */
const signupsTopic = 'signups'

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
    @inject(MessageSending) private readonly sending: MessageSending,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  async welcome(tx: Transaction, users: readonly UserRow[]): Promise<void> {
    const people = users.filter((user) => !user.is_bot && user.is_active)
    const [first] = people
    if (first === undefined) return
    const organization = await this.organizations.requireWithin(tx)
    const { welcome_message_custom_text } = organization.settings
    await this.messages.send(
      tx,
      'welcome',
      people.flatMap((user) => [
        {
          to: { user },
          content: welcomeText(organization.name),
          flags: new Map([[user.id, MessageFlag.starred]]),
        },
        ...(welcome_message_custom_text.trim() === ''
          ? []
          : [{ to: { user }, content: welcome_message_custom_text }]),
      ]),
    )
    const channelId = organization.settings.signup_announcements_stream_id
    const [channel] = channelId > 0 ? await this.channels.findMany(tx, [channelId]) : []
    if (channel === undefined) return
    const content = `${namesOf(people)} joined this organization.`
    const to = { channelId, topic: signupsTopic }
    const cause = people.length === 1 ? actorOf(first) : undefined
    await this.messages.send(tx, 'notification', [{ to, content }], cause)
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
function namesOf(users: readonly UserRow[]): string {
  const named = users.slice(0, maxNamed).map(silentMention)
  const others = users.length - named.length
  const parts = others > 0 ? [...named, others === 1 ? '1 other' : `${others} others`] : named
  const last = parts.at(-1) ?? ''
  return parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${last}` : last
}

function welcomeText(organizationName: string): string {
  return (
    `Hello, and welcome to **${organizationName}**!👋 ` +
    'This is a direct message from me, Welcome Bot.\n\n' +
    'Conversations are grouped by channel and topic, so that you can follow what matters to you ' +
    'and leave the rest for later. Messages that you want to find again can be starred, as this ' +
    'one is.'
  )
}
