import { inject } from 'tsyringe'

import { limits } from '../../../domain/limits.js'
import { quoteBlock } from '../../../domain/messages/quote-block.js'
import { codePointLength } from '../../../domain/texts/folding.js'
import type { Actor } from '../../../domain/users/actor.js'
import { badRequest } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { UnitOfWork } from '../../../storage/index.js'
import { namedText, type NamedText, type TextWriter } from '../../../texts/index.js'
import { MessageAccess } from '../../channels/message-permissions/index.js'
import { OrganizationService, ReaderTexts } from '../../organization/organizations/index.js'
import { UserDirectory, UsersAndSystemBots } from '../../people/users/index.js'
import { MessageSending, SystemBotMessages } from '../sending/index.js'

/** Display texts of the report types, for moderators. */
const reportReasons = {
  spam: 'REPORT_SPAM',
  harassment: 'REPORT_HARASSMENT',
  inappropriate: 'REPORT_INAPPROPRIATE',
  norms: 'REPORT_NORMS',
  other: 'REPORT_OTHER',
} as const
type ReportType = keyof typeof reportReasons

interface Person {
  readonly id: number
  readonly full_name: string
}

/** A message that a user reports. */
interface ReportedMessage {
  readonly id: number
  readonly content: string
  readonly topic: string
  readonly sender: Person
  /** The channel's name; undefined for a direct message. */
  readonly channelName: string | undefined
}

/** The topic of the reports about a user's messages. */
function reportTopic(sender: Person): NamedText {
  return namedText('REPORTS_TOPIC', { name: sender.full_name })
}

/** The content of the notification message to the moderators, as Markdown. */
function reportText(
  reporter: Person,
  message: ReportedMessage,
  type: ReportType,
  description: string,
  { write }: TextWriter,
): string {
  const { id, content, topic, sender, channelName } = message
  const author = silentMention(sender)
  const values = {
    reporter: silentMention(reporter),
    user: author,
    reason: namedText(reportReasons[type]),
  }
  const start = write(
    channelName === undefined
      ? namedText('REPORT_OF_DIRECT_MESSAGE', values)
      : namedText('REPORT_OF_CHANNEL_MESSAGE', {
          ...values,
          message: `#**${channelName}>${topic}@${id}**`,
        }),
  )
  const notes =
    description === '' ? '' : `${quoteBlock('quote', description, limits.maxMessageLength)}\n\n`
  const remainingLength = limits.maxMessageLength - codePointLength(start) - codePointLength(notes)
  const spoiler = `spoiler ${write(namedText('REPORT_QUOTE', { user: author }))}`
  return start + notes + quoteBlock(spoiler, content, remainingLength)
}

function silentMention({ full_name, id }: Person): string {
  return `@_**${full_name}|${id}**`
}

/** Reports messages to the moderators. */
@perServer()
export class MessageReportService {
  constructor(
    @inject(MessageAccess) private readonly messages: MessageAccess,
    @inject(SystemBotMessages) private readonly bots: SystemBotMessages,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(UsersAndSystemBots) private readonly usersAndBots: UsersAndSystemBots,
    @inject(UserDirectory) private readonly users: UserDirectory,
    @inject(ReaderTexts) private readonly texts: ReaderTexts,
    @inject(MessageSending) private readonly sending: MessageSending,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Posts a message of the notification bot about a message to the channel for moderation requests.
   *
   * @throws {ChatError} `BAD_REQUEST` if that channel is not configured, `actor` cannot see the
   *   message, or a report of type `other` has no description.
   */
  async report(
    actor: Actor,
    messageId: number,
    type: ReportType,
    description: string,
  ): Promise<void> {
    await this.unitOfWork.runPreparedFor(actor, this.sending, async (scope) => {
      const { settings } = await this.organizations.require(scope.organizationId)
      const channelId = settings.moderation_request_channel_id
      if (channelId <= 0) {
        throw badRequest('REPORTS_DISABLED')
      }
      if (type === 'other' && description === '') throw badRequest('REPORT_EXPLANATION_MISSING')
      const { message, channel } = await this.messages.requireVisible(scope, actor, messageId)
      const [sender] = await this.usersAndBots.findMany(scope, [message.sender_id])
      if (sender === undefined) throw new Error(`There is no user ${message.sender_id}`)
      const reporter = await this.users.require(scope, actor.userId)
      const { id, topic, content } = message
      const reported = { id, topic, content, sender, channelName: channel?.channel.name }
      const writer = await this.texts.writerFor(scope)
      const text = reportText(reporter, reported, type, description, writer)
      const draft = { to: { channelId, topic: reportTopic(sender) }, content: text }
      return { messages: await this.bots.prepare(scope, 'notification', [draft], actor) }
    })
  }
}
