import assert from 'node:assert/strict'
import { it } from 'node:test'

import { BreakableStorage } from '../support/breakable-storage.js'
import { readTables } from '../support/database-texts.js'
import { everyDatabase } from '../support/host.js'
import { richOrganization } from '../support/rich-organization.js'
import { richPerson } from '../support/rich-person.js'
import { SocketClient } from '../support/socket-client.js'

type Rows = Awaited<ReturnType<typeof readTables>>

/** The rows of one organization, by table. */
function rowsOf(tables: Rows, organizationId: number): Record<string, unknown[]> {
  return Object.fromEntries(
    [...tables].map(([name, rows]) => [
      name,
      rows.filter((row) =>
        name === 'chat_organizations'
          ? row['id'] === organizationId
          : row['organization_id'] === organizationId,
      ),
    ]),
  )
}

const storage = new BreakableStorage()

everyDatabase(
  'chat.organizations',
  'express',
  (at) => {
    const organizations = () => at.host.chat.organizations
    async function idOf(subdomain: string): Promise<number> {
      const found = await organizations().find(subdomain)
      assert.ok(found !== undefined)
      return found.id
    }

    it('lists, finds and changes organizations', async () => {
      const { people, subdomain } = await at.host.organization()
      const feed = await people.alice.listen({ event_types: ['realm'] })

      const all = []
      for await (const organization of organizations().list()) all.push(organization)

      assert.deepEqual(
        all.map((one) => one.subdomain),
        [at.subdomain, subdomain],
      )
      assert.deepEqual(all[1], await organizations().find(subdomain))
      const { id, name, isDeactivated } = await organizations().update(subdomain, {
        name: ' New name ',
      })
      assert.deepEqual([name, isDeactivated], ['New name', false])
      const [event] = await feed.drain()
      assert.deepEqual(
        [event?.type, event?.['property'], event?.['value']],
        ['realm', 'name', 'New name'],
      )
      await organizations().update(id, { subdomain: 'new-place' })
      assert.equal((await organizations().find('new-place'))?.id, id)
      assert.equal(await organizations().find(subdomain), undefined)
      const { credentials } = people.alice
      const moved = at.host.client('new-place', credentials, people.alice.id, 'alice')
      assert.equal((await moved.get('/users/me')).status, 200)
      assert.equal((await people.alice.get('/users/me')).status, 401)
      const { api } = at.host.chat.asSystem({ organization: 'new-place' })
      assert.ok((await api.getUsers()).members.length > 0)
      await assert.rejects(at.host.chat.asSystem({ organization: subdomain }).api.getUsers(), {
        message: 'No such organization',
      })
      await assert.rejects(organizations().update(id, { subdomain: at.subdomain }), {
        code: 'SUBDOMAIN_TAKEN',
      })
      await assert.rejects(organizations().update(id, { subdomain: 'www' }), {
        code: 'BAD_REQUEST',
      })
      await assert.rejects(organizations().update(id, { name: '' }), { code: 'BAD_REQUEST' })
      await assert.rejects(organizations().update('none', { name: 'A' }), { code: 'BAD_REQUEST' })
      await assert.rejects(organizations().update(id, { title: 'A' } as never), TypeError)
      await assert.rejects(organizations().find(undefined as never), TypeError)
      await organizations().delete('new-place', { confirm: 'new-place' })
    })

    it('deletes every row and file of an organization, and nothing of others, in all processes', async () => {
      const deleted = await at.host.organization({
        more: ({ people, channels }) => ({
          // More than one batch of messages and of their rows.
          messages: Array.from({ length: 600 }, (_, index) => ({
            sender_id: people.alice,
            channel_id: channels.general,
            topic: 'many',
            content: `Message number ${index}`,
            sent_at_seconds: 1_700_000_000,
          })),
        }),
      })
      await richPerson({ ...deleted, host: at.host, clock: at.clock })
      await richPerson(at)
      await organizations().load(richOrganization('neighbor', 9_000_000).file)
      const [own, neighbor] = [await idOf(at.subdomain), await idOf('neighbor')]
      const id = await idOf(deleted.subdomain)
      const second = await at.host.another('koa', { files: storage })
      try {
        const elsewhere = second.clientOf(deleted.people.alice)
        const socket = await SocketClient.open(elsewhere, { event_types: ['message'] })
        const before = await readTables(at.host.databaseConfig)
        const filled = Object.values(rowsOf(before, id)).filter((rows) => rows.length > 0)
        assert.ok(filled.length > 30, `${filled.length} tables`)

        await assert.rejects(organizations().delete(id, { confirm: 'wrong' }), TypeError)
        await assert.rejects(
          organizations().delete(deleted.subdomain, undefined as never),
          TypeError,
        )
        assert.equal((await elsewhere.get('/users/me')).status, 200)
        storage.isBroken = true
        await assert.rejects(organizations().delete(id, { confirm: deleted.subdomain }), /broken/)
        assert.equal((await organizations().find(id))?.isDeactivated, true)
        storage.isBroken = false
        await organizations().delete(id, { confirm: deleted.subdomain })
        second.clock.fire(0.25)

        const after = await readTables(at.host.databaseConfig)
        assert.deepEqual(
          Object.entries(rowsOf(after, id)).filter(([, rows]) => rows.length > 0),
          [],
        )
        for (const other of [own, neighbor]) {
          assert.deepEqual(rowsOf(after, other), rowsOf(before, other))
        }
        assert.deepEqual(
          [...storage.files.keys()].filter((key) => key.startsWith(`${id}/`)),
          [],
        )
        await socket.closing
        for (const client of [elsewhere, deleted.people.alice]) {
          assert.equal((await client.get('/users/me')).status, 401)
        }
        await assert.rejects(organizations().delete(id, { confirm: deleted.subdomain }), {
          message: 'No such organization',
        })
        assert.equal(await organizations().find(id), undefined)
        const again = await organizations().create({
          subdomain: deleted.subdomain,
          name: 'Again',
          owner: { email: 'new@product.example', fullName: 'New Owner' },
        })
        assert.notEqual(again.organizationId, id)
      } finally {
        await second.stop()
      }
    })
  },
  { files: storage },
)
