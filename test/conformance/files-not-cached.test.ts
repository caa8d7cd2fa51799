import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'

import { allOperations } from '../../packages/core/src/resources/index.js'
import type { Client } from '../support/client.js'
import { ContentOrigin } from '../support/content-origin.js'
import { everyDatabase, type HostCase } from '../support/host.js'
import { pngOf, readRoot, upload } from '../support/uploads.js'

/** A request for a file that gets no file. */
interface Miss {
  readonly path: string
  readonly status: number
  readonly client?: Client
  readonly range?: string
}

let origin: ContentOrigin
before(async () => {
  origin = await ContentOrigin.start()
})
after(() => origin.stop())

const outOfRange = { range: 'bytes=900-', status: 416 }

/** The errors of every operation that returns files, by its id. */
async function missesOf(at: HostCase): Promise<Record<string, Miss[]>> {
  const { alice, bob, adam } = at.people
  const url = await upload(alice)
  const image = await upload(alice, { name: 'a.png', type: 'image/png', bytes: pngOf(3, 2) })
  const realm = url.split('/')[2] ?? ''
  const late = (await alice.get(url)).body.url as string
  at.clock.advance(61)
  const temporary = (await alice.get(url)).body.url as string
  const text = origin.at('/shown.png', pngOf(3, 2))
  const id = await alice.say(at.channels.general, 'pictures', text)
  const html = (await alice.get(`/messages/${id}`)).body.message.content
  const [, shown = ''] = / src="([^"]*)"/.exec(html) ?? []
  const thumbnail = (of: string, name: string): string =>
    `${of.replace('/user_uploads/', '/user_uploads/thumbnail/')}/${name}`
  return {
    'read-file': [
      { path: `${url}x`, client: alice, status: 404 },
      { path: url, client: bob, status: 403 },
      { path: url, client: at.nobody, status: 403 },
      { path: url, client: alice, ...outOfRange },
    ],
    'read-thumbnail': [
      { path: thumbnail(image, 'unknown.webp'), client: alice, status: 404 },
      { path: thumbnail(image, '840x560.webp'), client: bob, status: 403 },
    ],
    'read-temporary-file': [
      { path: temporary.replace('temporary/', 'temporary/A'), status: 400 },
      { path: temporary, ...outOfRange },
      { path: late, status: 400 },
    ],
    'read-avatar': [{ path: `/user_avatars/${realm}/unknown.png`, status: 404 }],
    'read-default-avatar': [{ path: '/user_avatars/default/unknown', status: 404 }],
    'read-realm-image': [{ path: `/user_avatars/${realm}/realm/unknown.png`, status: 404 }],
    'read-external-content': [
      { path: '/external_content/0/00', status: 404 },
      { path: shown, ...outOfRange },
    ],
    'get-emoji-image': [{ path: '/api/v1/realm/emoji/images/1/unknown.png', status: 404 }],
    'read-realm-export': [
      { path: `/user_uploads/exports/${realm}/unknown/archive.tar.gz`, client: adam, status: 404 },
      { path: `/user_uploads/exports/${realm}/unknown/archive.tar.gz`, client: bob, status: 400 },
      { path: `/user_uploads/exports/${realm}/unknown/archive.tar.gz`, status: 401 },
    ],
  }
}

const returnsFile = (mediaType = 'application/json'): boolean =>
  !['application/json', 'text/html'].includes(mediaType)

everyDatabase(
  'Answers about files that are none',
  'express',
  (at) => {
    it('are stored by no cache, whichever file was asked for', async () => {
      const misses = await missesOf(at)
      const files = allOperations.filter(({ mediaType }) => returnsFile(mediaType))

      assert.deepEqual(Object.keys(misses).toSorted(), files.map(({ id }) => id).toSorted())
      for (const { path, status, client = at.nobody, range } of Object.values(misses).flat()) {
        const answer = await readRoot(client, path, range === undefined ? {} : { range })
        assert.equal(answer.status, status, `${path}: ${answer.text}`)
        const caching = answer.headers['cache-control']?.split(', ') ?? []
        assert.ok(
          caching.includes('private') && caching.includes('no-store'),
          `${path}: ${caching}`,
        )
      }
    })
  },
  { externalContent: { privateHosts: ['127.0.0.1'] } },
)
