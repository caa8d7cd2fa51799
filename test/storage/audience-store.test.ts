import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import { LocalEventBus } from '../../packages/core/src/events/bus/bus.js'
import { silentLogger } from '../../packages/core/src/kernel/logger.js'
import { type Database, UnitOfWork } from '../../packages/core/src/storage/index.js'
import { faulty, unavailable } from '../faults/faulty-client.js'
import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import { FakeClock } from '../support/fake-clock.js'
import { createSmallDatabase } from '../support/small-schema.js'

reportSkippedColumns()

for (const plain of databaseColumns()) {
  describe(`the cache of recipient lists (${plain.name})`, () => {
    const { column, faults } = faulty(plain)
    let database: Database
    let drop: () => Promise<void>

    before(async () => {
      ;({ database, drop } = await createSmallDatabase(column))
    })
    after(() => drop())

    it('stores a list again if the commit that stored it has failed', async () => {
      const bus = new LocalEventBus()
      const unitOfWork = new UnitOfWork(database, bus, new FakeClock(), silentLogger)
      const { audiences } = unitOfWork
      const intern = () => unitOfWork.run(1, (tx) => audiences.intern(tx, [3, 1, 2]))
      const error = unavailable(plain.name)
      faults.push({ when: 'before', statement: /^\s*commit/i, error, times: 1 })

      await assert.rejects(intern())
      const id = await intern()

      assert.deepEqual([...(await audiences.members(database.read(1), id))], [1, 2, 3])
      assert.equal(await intern(), id)
    })
  })
}
