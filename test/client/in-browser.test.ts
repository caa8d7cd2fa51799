import assert from 'node:assert/strict'
import { it } from 'node:test'

import { everyDatabase } from '../support/host.js'
import { runInBrowser } from './browser.js'

everyDatabase(
  'a client in a browser',
  'express',
  (at) => {
    it('uploads files with their progress, and can end that', async () => {
      const { email, credentials } = at.people.alice
      const options = { type: 'apiKey', email, apiKey: credentials?.apiKey }
      const result = await runInBrowser(
        at.host.origin,
        `async ({ ChatClient, ApiError }) => {
          const options = { url: location.origin, credentials: ${JSON.stringify(options)} }
          const client = new ChatClient(options)
          const content = new Blob(['x'.repeat(8 * 2 ** 20)])
          const shares = []
          const going = []
          const onProgress = (share) => {
            shares.push(share)
            going.push(fetch('/go'))
          }
          const { url, filename } = await client.upload({ name: 'large.bin', content }, { onProgress })
          await Promise.all(going)
          // The server gets nothing of this one before it is ended.
          await fetch('/hold')
          const ending = new AbortController()
          const upload = client.upload(
            { name: 'ended.bin', content },
            { signal: ending.signal, onProgress: () => ending.abort(new Error('ended')) },
          )
          const ended = await upload.catch((error) => error.message)
          await fetch('/go')
          const other = new ChatClient({
            ...options,
            credentials: { ...options.credentials, apiKey: 'wrong' },
          })
          // The browser must not ask for a password.
          const refused = await other
            .upload({ name: 'x', content: new Blob(['x']) }, { onProgress })
            .catch((error) => error instanceof ApiError && error.status)
          const { upload_space_used } = await client.api.getAttachments()
          return { url, filename, shares, ended, refused, upload_space_used }
        }`,
      )
      const { url, shares, thrown, ...rest } = result as Record<string, unknown> & {
        shares: number[]
      }
      assert.equal(thrown, undefined)
      assert.match(String(url), /^\/user_uploads\//)
      assert.deepEqual(rest, {
        filename: 'large.bin',
        ended: 'ended',
        refused: 401,
        upload_space_used: 8 * 2 ** 20,
      })
      const own = shares.slice(0, shares.indexOf(1) + 1)
      assert.ok(own.length > 1, 'there was no progress before the end')
      assert.deepEqual(
        own,
        own.toSorted((one, other) => one - other),
      )
      assert.ok(own.every((share) => share > 0))
    })
  },
  { resolveOrganization: undefined } as never,
)
