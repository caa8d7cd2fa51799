import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import type { AuditLogEntry } from '@parley/core'

import { databaseColumns } from '../support/databases.js'
import { callerOf } from '../support/examples/example.js'
import { examples } from '../support/examples/index.js'
import { TestHost, type HostCase } from '../support/host.js'
import { ObservedClient } from '../support/observed-client.js'

const [database] = databaseColumns()
if (database === undefined) throw new Error('There is no database to test with.')

describe('the audit trail', () => {
  const host = new TestHost('koa', database, { invitations: { confirmAddresses: false } })
  let at: HostCase
  let lastId = 0
  const texts: string[] = []
  before(async () => {
    await host.start()
    at = { ...(await host.organization()), host, clock: host.clock }
  })
  after(() => host.stop())

  const newEntries = async (): Promise<AuditLogEntry[]> => {
    const entries: AuditLogEntry[] = []
    const { subdomain: organization } = at
    for await (const entry of host.chat.audit({ organization })) {
      if (entry.id <= lastId) break
      entries.unshift(entry)
    }
    lastId = entries.at(-1)?.id ?? lastId
    texts.push(...entries.map((entry) => JSON.stringify(entry)))
    return entries
  }

  for (const [id, example] of Object.entries(examples)) {
    const { audited = [] } = example
    const actions = typeof audited === 'string' ? [] : audited
    it(`gets ${actions.length === 0 ? 'nothing' : actions.join(', ')} from ${id}`, async () => {
      let entries: AuditLogEntry[] | undefined
      const by = new ObservedClient(callerOf(example, at.people), async (send) => {
        // What requests before have done.
        await newEntries()
        const answer = await send()
        entries = await newEntries()
        return answer
      })

      const { status, text } = await example.call(at, by)

      assert.equal(status, 200, text)
      assert.ok(entries)
      assert.deepEqual([...new Set(entries.map(({ action }) => action))], actions)
      for (const entry of entries) {
        assert.equal(entry.actorId, by.id, JSON.stringify(entry))
        assert.equal(entry.via, 'http')
        assert.match(entry.clientAddress ?? '', /^(?:127\.0\.0\.1|::1)$/)
      }
    })
  }

  it('gets organization.deactivated from deactivate-realm', async () => {
    const { subdomain } = at
    await newEntries()
    await host.chat.asSystem({ organization: subdomain }).api.deactivateRealm({})

    assert.deepEqual(
      (await newEntries()).map(({ action, actorType, via }) => [action, actorType, via]),
      [['organization.deactivated', 'application', 'process']],
    )
  })

  it('contains no key, no password and no text of a message', () => {
    const all = texts.join('\n')

    assert.ok(texts.length > 50)
    for (const secret of ['xxxxxxxxxxxx', 'correct horse', 'callers', 'Text']) {
      assert.equal(all.includes(secret), false, secret)
    }
  })
})
