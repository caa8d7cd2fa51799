import { isDeepStrictEqual } from 'node:util'

import { inject } from 'tsyringe'

import { Quotas } from '../../../domain/quotas.js'
import type { Actor } from '../../../domain/users/actor.js'
import { badRequest, ChatError, namedText } from '../../../errors/index.js'
import type { OrganizationState } from '../../../events/log/organization-changes.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import {
  Database,
  toJson,
  UnitOfWork,
  type OrganizationScope,
  type Transaction,
  type Json,
} from '../../../storage/index.js'
import { AttachmentClaims } from '../../files/attachments/index.js'
import {
  ContentWrites,
  draftOf,
  isHumanClient,
  MessagePreparation,
} from '../../messages/sending/index.js'
import {
  scheduledMessageRemoved,
  scheduledMessagesAdded,
  scheduledMessageUpdated,
  scheduledMessageOf,
  type ScheduledMessage,
} from './scheduled-message-events.js'
import { scheduledMessages, type ScheduledMessageRow } from './scheduled-messages-table.js'
import {
  merged,
  messageRequestOf,
  requireCompleteTarget,
  type ScheduleChanges,
  type ScheduleRequest,
} from './scheduled-message-requests.js'

/** The columns of content and recipients, and the files that the content refers to. */
interface CheckedContent extends Pick<
  ScheduledMessageRow,
  'channel_id' | 'user_ids' | 'topic' | 'content' | 'rendered_content'
> {
  readonly attachmentIds: readonly number[]
}

/** Manages scheduled messages. */
@perServer()
export class ScheduledMessageService {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(MessagePreparation) private readonly preparation: MessagePreparation,
    @inject(ContentWrites) private readonly contents: ContentWrites,
    @inject(AttachmentClaims) private readonly attachments: AttachmentClaims,
    @inject(Quotas) private readonly quotas: Quotas,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /** The scheduled messages of the user that were not sent, the next one first. */
  async list(scope: OrganizationScope, userId: number): Promise<ScheduledMessage[]> {
    const rows = await scope
      .rows(scheduledMessages)
      .list({ user_id: userId, sent_message_id: null }, 'deliver_at_seconds', 'id')
    return rows.map(scheduledMessageOf)
  }

  async listFor(actor: Actor): Promise<ScheduledMessage[]> {
    return this.list(this.database.read(actor.organizationId), actor.userId)
  }

  /**
   * Schedules a message. Runs all checks of sending at once.
   *
   * @returns its id; the sent message gets another one.
   * @throws {ChatError} the errors of sending, and `BAD_REQUEST` if the time is in the past or too
   *   many messages are scheduled.
   */
  async create(actor: Actor, request: ScheduleRequest): Promise<number> {
    this.#requireFuture(request.deliverAtSeconds)
    return this.contents.run(actor, async (scope, state) => {
      const checked = await this.#checked(scope, actor, request, state)
      return { write: (tx) => this.#insert(tx, actor, request, checked) }
    })
  }

  async #insert(
    tx: Transaction,
    actor: Actor,
    request: ScheduleRequest,
    { attachmentIds, ...facts }: CheckedContent,
  ): Promise<number> {
    const isToSelf = facts.channel_id === null && facts.user_ids === `[${actor.userId}]`
    const row = {
      ...facts,
      user_id: actor.userId,
      deliver_at_seconds: request.deliverAtSeconds,
      due_at_seconds: request.deliverAtSeconds,
      read_by_sender: request.readBySender ?? (isHumanClient(request.clientName) && !isToSelf),
      client: request.clientName,
      failure: null,
      sent_message_id: null,
    }
    const id = await tx.rows(scheduledMessages).insert(row)
    await this.#requireQuotas(tx, actor)
    await this.attachments.claimForScheduled(tx, id, attachmentIds)
    const stored = { ...row, id, organization_id: tx.organizationId }
    tx.emit(
      scheduledMessagesAdded(
        { userIds: [actor.userId] },
        { scheduled_messages: [scheduledMessageOf(stored)] },
      ),
    )
    return id
  }

  /**
   * Changes a scheduled message; one that has failed is scheduled again.
   *
   * @throws {ChatError} `OBJECT_NOT_FOUND` if the actor has no such message.
   * @throws {ChatError} the errors of {@link create}, and `BAD_REQUEST` if it was already sent.
   */
  async edit(actor: Actor, id: number, changes: ScheduleChanges): Promise<void> {
    const { clientName, ...parts } = changes
    if (Object.values(parts).every((part) => part === undefined)) {
      throw badRequest('NOTHING_TO_CHANGE')
    }
    requireCompleteTarget(changes)
    if (changes.deliverAtSeconds !== undefined) this.#requireFuture(changes.deliverAtSeconds)
    await this.contents.run(actor, async (scope, state) => {
      const row = await this.#requireOwn(scope, actor, id)
      if (row.failure !== null && changes.deliverAtSeconds === undefined) throw timeHasPassed()
      const { attachmentIds, ...facts } = await this.#checked(
        scope,
        actor,
        merged(row, changes),
        state,
      )
      const deliverAtSeconds = changes.deliverAtSeconds ?? row.deliver_at_seconds
      const updated = {
        ...facts,
        deliver_at_seconds: deliverAtSeconds,
        due_at_seconds: deliverAtSeconds,
        client: clientName,
        failure: null,
      }
      return {
        isCurrent: async (tx) =>
          isDeepStrictEqual({ ...(await tx.rows(scheduledMessages).lock({ id })) }, { ...row }),
        write: async (tx) => {
          await tx.rows(scheduledMessages).update({ id }, updated)
          await this.#requireQuotas(tx, actor)
          await this.attachments.releaseScheduled(tx, id)
          await this.attachments.claimForScheduled(tx, id, attachmentIds)
          tx.emit(
            scheduledMessageUpdated(
              { userIds: [actor.userId] },
              { scheduled_message: scheduledMessageOf({ ...row, ...updated }) },
            ),
          )
        },
      }
    })
  }

  /**
   * Deletes a message; if it was sent already, only what is left of it here.
   *
   * @throws {ChatError} `OBJECT_NOT_FOUND` if the actor has no such message.
   */
  async delete(actor: Actor, id: number): Promise<void> {
    await this.unitOfWork.runFor(actor, async (tx) => {
      const row = await tx.rows(scheduledMessages).lock({ id })
      if (row === undefined || row.user_id !== actor.userId) throw notFound()
      await tx.rows(scheduledMessages).delete({ id })
      // One that was sent is in no list any more.
      if (row.sent_message_id !== null) return
      await this.attachments.releaseScheduled(tx, id)
      tx.emit(scheduledMessageRemoved({ userIds: [actor.userId] }, { scheduled_message_id: id }))
    })
  }

  async #requireQuotas(tx: Transaction, { userId }: Actor): Promise<void> {
    const { rows, bytes } = await tx
      .rows(scheduledMessages)
      .size({ user_id: userId, sent_message_id: null }, ['content', 'rendered_content', 'topic'])
    this.quotas.require('scheduledMessagesPerUser', rows)
    this.quotas.require('textBytesPerList', bytes)
  }

  async #requireOwn(
    scope: OrganizationScope,
    actor: Actor,
    id: number,
  ): Promise<ScheduledMessageRow> {
    const row = await scope.rows(scheduledMessages).find({ id })
    if (row === undefined || row.user_id !== actor.userId) throw notFound()
    if (row.sent_message_id !== null) throw badRequest('SCHEDULED_MESSAGE_SENT')
    return row
  }

  /** Runs all checks of sending. */
  async #checked(
    scope: OrganizationScope,
    actor: Actor,
    request: Omit<ScheduleRequest, 'deliverAtSeconds'>,
    state?: OrganizationState,
  ): Promise<CheckedContent> {
    const draft = draftOf(messageRequestOf(request))
    const message = await this.preparation.prepare(scope, actor, draft, state)
    const { destination, topic, content, rendered } = message
    return {
      ...(destination.kind === 'channel'
        ? { channel_id: destination.channel.id, user_ids: toJson([]) }
        : { channel_id: null, user_ids: recipientIds(destination.participants, actor) }),
      topic,
      content,
      rendered_content: rendered.html,
      attachmentIds: rendered.attachmentIds,
    }
  }

  #requireFuture(deliverAtSeconds: number): void {
    if (deliverAtSeconds <= nowSeconds(this.clock)) throw timeHasPassed()
  }
}

/** The other participants; the actor in a conversation with themselves. */
function recipientIds(
  participants: readonly { readonly id: number }[],
  actor: Actor,
): Json<number[]> {
  const userIds = participants.map(({ id }) => id)
  const others = userIds.filter((id) => id !== actor.userId)
  return toJson(others.length === 0 ? userIds : others)
}

function timeHasPassed(): ChatError {
  return badRequest('DELIVERY_TIME_PAST')
}

function notFound(): ChatError {
  return new ChatError('OBJECT_NOT_FOUND', { text: namedText('SCHEDULED_MESSAGE_UNKNOWN') })
}
