import assert from 'node:assert/strict'
import { it } from 'node:test'

import knexPackage from 'knex'

import { recordTypes } from '../../packages/core/src/resources/administration/personal-data/export-records.js'
import { personalColumns } from '../../packages/core/src/resources/administration/personal-data/personal-columns.js'
import type { HostCase } from '../support/host.js'
import { everyDatabase } from '../support/host.js'
import { readTables } from '../support/database-texts.js'
import { pixel } from '../support/rich-organization.js'
import { person, richPerson } from '../support/rich-person.js'

type ExportedRecord = Readonly<Record<string, unknown>> & { readonly type: string }

async function exported(
  at: HostCase,
  reference: { externalId: string } | { userId: number },
  options = {},
): Promise<ExportedRecord[]> {
  const chunks: Uint8Array[] = []
  const lines = at.host.chat.users.export(reference, { ...options, organization: at.subdomain })
  for await (const chunk of lines) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  assert.ok(text.endsWith('\n'))
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as ExportedRecord)
}

/** Inserts rows that need another server or a mail to come about. */
async function insertRest(at: HostCase, user_id: number): Promise<void> {
  const knex = knexPackage(at.host.databaseConfig)
  try {
    const { organization_id } = (await knex('chat_users').where({ id: user_id }).first()) as {
      organization_id: number
    }
    const key = { organization_id, user_id }
    await knex('chat_email_changes').insert({
      ...key,
      old_email: person.email,
      new_email: 'next@product.example',
      key_hash: 'secret-hash',
      requested_at_seconds: 1,
    })
    await knex('chat_known_addresses').insert({ ...key, login_hash: 'h', used_at_seconds: 1 })
    await knex('chat_push_devices').insert({
      ...key,
      push_account_id: '1',
      token_kind: 'fcm',
      push_public_key: 'secret-key',
      realm_url: 'https://chat.example',
    })
  } finally {
    await knex.destroy()
  }
}

everyDatabase(
  'chat.users.export',
  'express',
  (at) => {
    it('contains a record of every type, and no secrets', async () => {
      const rich = await richPerson(at)
      const { api } = rich
      await api.createChannel({ name: 'orchestra', subscribers: [rich.id] })
      await api.uploadCustomEmoji({
        emoji_name: 'xylophone',
        file: { name: 'x.png', content: Buffer.from(pixel, 'base64') },
      })
      await at.host.chat.asSystem({ organization: at.subdomain }).api.updateUser({
        user_id: rich.id,
        role: 200,
      })
      await api.createChannelFolder({ name: 'Concerts', description: 'x' })
      await api.createInviteLink()
      await insertRest(at, rich.id)

      const records = await exported(at, { externalId: person.externalId }, { fileContents: true })

      const byType = new Map<string, ExportedRecord[]>()
      for (const record of records) {
        byType.set(record.type, [...(byType.get(record.type) ?? []), record])
      }
      const one = (type: string): ExportedRecord => byType.get(type)?.[0] ?? { type: 'missing' }
      const missing = recordTypes.map(({ type }) => type).filter((type) => !byType.has(type))
      assert.deepEqual(missing, [])
      assert.deepEqual(
        new Set(personalColumns.flatMap(({ exportedAs }) => exportedAs ?? [])),
        new Set(recordTypes.map(({ type }) => type)),
      )
      assert.equal(records[0]?.type, 'export')
      assert.deepEqual(records.at(-1), { type: 'end', records: records.length })
      assert.equal(one('account')['email'], person.email)
      assert.equal(
        (one('account')['settings'] as Record<string, unknown>)['twenty_four_hour_time'],
        true,
      )
      const messages = byType.get('message') ?? []
      const inChannel = messages.find(({ id }) => id === rich.messages.channel)
      assert.equal(inChannel?.['channel_name'], 'general')
      assert.equal(inChannel['topic'], 'xylophone topic')
      assert.ok(Array.isArray(inChannel['edit_history']))
      const direct = messages.find(({ id }) => id === rich.messages.direct)
      assert.deepEqual(
        direct?.['participant_ids'],
        [at.people.alice.id, rich.id].toSorted((a, b) => a - b),
      )
      assert.equal(direct['channel_name'], null)
      const starred = (byType.get('received_message') ?? []).find(
        ({ message_id }) => message_id === rich.alicesMessage,
      )
      assert.deepEqual(starred?.['flags'], ['starred'])
      assert.equal(one('reaction')['emoji_name'], 'tada')
      assert.equal(one('draft')['draft_type'], 'private')
      assert.deepEqual(one('draft')['recipient_ids'], [at.people.bob.id])
      assert.match(String(one('submessage')['content']), /xylophone lessons/)
      const bytes = (byType.get('file_chunk') ?? [])
        .filter(({ file_id }) => file_id === one('file')['id'])
        .map(({ base64 }) => Buffer.from(String(base64), 'base64'))
      assert.equal(Buffer.concat(bytes).toString(), 'xylophone notes')
      assert.ok(byType.has('avatar_chunk'))

      const text = JSON.stringify(records)
      const tables = await readTables(at.host.databaseConfig)
      const [account] = (tables.get('chat_users') ?? []).filter((row) => row['id'] === rich.id)
      for (const column of ['api_key_hash', 'api_key_sealed', 'avatar_name']) {
        assert.equal(text.includes(String(account?.[column])), false, column)
      }
      for (const secret of ['xylophone-token', 'secret-hash', 'secret-key']) {
        assert.equal(text.includes(secret), false, secret)
      }
      assert.equal(
        (await exported(at, { userId: rich.id })).some(({ type }) => type === 'file_chunk'),
        false,
      )
    })

    it('is read in pages, of this user only, and can be left early', async () => {
      await at.host.chat.users.sync(
        [{ externalId: 'many', email: 'many@product.example', fullName: 'Many' }],
        { organization: at.subdomain },
      )
      const user = at.host.chat.as({ externalId: 'many', organization: at.subdomain })
      const sent = await Promise.all(
        Array.from({ length: 120 }, (_, index) =>
          user.api.sendMessage({
            type: 'channel',
            to: at.channels.general,
            topic: 'many',
            content: `Number ${index}`,
          }),
        ),
      )
      await at.people.alice.post('/messages', {
        type: 'channel',
        to: at.channels.general,
        topic: 'many',
        content: 'of Alice',
      })

      const records = await exported(at, { externalId: 'many' })

      const ids = records.filter(({ type }) => type === 'message').map(({ id }) => id)
      assert.deepEqual(
        ids,
        sent.map(({ id }) => id).toSorted((a, b) => a - b),
      )
      for await (const first of at.host.chat.users.export('many', {
        organization: at.subdomain,
      })) {
        assert.equal((JSON.parse(Buffer.from(first).toString()) as ExportedRecord).type, 'export')
        break
      }
    })

    it('fails for unknown users and wrong references', async () => {
      await assert.rejects(exported(at, { externalId: 'nobody' }), {
        code: 'BAD_REQUEST',
        message: 'No such user',
      })
      await assert.rejects(exported(at, {} as never), TypeError)
    })
  },
  { invitations: { confirmAddresses: false } },
)
