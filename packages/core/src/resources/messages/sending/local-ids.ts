import { createHash } from 'node:crypto'

import { inject } from 'tsyringe'

import { badRequest } from '../../../errors/index.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { present } from '../../../kernel/present.js'
import { ClockToken } from '../../../kernel/tokens.js'
import {
  Database,
  UnitOfWork,
  type OrganizationScope,
  type Transaction,
} from '../../../storage/index.js'
import { isQueueOf } from '../../realtime/event-queues/index.js'
import { LocalIdRepository } from './local-id-repository.js'
import { messageLocalIds, type MessageLocalIdRow } from './message-local-ids-table.js'
import type { PreparedMessage, SentMessage } from './message-stages.js'

/** How long a message is recognized if it is sent again. */
const keptSeconds = 24 * 60 * 60
const rowsPerDelete = 1000

type LocalMessage = Pick<PreparedMessage, 'local' | 'repeatable'> & {
  readonly sender: { readonly id: number }
}

/**
 * Recognizes messages that a client sends again because it does not know whether the first attempt
 * succeeded: by the client's own id of the message, within one of the sender's queues, which need
 * not exist any more. Calls of the application have a key instead, which belongs to the parameters.
 */
@perServer()
export class LocalIds {
  constructor(
    @inject(LocalIdRepository) private readonly rows: LocalIdRepository,
    @inject(Database) private readonly database: Database,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /**
   * Sends those of the messages that were not sent yet, and stores their ids in the transaction.
   * Messages without a client's id need no statement.
   *
   * @returns the result of each message; of one that is repeated, the first message.
   */
  async sendOnce(
    tx: Transaction,
    messages: readonly PreparedMessage[],
    send: (fresh: readonly PreparedMessage[]) => Promise<readonly SentMessage[]>,
  ): Promise<readonly SentMessage[]> {
    const hashes = messages.map(hashOf)
    const wanted = new Set(hashes.filter((hash) => hash !== undefined))
    if (wanted.size === 0) return send(messages)
    const rows = await this.#takeKnown(tx, [...wanted])
    const paramsOf = new Map([...rows].map(([hash, row]) => [hash, row.params_hash]))
    for (const [index, message] of messages.entries()) {
      const hash = hashes[index]
      if (hash === undefined) continue
      requireSame(message, paramsOf.get(hash))
      // The next one of the same batch may have other parameters.
      paramsOf.set(hash, message.repeatable?.paramsHash ?? null)
    }
    const known = new Map<string, SentMessage>(
      [...rows].map(([hash, { message_id }]) => [hash, { id: message_id }]),
    )
    const fresh = messages.filter((_, index) => {
      const hash = hashes[index]
      return hash === undefined || (wanted.delete(hash) && !known.has(hash))
    })
    const sent = await send(fresh)
    const sentOf = new Map(fresh.map((message, index) => [message, sent[index]]))
    const stored: Omit<MessageLocalIdRow, 'organization_id'>[] = []
    for (const [index, message] of messages.entries()) {
      const [hash, result] = [hashes[index], sentOf.get(message)]
      if (hash === undefined || result === undefined) continue
      known.set(hash, result)
      stored.push({
        user_id: message.sender.id,
        local_id_hash: hash,
        params_hash: message.repeatable?.paramsHash ?? null,
        message_id: result.id,
        sent_at_seconds: nowSeconds(this.clock),
      })
    }
    await tx.rows(messageLocalIds).insertMany(stored)
    return messages.map((message, index) =>
      present(sentOf.get(message) ?? known.get(hashes[index] ?? ''), 'the result of each message'),
    )
  }

  /** The message that was sent with the same id before; undefined if there is none. */
  async find(scope: OrganizationScope, message: LocalMessage): Promise<SentMessage | undefined> {
    const hash = hashOf(message)
    if (hash === undefined) return undefined
    const [row] = await scope.rows(messageLocalIds).list({ local_id_hash: [hash] })
    if (row === undefined || this.#isOld(row)) return undefined
    requireSame(message, row.params_hash)
    return { id: row.message_id }
  }

  /** Deletes the ids of an organization's messages that are not recognized any more. */
  async removeOld(organizationId: number, stopping: AbortSignal): Promise<void> {
    const before = nowSeconds(this.clock) - keptSeconds
    const scope = this.database.read(organizationId)
    while (!stopping.aborted && (await this.rows.listSentBefore(scope, before, 1)).length > 0) {
      await this.unitOfWork.run(organizationId, async (tx) => {
        await tx
          .rows(messageLocalIds)
          .delete({ local_id_hash: await this.rows.listSentBefore(tx, before, rowsPerDelete) })
      })
    }
  }

  /** The rows of messages that were sent with these ids. Deletes the rows of older ones, whose ids may be used again. */
  async #takeKnown(
    tx: Transaction,
    hashes: readonly string[],
  ): Promise<Map<string, MessageLocalIdRow>> {
    const rows = await tx.rows(messageLocalIds).list({ local_id_hash: hashes })
    const old = rows.filter((row) => this.#isOld(row))
    if (old.length > 0) {
      await tx.rows(messageLocalIds).delete({ local_id_hash: old.map((row) => row.local_id_hash) })
    }
    return new Map(rows.filter((row) => !this.#isOld(row)).map((row) => [row.local_id_hash, row]))
  }

  #isOld({ sent_at_seconds }: MessageLocalIdRow): boolean {
    return sent_at_seconds < nowSeconds(this.clock) - keptSeconds
  }
}

/** @throws {ChatError} `BAD_REQUEST` if the application's key belongs to a call with other parameters. */
function requireSame({ repeatable }: LocalMessage, known: string | null | undefined): void {
  if (known === undefined || repeatable === undefined) return
  if (known !== repeatable.paramsHash) throw badRequest('IDEMPOTENCY_KEY_USED')
}

function hashOf({ sender, local, repeatable }: LocalMessage): string | undefined {
  if (repeatable !== undefined) return repeatable.keyHash
  if (local === undefined || !isQueueOf(sender.id, local.queueId)) return undefined
  const text = JSON.stringify([sender.id, local.queueId, local.localId])
  return createHash('sha256').update(text).digest('hex')
}
