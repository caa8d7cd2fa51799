import assert from 'node:assert/strict'
import { it } from 'node:test'

import { entriesOf, rowsIn } from '../support/archives.js'
import type { Client } from '../support/client.js'
import { everyHost } from '../support/host.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'
import { readRoot } from '../support/uploads.js'
import { until } from '../support/waiting.js'

interface Export {
  readonly id: number
  readonly export_url: string | null
  readonly pending: boolean
  readonly failed_timestamp: number | null
  readonly deleted_timestamp: number | null
}

async function exportOf(by: Client, id: number): Promise<Export | undefined> {
  const { body } = await by.get('/export/realm')
  return (body.exports as Export[]).find((one) => one.id === id)
}

/** Requests an export, and waits until it is complete. */
async function completed(by: Client, export_type: 1 | 2): Promise<Export> {
  const { body, text } = await by.post('/export/realm', { export_type })
  assert.equal(body.result, 'success', text)
  const find = () => exportOf(by, body.id)
  await until('the export to be complete', async () => (await find())?.pending === false)
  const found = await find()
  assert.ok(found !== undefined)
  return found
}

/** The entries of the archive of a new export. */
async function archived(by: Client, export_type: 1 | 2): Promise<Map<string, string>> {
  const { export_url } = await completed(by, export_type)
  assert.ok(export_url !== null)
  const answer = await readRoot(by, export_url)
  assert.equal(answer.status, 200)
  return entriesOf(answer.bytes)
}

everyHost('export-realm', (at) => {
  it('produces an archive for administrators, and notifies who has requested it', async () => {
    const { olga, adam, alice } = at.people
    const types = { event_types: ['realm_export', 'message'] }
    const feed = await adam.listen(types)
    const other = await olga.listen(types)
    const stranger = await alice.listen({ event_types: ['realm_export'] })

    const done = await completed(adam, 1)

    assert.deepEqual(done, {
      id: done.id,
      acting_user_id: adam.id,
      export_time: at.clock.seconds,
      deleted_timestamp: null,
      failed_timestamp: null,
      export_url: done.export_url,
      pending: false,
      export_type: 1,
    })
    const events = (await feed.drain()).map((event) =>
      event.type === 'message'
        ? (event['message'] as { content: string }).content
        : (event['exports'] as Export[]).map(({ pending }) => pending),
    )
    assert.equal(events.length, 3)
    assert.deepEqual(events[0], [true])
    assert.equal(
      events[1],
      'Your data export is complete. [View and download exports](/#organization/data-exports-admin).',
    )
    assert.deepEqual(events[2], [false])
    const seen = (await other.drain()).map(({ type }) => type)
    assert.deepEqual(seen, ['realm_export', 'realm_export'])
    assert.deepEqual(await stranger.drain(), [])
    const { headers, bytes } = await readRoot(olga, done.export_url ?? '')
    assert.equal(headers['content-type'], 'application/gzip')
    assert.equal(headers['content-length'], String(bytes.length))
    const manifest = (await entriesOf(bytes)).get('manifest.json')
    assert.match(manifest ?? '', /"type":"public"/)
  })
})

everyHost('read-realm-export', (at) => {
  it('is for administrators only, at the address of the export', async () => {
    const { olga, alice, gus } = at.people
    const { export_url } = await completed(olga, 2)
    const url = export_url ?? ''
    for (const client of [alice, gus]) {
      const answer = await readRoot(client, url)
      assert.equal(answer.status, 400)
      assert.equal(JSON.parse(answer.text).code, 'UNAUTHORIZED_PRINCIPAL')
    }
    assert.equal((await readRoot(at.nobody, url)).status, 401)
    const other = await at.host.organization()
    const { olga: stranger } = other.people
    const elsewhere = await readRoot(stranger, url)
    const unknown = await readRoot(olga, url.replace(/[^/]+\/export\.tar\.gz$/, 'x/export.tar.gz'))
    const misnamed = await readRoot(olga, url.replace('export.tar.gz', 'other.tar.gz'))
    assert.equal(unknown.text, elsewhere.text)
    assert.equal(misnamed.text, elsewhere.text)
    assert.equal(elsewhere.status, 404)
  })
})

everyHost('export-realm', (at) => {
  it('refuses wrong types, and more than five exports in seven days', async () => {
    const { people, subdomain } = await at.host.organization()
    const { olga } = people
    assertRefused(await olga.post('/export/realm', { export_type: 3 }), 'Invalid export_type')
    assert.ok(subdomain !== '')
    for (let count = 0; count < 5; count += 1) await completed(olga, 1)

    assertRefused(await olga.post('/export/realm'), 'Exceeded rate limit.')
    at.clock.jump(7 * 24 * 60 * 60 + 1)
    assert.equal((await olga.post('/export/realm')).body.result, 'success')
  })
})

everyHost('get-realm-exports', (at) => {
  it('lists the exports in the order of their requests', async () => {
    const { olga, adam } = at.people
    assert.deepEqual((await olga.get('/export/realm')).body.exports, [])
    const first = await completed(olga, 1)
    const second = await completed(adam, 2)

    const { body } = await olga.get('/export/realm')

    assert.deepEqual(body.exports, [first, second])
  })
})

everyHost('delete-realm-export', (at) => {
  it('deletes the archive once', async () => {
    const { olga, alice } = at.people
    const done = await completed(olga, 1)
    assertRefused(await olga.delete('/export/realm/999999'), 'Invalid data export ID')
    assertRefused(
      await alice.delete(`/export/realm/${done.id}`),
      'Must be an organization administrator',
      {
        code: 'UNAUTHORIZED_PRINCIPAL',
      },
    )
    const feed = await olga.listen({ event_types: ['realm_export'] })

    const answer = await olga.delete(`/export/realm/${done.id}`)

    assert.deepEqual(answer.body, bareSuccess)
    const deleted = await exportOf(olga, done.id)
    assert.deepEqual(
      [deleted?.export_url, deleted?.deleted_timestamp, deleted?.pending],
      [null, at.clock.seconds, false],
    )
    assert.deepEqual((await feed.drain()).length, 1)
    assert.equal((await readRoot(olga, done.export_url ?? '')).status, 404)
    assertRefused(await olga.delete(`/export/realm/${done.id}`), 'Export already deleted')
  })

  it('happens by itself after 30 days', async () => {
    const { olga } = at.people
    const { id } = await completed(olga, 1)
    at.clock.jump(30 * 24 * 60 * 60)
    at.clock.advance(10)
    await until('the export to expire', async () => {
      return (await exportOf(olga, id))?.deleted_timestamp !== null
    })
    assert.equal((await exportOf(olga, id))?.export_url, null)
  })
})

everyHost('get-realm-export-consents', (at) => {
  it('lists the human users, and follows their setting', async () => {
    const { olga, alice, bot } = at.people
    const feed = await olga.listen({ event_types: ['realm_export_consent'] })
    await alice.patch('/settings', { allow_private_data_export: true })

    const { body } = await olga.get('/export/realm/consents')

    const consents = new Map(
      (body.export_consents as { user_id: number; consented: boolean }[]).map(
        ({ user_id, consented }) => [user_id, consented],
      ),
    )
    assert.deepEqual([consents.get(alice.id), consents.get(olga.id)], [true, false])
    assert.equal(consents.has(bot.id), false)
    const events = (await feed.drain()).map(({ id: _, ...event }) => event)
    assert.deepEqual(events, [{ type: 'realm_export_consent', user_id: alice.id, consented: true }])
    await alice.patch('/settings', { allow_private_data_export: false })
    assert.equal((await feed.drain()).length, 1)
  })
})

everyHost('export-realm', (at) => {
  it('contains private data of users who consent only', async () => {
    const { olga, alice, bob, carol } = at.people
    const channel = async (name: string, options: object, subscribers: readonly Client[]) => {
      const { body, text } = await olga.post('/channels/create', {
        name,
        subscribers: subscribers.map(({ id }) => id),
        ...options,
      })
      assert.equal(body.result, 'success', text)
      return body.id
    }
    const shared = await channel(
      'shared-name',
      { invite_only: true, history_public_to_subscribers: true },
      [alice, bob],
    )
    const secret = await channel('hidden-name', { invite_only: true }, [bob, carol])
    const guarded = await channel(
      'guarded-name',
      { invite_only: true, history_public_to_subscribers: false },
      [bob, carol],
    )
    const say = (by: Client, to: number, content: string) => by.say(to, 'a topic', content)
    const write = (by: Client, to: Client, content: string) =>
      by.post('/messages', { type: 'direct', to: [to.id], content })
    await say(bob, at.channels.general, 'text-in-public')
    await say(bob, shared, 'text-in-shared')
    await say(bob, secret, 'text-in-hidden')
    await say(bob, guarded, 'text-before-alice')
    await olga.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'guarded-name' }],
      principals: [alice.id],
    })
    await bob.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'guarded-name' }],
      principals: [alice.id],
    })
    await say(bob, guarded, 'text-after-alice')
    await write(bob, alice, 'text-direct-to-alice')
    await write(bob, carol, 'text-direct-to-carol')
    for (const [by, name] of [
      [alice, 'alice'],
      [bob, 'bob'],
    ] as const) {
      await by.post('/drafts', {
        drafts: [{ type: '', to: [], topic: '', content: `draft-of-${name}`, timestamp: 1 }],
      })
      await by.post('/users/me/alert_words', { alert_words: [`word-of-${name}`] })
      await by.post('/users/me/status', { status_text: `status-of-${name}` })
      await by.post('/saved_snippets', { title: 'x', content: `snippet-of-${name}` })
    }
    await bob.patch('/settings', { email_address_visibility: 4 })
    await alice.patch('/settings', { email_address_visibility: 4, allow_private_data_export: true })
    const markers = [
      'text-in-public',
      'shared-name',
      'text-in-shared',
      'hidden-name',
      'text-in-hidden',
      'guarded-name',
      'text-before-alice',
      'text-after-alice',
      'text-direct-to-alice',
      'text-direct-to-carol',
      ...['draft', 'word', 'status', 'snippet'].flatMap((kind) => [
        `${kind}-of-alice`,
        `${kind}-of-bob`,
      ]),
      alice.email,
      bob.email,
    ]
    const found = (entries: ReadonlyMap<string, string>) => {
      const all = [...entries.values()].join('\n')
      return markers.filter((marker) => all.includes(marker))
    }

    const inPublic = await archived(olga, 1)
    const inStandard = await archived(olga, 2)

    assert.deepEqual(found(inPublic), ['text-in-public'])
    assert.deepEqual(found(inStandard), [
      'text-in-public',
      'shared-name',
      'text-in-shared',
      'guarded-name',
      'text-after-alice',
      'text-direct-to-alice',
      'draft-of-alice',
      'word-of-alice',
      'status-of-alice',
      'snippet-of-alice',
      alice.email,
    ])
    assert.deepEqual(rowsIn(inPublic, 'user_messages'), [])
    const flags = rowsIn(inStandard, 'user_messages')
      .filter(({ user_id }) => user_id !== alice.id)
      .map((row) => row['flags'])
    assert.deepEqual(new Set(flags), new Set([1]))
  })
})

everyHost('export-realm', (at) => {
  it('contains earlier texts of messages only as far as the organization shows them', async () => {
    const { olga, bob } = at.people
    const id = await bob.say(at.channels.general, 'a topic', 'the first text')
    await bob.patch(`/messages/${id}`, { content: 'the second text' })
    const holdsFirst = async (policy: 'all' | 'none'): Promise<boolean> => {
      await olga.patch('/realm', { message_edit_history_visibility_policy: policy })
      const entries = await archived(olga, 1)
      const all = [...entries.values()].join('\n')
      assert.ok(all.includes('the second text'))
      return all.includes('the first text')
    }

    assert.equal(await holdsFirst('all'), true)
    assert.equal(await holdsFirst('none'), false)
  })

  it('contains the addresses of the programs of bots whose owners consent', async () => {
    const { olga, bob } = at.people
    await olga.patch('/realm', { message_edit_history_visibility_policy: 'all' })
    const { body, text } = await bob.post('/bots', {
      full_name: 'Caller',
      short_name: 'caller',
      bot_type: 3,
      payload_url: JSON.stringify('https://program.example/token-in-it'),
    })
    assert.equal(body.result, 'success', text)
    const holdsAddress = async (): Promise<boolean> => {
      const entries = await archived(olga, 2)
      return [...entries.values()].some((entry) => entry.includes('token-in-it'))
    }

    assert.equal(await holdsAddress(), false)
    await bob.patch('/settings', { allow_private_data_export: true })
    assert.equal(await holdsAddress(), true)
  })
})
