import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { defineRecord } from '../../../packages/core/src/events/record-kind.js'
import { SharedValue } from '../../../packages/core/src/resources/organization/organizations/shared-values.js'
import { organizationId, SampleLog } from '../events/sample-log.js'
import { Process } from '../events/sample-process.js'

const valueChanged = defineRecord<object>('@value-changed')

interface CountedOptions {
  /** Entries of the log before it is followed. */
  readonly entriesBefore?: number
  readonly total?: { readonly maxSize: number; sizeOf(): number }
}

/** A value that counts how often it was read, and snapshots of the database to read it in. */
async function countedValue({ entriesBefore = 0, total }: CountedOptions = {}) {
  const log = new SampleLog()
  for (let count = 0; count < entriesBefore; count += 1) log.commit([1], 'a message')
  const process = new Process(log)
  const { logs } = process.delivery
  await logs.watch(organizationId)
  let loads = 0
  const value = new SharedValue(
    { read: () => ({}) } as never,
    { findCurrent: async ({ seq }: { seq: number }) => ({ event_seq: seq }) } as never,
    logs,
    'counted',
    {
      load: async () => {
        loads += 1
        return loads
      },
      changedBy: [valueChanged],
      ...(total && { total }),
    },
  )
  const loadsIn = async (seq: number): Promise<number> => {
    await value.in({ isCommittedState: true, organizationId, seq } as never)
    return loads
  }
  const commit = (kind = 'note'): void => {
    const record = { ...log.commit([1], 'a message'), kind }
    log.records[record.seq - 1] = record
    process.publish(record.seq)
  }
  return { commit, loadsIn }
}

describe('a value that is kept until the log reports a change', () => {
  it('is kept from a snapshot while messages go on, and used by later ones', async () => {
    const { commit, loadsIn } = await countedValue()
    commit()
    commit()

    assert.equal(await loadsIn(1), 1)
    assert.equal(await loadsIn(1), 1)
    commit()
    assert.equal(await loadsIn(3), 1)
  })

  it('is not kept from a snapshot before its newest change', async () => {
    const { commit, loadsIn } = await countedValue()
    commit()
    commit(valueChanged.kind)

    assert.equal(await loadsIn(1), 1)
    assert.equal(await loadsIn(2), 2)
    assert.equal(await loadsIn(2), 2)
    // The value of the newest state is not that of an older one.
    assert.equal(await loadsIn(1), 3)
    assert.equal(await loadsIn(2), 3)
  })

  it('is not kept from a snapshot of before the log was followed', async () => {
    const { loadsIn } = await countedValue({ entriesBefore: 2 })

    assert.equal(await loadsIn(1), 1)
    assert.equal(await loadsIn(1), 2)
  })

  it('is not kept if it is larger than all values may be together', async () => {
    const loadsTwice = async (size: number): Promise<number> => {
      const { commit, loadsIn } = await countedValue({ total: { maxSize: 10, sizeOf: () => size } })
      commit()
      await loadsIn(1)
      return loadsIn(1)
    }

    assert.equal(await loadsTwice(9), 1)
    assert.equal(await loadsTwice(10), 2)
  })
})
