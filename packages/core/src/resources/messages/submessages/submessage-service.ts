import { inject } from 'tsyringe'

import { Quotas } from '../../../domain/quotas.js'
import type { Actor } from '../../../domain/users/actor.js'
import { badRequest } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { parseUntrustedJson } from '../../../kernel/untrusted-json.js'
import { UnitOfWork } from '../../../storage/index.js'
import { MessageAccess } from '../../channels/message-permissions/index.js'
import { TopicParticipation } from '../../channels/topics/index.js'
import { UserDirectory } from '../../people/users/index.js'
import { submessageAdded } from './submessage-events.js'
import { SubmessageRepository } from './submessage-repository.js'
import { submessages } from './submessages-table.js'

/** Adds submessages, which widgets use: the votes of a poll, the tasks of a list. */
@perServer()
export class SubmessageService {
  constructor(
    @inject(MessageAccess) private readonly messages: MessageAccess,
    @inject(SubmessageRepository) private readonly submessages: SubmessageRepository,
    @inject(UserDirectory) private readonly users: UserDirectory,
    @inject(TopicParticipation) private readonly participation: TopicParticipation,
    @inject(Quotas) private readonly quotas: Quotas,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * @param content JSON; its schema is up to the widget's clients.
   * @throws {ChatError} `BAD_REQUEST` if `actor` cannot access the message, its sender has not
   *   added a submessage yet, the content is not JSON, or there are too many submessages.
   */
  async attach(actor: Actor, messageId: number, msg_type: string, content: string): Promise<void> {
    await this.unitOfWork.runFor(actor, async (tx) => {
      const { message, channel } = await this.messages.requireChangeable(tx, actor, messageId)
      const begins = message.sender_id === actor.userId
      if (
        !begins &&
        !(await tx.rows(submessages).has({ message_id: messageId, sender_id: message.sender_id }))
      ) {
        throw badRequest('SUBMESSAGE_NOT_ALLOWED')
      }
      requireJson(content)
      const { all, own, bytes } = await this.submessages.size(tx, messageId, actor.userId)
      this.quotas.require('submessagesPerUserAndMessage', own + 1)
      this.quotas.require('submessagesPerMessage', all + 1)
      this.quotas.require(
        'submessageBytesPerMessage',
        bytes + Buffer.byteLength(msg_type + content),
      )
      const row = { message_id: messageId, sender_id: actor.userId, msg_type, content }
      const submessage_id = await tx.rows(submessages).insert(row)
      const user = await this.users.require(tx, actor.userId)
      await this.participation.note(tx, user, channel, message.topic)
      const audience = await this.messages.audienceOf(tx, message, channel)
      tx.emit(submessageAdded(audience, { ...row, submessage_id }))
    })
  }
}

/** @throws {ChatError} `BAD_REQUEST` if the text is not JSON. */
export function requireJson(text: string): void {
  try {
    parseUntrustedJson(text)
  } catch {
    // Invalid JSON is the client's mistake: it is reported to the client and not logged.
    throw badRequest('SUBMESSAGE_NOT_JSON')
  }
}
