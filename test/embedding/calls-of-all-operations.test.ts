import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import type { ChatApi } from '@parley/core'

import type { Client } from '../support/client.js'
import { databaseColumns } from '../support/databases.js'
import { callerOf } from '../support/examples/example.js'
import { examples } from '../support/examples/index.js'
import { TestHost, type HostCase } from '../support/host.js'
import { InProcessClient } from '../support/in-process-client.js'

const [database] = databaseColumns()
if (database === undefined) throw new Error('There is no database to test with.')

/** Only the author of a message may do so. */
const ofAuthors = new Set(['add-submessage', 'set-typing-status-for-message-edit'])

describe('every operation', () => {
  const host = new TestHost('koa', database, { invitations: { confirmAddresses: false } })
  let asUsers: HostCase
  let asSystem: HostCase
  before(async () => {
    await host.start()
    asUsers = { ...(await host.organization()), host, clock: host.clock }
    asSystem = { ...(await host.organization()), host, clock: host.clock }
  })
  after(() => host.stop())

  const apiOf = ({ id, endpoint }: Client): ChatApi =>
    host.chat.as({ userId: id, organization: endpoint.subdomain }).api
  // What concerns only an account goes over HTTP, as that user.
  const systemApiOf = ({ endpoint }: Client): Partial<ChatApi> =>
    host.chat.asSystem({ organization: endpoint.subdomain }).api

  for (const [id, example] of Object.entries(examples)) {
    it(`${id} can be called in process by a user`, async () => {
      const caller = callerOf(example, asUsers.people)
      const { status, text } = await example.call(
        asUsers,
        new InProcessClient(caller, apiOf(caller)),
      )

      assert.equal(status, 200, text)
    })

    it(`${id} can be called by the application itself, unless it needs an account`, async () => {
      const caller = callerOf(example, asSystem.people)
      const by = new InProcessClient(caller, ofAuthors.has(id) ? {} : systemApiOf(caller))
      const { status, text } = await example.call(asSystem, by)

      assert.equal(status, 200, text)
    })
  }
})
