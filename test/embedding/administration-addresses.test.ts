import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { after, it } from 'node:test'

import { Client } from '../support/client.js'
import { everyDatabase } from '../support/host.js'

const office = new Agent({ localAddress: '127.0.0.1' })
const elsewhere = new Agent({ localAddress: '127.0.9.9' })
after(() => {
  office.destroy()
  elsewhere.destroy()
})

const from = (agent: Agent, { endpoint, credentials, id, name }: Client): Client =>
  new Client({ ...endpoint, agent }, credentials, id, name)

everyDatabase(
  'administrationAddresses',
  'express',
  (at) => {
    it('allows administration by owners and administrators from the listed addresses only', async () => {
      const { olga, adam, bob } = at.people
      for (const administrator of [olga, adam]) {
        const inside = from(office, administrator)
        const outside = from(elsewhere, administrator)

        assert.equal((await inside.patch('/realm', { description: 'In' })).status, 200)
        const refused = [
          await outside.patch('/realm', { description: 'Out' }),
          await outside.patch(`/users/${bob.id}`, { full_name: 'Robert' }),
          await outside.patch(`/users/${encodeURIComponent(bob.email)}`, { role: 100 }),
          await outside.delete(`/users/${bob.id}`),
          await outside.post(`/users/${bob.id}/reactivate`),
        ]
        assert.deepEqual(
          refused.map(({ status, body }) => [status, body.code]),
          refused.map(() => [403, 'ADDRESS_NOT_ALLOWED']),
        )
        assert.equal((await outside.get('/users/me')).status, 200)
        assert.equal((await outside.patch('/settings', { enter_sends: true })).status, 200)
      }
    })

    it('does not affect other users', async () => {
      const alice = from(elsewhere, at.people.alice)

      const { body } = await alice.patch('/realm', { description: 'Mine' })

      assert.equal(body.msg, 'Must be an organization administrator')
    })
  },
  { administrationAddresses: ['127.0.0.1', '10.0.0.0/8'] },
)
