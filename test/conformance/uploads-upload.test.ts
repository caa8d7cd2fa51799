import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'

import knexPackage from 'knex'

import { withoutIds } from '../support/event-feed.js'
import { everyHost, type HostCase } from '../support/host.js'
import { assertRefused } from '../support/refusal.js'
import { multipartHeaders, multipartOf, readRoot, sendFiles, upload } from '../support/uploads.js'
import type { UncheckedJson } from '../support/unchecked-json.js'
import { until } from '../support/waiting.js'

const mebibyte = 1024 * 1024

async function rowCount(at: HostCase, table: string): Promise<number> {
  const knex = knexPackage({ ...at.host.databaseConfig, useNullAsDefault: true })
  try {
    const [row] = (await knex(`chat_${table}`).count({ count: '*' })) as { count: number }[]
    return Number(row?.count)
  } finally {
    await knex.destroy()
  }
}

everyHost('upload-file', (at) => {
  it('returns the address and the name of the file', async () => {
    const { alice } = at.people

    const answer = await sendFiles(alice, '/user_uploads', [{ name: 'leaf plan.txt' }])

    const { url, uri, filename } = answer.body
    assert.match(url, /^\/user_uploads\/\d+\/[0-9a-f]{1,2}\/[A-Za-z0-9_-]{24}\/leaf-plan\.txt$/)
    assert.deepEqual([uri, filename, answer.body.result], [url, 'leaf plan.txt', 'success'])
  })

  it('stores files of any size unchanged', async () => {
    const { alice } = at.people
    const bytes = randomBytes(2 * mebibyte + 17)

    const url = await upload(alice, { bytes, type: 'application/zip', name: 'a.zip' })

    const answer = await readRoot(alice, url)
    assert.ok(answer.bytes.equals(bytes))
    assert.equal(answer.headers['content-length'], String(bytes.length))
  })

  it('accepts an empty file', async () => {
    const url = await upload(at.people.alice, { bytes: '' })

    const answer = await readRoot(at.people.alice, url)
    assert.deepEqual([answer.status, answer.bytes.length], [200, 0])
  })

  it('sends the event only to its owner', async () => {
    const { alice, bob, olga } = at.people
    const { body: before } = await alice.get('/attachments')
    const feeds = await Promise.all(
      [alice, bob, olga].map((one) => one.listen({ event_types: ['attachment'] })),
    )

    const url = await upload(alice, { name: 'notes.txt', bytes: 'twelve bytes' })

    const [own, ...others] = await Promise.all(feeds.map((feed) => feed.drain()))
    const [{ attachment, ...event }] = withoutIds(own ?? []) as [Record<string, UncheckedJson>]
    assert.deepEqual(event, {
      type: 'attachment',
      op: 'add',
      upload_space_used: before.upload_space_used + 12,
    })
    assert.ok(attachment.id > 0)
    assert.deepEqual(
      { ...attachment, id: 0 },
      {
        id: 0,
        name: 'notes.txt',
        path_id: url.replace('/user_uploads/', ''),
        size: 12,
        create_time: at.clock.seconds * 1000,
        messages: [],
      },
    )
    assert.deepEqual(others, [[], []])
  })

  it('builds an address from any name', async () => {
    const names = {
      'two  words - here.txt': 'two-words-here.txt',
      'a/b?c#d%.txt': 'bcd.txt',
      'ünï_cödé ﬁ.md': 'ünï_cödé-fi.md',
      '???': 'uploaded-file',
      '..': 'uploaded-file',
      'per%20cent.txt': 'per-cent.txt',
    }

    for (const [name, expected] of Object.entries(names)) {
      const url = await upload(at.people.alice, { name })
      assert.equal(url.split('/').at(-1), expected, name)
      assert.equal((await readRoot(at.people.alice, url)).text, 'leaf', name)
    }
  })

  it('accepts calls by guests and bots, but not by deactivated users or without credentials', async () => {
    const { gus, bot, dora } = at.people

    await upload(gus)
    await upload(bot)
    const closed = await sendFiles(dora, '/user_uploads', [{}])
    const nobody = await sendFiles(at.nobody, '/user_uploads', [{}])

    assert.deepEqual([closed.status, closed.body.code], [401, 'USER_DEACTIVATED'])
    assert.deepEqual([nobody.status, nobody.body.code], [401, 'UNAUTHORIZED'])
  })

  it('requires exactly one file', async () => {
    const { carol } = at.people

    const none = await carol.post('/user_uploads', {})
    const two = await sendFiles(carol, '/user_uploads', [{}, {}])

    assertRefused(none, 'You must specify a file to upload')
    assertRefused(two, 'You may only upload one file at a time')
    assert.deepEqual((await carol.get('/attachments')).body.attachments, [])
  })

  it('accepts any name of the form field', async () => {
    const body = Buffer.from(
      multipartOf([{}]).toString('latin1').replace('name="file"', 'name="FILE0"'),
      'latin1',
    )

    const answer = await at.people.alice.send('POST', '/user_uploads', body, multipartHeaders(body))

    assert.equal(answer.status, 200)
  })

  it('stores nothing if the client disconnects', async () => {
    const { alice } = at.people
    const chunks = await rowCount(at, 'file_chunks')
    const notes = await rowCount(at, 'unkept_files')
    const body = multipartOf([{ bytes: Buffer.alloc(2 * mebibyte) }])
    const outgoing = request(`${at.host.origin}/api/v1/user_uploads`, {
      method: 'POST',
      headers: {
        'x-organization': at.subdomain,
        ...alice.authorization(),
        ...multipartHeaders(body),
      },
    })
    outgoing.on('error', () => {})
    outgoing.write(body.subarray(0, body.length - 100))
    await until('a chunk in the database', async () => (await rowCount(at, 'file_chunks')) > chunks)

    outgoing.destroy()

    await until(
      'the deletion of the chunks and their rows',
      async () =>
        (await rowCount(at, 'file_chunks')) === chunks &&
        (await rowCount(at, 'unkept_files')) === notes,
    )
  })
})

everyHost(
  'upload-file',
  (at) => {
    it("rejects a file above the server's maximum while it arrives", async () => {
      const { alice } = at.people

      const fitting = await sendFiles(alice, '/user_uploads', [{ bytes: Buffer.alloc(mebibyte) }])
      const large = await sendFiles(alice, '/user_uploads', [{ bytes: Buffer.alloc(mebibyte + 1) }])

      assert.equal(fitting.status, 200)
      assertRefused(
        large,
        "File is larger than this server's configured maximum upload size (1 MiB).",
      )
      const { body } = await alice.get('/attachments')
      assert.equal(body.attachments.length, 1)
    })

    it("rejects a file that exceeds the organization's storage", async () => {
      const answer = await sendFiles(at.people.bob, '/user_uploads', [
        { bytes: Buffer.alloc(mebibyte) },
      ])
      const small = await sendFiles(at.people.bob, '/user_uploads', [{}])
      const second = await sendFiles(at.people.bob, '/user_uploads', [
        { bytes: Buffer.alloc(mebibyte) },
      ])

      assert.deepEqual([answer.status, small.status], [200, 200])
      assertRefused(second, "Upload would exceed your organization's upload quota.", {
        code: 'REALM_UPLOAD_QUOTA',
      })
      const { body } = await at.people.bob.get('/attachments')
      assert.equal(body.upload_space_used, 2 * mebibyte + 4)
    })

    it('returns the limits to clients', async () => {
      const { body } = await at.people.alice.post('/register', { fetch_event_types: ['realm'] })

      assert.deepEqual([body.max_file_upload_size_mib, body.realm_upload_quota_mib], [1, 3])
    })
  },
  {},
  { maxUploadMebibytes: 1, uploadQuotaMebibytes: 3 },
)

everyHost(
  'upload-file',
  (at) => {
    it('limits each user to a quota', async () => {
      const { alice, bob } = at.people
      const large = Buffer.alloc(600 * 1024)
      const url = await upload(alice, { bytes: large })

      const more = await sendFiles(alice, '/user_uploads', [{ bytes: large }])

      assertRefused(more, 'You have no room for more files (limit: 1 MiB)')
      await upload(bob, { bytes: large })
      const { attachments } = (await alice.get('/attachments')).body as {
        attachments: { id: number; path_id: string }[]
      }
      assert.deepEqual(
        attachments.map(({ path_id }) => `/user_uploads/${path_id}`),
        [url],
      )
      await alice.delete(`/attachments/${attachments[0]?.id}`)
      await upload(alice, { bytes: large })
    })
  },
  {},
  { userUploadQuotaMebibytes: 1 },
)

everyHost(
  'upload-file',
  (at) => {
    it('has no quotas if both are Infinity, and returns that to clients', async () => {
      await upload(at.people.alice)
      const { body } = await at.people.alice.post('/register', { fetch_event_types: ['realm'] })

      assert.equal(body.realm_upload_quota_mib, null)
    })
  },
  {},
  { uploadQuotaMebibytes: Infinity, userUploadQuotaMebibytes: Infinity },
)

const folder = mkdtempSync(join(tmpdir(), 'parley-uploads-'))
after(() => rm(folder, { recursive: true, force: true }))

everyHost(
  'upload-file',
  (at) => {
    it("stores files in the application's folder", async () => {
      const { alice } = at.people
      const bytes = randomBytes(mebibyte)

      const url = await upload(alice, { bytes })

      const [, , organization = '', part = '', token = ''] = url.split('/')
      const files = await readdir(join(folder, organization, 'uploads', part))
      assert.deepEqual(files, [token])
      assert.ok((await readRoot(alice, url)).bytes.equals(bytes))
      const some = await readRoot(alice, url, { range: 'bytes=10-19' })
      assert.ok(some.bytes.equals(bytes.subarray(10, 20)))
    })

    it('returns 404 for a file that was deleted from the folder', async () => {
      const url = await upload(at.people.alice)
      const [, , organization = '', part = '', token = ''] = url.split('/')
      await rm(join(folder, organization, 'uploads', part, token))

      const answer = await readRoot(at.people.alice, url)

      assert.equal(answer.status, 404)
    })
  },
  {},
  { files: folder },
)
