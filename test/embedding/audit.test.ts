import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { AuditLogEntry, AuditOptions } from '@parley/core'
import createKnex from 'knex'

import { changesJson } from '../../packages/core/src/storage/log/audit-writer.js'
import { readTables } from '../support/database-texts.js'
import { everyDatabase, type HostCase } from '../support/host.js'

const roundSeconds = 7200
const daySeconds = 86_400

async function entriesOf(at: HostCase, options: AuditOptions = {}): Promise<AuditLogEntry[]> {
  const entries: AuditLogEntry[] = []
  const own = { organization: at.subdomain, ...options }
  for await (const entry of at.host.chat.audit(own)) entries.push(entry)
  return entries
}

const shape = ({ action, actorType, actorId, userId }: AuditLogEntry): unknown[] => [
  action,
  actorType,
  actorId,
  userId,
]

everyDatabase(
  'chat.audit',
  'express',
  (at) => {
    const here = () => ({ organization: at.subdomain })
    const newest = async (count: number): Promise<AuditLogEntry[]> =>
      (await entriesOf(at)).slice(0, count).reverse()

    it('begins with the loading of the organization', async () => {
      const first = (await entriesOf(at)).at(-1)

      assert.equal(first?.action, 'organization.loaded')
      assert.deepEqual([first.actorType, first.via], ['application', 'process'])
      assert.equal(first.changes['subdomain']?.new, at.subdomain)
    })

    it('distinguishes users from the application, and names both by external ids', async () => {
      const { users } = at.host.chat
      const ada = { externalId: '7', email: 'ada@app.example', fullName: 'Ada' }
      await users.sync([{ ...ada, role: 200 }], here())
      const id = (await users.idOf(['7'], here())).get('7') ?? 0
      const { alice } = at.people

      await at.host.chat
        .as({ externalId: '7', ...here() })
        .api.updateUser({ user_id: alice.id, role: 300 })
      await at.host.chat.asSystem(here()).api.updateUser({ user_id: alice.id, role: 400 })
      await users.sync([{ ...ada, role: 400 }], here())
      await users.endSessions('7', { ...here(), apiKeys: true })
      await users.deactivate('7', here())

      const entries = await newest(7)
      assert.deepEqual(entries.map(shape), [
        ['user.created', 'application', null, id],
        ['user.role_changed', 'user', id, alice.id],
        ['user.role_changed', 'application', null, alice.id],
        ['user.role_changed', 'application', null, id],
        ['user.sessions_ended', 'application', null, id],
        ['user.api_key_replaced', 'application', null, id],
        ['user.deactivated', 'application', null, id],
      ])
      assert.deepEqual(
        entries.map(({ actorExternalId, userExternalId }) => [actorExternalId, userExternalId]),
        [[null, '7'], ['7', null], [null, null], ...Array.from({ length: 4 }, () => [null, '7'])],
      )
      for (const { via, clientAddress, clientName } of entries) {
        assert.deepEqual([via, clientAddress, clientName], ['process', null, null])
      }
    })

    it('has the members of groups and channels that the application decides', async () => {
      const { chat } = at.host
      const { alice } = at.people
      const users = [
        { externalId: 'g1', email: 'g1@app.example', fullName: 'One', groups: ['crew'] },
        { externalId: 'g2', email: 'g2@app.example', fullName: 'Two', groups: ['crew'] },
      ]
      await chat.users.sync(users, here())
      await chat.users.sync([{ ...users[0]!, groups: [] }], here())
      await chat.channels.ensure({
        externalId: 'order:1',
        name: 'Order 1',
        subscribers: [{ userId: alice.id }],
        ...here(),
      })
      await chat.channels.ensure({
        externalId: 'order:1',
        name: 'Order 1',
        subscribers: [],
        ...here(),
      })

      const ids = await chat.users.idOf(['g1', 'g2'], here())
      const [one, two] = [ids.get('g1'), ids.get('g2')]
      const found = (await newest(12)).filter(({ action }) => /member|subscriber/.test(action))
      assert.deepEqual(found.map(shape), [
        ['user_group.member_added', 'application', null, one],
        ['user_group.member_added', 'application', null, two],
        ['user_group.member_removed', 'application', null, one],
        ['channel.subscriber_added', 'application', null, alice.id],
        ['channel.subscriber_removed', 'application', null, alice.id],
      ])
    })

    it('is part of a transaction of the application', async () => {
      const { alice } = at.people
      const knex = createKnex(at.host.databaseConfig)
      const before = await entriesOf(at)
      const { api } = at.host.chat.asSystem(here())
      try {
        for (const end of ['rollback', 'commit'] as const) {
          const transaction = await knex.transaction()
          await api.updateUser({ user_id: alice.id, role: 300 }, { within: transaction })
          await transaction[end]()
          const added = (await entriesOf(at)).length - before.length
          assert.equal(added, end === 'commit' ? 1 : 0)
        }
      } finally {
        await knex.destroy()
      }
    })

    it('keeps what an erased user has done, without address and client', async () => {
      const { chat } = at.host
      const { adam, bob } = at.people
      await adam.patch(`/users/${bob.id}`, { role: 300 })
      const lines: string[] = []
      for await (const line of chat.users.export({ userId: adam.id }, here())) {
        lines.push(Buffer.from(line).toString())
      }
      assert.ok(lines.join('').includes('"audited_change"'))

      await chat.users.erase({ userId: adam.id }, here())

      const entries = await entriesOf(at, { actorId: adam.id })
      assert.ok(entries.length > 0)
      for (const { via, clientAddress, clientName } of entries) {
        assert.deepEqual([via, clientAddress, clientName], ['http', null, null])
      }
      const actions = (await entriesOf(at, { userId: adam.id })).map(({ action }) => action)
      assert.ok(actions.includes('user.exported') && actions.includes('user.erased'))
    })

    it('says when the application exports the organization', async () => {
      for await (const _ of at.host.chat.organizations.export(at.subdomain)) break

      const [entry] = await newest(1)
      assert.ok(entry !== undefined)
      assert.equal(entry.action, 'organization.exported')
      assert.deepEqual(
        [entry.actorType, entry.actorId, entry.via],
        ['application', null, 'process'],
      )
    })

    it('says when API keys were replaced by the chat itself, and by whom otherwise', async () => {
      const { alice } = at.people
      const { api } = at.host.chat.as({ userId: alice.id, ...here() })
      await api.regenerateOwnApiKey({})

      assert.deepEqual((await newest(1)).map(shape), [
        ['user.api_key_replaced', 'user', alice.id, alice.id],
      ])
    })

    it('rejects unknown organizations and options', async () => {
      const read = async (options: AuditOptions) => {
        for await (const entry of at.host.chat.audit(options)) return entry
        return undefined
      }

      await assert.rejects(read({ organization: 'none' }), { code: 'BAD_REQUEST' })
      for (const invalid of [{ actor: 1 }, { actorId: '1' }, { actions: ['user.vanished'] }]) {
        // The type forbids it, applications in plain JavaScript do not.
        await assert.rejects(read({ ...here(), ...invalid } as AuditOptions), {
          name: 'TypeError',
          message: /^chat\.audit: /,
        })
      }
    })

    it('is deleted after its retention time, and with its organization', async () => {
      const passRound = async (): Promise<void> => {
        const isOver = at.clock.next('set', roundSeconds)
        at.clock.fire(roundSeconds)
        await isOver
      }
      const before = await entriesOf(at)
      at.clock.jump(29 * daySeconds)
      await passRound()
      assert.deepEqual(await entriesOf(at), before)
      const { chat } = at.host
      await chat.users.endSessions({ userId: at.people.alice.id }, here())

      at.clock.jump(2 * daySeconds)
      await passRound()
      assert.deepEqual(
        (await entriesOf(at)).map(({ action }) => action),
        ['user.sessions_ended'],
      )

      const organization = await chat.organizations.find(at.subdomain)
      await chat.organizations.delete(at.subdomain, { confirm: at.subdomain })
      const rows = (await readTables(at.host.databaseConfig)).get('chat_audit_log') ?? []
      assert.equal(rows.filter((row) => row['organization_id'] === organization?.id).length, 0)
    })
  },
  { auditRetentionDays: 30 },
)

it('stores long values as the beginning of their JSON', () => {
  const long = 'a'.repeat(5000)
  const properties = Array.from({ length: 40 }, (_, index) => [`p${index}`, { new: long }])

  const one = JSON.parse(changesJson({ text: { old: 1, new: long } }) ?? '') as {
    text: { old: number; new: string }
  }
  const many = changesJson(Object.fromEntries(properties)) ?? ''

  assert.equal(one.text.old, 1)
  assert.equal(one.text.new, `"${'a'.repeat(1999)}…`)
  assert.ok(many.length < 20_000, `${many.length} characters`)
  assert.equal(Object.keys(JSON.parse(many) as object).length, 40)
  assert.equal(changesJson({}), null)
})
