import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { UnwrittenMessages } from '../../../packages/core/src/resources/channels/unwritten-messages/unwritten-messages.js'
import { UserMessageWriter } from '../../../packages/core/src/resources/channels/unwritten-messages/user-message-writer.js'
import type { UnitOfWork } from '../../../packages/core/src/storage/index.js'
import { PendingWrites } from '../../../packages/core/src/storage/transactions/pending-writes.js'
import { FakeClock } from '../../support/fake-clock.js'

/** @returns how many transactions a round writes, of five that are due. */
async function writtenInRound(writesOfClients: number, failing?: number): Promise<number> {
  const pending = new PendingWrites(new FakeClock())
  for (let count = 0; count < writesOfClients; count += 1) {
    void pending.run({ organizationId: 1, userId: count }, () => new Promise(() => {}))
  }
  let written = 0
  const unwritten = {
    writeSomeOfNextCaller: async () => {
      written += 1
      if (written === failing) throw new Error('The database is away')
      return written < 5
    },
  }
  const writer = new UserMessageWriter(
    // The only method that a round calls.
    unwritten as unknown as UnwrittenMessages,
    // The only property that a round reads.
    { pending } as unknown as UnitOfWork,
  )
  const errors: unknown[] = []
  const { signal: stopping } = new AbortController()
  await writer.round({ isDue: true, stopping, failed: (error) => errors.push(error) })
  assert.equal(errors.length, failing === undefined ? 0 : 1)
  return written
}

describe('UserMessageWriter', () => {
  it('writes everything in a round, also after a failure', async () => {
    assert.equal(await writtenInRound(32), 5)
    assert.equal(await writtenInRound(0, 2), 5)
  })

  it('writes once in a round while many writes of clients wait', async () => {
    assert.equal(await writtenInRound(33), 1)
  })
})
