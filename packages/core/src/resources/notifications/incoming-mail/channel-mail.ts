import { inject } from 'tsyringe'

import type { Actor } from '../../../domain/users/actor.js'
import { systemBots } from '../../../domain/users/system-bots.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import { Database, UnitOfWork } from '../../../storage/index.js'
import { ChannelEmailAddresses } from '../../channels/channel-administration/index.js'
import {
  LocalIds,
  MessageHooks,
  MessageSending,
  OutsideMessages,
  SystemBotMessages,
} from '../../messages/sending/index.js'
import { OrganizationService, ReaderTexts } from '../../organization/organizations/index.js'
import type { ChannelMailTarget } from '../../people/mail-addresses/index.js'
import { actorOf } from '../../people/users/index.js'
import { IncomingFiles } from './incoming-files.js'
import { contentOfMail, senderOf, textOfMail, topicFor } from './mail-message.js'
import type { IncomingMailContent } from './mail-parser.js'
import { isFrom, MailUsers } from './mail-users.js'
import { MailRefused } from './received-mail.js'

interface MailMessage {
  readonly topic: string
  readonly content: string
  readonly local: { readonly queueId: string; readonly localId: string }
}

/** The `client` of the messages. */
export const mailClientName = 'Email'

/** Posts mails in channels. */
@perServer()
export class ChannelMail {
  constructor(
    @inject(ChannelEmailAddresses) private readonly addresses: ChannelEmailAddresses,
    @inject(IncomingFiles) private readonly files: IncomingFiles,
    @inject(OutsideMessages) private readonly messages: OutsideMessages,
    @inject(SystemBotMessages) private readonly botMessages: SystemBotMessages,
    @inject(MessageSending) private readonly sending: MessageSending,
    @inject(MessageHooks) private readonly hooks: MessageHooks,
    @inject(LocalIds) private readonly localIds: LocalIds,
    @inject(OrganizationService) private readonly organizations: OrganizationService,
    @inject(ReaderTexts) private readonly texts: ReaderTexts,
    @inject(MailUsers) private readonly users: MailUsers,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(Database) private readonly database: Database,
  ) {}

  /**
   * @param options the words after the token of the address.
   * @param mailId the same whenever the mail arrives.
   * @returns the id of the message.
   * @throws {MailRefused} if the address is not valid any more, or the mail is empty.
   * @throws {ChatError} if the creator or the sender may not post in the channel any more.
   */
  async post(
    target: ChannelMailTarget,
    mail: IncomingMailContent,
    options: ReadonlySet<string>,
    mailId: string,
  ): Promise<number> {
    const { organizationId, channelId, creatorId, senderId } = target
    const scope = this.database.read(organizationId)
    const user = await this.users.requireActive(scope, creatorId)
    const creator = actorOf(user)
    const { channel } = await this.addresses.requireUsable(scope, creator, channelId, senderId)
    const isGateway = senderId === systemBots.emailGateway.id
    const sender = isGateway ? undefined : actorOf(await this.users.requireActive(scope, senderId))
    const local = { queueId: mailQueueId(senderId), localId: `${channelId}:${mailId}` }
    const first = await this.localIds.find(scope, { sender: { id: senderId }, local })
    if (first !== undefined) return first.id
    const { settings } = await this.organizations.require(organizationId)
    const policy =
      channel.topics_policy === 'inherit' ? settings.topics_policy : channel.topics_policy
    const writer = await this.texts.writerFor(scope)
    const { topic, head } = topicFor(mail.subject, policy, writer)
    const text = await textOfMail(mail, options)
    if (text === '' && topic === '' && head.length === 0 && mail.files.length === 0) {
      throw new MailRefused('empty')
    }
    const author = sender ?? creator
    const files = await this.files.store(author, mail.files)
    const shown = options.has('show-sender') ? senderOf(mail, writer) : []
    const content = contentOfMail([...shown, ...head], text, files, writer)
    const written = await this.hooks.replaceTexts(author, { topic, content, local })
    // Anyone who knows the address can send mails to it, but only the user's own may notify many.
    const isOwn = sender !== undefined && isFrom(mail, user)
    const message = isOwn ? written : await this.messages.withoutManyMentions(author, written)
    return sender === undefined
      ? this.#sendAsGateway(target, creator, message)
      : this.#sendAs(sender, channelId, message)
  }

  async #sendAs(sender: Actor, channelId: number, message: MailMessage): Promise<number> {
    const { local, ...texts } = message
    const { id } = await this.messages.send(sender, {
      ...texts,
      ...local,
      type: 'channel',
      to: JSON.stringify([channelId]),
      clientName: mailClientName,
      readBySender: false,
    })
    return id
  }

  /** System bots may post everywhere, so the creator's permissions are checked here. */
  async #sendAsGateway(
    { channelId, senderId }: ChannelMailTarget,
    creator: Actor,
    { topic, content, local }: MailMessage,
  ): Promise<number> {
    const draft = { to: { channelId, topic }, content }
    const [sent] = await this.unitOfWork.runPreparedFor(creator, this.sending, async (scope) => {
      await this.addresses.requireUsable(scope, creator, channelId, senderId)
      const prepared = await this.botMessages.prepare(scope, 'emailGateway', [draft], creator)
      return {
        messages: prepared.map((one) => ({ ...one, local, attachmentOwnerId: creator.userId })),
      }
    })
    return present(sent, 'the sent message').id
  }
}

/** Stands for the queue in which a client gives its messages ids; no queue has it. */
export function mailQueueId(senderId: number): string {
  return `mail-${senderId}-incoming`
}
