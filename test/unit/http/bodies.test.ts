import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, it } from 'node:test'

import { RawConnection } from './raw-connection.js'
import { ask } from './sample-request.js'
import { hosts, SampleChat, SampleServer } from './sample-server.js'

const malformed = { result: 'error', msg: 'Malformed payload', code: 'BAD_REQUEST' }

/** A multipart body with the boundary `cut-here`. */
function multipart(...parts: string[]): { body: string; headers: Record<string, string> } {
  const body = parts.map((part) => `--cut-here\r\n${part}\r\n`).join('')
  return {
    body: `${body}--cut-here--\r\n`,
    headers: { 'content-type': 'multipart/form-data; boundary=cut-here' },
  }
}

function field(name: string, value: string): string {
  return `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`
}

function file(name: string, content: string): string {
  return (
    `Content-Disposition: form-data; name="${name}"; filename="${name}.txt"\r\n` +
    `Content-Type: text/plain\r\n\r\n${content}`
  )
}

describe('multipart bodies', () => {
  const chat = new SampleChat()

  it('pass files to operations that accept them, the last field of a name, and a limit', async () => {
    const { status, body } = await ask(chat, 'POST /uploads', {
      ...multipart(
        field('caption', 'first'),
        file('a', 'x'.repeat(1000)),
        file('b', 'x'.repeat(1001)),
        field('caption', 'last'),
        file('empty', ''),
      ),
    })

    assert.equal(status, 200)
    const part = { contentType: 'text/plain', truncated: false }
    assert.equal(body['caption'], 'last')
    assert.deepEqual(body['files'], [
      { ...part, fieldName: 'a', fileName: 'a.txt', length: 1000 },
      { ...part, fieldName: 'b', fileName: 'b.txt', length: 1000, truncated: true },
      { ...part, fieldName: 'empty', fileName: 'empty.txt', length: 0 },
    ])
  })

  it('drop files for other operations', async () => {
    const { status, body } = await ask(chat, 'POST /samples', {
      ...multipart(file('a', 'x'.repeat(100_000)), field('count', '3')),
    })

    assert.equal(status, 200)
    assert.deepEqual(body['params'], { count: 3 })
  })

  const broken: [string, { body: string; headers: Record<string, string> }][] = [
    ['without a closing boundary', cut(multipart(field('count', '3')), 20)],
    ['truncated inside a file', cut(multipart(file('a', 'x'.repeat(500))), 300)],
    ['truncated inside a header', cut(multipart(field('count', '3')), 60)],
    [
      'without a boundary in the header',
      withType(multipart(field('count', '3')), 'multipart/form-data'),
    ],
    ['that are empty', { ...multipart(), body: ' ' }],
    ['with too many fields', multipart(...Array.from({ length: 1001 }, () => field('a', 'b')))],
    ['with too many files', multipart(...Array.from({ length: 21 }, () => file('a', 'b')))],
  ]
  for (const [what, parts] of broken) {
    for (const target of ['POST /samples', 'POST /uploads']) {
      it(`${what} are malformed for ${target}`, async () => {
        const { status, body } = await ask(chat, target, parts)

        assert.equal(status, 400)
        assert.deepEqual(body, malformed)
      })
    }
  }

  it('may not contain more form data than allowed, whatever their files', async () => {
    const small = new SampleChat({ maxFormBytes: 1000 })

    const { status, body } = await ask(small, 'POST /samples', {
      ...multipart(field('note', 'x'.repeat(600)), field('topic', 'x'.repeat(600))),
    })
    assert.equal(status, 400)
    assert.equal(body['msg'], 'Request body is too large')
    const long = multipart(field('note', 'x'.repeat(100_000)))
    assert.equal((await ask(small, 'POST /samples', long)).status, 400)
    const withFile = multipart(file('note', 'x'.repeat(100_000)))
    assert.equal((await ask(small, 'POST /samples', withFile)).status, 200)
  })

  it('may not be longer than the maximum of all bodies', async () => {
    const small = new SampleChat({ maxFormBytes: 1000, maxBodyBytes: 10_000 })

    const { status } = await ask(small, 'POST /uploads', {
      ...multipart(file('a', 'x'.repeat(20_000))),
    })

    assert.equal(status, 413)
  })
})

describe('urlencoded bodies', () => {
  const chat = new SampleChat()

  it('of more than 10 MB are accepted', async () => {
    const note = 'x'.repeat(11_000_000)

    const { status, body } = await ask(chat, 'POST /samples', { form: { note } })

    assert.equal(status, 200)
    assert.equal((body['params'] as { note: string }).note.length, note.length)
  })

  it('above the limit are rejected', async () => {
    const small = new SampleChat({ maxFormBytes: 1000 })

    const { status, body } = await ask(small, 'POST /samples', { form: { note: 'x'.repeat(1000) } })

    assert.equal(status, 400)
    assert.equal(body['msg'], 'Request body is too large')
  })

  it('that are not UTF-8, compressed or of too many fields are malformed', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const bodies = [
      { headers, body: Buffer.from([0x61, 0x3d, 0xff]) },
      { headers: { ...headers, 'content-encoding': 'gzip' }, body: 'a=1' },
      { headers, body: 'a=b&'.repeat(1001) },
      { headers, body: '&'.repeat(1001) },
    ]
    for (const parts of bodies) {
      assert.deepEqual((await ask(chat, 'POST /samples', parts)).body, malformed)
    }
  })

  it('of a closed connection are malformed', async () => {
    const gone = new Readable({ read() {} })
    gone.destroy()
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': '5',
    }

    assert.deepEqual((await ask(chat, 'POST /samples', { headers, body: gone })).body, malformed)
  })
})

describe('a body of the most fields, 1,000', () => {
  const fields = Array.from({ length: 1000 }, (_, index) => [`field${index}`, 'x'] as const)
  for (const [form, body] of [
    ['urlencoded', { form: Object.fromEntries(fields) }],
    ['multipart', multipart(...fields.map(([name, value]) => field(name, value)))],
    [
      'JSON',
      {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(Object.fromEntries(fields)),
      },
    ],
  ] as const) {
    it(`is accepted: ${form}`, async () => {
      const answer = await ask(new SampleChat(), 'POST /samples', body)

      assert.equal(answer.status, 200, JSON.stringify(answer.body))
    })
  }
})

describe('a body on a socket', () => {
  const head = (length: number, type = 'application/x-www-form-urlencoded'): string =>
    `POST /api/v1/samples HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\n` +
    `Content-Length: ${length}\r\n\r\n`

  for (const name of ['bare node:http', 'Express', 'Koa']) {
    it(`that is incomplete gets a 400 response without a pending read (${name})`, async () => {
      const chat = new SampleChat()
      await using server = await SampleServer.listen(hosts[name]!(chat))
      const connection = await RawConnection.open(server.port)
      const received = connection.rest()

      await connection.write(`${head(100)}count=1`)
      connection.socket.end()

      assert.match(await received, /^HTTP\/1.1 400 /)
    })

    it(`above the limit gets a response before it is complete (${name})`, async () => {
      const chat = new SampleChat({ maxFormBytes: 1000 })
      await using server = await SampleServer.listen(hosts[name]!(chat))
      const connection = await RawConnection.open(server.port)
      const received = connection.receive(/too large/)

      await connection.write(head(1_000_000) + 'x'.repeat(2000))

      assert.match(await received, /^HTTP\/1.1 400 [^]*Request body is too large/)
      connection.destroy()
    })
  }

  it('that never ends is cut off', async () => {
    const chat = new SampleChat({ maxFormBytes: 1000 })
    await using server = await SampleServer.listen(hosts['bare node:http']!(chat))
    const connection = await RawConnection.open(server.port)
    const chunk = Buffer.alloc(1024 * 1024, 'x')
    let sent = 0

    await connection.write(head(10_000_000_000))
    while (await connection.write(chunk)) {
      sent += 1
      assert.ok(sent < 500, 'the server does not stop reading')
    }

    assert.ok(sent >= 10)
  })

  it('that was rejected early leaves the connection to the next request', async () => {
    const chat = new SampleChat({ maxFormBytes: 1000 })
    await using server = await SampleServer.listen(hosts['bare node:http']!(chat))
    const connection = await RawConnection.open(server.port)
    const received = connection.receive(/limit":10/)

    await connection.write(head(5000) + 'x'.repeat(5000))
    await connection.write('GET /api/v1/samples HTTP/1.1\r\nHost: x\r\n\r\n')

    assert.match(await received, /^HTTP\/1.1 400 [^]*HTTP\/1.1 200 /)
    connection.destroy()
  })

  it('of an unauthenticated request is not read', async () => {
    const chat = new SampleChat()
    chat.actor = undefined
    await using server = await SampleServer.listen(hosts['bare node:http']!(chat))
    const connection = await RawConnection.open(server.port)
    const received = connection.receive(/UNAUTHORIZED/)

    await connection.write(head(5000))

    assert.match(await received, /^HTTP\/1.1 401 /)
    connection.destroy()
  })

  it('that the host has read and discarded does not block the request', async () => {
    const chat = new SampleChat()
    const mounted = hosts['bare node:http']!(chat)
    await using server = await SampleServer.listen((req, res) => {
      req.resume()
      req.once('end', () => mounted(req, res))
    })

    const response = await fetch(`${server.origin}/api/v1/required`, {
      method: 'POST',
      body: new URLSearchParams({ first: '1' }),
    })

    assert.equal(((await response.json()) as { code: string }).code, 'REQUEST_VARIABLE_MISSING')
  })
})

function cut<Parts extends { body: string }>(parts: Parts, length: number): Parts {
  return { ...parts, body: parts.body.slice(0, length) }
}

function withType<Parts extends object>(parts: Parts, contentType: string): Parts {
  return { ...parts, headers: { 'content-type': contentType } }
}
