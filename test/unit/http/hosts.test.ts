import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { hosts, SampleChat, SampleServer } from './sample-server.js'

const form = { 'content-type': 'application/x-www-form-urlencoded' }

for (const [name, mount] of Object.entries(hosts)) {
  describe(`mounted in ${name}`, () => {
    async function open(chat = new SampleChat()): Promise<SampleServer> {
      return SampleServer.listen(mount(chat))
    }

    it('returns the response body and the headers of the API', async () => {
      await using server = await open()

      const response = await fetch(`${server.origin}/api/v1/samples?text=a+b%2B&count=3`)

      assert.equal(response.status, 200)
      assert.deepEqual(await response.json(), {
        result: 'success',
        msg: '',
        params: { text: 'a b+', count: 3, limit: 10 },
      })
      assert.equal(response.headers.get('content-type'), 'application/json')
      assert.match(response.headers.get('cache-control') ?? '', /no-store/)
      assert.equal(response.headers.get('vary'), 'Accept-Language')
      assert.equal(response.headers.get('content-language'), 'en')
      assert.ok(Number(response.headers.get('content-length')) > 0)
    })

    it('passes paths outside its prefix to the host', async () => {
      await using server = await open()

      const texts = await Promise.all(
        ['/', '/api/v10/samples', '/api', '/samples'].map(async (path) =>
          (await fetch(server.origin + path)).text(),
        ),
      )

      assert.deepEqual(texts, ['host: /', 'host: /api/v10/samples', 'host: /api', 'host: /samples'])
    })

    it('parses urlencoded forms', async () => {
      await using server = await open()

      const response = await fetch(`${server.origin}/api/v1/samples?flag=false&count=1`, {
        method: 'POST',
        headers: form,
        body: 'count=2&count=3&topic=%C3%A9%20+x&ids=%5B1%2C2%5D&unheard=1',
      })

      assert.deepEqual(await response.json(), {
        result: 'success',
        msg: '',
        params: { flag: false, count: 3, topic: 'é  x', ids: [1, 2] },
        ignored_parameters_unsupported: ['unheard'],
      })
    })

    it('parses JSON objects', async () => {
      await using server = await open()
      const post = async (body: string): Promise<unknown> => {
        const headers = { 'content-type': 'application/json' }
        const url = `${server.origin}/api/v1/samples?count=1`
        return (await fetch(url, { method: 'POST', headers, body })).json()
      }

      assert.deepEqual(await post('{"topic":"é x","ids":[1,2],"flag":"true","note":null,"no":1}'), {
        result: 'success',
        msg: '',
        params: { topic: 'é x', ids: [1, 2], flag: true, note: null, count: 1 },
        ignored_parameters_unsupported: ['no'],
      })
      assert.deepEqual(await post('[1]'), {
        result: 'error',
        msg: 'Malformed payload',
        code: 'BAD_REQUEST',
      })
    })

    it('parses multipart forms', async () => {
      await using server = await open()
      const body = new FormData()
      body.set('topic', 'hä')
      body.set('count', '5')

      const response = await fetch(`${server.origin}/api/v1/samples`, { method: 'POST', body })

      assert.deepEqual(await response.json(), {
        result: 'success',
        msg: '',
        params: { topic: 'hä', count: 5 },
      })
    })

    it('reads the parameters of PATCH and DELETE from the query and from the body', async () => {
      await using server = await open()
      const read = async (method: string, query: string, body?: string): Promise<unknown> => {
        const url = `${server.origin}/api/v1/samples/5${query}`
        const response = await fetch(url, { method, headers: body ? form : {}, body: body ?? null })
        return ((await response.json()) as { params: unknown }).params
      }

      const all = [
        await read('PATCH', '?text=q'),
        await read('PATCH', '', 'text=b'),
        await read('DELETE', '?text=q'),
        await read('DELETE', '?text=q', 'text=b'),
        await read('DELETE', ''),
      ]

      assert.deepEqual(all, [
        { sample_id: 5, text: 'q' },
        { sample_id: 5, text: 'b' },
        { sample_id: 5, text: 'q' },
        { sample_id: 5, text: 'b' },
        { sample_id: 5 },
      ])
    })

    it('answers HEAD like GET, without the body', async () => {
      await using server = await open()

      const response = await fetch(`${server.origin}/api/v1/samples`, { method: 'HEAD' })

      assert.equal(response.status, 200)
      assert.ok(Number(response.headers.get('content-length')) > 0)
      assert.equal(await response.text(), '')
    })

    it('answers OPTIONS without credentials', async () => {
      const chat = new SampleChat()
      chat.actor = undefined
      await using server = await open(chat)

      const response = await fetch(`${server.origin}/api/v1/samples`, { method: 'OPTIONS' })

      assert.equal(response.status, 204)
      assert.equal(response.headers.get('allow'), 'GET, POST')
      assert.equal(await response.text(), '')
    })

    it('answers unknown paths under its prefix with a JSON 404', async () => {
      await using server = await open()

      const response = await fetch(`${server.origin}/api/v1/nowhere`)

      assert.equal(response.status, 404)
      assert.deepEqual(await response.json(), {
        result: 'error',
        msg: 'Not Found',
        code: 'BAD_REQUEST',
      })
    })
  })
}

for (const [name, mount] of Object.entries(hosts)) {
  describe(`every response (${name})`, () => {
    it('disables content type sniffing', async () => {
      const chat = new SampleChat()
      await using server = await SampleServer.listen(mount(chat))
      const requests = [
        ['GET', '/api/v1/samples'],
        ['GET', '/api/v1/nothing'],
        ['GET', '/api/v1/samples/1?count=x'],
        ['PUT', '/api/v1/samples'],
        ['OPTIONS', '/api/v1/samples'],
        ['POST', '/api/v1/uploads'],
      ] as const

      for (const [method, path] of requests) {
        const response = await fetch(server.origin + path, { method })
        await response.arrayBuffer()

        assert.equal(response.headers.get('x-content-type-options'), 'nosniff', `${method} ${path}`)
      }
    })
  })
}
