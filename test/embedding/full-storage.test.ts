import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { FileStorage } from '@parley/core'

import type { Client } from '../support/client.js'
import { everyHost } from '../support/host.js'
import { sendFiles, pngOf } from '../support/uploads.js'

/** A folder on a full disk, which refuses a file at its beginning or at its end. */
class FullStorage implements FileStorage {
  refusesAt: 'the beginning' | 'the end' = 'the beginning'

  async write(_key: string, source: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const _ of source) if (this.refusesAt === 'the beginning') break
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  }

  async read(): Promise<undefined> {
    return undefined
  }

  async delete(): Promise<void> {}
}

const storage = new FullStorage()
const image = { name: 'image.png', type: 'image/png', bytes: pngOf(60, 60) }
const uploads: Readonly<Record<string, (by: Client) => ReturnType<typeof sendFiles>>> = {
  'a small file': (by) => sendFiles(by, '/user_uploads', [{}]),
  'a large file': (by) => sendFiles(by, '/user_uploads', [{ bytes: Buffer.alloc(3_000_000) }]),
  'an emoji': (by) => sendFiles(by, '/realm/emoji/square', [image]),
}

everyHost(
  'files that cannot be stored',
  (at) => {
    for (const refusesAt of ['the beginning', 'the end'] as const) {
      describe(`because the storage refuses them at ${refusesAt}`, () => {
        for (const [title, send] of Object.entries(uploads)) {
          it(`are not the client's mistake, and are logged: ${title}`, async () => {
            storage.refusesAt = refusesAt
            at.host.log.length = 0

            const { status, headers, body, text } = await send(at.people.olga)

            assert.equal(status, 503, text)
            assert.equal(body.code, 'SERVICE_UNAVAILABLE')
            assert.equal(headers['retry-after'], '1')
            assert.equal(at.host.log.length, 1, at.host.log.join('\n'))
            assert.match(at.host.log[0] ?? '', /^A file could not be stored Error: ENOSPC/)
          })
        }
      })
    }
  },
  {},
  { files: storage },
)
