import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, it } from 'node:test'

import { Role } from '../../../packages/core/src/domain/users/actor.js'
import { BodyBudget } from '../../../packages/core/src/http/bodies/body-budget.js'
import { within } from '../../support/waiting.js'
import { RawConnection } from './raw-connection.js'
import { ask } from './sample-request.js'
import { hosts, member, SampleChat, SampleServer } from './sample-server.js'

const kibibyte = 1024
const mebibyte = 1024 * kibibyte
const types = {
  urlEncoded: 'application/x-www-form-urlencoded',
  json: 'application/json',
  multipart: 'multipart/form-data; boundary=cut-here',
}
const heads: Readonly<Record<keyof typeof types, string>> = {
  urlEncoded: 'username=',
  json: '{"username":"',
  multipart: '--cut-here\r\nContent-Disposition: form-data; name="username"\r\n\r\n',
}

/** A form that has started to arrive on a connection, and is never complete. */
async function unfinished(
  port: number,
  target: string,
  type: keyof typeof types,
  bytes: number,
): Promise<RawConnection> {
  const [method, path] = target.split(' ')
  const connection = await RawConnection.open(port)
  await connection.write(
    `${method} /api/v1${path} HTTP/1.1\r\nHost: chat.example\r\nContent-Type: ${types[type]}\r\n` +
      `Content-Length: ${25 * mebibyte}\r\n\r\n${heads[type]}`,
  )
  await connection.write(Buffer.alloc(bytes, 'x'))
  return connection
}

/** A request whose body a test sends in parts. */
function arriving(chat: SampleChat, target: string, remoteAddress = '192.0.2.1') {
  const body = new Readable({ read() {} })
  const headers = { 'content-type': types.urlEncoded, 'transfer-encoding': 'chunked' }
  const answer = ask(chat, target, { headers, body, remoteAddress })
  return {
    answer,
    async send(text: string): Promise<void> {
      body.push(text)
      await new Promise((resolve) => setImmediate(resolve))
    },
    end: () => void body.push(null),
  }
}

for (const name of ['Express', 'Koa'] as const) {
  describe(`unfinished forms without credentials (${name})`, () => {
    for (const type of ['urlEncoded', 'json', 'multipart'] as const) {
      it(`of ${type} are rejected after 64 KiB, and their connection is closed`, async () => {
        const chat = new SampleChat()
        await using server = await SampleServer.listen(hosts[name]!(chat))

        const connection = await unfinished(server.port, 'POST /sign-in', type, 66 * kibibyte)
        const head = await connection.receive(/\r\n\r\n/)
        const ended = new Promise((resolve) => {
          for (const sign of ['end', 'close']) connection.socket.once(sign, resolve)
        })
        chat.advance(30)

        assert.match(head, type === 'multipart' ? /^HTTP\/1.1 413/ : /^HTTP\/1.1 400/)
        await within('the end of the connection', ended)
        connection.destroy()
      })
    }
  })
}

describe('the memory budget of bodies', () => {
  const limits = { maxBytes: 4 * mebibyte, maxBytesPerAddress: 1 * mebibyte }

  it('rejects bodies of one address beyond its share with 429, and no other address', async () => {
    const chat = new SampleChat({ bodyBudget: limits })
    const first = arriving(chat, 'POST /samples')
    await first.send(`topic=${'x'.repeat(900 * kibibyte)}`)

    const { status, headers } = await ask(chat, 'POST /samples', {
      form: { topic: 'x'.repeat(200 * kibibyte) },
    })
    const elsewhere = { form: { count: '3' }, remoteAddress: '192.0.2.2' }

    assert.equal(status, 429)
    assert.equal(headers['Retry-After'], '1')
    assert.equal((await ask(chat, 'POST /samples', elsewhere)).status, 200)
    first.end()
    await first.answer
    const again = { form: { note: 'x'.repeat(200 * kibibyte) } }
    assert.equal((await ask(chat, 'POST /samples', again)).status, 200)
  })

  it('rejects bodies beyond the limit of the process with 503, whatever the address', async () => {
    const chat = new SampleChat({ bodyBudget: limits })
    const bodies = [1, 2, 3, 4, 5].map((last) => arriving(chat, 'POST /samples', `192.0.2.${last}`))
    for (const body of bodies) await body.send(`note=${'x'.repeat(900 * kibibyte)}`)

    const { status, headers } = (await bodies[4]?.answer) ?? assert.fail()

    assert.equal(status, 503)
    assert.equal(headers['Retry-After'], '1')
    for (const body of bodies) body.end()
    for (const body of bodies.slice(0, 4)) assert.equal((await body.answer).status, 200)
  })

  it('reserves a share for callers with credentials', async () => {
    const chat = new SampleChat({ bodyBudget: limits })
    chat.actor = undefined
    const bodies = Array.from({ length: 40 }, (_, index) =>
      arriving(chat, 'POST /sign-in', `192.0.2.${index}`),
    )
    for (const body of bodies) await body.send(`username=${'x'.repeat(50 * kibibyte)}`)
    const refused = (await bodies[39]?.answer) ?? assert.fail()
    chat.actor = { ...member, role: Role.member }

    const { status } = await ask(chat, 'POST /samples', { form: { note: 'x'.repeat(900_000) } })

    assert.equal(refused.status, 503)
    assert.equal(status, 200)
    for (const body of bodies) body.end()
    await Promise.all(bodies.map(({ answer }) => answer))
  })

  it('counts the overhead of small chunks', async () => {
    const chat = new SampleChat({ bodyBudget: limits })
    const body = arriving(chat, 'POST /samples')
    for (let chunks = 0; chunks < 5000; chunks += 1) await body.send('x')
    body.end()

    assert.equal((await body.answer).status, 429)
  })

  it('counts addresses of one IPv6 network together', () => {
    const budget = new BodyBudget(limits)
    const share = budget.open('2001:db8:1:2::1', true)
    share.takeChunk(900 * kibibyte)

    assert.throws(() => budget.open('2001:db8:1:2:ffff::9', true).takeChunk(200 * kibibyte))
    budget.open('2001:db8:1:3::1', true).takeChunk(200 * kibibyte)
    share.release()
    budget.open('2001:db8:1:2:ffff::9', true).takeChunk(200 * kibibyte)
  })

  it('counts one mebibyte for a streamed file of any length', () => {
    const budget = new BodyBudget({ maxBytes: 4 * mebibyte, maxBytesPerAddress: 4 * mebibyte })
    const shares = Array.from({ length: 5 }, () => budget.open('192.0.2.1', true))
    for (const share of shares.slice(0, 4)) share.takeStreamedFile()

    assert.throws(() => shares[4]?.takeStreamedFile(), { kind: 'RATE_LIMIT_HIT' })
    for (const share of shares) share.release()
    assert.equal(budget.heldBytes, 0)
  })
})
