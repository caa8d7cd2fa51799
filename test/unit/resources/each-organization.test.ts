import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { Round } from '../../../packages/core/src/kernel/periodic-task.js'
import { eachOrganization } from '../../../packages/core/src/resources/organization/organizations/each-organization.js'
import type { OrganizationRepository } from '../../../packages/core/src/resources/organization/organizations/index.js'

const pageSize = 500

function unexpected(error: unknown): never {
  throw error
}

/** The maximum number of organizations of a database, with ids from 1. */
function organizations(count: number): OrganizationRepository {
  const all = Array.from({ length: count }, (_, index) => ({ id: index + 1, subdomain: '' }))
  const list = async (limit: number, afterId = 0) => all.slice(afterId, afterId + limit)
  return { list } as Partial<OrganizationRepository> as OrganizationRepository
}

describe('a round over all organizations', () => {
  for (const count of [0, 1, pageSize, 2 * pageSize + 1]) {
    it(`processes each of ${count}, once and in order`, async () => {
      const seen: number[] = []
      const round = { isDue: true, stopping: new AbortController().signal, failed: unexpected }

      await eachOrganization(organizations(count), round, async (id) => void seen.push(id))

      assert.deepEqual(
        seen,
        Array.from({ length: count }, (_, index) => index + 1),
      )
    })
  }

  it('continues after failures, and reports the first one', async () => {
    const seen: number[] = []
    const failures: unknown[] = []
    const round: Round = {
      isDue: true,
      stopping: new AbortController().signal,
      failed: (error) => failures.push(error),
    }

    await eachOrganization(organizations(4), round, async (id) => {
      seen.push(id)
      if (id % 2 === 0) throw new Error(`failed for ${id}`)
    })

    assert.deepEqual(seen, [1, 2, 3, 4])
    assert.deepEqual(failures.map(String), ['Error: failed for 2'])
  })

  it('stops when the server closes', async () => {
    const seen: number[] = []
    const closing = new AbortController()
    const round = { isDue: true, stopping: closing.signal, failed: unexpected }

    await eachOrganization(organizations(3), round, async (id) => {
      seen.push(id)
      closing.abort()
    })

    assert.deepEqual(seen, [1])
  })
})
