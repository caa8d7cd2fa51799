import assert from 'node:assert/strict'
import { it } from 'node:test'

import { passwordOf } from '../support/cast.js'
import type { Answer } from '../support/client.js'
import { everyHost } from '../support/host.js'
import { assertRefused } from '../support/refusal.js'

type Entry = Readonly<Record<string, unknown>>

const entriesOf = ({ status, body, text }: Answer): Entry[] => {
  assert.equal(status, 200, text)
  return body.entries as Entry[]
}
const changesOf = (entry: Entry | undefined) =>
  (entry?.['changes'] ?? {}) as Record<string, { old: unknown; new: unknown }>
const idOf = (entry: Entry | undefined): number => entry?.['id'] as number

everyHost(
  'get-audit-log',
  (at) => {
    it('tells owners who has changed what, when and from where', async () => {
      const { olga, adam, alice } = at.people
      await adam.patch(`/users/${alice.id}`, { role: 300, client: 'Console' })

      const [entry] = entriesOf(await olga.get('/audit_log', { limit: 1 }))

      assert.deepEqual(entry, {
        id: idOf(entry),
        timestamp: at.clock.seconds,
        action: 'user.role_changed',
        actor_type: 'user',
        actor_id: adam.id,
        actor_external_id: null,
        object_type: 'user',
        object_id: alice.id,
        user_id: alice.id,
        user_external_id: null,
        changes: { role: { old: 400, new: 300 } },
        via: 'http',
        client_address: '127.0.0.1',
        client_name: 'Console',
      })
    })

    it('is refused to all others', async () => {
      for (const client of [at.people.adam, at.people.mona, at.people.alice, at.people.gus]) {
        assertRefused(await client.get('/audit_log'), 'Must be an organization owner', {
          code: 'UNAUTHORIZED_PRINCIPAL',
        })
      }
      assert.equal((await at.nobody.get('/audit_log')).status, 401)
    })

    it('has the old and new values of settings, permissions and channels', async () => {
      const { olga, alice } = at.people
      const { design } = at.channels
      const members = { direct_members: [alice.id], direct_subgroups: [] }

      await olga.patch('/realm', {
        description: 'Chat of the harbor',
        create_multiuse_invite_group: { new: members },
      })
      await olga.patch(`/streams/${design}`, {
        description: 'Ropes and sails',
        can_administer_channel_group: { new: members },
      })

      const [channel, realm] = entriesOf(await olga.get('/audit_log', { limit: 2 }))
      assert.deepEqual([channel?.['action'], channel?.['object_id']], ['channel.updated', design])
      const { description, can_administer_channel_group: administer } = changesOf(channel)
      assert.equal(description?.new, 'Ropes and sails')
      assert.equal(typeof description?.old, 'string')
      assert.deepEqual(administer?.new, members)
      assert.notDeepEqual(administer?.old, members)
      const changes = changesOf(realm)
      assert.deepEqual(Object.keys(changes), ['description', 'create_multiuse_invite_group'])
      assert.equal(changes['description']?.new, 'Chat of the harbor')
    })

    it('has a row for each user whom another one has subscribed or removed', async () => {
      const { olga, alice, bob } = at.people
      const { body } = await olga.post('/channels/create', {
        name: 'Boats',
        subscribers: [olga.id, alice.id, bob.id],
      })
      await olga.delete('/users/me/subscriptions', {
        subscriptions: ['Boats'],
        principals: [alice.id],
      })
      await bob.delete('/users/me/subscriptions', { subscriptions: ['Boats'] })

      const entries = entriesOf(
        await olga.get('/audit_log', { object_type: 'channel', object_id: body.id }),
      )

      assert.deepEqual(
        entries.map(({ action, user_id }) => [action, user_id]).reverse(),
        [
          ['channel.created', null],
          ['channel.subscriber_added', alice.id],
          ['channel.subscriber_added', bob.id],
          ['channel.subscriber_removed', alice.id],
        ],
        'not those who subscribe or unsubscribe themselves',
      )
    })

    it('is filtered, and read in pages by id', async () => {
      const { olga, adam, bob } = at.people
      const start = idOf(entriesOf(await olga.get('/audit_log', { limit: 1 }))[0])
      for (const role of [300, 400, 300, 400]) await adam.patch(`/users/${bob.id}`, { role })
      await olga.post('/realm/domains', { domain: 'harbor.example', allow_subdomains: true })
      const whole = entriesOf(await olga.get('/audit_log')).filter((entry) => idOf(entry) > start)
      assert.equal(whole.length, 5)

      const byActor = await olga.get('/audit_log', { actor_id: adam.id, limit: 3 })
      const last = idOf(entriesOf(byActor)[2])
      const next = await olga.get('/audit_log', { actor_id: adam.id, limit: 1000, before_id: last })

      assert.deepEqual(entriesOf(byActor), whole.slice(1, 4))
      assert.equal(byActor.body.found_oldest, false)
      assert.deepEqual(entriesOf(next)[0], whole[4])
      assert.equal(next.body.found_oldest, true)
      for (const [filter, expected] of [
        [{ actions: ['domain.added'] }, whole.slice(0, 1)],
        [{ actions: ['domain.added', 'user.role_changed'] }, whole],
        [{ object_type: 'user', object_id: bob.id }, whole.slice(1)],
        [{ user_id: bob.id }, whole.slice(1)],
        [{ actor_type: 'application' }, []],
        [{ until: at.clock.seconds }, []],
        [{ since: at.clock.seconds + 1 }, []],
      ] as const) {
        const found = entriesOf(await olga.get('/audit_log', filter))
        assert.deepEqual(
          found.filter((entry) => idOf(entry) > start),
          expected,
          JSON.stringify(filter),
        )
      }
      for (const invalid of [{ actions: ['user.vanished'] }, { limit: 1001 }]) {
        assert.equal((await olga.get('/audit_log', invalid)).status, 400)
      }
    })

    it('has the sign-ins of administrators, but not of others', async () => {
      const { olga, adam, bob } = at.people
      for (const [client, name] of [
        [adam, 'adam'],
        [bob, 'bob'],
      ] as const) {
        const answer = await at.nobody.post('/fetch_api_key', {
          username: client.email,
          password: passwordOf(name),
        })
        assert.equal(answer.status, 200, answer.text)
      }

      const entries = entriesOf(await olga.get('/audit_log', { actions: ['user.signed_in'] }))

      assert.deepEqual(
        entries.map(({ actor_id, user_id, via, client_address }) => [
          actor_id,
          user_id,
          via,
          client_address,
        ]),
        [[adam.id, adam.id, 'http', '127.0.0.1']],
      )
    })

    it('contains nothing of a request that failed, and of other organizations', async () => {
      const { olga, adam, alice } = at.people
      const other = await at.host.organization()
      await other.people.adam.patch(`/users/${other.people.alice.id}`, { role: 300 })
      const before = entriesOf(await olga.get('/audit_log'))

      // The role would change, but the name is refused, in the same transaction.
      const answer = await adam.patch(`/users/${alice.id}`, { role: 300, full_name: 'A*' })
      assert.equal(answer.status, 400)

      assert.deepEqual(entriesOf(await olga.get('/audit_log')), before)
      assert.equal(
        entriesOf(await other.people.olga.get('/audit_log'))[0]?.['object_id'],
        other.people.alice.id,
      )
    })
  },
  { passwords: ['adam', 'bob'] },
)
