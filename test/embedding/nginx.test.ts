import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'

import { createChatServer, type ChatServer } from '@parley/core'
import { attachChatUpgrade, createChatMiddleware } from '@parley/express'
import express from 'express'
import { WebSocket } from 'ws'

import { findProgram } from '../../scripts/find-program.mjs'
import { freePort, isListening } from '../../scripts/ports.mjs'
import { castOf } from '../support/cast.js'
import { databaseColumns } from '../support/databases.js'
import { makeCertificate } from '../support/tls-proxy.js'
import { until, within } from '../support/waiting.js'
import { Product } from './product.js'

const nginx = findProgram(['nginx'])
const reason = 'NGINX IS NOT INSTALLED: on Debian, apt-get install nginx-light'
if (nginx === undefined && process.env.CI === 'true') throw new Error(reason)

/** The configuration that docs/mounting.md shows, with other ports and files. */
function configuration(folder: string, port: number, target: string): string {
  const page = readFileSync(new URL('../../docs/mounting.md', import.meta.url), 'utf8')
  const [, shown] = /^```nginx\n([^]*?)^```$/m.exec(page) ?? []
  assert.ok(shown !== undefined)
  const changes: readonly [string, string][] = [
    ['127.0.0.1:3000', new URL(target).host],
    ['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
    ['chat.example.com;', 'localhost;'],
    ['/etc/ssl/chat.example.com.pem', join(folder, 'certificate.pem')],
    ['/etc/ssl/chat.example.com.key', join(folder, 'key.pem')],
  ]
  const server = changes.reduce((text, [from, to]) => {
    assert.equal(text.split(from).length, 2, from)
    return text.replace(from, to)
  }, shown)
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join('\n')
  return `daemon off;\npid ${folder}/pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${paths}\n${server}}\n`
}

describe(
  'nginx, as docs/mounting.md configures it',
  { skip: nginx === undefined && reason },
  () => {
    const ends: (() => Promise<unknown>)[] = []
    let chat: ChatServer
    let origin: string
    let ca: string
    const cookie = 'session=7'

    before(async () => {
      const database = await databaseColumns()[0]?.create()
      assert.ok(database !== undefined)
      ends.push(() => database.drop())
      const folder = await mkdtemp(join(tmpdir(), 'parley-nginx-'))
      ends.push(() => rm(folder, { recursive: true }))
      chat = createChatServer({
        database: database.config,
        identify: ({ headers }) =>
          headers.cookie === cookie
            ? { externalId: '7', email: 'una@product.example', fullName: 'Una' }
            : null,
      })
      await chat.start()
      await chat.organizations.load(castOf(100, 'product', {}, () => undefined as never).file)

      const product = await Product.listen(() => {})
      ends.push(() => product[Symbol.asyncDispose]())
      ends.push(() => chat.close())
      product.server.removeAllListeners('request')
      const app = express()
      app.set('trust proxy', 'loopback')
      app.get('/ip', (asked, response) => void response.send(asked.ip))
      app.use(createChatMiddleware(chat))
      product.server.on('request', app)
      attachChatUpgrade(product.server, chat, app)

      const { key, cert } = await makeCertificate()
      const port = await freePort()
      ca = cert
      origin = `https://localhost:${port}`
      await writeFile(join(folder, 'key.pem'), key)
      await writeFile(join(folder, 'certificate.pem'), cert)
      await writeFile(join(folder, 'nginx.conf'), configuration(folder, port, product.origin))
      const child = spawn(nginx ?? '', [
        '-e',
        'stderr',
        '-p',
        folder,
        '-c',
        join(folder, 'nginx.conf'),
      ])
      let output = ''
      child.stderr.on('data', (text) => (output += String(text)))
      const isOver = once(child, 'exit')
      ends.push(async () => {
        child.kill('SIGTERM')
        await isOver
      })
      await until('nginx', async () => {
        assert.equal(child.exitCode, null, output)
        return isListening(port)
      })
    })
    after(async () => {
      for (const end of ends.toReversed()) await end()
    })

    async function call(
      method: string,
      path: string,
      headers: Record<string, string> = {},
      body: string | Buffer = '',
    ): Promise<{ status: number; text: string }> {
      const sent = request(origin + path, {
        method,
        ca,
        agent: false,
        headers: { cookie, ...headers },
      })
      sent.end(body)
      const [answer] = (await once(sent, 'response')) as [IncomingMessage]
      const parts = await answer.toArray()
      return { status: answer.statusCode ?? 0, text: Buffer.concat(parts).toString() }
    }
    const json = { 'content-type': 'application/json' }

    it('passes WebSockets and long polls, and the origin of pages', async () => {
      const socket = new WebSocket(`${origin.replace('https', 'wss')}/api/v1/events`, {
        origin,
        ca,
        headers: { cookie },
      })
      await within('the opening of the WebSocket', once(socket, 'open'))
      const frames: string[] = []
      socket.on('message', (data: Buffer) => frames.push(data.toString()))
      const queue = JSON.stringify({ event_types: ['message'] })
      const registered = await call('POST', '/api/v1/register', { ...json, origin }, queue)
      const { queue_id, last_event_id } = JSON.parse(registered.text) as {
        queue_id: string
        last_event_id: number
      }
      const parameters = `queue_id=${queue_id}&last_event_id=${last_event_id}`
      const poll = call('GET', `/api/v1/events?${parameters}`, { origin })
      const me = JSON.parse((await call('GET', '/api/v1/users/me')).text) as { user_id: number }
      const message = { type: 'direct', to: [me.user_id], content: 'through nginx' }
      const body = JSON.stringify(message)

      const own = await call('POST', '/api/v1/messages', { ...json, origin }, body)
      const foreign = await call(
        'POST',
        '/api/v1/messages',
        { ...json, origin: 'https://evil.example' },
        body,
      )

      assert.equal(own.status, 200, own.text)
      assert.equal(foreign.status, 403)
      assert.match((await poll).text, /through nginx/)
      await until('a frame with the message', () => frames.join('').includes('through nginx'))
      socket.close()
      await once(socket, 'close')
    })

    it('passes files that are larger than its default limit', async () => {
      const file = Buffer.alloc(3_000_000, 'a')
      const body = Buffer.concat([
        Buffer.from(
          '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n',
        ),
        file,
        Buffer.from('\r\n--b--\r\n'),
      ])

      const { status, text } = await call(
        'POST',
        '/api/v1/user_uploads',
        { origin, 'content-type': 'multipart/form-data; boundary=b' },
        body,
      )

      assert.equal(status, 200, text)
      const { url } = JSON.parse(text) as { url: string }
      assert.equal((await call('GET', url)).text.length, file.length)
    })

    it('names the address of the client, which the client cannot choose', async () => {
      const { text } = await call('GET', '/ip', { 'x-forwarded-for': '203.0.113.9' })

      assert.equal(text, '127.0.0.1')
    })
  },
)
