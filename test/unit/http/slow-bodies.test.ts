import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, it } from 'node:test'
import { buffer } from 'node:stream/consumers'

import { Type } from 'typebox'

import { defineOperation, type Operation } from '../../../packages/core/src/http/index.js'
import { RawConnection } from './raw-connection.js'
import { SampleService, sampleOperations } from './sample-operations.js'
import { ask, type Answer } from './sample-request.js'
import { hosts, SampleChat, SampleServer } from './sample-server.js'

const late = {
  result: 'error',
  msg: 'The request took too long to arrive',
  code: 'REQUEST_TIMEOUT',
}

/** A request whose body a test sends in parts. */
class Arriving {
  readonly #body = new Readable({ read() {} })
  readonly answer: Promise<Answer>
  isAnswered = false

  constructor(
    readonly chat: SampleChat,
    target: string,
    contentType: string,
  ) {
    const headers = { 'content-type': contentType, 'transfer-encoding': 'chunked' }
    this.answer = ask(chat, target, { headers, body: this.#body })
    const note = (): void => void (this.isAnswered = true)
    this.answer.then(note, note)
  }

  /** Resolves when the server waits for more data. */
  static async start(chat: SampleChat, target: string, contentType: string): Promise<Arriving> {
    let arriving: Arriving | undefined
    await new Promise<void>((resolve) => {
      chat.whenWaiting = resolve
      arriving = new Arriving(chat, target, contentType)
    })
    assert.ok(arriving !== undefined)
    return arriving
  }

  async send(text: string): Promise<void> {
    this.#body.push(text)
    await eventLoopTick()
  }

  end(): void {
    this.#body.push(null)
  }

  async wait(seconds: number): Promise<void> {
    this.chat.advance(seconds)
    await eventLoopTick()
  }
}

/** The stream emits its buffered chunks before the next iteration of the event loop. */
async function eventLoopTick(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}

const urlEncoded = 'application/x-www-form-urlencoded'
const multipart = 'multipart/form-data; boundary=cut-here'
const fileHead = '--cut-here\r\nContent-Disposition: form-data; name="a"; filename="a.txt"\r\n\r\n'
const fileEnd = '\r\n--cut-here--\r\n'

for (const [type, target] of [
  [urlEncoded, 'POST /samples'],
  ['application/json', 'POST /samples'],
  [multipart, 'POST /samples'],
  [multipart, 'POST /uploads'],
] as const) {
  describe(`a body of ${type} for ${target}`, () => {
    it('times out after 30 seconds without data', async () => {
      const body = await Arriving.start(new SampleChat(), target, type)

      for (let count = 0; count < 3; count += 1) {
        await body.wait(29)
        await body.send('x')
      }
      await body.wait(29)
      assert.equal(body.isAnswered, false)
      await body.wait(1)

      const { status, headers, body: answer } = await body.answer
      assert.deepEqual([status, answer], [408, late])
      assert.equal(headers['Connection'], 'close')
    })

    it('times out after five minutes, even if data keeps arriving', async () => {
      const body = await Arriving.start(new SampleChat(), target, type)

      for (let seconds = 0; seconds < 280; seconds += 20) {
        await body.wait(20)
        await body.send('x')
      }
      await body.wait(19)
      assert.equal(body.isAnswered, false)
      await body.wait(1)

      assert.equal((await body.answer).status, 408)
    })
  })
}

describe('a body that is complete or whose connection ended', () => {
  it('leaves no timer', async () => {
    const chat = new SampleChat()
    const whole = await Arriving.start(chat, 'POST /samples', urlEncoded)
    await whole.send('count=1')
    whole.end()
    const broken = await Arriving.start(chat, 'POST /uploads', multipart)
    broken.end()

    assert.deepEqual((await whole.answer).body['params'], { count: 1 })
    assert.equal((await broken.answer).status, 400)
    assert.equal(chat.pendingTimers, 0)
  })
})

describe('an upload that is processed as it arrives', () => {
  const receiving = (receive: (content: Readable) => Promise<number>): SampleChat =>
    new SampleChat({}, 'off', [
      ...sampleOperations,
      defineOperation({
        id: 'receive-sample',
        summary: 'Takes a file as it arrives.',
        method: 'POST',
        path: '/received',
        access: 'user',
        params: {},
        response: Type.Object({ length: Type.Integer() }),
        errors: [],
        upload: {
          maxFileBytes: () => 100 * 1024 * 1024,
          receive: async (_service: unknown, { content }: { content: Readable }) =>
            receive(content),
        },
        service: SampleService,
        handle: (_service: SampleService, { request }: { request: { files: unknown } }) => ({
          length: (request.files as { received: number }[])[0]?.received ?? -1,
        }),
      } as unknown as Parameters<typeof defineOperation>[0]) as Operation,
    ])
  const lengthOf = async (content: Readable): Promise<number> => (await buffer(content)).length

  it('may take longer than five minutes at 8 KiB per second', async () => {
    const body = await Arriving.start(receiving(lengthOf), 'POST /received', multipart)
    const piece = 'x'.repeat(20 * 8 * 1024)

    await body.send(fileHead)
    for (let seconds = 0; seconds < 1200; seconds += 20) {
      await body.send(piece)
      await body.wait(20)
    }
    await body.send(fileEnd)
    body.end()

    const { status, body: answer } = await body.answer
    assert.deepEqual([status, answer['length']], [200, 60 * piece.length])
  })

  it('times out if it is slower, or stops', async () => {
    const slow = await Arriving.start(receiving(lengthOf), 'POST /received', multipart)
    await slow.send(fileHead)
    let seconds = 0
    while (!slow.isAnswered) {
      await slow.send('x'.repeat(20 * 4 * 1024))
      await slow.wait(20)
      seconds += 20
      assert.ok(seconds < 2000, 'a slow upload does not time out')
    }
    const stopped = await Arriving.start(receiving(lengthOf), 'POST /received', multipart)
    await stopped.send(fileHead + 'x'.repeat(100_000))
    await stopped.wait(30)

    assert.equal((await slow.answer).status, 408)
    assert.ok(seconds >= 580 && seconds <= 620, `after ${seconds} seconds`)
    assert.equal((await stopped.answer).status, 408)
  })

  it('does not count the time in which the storage accepts no data', async () => {
    let store = (): void => {}
    const isStored = new Promise<void>((resolve) => (store = resolve))
    const chat = receiving(async (content) => {
      await isStored
      return lengthOf(content)
    })
    const body = await Arriving.start(chat, 'POST /received', multipart)

    await body.send(fileHead)
    for (let count = 0; count < 4; count += 1) await body.send('x'.repeat(100_000))
    await body.wait(900)
    assert.equal(body.isAnswered, false)
    store()
    await body.send(fileEnd)
    body.end()

    assert.equal((await body.answer).body['length'], 400_000)
  })
})

for (const name of ['bare node:http', 'Express', 'Koa']) {
  describe(`a body that trickles in over a socket (${name})`, () => {
    it('returns 408 and closes the connection', async () => {
      const chat = new SampleChat()
      await using server = await SampleServer.listen(hosts[name]!(chat))
      const connection = await RawConnection.open(server.port)
      const received = connection.rest()
      const isWaiting = new Promise<void>((resolve) => (chat.whenWaiting = resolve))

      await connection.write(
        `POST /api/v1/samples HTTP/1.1\r\nHost: x\r\nContent-Type: ${urlEncoded}\r\n` +
          'Content-Length: 100\r\n\r\ncount=1',
      )
      await isWaiting
      chat.advance(31)

      assert.match(await received, /^HTTP\/1.1 408 [^]*Connection: close\r\n[^]*REQUEST_TIMEOUT/)
      connection.destroy()
    })
  })
}
