import { inject } from 'tsyringe'

import type { Actor } from '../../../domain/users/actor.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import type { OrganizationScope } from '../../../storage/index.js'
import { MessageAccess, type VisibleMessage } from '../../channels/message-permissions/index.js'
import { MessageRenderer } from '../../content/rendering/index.js'
import { ReaderTexts } from '../../organization/organizations/index.js'
import { UserDirectory, UsersAndSystemBots } from '../../people/users/index.js'
import type { Reminder } from './reminder-events.js'
import { ReminderRepository } from './reminder-repository.js'
import { joinedText, reminderText, type ReminderText } from './reminder-text.js'
import type { ReminderRow } from './reminders-table.js'

/** The texts of messages in a list of reminders; the later ones are not quoted. */
const maxQuotedBytes = 4 * 1024 * 1024

type StoredReminder = Pick<ReminderRow, 'message_id' | 'note'>
type RenderedReminder = Pick<Reminder, 'content' | 'rendered_content'>

/** Builds the texts of reminders, from what their owners can read at the time. */
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

  /**
   * The text for the API.
   *
   * @throws {ChatError} `BAD_REQUEST` if there is no such message that `actor` can access.
   */
  async require(
    scope: OrganizationScope,
    actor: Actor,
    messageId: number,
    note: string,
  ): Promise<RenderedReminder> {
    const visible = await this.messages.requireVisible(scope, actor, messageId)
    const reminders = [{ message_id: messageId, note }]
    const rendered = await this.#render(scope, actor, reminders, [visible])
    return present(rendered[0], 'the text of the reminder')
  }

  /** The texts for the API, without those of messages that `actor` can no longer read. */
  async render(
    scope: OrganizationScope,
    actor: Actor,
    reminders: readonly StoredReminder[],
  ): Promise<RenderedReminder[]> {
    if (reminders.length === 0) return []
    const visible = await this.#listVisible(scope, actor, reminders)
    return this.#render(scope, actor, reminders, visible)
  }

  /** The Markdown to be sent, without the text of a message that `actor` can no longer read. */
  async write(scope: OrganizationScope, actor: Actor, reminder: StoredReminder): Promise<string> {
    const visible = await this.#listVisible(scope, actor, [reminder])
    const [text] = await this.#write(scope, actor, [reminder], visible)
    return joinedText(present(text, 'the text of the reminder'))
  }

  #listVisible(
    scope: OrganizationScope,
    actor: Actor,
    reminders: readonly StoredReminder[],
  ): Promise<readonly VisibleMessage[]> {
    const ids = new Set(reminders.map(({ message_id }) => message_id))
    return this.messages.listVisible(scope, actor, [...ids])
  }

  /** Puts the rendered messages into the rendered introductions: they are not rendered again. */
  async #render(
    scope: OrganizationScope,
    actor: Actor,
    reminders: readonly StoredReminder[],
    visible: readonly VisibleMessage[],
  ): Promise<RenderedReminder[]> {
    const texts = await this.#write(scope, actor, reminders, visible)
    const introductions = texts.map(({ introduction }) => introduction)
    const rendered = await this.renderer.renderAll(scope, actor, introductions)
    const messages = new Map(visible.map(({ message }) => [message.id, message]))
    return texts.map((text, index) => {
      const { html } = present(rendered[index], 'the HTML of each text')
      const quoted = messages.get(reminders[index]?.message_id ?? 0)?.rendered_content
      return {
        content: joinedText(text),
        rendered_content:
          text.quoted === undefined ? html : `${html}\n<blockquote>\n${quoted}\n</blockquote>`,
      }
    })
  }

  async #write(
    scope: OrganizationScope,
    actor: Actor,
    reminders: readonly StoredReminder[],
    visible: readonly VisibleMessage[],
  ): Promise<ReminderText[]> {
    const messages = visible.map(({ message }) => message)
    const direct = messages.filter(({ channel_id }) => channel_id === null)
    const participants = await this.reminders.listParticipantIds(scope, [
      ...new Set(direct.map(({ recipient_id }) => recipient_id)),
    ])
    const senders = await this.correspondents.findMany(scope, [
      ...new Set(messages.map(({ sender_id }) => sender_id)),
    ])
    const sendersById = new Map(senders.map((sender) => [sender.id, sender]))
    const reminded = new Map(
      visible.map(({ message, channel }) => {
        const { id, content, rendered_content, topic, sender_id, recipient_id } = message

        const sender = present(sendersById.get(sender_id), 'the sender of a message')
        const place =
          channel === undefined
            ? { participantIds: participants.get(recipient_id) ?? [] }
            : { channel: channel.channel }
        const bytes = Buffer.byteLength(content) + Buffer.byteLength(rendered_content)
        return [id, { id, content, topic, sender, place, bytes }]
      }),
    )
    const owner = () => this.users.require(scope, actor.userId)
    const writer = await this.texts.writerFor(scope, owner)
    let quotedBytes = 0
    return reminders.map(({ message_id, note }) => {
      const message = reminded.get(message_id)
      quotedBytes += message?.bytes ?? 0
      return reminderText(message, note, quotedBytes <= maxQuotedBytes, writer)
    })
  }
}
