import { inject } from 'tsyringe'

import type { Actor } from '../../../domain/actor.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'
import { MessageAccess, type VisibleMessage } from '../../channels/message-permissions/index.js'
import { MessageRenderer } from '../../content/rendering/index.js'
import { ReaderTexts } from '../../organization/organizations/index.js'
import { UserDirectory, UsersAndSystemBots } from '../../people/users/index.js'
import { ReminderRepository } from './reminder-repository.js'
import { reminderText } from './reminder-text.js'

/** Builds the texts of reminders. */
@perServer()
export class ReminderContents {
  constructor(
    @inject(MessageAccess) private readonly messages: MessageAccess,
    @inject(UsersAndSystemBots) private readonly correspondents: UsersAndSystemBots,
    @inject(UserDirectory) private readonly users: UserDirectory,
    @inject(ReaderTexts) private readonly texts: ReaderTexts,
    @inject(ReminderRepository) private readonly reminders: ReminderRepository,
    @inject(MessageRenderer) private readonly renderer: MessageRenderer,
  ) {}

  /** @throws {ChatError} `BAD_REQUEST` if there is no such message that `actor` can access. */
  async require(
    scope: OrganizationScope,
    actor: Actor,
    messageId: number,
    note: string,
  ): Promise<string> {
    const visible = await this.messages.requireVisible(scope, actor, messageId)
    return this.#write(scope, actor, visible, note)
  }

  /** The same; undefined if `actor` can no longer access the message. */
  async find(
    scope: OrganizationScope,
    actor: Actor,
    messageId: number,
    note: string,
  ): Promise<string | undefined> {
    const [visible] = await this.messages.listVisible(scope, actor, [messageId])
    return visible === undefined ? undefined : this.#write(scope, actor, visible, note)
  }

  /** HTML, with the access rights of `actor`. */
  async render(scope: OrganizationScope, actor: Actor, content: string): Promise<string> {
    return (await this.renderer.render(scope, actor, content)).html
  }

  async #write(
    scope: OrganizationScope,
    actor: Actor,
    { message, channel }: VisibleMessage,
    note: string,
  ): Promise<string> {
    const [sender] = await this.correspondents.findMany(scope, [message.sender_id])
    if (sender === undefined) throw new Error(`There is no user ${message.sender_id}`)
    const place =
      channel === undefined
        ? {
            participantIds: await this.reminders.listParticipantIds(scope, message.recipient_id),
          }
        : { channel: channel.channel }
    const { id, content, topic } = message
    const owner = () => this.users.require(scope, actor.userId)
    const writer = await this.texts.writerFor(scope, owner)
    return reminderText({ id, content, topic, sender, place }, note, writer)
  }
}
