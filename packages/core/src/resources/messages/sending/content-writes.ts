import { inject } from 'tsyringe'

import type { Actor } from '../../../domain/users/actor.js'
import type { OrganizationState } from '../../../events/log/organization-changes.js'
import { perServer } from '../../../kernel/per-server.js'
import {
  UnitOfWork,
  type OrganizationScope,
  type PreparedWrite,
  type Transaction,
} from '../../../storage/index.js'
import { MessageSending } from './message-sending.js'

/** Content that is checked and rendered, so that it can be stored. */
interface PreparedContent<Result> {
  /** Whether the rows from which it was prepared are still the same. Locks them. */
  readonly isCurrent?: (tx: Transaction) => Promise<boolean>
  readonly write: (tx: Transaction) => Promise<Result>
}

/** Checks and renders content, and writes nothing; see `PrepareMessages`. */
type PrepareContent<Result> = (
  scope: OrganizationScope,
  state?: OrganizationState,
) => Promise<PreparedContent<Result>>

/** Stores content that is checked or rendered like messages, and sent later. */
@perServer()
export class ContentWrites {
  constructor(
    @inject(MessageSending) private readonly sending: MessageSending,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Prepares content before the transaction that stores it.
   *
   * @throws {ChatError} the errors of `prepare`, and if the caller's account was deactivated.
   */
  async run<Result>(actor: Actor, prepare: PrepareContent<Result>): Promise<Result> {
    const write: PreparedWrite<PrepareContent<Result>, PreparedContent<Result>, Result> = {
      changes: this.sending.changes,
      prepare: (scope, item, state) => item(scope, state),
      isCurrent: async (tx, { isCurrent }) => (await isCurrent?.(tx)) ?? true,
      async write(tx, prepared) {
        const results: Result[] = []
        for (const one of prepared) results.push(await one.write(tx))
        return results
      },
    }
    return this.unitOfWork.runPreparedFor(actor, write, prepare)
  }
}
