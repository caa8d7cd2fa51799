import { inject } from 'tsyringe'

import { Quotas } from '../../../domain/quotas.js'
import type { Actor } from '../../../domain/users/actor.js'
import { badRequest, ChatError, namedText } from '../../../errors/index.js'
import { type Clock, nowSeconds } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { Database, type OrganizationScope, UnitOfWork } from '../../../storage/index.js'
import { ContentWrites } from '../../messages/sending/index.js'
import { ReminderContents } from './reminder-contents.js'
import { type Reminder, reminderOf, reminderRemoved, remindersAdded } from './reminder-events.js'
import { normalizeNote } from './reminder-text.js'
import { reminders } from './reminders-table.js'

/** Manages the reminders of users. */
@perServer()
export class ReminderService {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(ReminderContents) private readonly contents: ReminderContents,
    @inject(ContentWrites) private readonly writes: ContentWrites,
    @inject(Quotas) private readonly quotas: Quotas,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /** The pending reminders of the user, the next one first. */
  async list(scope: OrganizationScope, actor: Actor): Promise<Reminder[]> {
    const rows = await scope
      .rows(reminders)
      .list({ user_id: actor.userId }, 'deliver_at_seconds', 'id')
    const texts = await this.contents.render(scope, actor, rows)
    return rows.map((row, index) => reminderOf(row, present(texts[index], 'the text of a row')))
  }

  async listFor(actor: Actor): Promise<Reminder[]> {
    return this.list(this.database.read(actor.organizationId), actor)
  }

  /**
   * @returns the new reminder's id.
   * @throws {ChatError} `BAD_REQUEST` if the time is in the past, the note is too long, `actor`
   *   cannot access the message, or has too many reminders.
   */
  async create(
    actor: Actor,
    messageId: number,
    deliverAtSeconds: number,
    note: string,
  ): Promise<number> {
    if (deliverAtSeconds <= nowSeconds(this.clock)) {
      throw badRequest('DELIVERY_TIME_PAST')
    }
    const tidied = normalizeNote(note)
    return this.writes.run(actor, async (scope) => {
      const text = await this.contents.require(scope, actor, messageId, tidied)
      return {
        write: async (tx) => {
          const count = await tx.rows(reminders).count({ user_id: actor.userId })
          this.quotas.require('remindersPerUser', count + 1)
          const row = {
            user_id: actor.userId,
            message_id: messageId,
            note: tidied,
            deliver_at_seconds: deliverAtSeconds,
            due_at_seconds: deliverAtSeconds,
          }
          const id = await tx.rows(reminders).insert(row)
          tx.emit(
            remindersAdded(
              { userIds: [actor.userId] },
              { reminders: [reminderOf({ ...row, id }, text)] },
            ),
          )
          return id
        },
      }
    })
  }

  /** @throws {ChatError} `OBJECT_NOT_FOUND` if the actor has no such reminder. */
  async delete(actor: Actor, id: number): Promise<void> {
    await this.unitOfWork.runFor(actor, async (tx) => {
      const row = await tx.rows(reminders).lock({ id })
      if (row?.user_id !== actor.userId) {
        throw new ChatError('OBJECT_NOT_FOUND', { text: namedText('REMINDER_UNKNOWN') })
      }
      await tx.rows(reminders).delete({ id })
      tx.emit(reminderRemoved({ userIds: [actor.userId] }, { reminder_id: id }))
    })
  }
}
