import { inject } from 'tsyringe'

import { EventCatalogue } from '../../../events/event-catalogue.js'
import { FollowedLogs } from '../../../events/log/followed-logs.js'
import {
  OrganizationChanges,
  type OrganizationState,
} from '../../../events/log/organization-changes.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope, PreparedWrite, Transaction } from '../../../storage/index.js'
import { LocalIds } from './local-ids.js'
import { MessageSender } from './message-sender.js'
import type { PreparedMessage, SentMessage } from './message-stages.js'

/** Messages that are sent together, with the other writes of their transaction. */
export interface PreparedMessages {
  readonly messages: readonly PreparedMessage[]
  /**
   * Whether the rows from which the messages were prepared, and whose changes are no reason to
   * prepare messages again, are still the same. Locks them.
   */
  readonly isCurrent?: (tx: Transaction) => Promise<boolean>
  /** Writes other rows before the messages. If it throws, none of them is sent. */
  readonly before?: (tx: Transaction) => Promise<void>
  /** Writes rows that refer to the messages. If it throws, none of them is sent. */
  readonly after?: (tx: Transaction, sent: readonly SentMessage[]) => Promise<void>
}

/**
 * Checks and renders messages, and writes nothing.
 *
 * @param scope outside a transaction; or the transaction, if they are prepared in it.
 * @param state outside a transaction: the state of the organization before anything was read.
 */
export type PrepareMessages = (
  scope: OrganizationScope,
  state?: OrganizationState,
) => Promise<PreparedMessages>

/** The write that sends messages; see {@link PreparedWrite}. */
@perServer()
export class MessageSending implements PreparedWrite<
  PrepareMessages,
  PreparedMessages,
  readonly SentMessage[]
> {
  readonly changes: OrganizationChanges

  constructor(
    @inject(MessageSender) private readonly sender: MessageSender,
    @inject(LocalIds) private readonly localIds: LocalIds,
    @inject(FollowedLogs) logs: FollowedLogs,
    @inject(EventCatalogue) catalogue: EventCatalogue,
  ) {
    this.changes = new OrganizationChanges(
      logs,
      (kind) => catalogue.find(kind)?.decidesNothing !== true,
    )
  }

  async prepare(
    scope: OrganizationScope,
    prepare: PrepareMessages,
    state?: OrganizationState,
  ): Promise<PreparedMessages> {
    return prepare(scope, state)
  }

  async isCurrent(tx: Transaction, { isCurrent }: PreparedMessages): Promise<boolean> {
    return (await isCurrent?.(tx)) ?? true
  }

  async write(
    tx: Transaction,
    prepared: readonly PreparedMessages[],
  ): Promise<readonly (readonly SentMessage[])[]> {
    for (const { before } of prepared) await before?.(tx)
    const all = await this.localIds.sendOnce(
      tx,
      prepared.flatMap(({ messages }) => messages),
      (fresh) => this.sender.send(tx, fresh),
    )
    let next = 0
    const sent = prepared.map(({ messages }) => all.slice(next, (next += messages.length)))
    for (const [index, { after }] of prepared.entries()) await after?.(tx, sent[index] ?? [])
    return sent
  }
}
