import { inject } from 'tsyringe'

import type { Actor } from '../../../domain/users/actor.js'
import { ChatError } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import { Database, UnitOfWork } from '../../../storage/index.js'
import { LocalIds } from './local-ids.js'
import { draftOf, localOf, type MessageRequest } from './message-draft.js'
import { MessagePreparation } from './message-preparation.js'
import { MessageSending } from './message-sending.js'
import type { SentMessage } from './message-stages.js'

/** Sends the messages of users. */
@perServer()
export class MessageService {
  constructor(
    @inject(MessagePreparation) private readonly preparation: MessagePreparation,
    @inject(MessageSending) private readonly sending: MessageSending,
    @inject(LocalIds) private readonly localIds: LocalIds,
    @inject(Database) private readonly database: Database,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Sends a message of `actor`, once: if it has a local id and was sent within a day before, the
   * result is the first message, whatever has changed since.
   *
   * @throws {ChatError} `BAD_REQUEST` if the message is malformed or may not be sent.
   * @throws {ChatError} `STREAM_DOES_NOT_EXIST` if it names a channel that does not exist.
   */
  async send(actor: Actor, request: MessageRequest): Promise<SentMessage> {
    try {
      return await this.#send(actor, request)
    } catch (error) {
      if (!(error instanceof ChatError)) throw error
      // A message that is refused now may have been sent before.
      const first = await this.localIds.find(this.database.read(actor.organizationId), {
        sender: { id: actor.userId },
        local: localOf(request),
        repeatable: request.repeatable,
      })
      if (first === undefined) throw error
      return first
    }
  }

  async #send(actor: Actor, request: MessageRequest): Promise<SentMessage> {
    const draft = draftOf(request)
    const [sent] = await this.unitOfWork.runPreparedFor(
      actor,
      this.sending,
      async (scope, state) => ({
        messages: [await this.preparation.prepare(scope, actor, draft, state)],
      }),
    )
    return present(sent, 'the sent message')
  }
}
