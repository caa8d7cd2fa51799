import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import type { AuditLogEntry } from '@parley/core'

import { auditedOperations } from '../support/audited-operations.js'
import type { CountedCall } from '../support/counted-call.js'
import { countedCalls } from '../support/counted-calls.js'
import { crowd, type Crowd } from '../support/crowd.js'
import { databaseColumns } from '../support/databases.js'
import { TestHost } from '../support/host.js'
import { pngOf, sendFiles } from '../support/uploads.js'

const picture = { name: 'tree.png', type: 'image/png', bytes: pngOf(40, 40) }
const [database] = databaseColumns()
if (database === undefined) throw new Error('There is no database to test with.')

/** Calls of operations whose statements are not counted; the last ones end accounts. */
const uncountedCalls: Readonly<Record<string, CountedCall>> = {
  'update-subscriptions': ({ olga }) =>
    olga.patch('/users/me/subscriptions', { add: [{ name: 'Another new one' }] }),
  'update-realm-user-settings-defaults': ({ olga }) =>
    olga.patch('/realm/user_settings_defaults', { twenty_four_hour_time: true }),
  'upload-custom-emoji': ({ olga }) => sendFiles(olga, '/realm/emoji/tree', [picture]),
  'export-realm': ({ olga }) => olga.post('/export/realm'),
  'upload-realm-icon': ({ olga }) => sendFiles(olga, '/realm/icon', [picture]),
  'remove-realm-icon': ({ olga }) => olga.delete('/realm/icon'),
  'upload-realm-logo': ({ olga }) =>
    sendFiles(olga, '/realm/logo', [picture], { fields: { night: 'false' } }),
  'remove-realm-logo': ({ olga }) => olga.delete('/realm/logo', { night: false }),
  'deactivate-own-user': ({ alice }) => alice.delete('/users/me'),
  'regenerate-own-api-key': ({ olga }) => olga.post('/users/me/api_key/regenerate'),
}

describe('the audit trail', () => {
  const host = new TestHost('koa', database, { invitations: { confirmAddresses: false } })
  let at: Crowd
  let lastId = 0
  const texts: string[] = []
  before(async () => {
    await host.start()
    at = await crowd(host, 10_000, 12)
  })
  after(() => host.stop())

  const newEntries = async (): Promise<AuditLogEntry[]> => {
    const entries: AuditLogEntry[] = []
    const { subdomain: organization } = at.olga.endpoint
    for await (const entry of host.chat.audit({ organization })) {
      if (entry.id <= lastId) break
      entries.unshift(entry)
    }
    lastId = entries.at(-1)?.id ?? lastId
    texts.push(...entries.map((entry) => JSON.stringify(entry)))
    return entries
  }

  const calls = Object.entries({ ...countedCalls, ...uncountedCalls })
  for (const [id, call] of calls) {
    const expected = auditedOperations[id] ?? []
    const actions = typeof expected === 'string' ? [] : expected
    it(`gets ${actions.length === 0 ? 'nothing' : actions.join(', ')} from ${id}`, async () => {
      // What the call before has done.
      await newEntries()

      const { status, text } = await call(at, 0)
      const entries = await newEntries()

      assert.equal(status, 200, text)
      assert.deepEqual([...new Set(entries.map(({ action }) => action))], actions)
      for (const entry of entries) {
        assert.ok([at.olga.id, at.alice.id].includes(entry.actorId ?? 0), JSON.stringify(entry))
        assert.equal(entry.via, 'http')
        assert.match(entry.clientAddress ?? '', /^(?:127\.0\.0\.1|::1)$/)
      }
    })
  }

  it('names every operation that changes something', async () => {
    const { allOperations } = await import('../../packages/core/src/resources/index.js')
    const changing = allOperations.filter(
      ({ method, changesState }) => method !== 'GET' || changesState === true,
    )
    const called = new Set(calls.map(([id]) => id))

    const missing = changing.filter(({ id }) => auditedOperations[id] === undefined)
    const uncalled = Object.entries(auditedOperations).filter(
      ([id, expected]) => typeof expected !== 'string' && !called.has(id) && id !== ended,
    )

    assert.deepEqual(
      missing.map(({ id }) => id),
      [],
      'say in test/support/audited-operations.ts what they add to the audit trail, or why nothing',
    )
    assert.deepEqual(uncalled, [])
  })

  it('gets organization.deactivated from deactivate-realm', async () => {
    const { subdomain } = at.olga.endpoint
    await host.chat.organizations.reactivate(subdomain)
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
    for (const secret of ['xxxxxxxxxxxx', 'correct horse', 'talk', 'number']) {
      assert.equal(all.includes(secret), false, secret)
    }
  })
})

const ended = 'deactivate-realm'
