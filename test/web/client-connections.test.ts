import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, before, it } from 'node:test'

import type { ChatClient, ConnectionState, MessageList } from '@parley/client'
import { build } from 'esbuild'
import type { WebSocket } from 'playwright-core'

import { root } from '../architecture/source-files.js'
import { CuttingProxy } from '../client/cutting-proxy.js'
import { contentsOf } from '../client/sent-messages.js'
import type { Client } from '../support/client.js'
import { SocketClient } from '../support/socket-client.js'
import { until } from '../support/waiting.js'
import type { TestPage } from './browser.js'
import { withPages } from './chat-pages.js'

/** What the pages of these tests have. */
declare const parley: { readonly ChatClient: typeof ChatClient }
declare const heard: { connection: ReturnType<ChatClient['connection']>; contents: string[] }
declare const at: { client: ChatClient; list: MessageList; states: ConnectionState[] }

let bundle = ''

/** A page of the chat's origin, with the client package. */
function front(request: IncomingMessage, response: ServerResponse): Promise<void> | undefined {
  const isScript = request.url === '/client.js'
  if (!isScript && request.url !== '/client') return undefined
  response.writeHead(200, { 'Content-Type': isScript ? 'text/javascript' : 'text/html' })
  response.end(
    isScript
      ? bundle
      : '<!doctype html><link rel="icon" href="data:,"><script src="/client.js"></script>',
  )
  // The chat is never asked.
  return new Promise(() => {})
}

withPages(
  'the client package in a browser',
  (pages) => {
    let proxy: CuttingProxy

    before(async () => {
      const { outputFiles } = await build({
        absWorkingDir: root,
        entryPoints: ['packages/client/src/index.ts'],
        bundle: true,
        format: 'iife',
        globalName: 'parley',
        target: 'es2022',
        write: false,
      })
      bundle = outputFiles[0]?.text ?? ''
    })
    afterEach(async () => {
      try {
        await pages.closeWindows()
      } finally {
        await proxy.close()
      }
    })

    /** Opens a page with the client of a user, whose connections go through the proxy. */
    async function open(
      user: Client,
      topic: string,
      by: 'socket' | 'poll' = 'socket',
    ): Promise<{
      readonly page: TestPage
      readonly queueId: string
      readonly sockets: readonly WebSocket[]
    }> {
      proxy = await CuttingProxy.before(pages.host.origin)
      const page = await pages.window()
      const sockets: WebSocket[] = []
      page.on('websocket', (socket) => sockets.push(socket))
      await page.goto(`${proxy.origin}/client`)
      const registration = page.waitForResponse((answer) => answer.url().endsWith('/register'))
      const { email } = user
      await page.evaluate(
        ({ login, channel, topic, by }) => {
          // Its handshake fails, as behind a proxy that knows no WebSockets.
          class Refused extends WebSocket {
            constructor(url: string) {
              super(url.replace('/events', '/nothing'))
            }
          }
          const client = new parley.ChatClient({
            url: location.origin,
            credentials: { type: 'apiKey', ...login },
            ...(by === 'poll' && { WebSocket: Refused }),
          })
          const states: ConnectionState[] = []
          client.store.subscribe(
            ({ connection }) => connection,
            (state) => states.push(state),
          )
          const list = client.messages([
            { operator: 'channel', operand: channel },
            { operator: 'topic', operand: topic },
          ])
          Object.assign(globalThis, { at: { client, list, states } })
          client.open()
          return list.load('newest')
        },
        {
          login: { email, apiKey: user.credentials?.apiKey ?? '' },
          channel: pages.cast.channels.general,
          topic,
          by,
        },
      )
      await isIn(page, { kind: 'connected', by })
      const { queue_id } = (await (await registration).json()) as { queue_id: string }
      return { page, queueId: queue_id, sockets }
    }

    const isIn = async (page: TestPage, state: object): Promise<void> => {
      await page.waitForFunction((wanted) => {
        const now = at.client.store.state.connection
        return Object.entries(wanted).every(([key, value]) => now[key as 'kind'] === value)
      }, state)
    }
    const listed = (page: TestPage): Promise<string[]> =>
      page.evaluate(() => at.list.state.messages.map(({ content }) => content))

    /** Notes the texts of all message events, with what is told twice. */
    const listen = async (page: TestPage): Promise<void> => {
      await page.evaluate(() => {
        const contents: string[] = []
        const connection = at.client.connection(
          { event_types: ['message'] },
          {
            registered() {},
            received(events) {
              for (const event of events) {
                if (event.type === 'message') contents.push(event.message.content)
              }
            },
            changed() {},
          },
        )
        connection.open()
        Object.assign(globalThis, { heard: { connection, contents } })
      })
      await page.waitForFunction(() => heard.connection.state.kind === 'connected')
    }

    for (const [by, cuts] of [
      ['socket', 40],
      ['poll', 10],
    ] as const) {
      it(`gets every message once and in order while its connections are cut: ${by}`, async () => {
        const { alice, bob } = pages.cast.people
        const { page } = await open(bob, by, by)
        const unread = await page.evaluate(() => at.client.store.state.unread.total)
        await listen(page)
        const sent: string[] = []
        for (let cut = 1; cut <= cuts; cut += 1) {
          await until('a connection', () => proxy.connections > 0)
          for (const part of [1, 2, 3]) {
            const content = `${cut}, ${part}`
            const sending = alice.say(pages.cast.channels.general, by, content)
            if (part === 2) proxy.cut()
            await sending
            sent.push(content)
          }
          // Otherwise it would wait longer and longer.
          await page.evaluate(() => {
            at.client.retryNow()
            heard.connection.retryNow()
          })
        }
        const last = sent.at(-1) ?? ''
        await page.waitForFunction(
          (text) =>
            heard.contents.at(-1) === text &&
            at.list.state.messages.at(-1)?.content === `<p>${text}</p>`,
          last,
        )

        assert.deepEqual(await page.evaluate(() => heard.contents), sent)
        assert.deepEqual(
          await listed(page),
          sent.map((content) => `<p>${content}</p>`),
        )
        assert.equal(
          await page.evaluate(() => at.client.store.state.unread.total),
          unread + sent.length,
        )
        assert.ok(proxy.ended >= cuts, `only ${proxy.ended} connections were cut`)
        const transports = await page.evaluate(() =>
          at.states.flatMap((state) => (state.kind === 'connected' ? [state.by] : [])),
        )
        assert.ok(transports.includes(by))
        // WebSockets that are cut while they open may be given up for polls, for a while.
        if (by === 'poll') assert.ok(!transports.includes('socket'))
        // The browser reports the connections that were cut.
        page.problems.length = 0
      })
    }

    it('notices at once that the network has gone and come back', async () => {
      const { alice, bob } = pages.cast.people
      const { page } = await open(bob, 'offline')
      await page.context().setOffline(true)
      await isIn(page, { kind: 'connecting', isOffline: true })
      await alice.say(pages.cast.channels.general, 'offline', 'Meanwhile')
      await page.context().setOffline(false)
      await isIn(page, { kind: 'connected' })
      await page.waitForFunction(() => at.list.state.messages.length === 1)
      assert.deepEqual(await listed(page), ['<p>Meanwhile</p>'])
    })

    it('registers again if its queue is gone, and replaces the state at once', async () => {
      const { alice, bob } = pages.cast.people
      const { page, queueId } = await open(bob, 'gone')
      await alice.say(pages.cast.channels.general, 'gone', 'Before')
      await page.waitForFunction(() => at.list.state.messages.length === 1)
      await page.evaluate(() => {
        const users: unknown[] = []
        at.client.store.subscribe(
          (state) => state.users,
          () => users.push(at.client.store.state.channels.size),
        )
        Object.assign(globalThis, { users })
      })
      await bob.delete('/events', { queue_id: queueId })
      await alice.say(pages.cast.channels.general, 'gone', 'After')
      await page.waitForFunction(() => at.list.state.messages.length === 2)

      assert.deepEqual(await listed(page), ['<p>Before</p>', '<p>After</p>'])
      const notified = await page.evaluate(
        () => (globalThis as unknown as { users: number[] }).users,
      )
      assert.equal(notified.length, 1)
      assert.ok((notified[0] ?? 0) > 0, 'the state was empty in between')
    })

    it('says that another client has taken over its queue, and does not fight', async () => {
      const { alice, bob } = pages.cast.people
      const { page, queueId } = await open(bob, 'replaced')
      const other = await SocketClient.open(bob, { queue_id: queueId, last_event_id: -1 })
      await isIn(page, { kind: 'replaced' })
      await alice.say(pages.cast.channels.general, 'replaced', 'For the other one')

      const [event] = await other.events(1)
      assert.equal(event?.type, 'message')
      assert.deepEqual(await listed(page), [])
      other.socket.close()
    })

    it('sends every message once and in order while its connections are cut', async () => {
      const { alice, bob } = pages.cast.people
      const { page } = await open(alice, 'outbox')
      const sent: string[] = []
      for (let round = 1; round <= 15; round += 1) {
        const content = `Message ${round}`
        await page.evaluate(
          ({ channel, content }) => {
            at.client.outbox.send({ to: { channel, topic: 'outbox' }, content })
            at.client.retryNow()
          },
          { channel: pages.cast.channels.general, content },
        )
        sent.push(content)
        await until('a connection', () => proxy.connections > 0)
        proxy.cut()
      }
      await page.waitForFunction(() => at.client.outbox.messages.length === 0)

      assert.deepEqual(await contentsOf(bob, pages.cast.channels.general, 'outbox'), sent)
      assert.deepEqual(
        await listed(page),
        sent.map((content) => `<p>${content}</p>`),
      )
      page.problems.length = 0
    })

    it('leaves neither a socket nor a queue when it is closed', async () => {
      const { bob } = pages.cast.people
      const { page, queueId, sockets } = await open(bob, 'closed')
      await page.evaluate(() => at.client.close())

      const answer = await bob.get('/events', { queue_id: queueId, last_event_id: -1 })
      assert.equal(answer.body.code, 'BAD_EVENT_QUEUE_ID')
      await until('the end of the socket', () => sockets.every((socket) => socket.isClosed()))
      assert.equal(sockets.length, 1)
    })
  },
  { host: { front } },
)
