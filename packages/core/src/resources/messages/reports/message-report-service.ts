import { inject } from 'tsyringe'

import type { Actor } from '../../../domain/users/actor.js'
import { badRequest } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { UnitOfWork } from '../../../storage/index.js'
import { MessageAccess } from '../../channels/message-permissions/index.js'
import { OrganizationService, ReaderTexts } from '../../organization/organizations/index.js'
import { UsersAndSystemBots, UserDirectory } from '../../people/users/index.js'
import { MessageSending, SystemBotMessages } from '../sending/index.js'
import { reportText, reportTopic, type ReportType } from './message-report-text.js'

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
