import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import { Database, type OrganizationScope } from '../../../storage/index.js'
import { MessageAccess, type VisibleMessage } from '../../channels/message-permissions/index.js'
import { ConversationRepository } from '../../messages/objects/index.js'
import {
  LocalIds,
  MessageHooks,
  OutsideMessages,
  type MessageRequest,
} from '../../messages/sending/index.js'
import { ReaderTexts } from '../../organization/organizations/index.js'
import type { ReplyMailTarget } from '../../people/mail-addresses/index.js'
import { actorOf } from '../../people/users/index.js'
import { mailClientName, mailQueueId } from './channel-mail.js'
import { IncomingFiles } from './incoming-files.js'
import { contentOfMail, textOfMail } from './mail-message.js'
import type { IncomingMailContent } from './mail-parser.js'
import { isFrom, MailUsers } from './mail-users.js'
import { MailRefused } from './received-mail.js'

/** Posts replies to mails about missed messages, as the users who got the mails. */
@perServer()
export class ReplyMail {
  constructor(
    @inject(MailUsers) private readonly users: MailUsers,
    @inject(MessageAccess) private readonly access: MessageAccess,
    @inject(ConversationRepository) private readonly conversations: ConversationRepository,
    @inject(IncomingFiles) private readonly files: IncomingFiles,
    @inject(OutsideMessages) private readonly messages: OutsideMessages,
    @inject(MessageHooks) private readonly hooks: MessageHooks,
    @inject(LocalIds) private readonly localIds: LocalIds,
    @inject(ReaderTexts) private readonly texts: ReaderTexts,
    @inject(Database) private readonly database: Database,
  ) {}

  /**
   * Posts a reply where the missed message is by now.
   *
   * @param mailId the same whenever the mail arrives.
   * @returns the id of the message.
   * @throws {MailRefused} if the address is not valid any more, or the mail is empty or comes from
   *   another address than the user's: the address may have reached others, in a copy of the mail.
   * @throws {ChatError} if the user cannot see the message any more, or may not post there.
   */
  async post(
    { organizationId, userId, messageId }: ReplyMailTarget,
    mail: IncomingMailContent,
    mailId: string,
  ): Promise<number> {
    const scope = this.database.read(organizationId)
    const user = await this.users.requireActive(scope, userId)
    if (!isFrom(mail, user)) throw new MailRefused('wrong_sender')
    const actor = actorOf(user)
    const visible = await this.access.requireVisible(scope, actor, messageId)
    const local = { queueId: mailQueueId(userId), localId: `reply:${messageId}:${mailId}` }
    const first = await this.localIds.find(scope, { sender: { id: userId }, local })
    if (first !== undefined) return first.id
    const text = await textOfMail(mail, new Set())
    if (text === '' && mail.files.length === 0) throw new MailRefused('empty')
    const files = await this.files.store(actor, mail.files)
    const content = contentOfMail([], text, files, await this.texts.writerFor(scope, user))
    const message: MessageRequest = {
      ...(await this.#place(scope, visible)),
      ...local,
      content,
      clientName: mailClientName,
      readBySender: true,
    }
    const { id } = await this.messages.send(actor, await this.hooks.replaceTexts(actor, message))
    return id
  }

  async #place(
    scope: OrganizationScope,
    { message }: VisibleMessage,
  ): Promise<Pick<MessageRequest, 'type' | 'to' | 'topic'>> {
    const { channel_id, recipient_id, topic } = message
    if (channel_id !== null) return { type: 'channel', to: JSON.stringify([channel_id]), topic }
    const members = await this.conversations.members(scope, [recipient_id])
    return { type: 'direct', to: JSON.stringify(members.get(recipient_id) ?? []) }
  }
}
