import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import { countedCalls } from '../support/counted-calls.js'
import { crowd, type Crowd } from '../support/crowd.js'
import { databaseColumns } from '../support/databases.js'
import { TestHost } from '../support/host.js'
import { InProcessClient } from '../support/in-process-client.js'

const size = 12
const [database] = databaseColumns()
if (database === undefined) throw new Error('There is no database to test with.')

describe('every operation', () => {
  const host = new TestHost('koa', database, { invitations: { confirmAddresses: false } })
  let asUsers: Crowd
  let asSystem: Crowd
  before(async () => {
    await host.start()
    const [one, other] = [await crowd(host, 10_000, size), await crowd(host, 20_000, size)]
    const user = (client: Crowd['alice']): InProcessClient => {
      const { subdomain: organization } = client.endpoint
      return new InProcessClient(client, host.chat.as({ userId: client.id, organization }).api)
    }
    asUsers = { ...one, alice: user(one.alice), olga: user(one.olga) }
    const { subdomain: organization } = other.olga.endpoint
    const { api } = host.chat.asSystem({ organization })
    // What concerns only an account goes over HTTP, as that user.
    const system = (client: Crowd['alice']) => new InProcessClient(client, api)
    asSystem = { ...other, alice: system(other.alice), olga: system(other.olga) }
  })
  after(() => host.stop())

  for (const [id, call] of Object.entries(countedCalls)) {
    it(`${id} can be called in process by a user`, async () => {
      const { status, text } = await call(asUsers, 0)

      assert.equal(status, 200, text)
    })

    it(`${id} can be called by the application itself, unless it needs an account`, async () => {
      const { status, text } = await call(asSystem, 0)

      assert.equal(status, 200, text)
    })
  }
})
