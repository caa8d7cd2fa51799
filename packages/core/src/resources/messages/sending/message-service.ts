import { inject } from 'tsyringe'

import type { Actor } from '../../../domain/actor.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import { UnitOfWork } from '../../../storage/index.js'
import { draftOf, type MessageRequest } from './message-draft.js'
import { MessagePreparation } from './message-preparation.js'
import { MessageSender } from './message-sender.js'
import type { SentMessage } from './message-stages.js'

/** Sends the messages of users. */
@perServer()
export class MessageService {
  constructor(
    @inject(MessagePreparation) private readonly preparation: MessagePreparation,
    @inject(MessageSender) private readonly sender: MessageSender,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Sends a message of `actor`.
   *
   * @throws {ChatError} `BAD_REQUEST` if the message is malformed or may not be sent.
   * @throws {ChatError} `STREAM_DOES_NOT_EXIST` if it names a channel that does not exist.
   */
  async send(actor: Actor, request: MessageRequest): Promise<SentMessage> {
    const draft = draftOf(request)
    const [sent] = await this.unitOfWork.runFor(actor, async (tx) =>
      this.sender.send(tx, [await this.preparation.prepare(tx, actor, draft)]),
    )
    return present(sent, 'the message that was sent')
  }
}
