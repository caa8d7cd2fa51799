import assert from 'node:assert/strict'
import { afterEach, beforeEach, it } from 'node:test'

import { FileTooLargeError, type ChatClient, type FileToUpload } from '@parley/client'

import { everyDatabase } from '../support/host.js'
import { until } from '../support/waiting.js'
import { chatClientOf } from './clients.js'

const textFile = (name: string, bytes = 10): FileToUpload => ({
  name,
  content: new Blob(['x'.repeat(bytes)], { type: 'text/plain' }),
})

everyDatabase(
  'uploads of a client',
  'express',
  (at) => {
    let client: ChatClient
    /** Lets the uploads go on that have reached the network, by the order of their requests. */
    let going: (() => void)[]
    let isConnected = false
    beforeEach(async () => {
      going = []
      isConnected = false
      client = chatClientOf(at.people.alice, {
        fetch: async (address, init) => {
          isConnected ||= typeof address === 'string' && address.includes('/events/ticket')
          if (init?.body instanceof FormData) {
            await new Promise<void>((resolve, reject) => {
              going.push(resolve)
              init.signal?.addEventListener('abort', () => reject(init.signal?.reason))
            })
          }
          return fetch(address, init)
        },
      })
    })
    afterEach(() => client.close())

    it('are three at the same time, and the others wait', async () => {
      const uploads = ['1', '2', '3', '4', '5'].map((name) => client.upload(textFile(name)))
      await until('three', () => going.length === 3)
      going[1]?.()
      assert.match((await uploads[1])?.url ?? '', /^\/user_uploads\//)
      await until('the fourth', () => going.length === 4)
      for (const index of [0, 2, 3]) going[index]?.()
      await until('the fifth', () => going.length === 5)
      going[4]?.()
      const names = (await Promise.all(uploads)).map(({ filename }) => filename)
      assert.deepEqual(names, ['1', '2', '3', '4', '5'])
    })

    it('can be ended, also while they wait', async () => {
      const endings = Array.from({ length: 5 }, () => new AbortController())
      const uploads = endings.map(({ signal }, index) =>
        client.upload(textFile(`${index}`), { signal }),
      )
      const results = Promise.allSettled(uploads)
      await until('three', () => going.length === 3)
      const reason = new Error('no longer needed')
      endings[3]?.abort(reason)
      await assert.rejects(uploads[3] as Promise<unknown>, reason)
      endings[0]?.abort(reason)
      await until('the fifth', () => going.length === 4)
      for (const go of going) go()
      const kinds = (await results).map(({ status }) => status)
      assert.deepEqual(kinds, ['rejected', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
      await assert.rejects(
        client.upload(textFile('x'), { signal: AbortSignal.abort(reason) }),
        reason,
      )
    })

    it('end with the client', async () => {
      const uploads = Promise.allSettled(
        Array.from({ length: 5 }, (_, index) => client.upload(textFile(`${index}`))),
      )
      await until('three', () => going.length === 3)
      await client.close()
      assert.ok((await uploads).every(({ status }) => status === 'rejected'))
      assert.equal(going.length, 3)
    })

    it('of files that are too large are refused before they are sent', async () => {
      client.open()
      await until('the registration', () => isConnected)
      const { max_file_upload_size_mib: max = 0 } = await client.api.registerQueue({
        event_types: ['realm'],
      })
      assert.ok(max > 0)
      await assert.rejects(client.upload(textFile('x', max * 2 ** 20 + 1)), (error) => {
        assert.ok(error instanceof FileTooLargeError)
        assert.equal(error.maxMebibytes, max)
        return true
      })
      assert.equal(going.length, 0)
      const ended = assert.rejects(client.upload(textFile('x', max * 2 ** 20)), /closed/)
      await until('the request', () => going.length === 1)
      await client.close()
      await ended
    })
  },
  { resolveOrganization: undefined } as never,
)
