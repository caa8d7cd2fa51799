import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { after, afterEach, before, it } from 'node:test'

import { bundleElements } from '../../scripts/web-page.mjs'
import { root } from '../architecture/source-files.js'
import type { CDPSession, Locator, WebSocket } from 'playwright-core'

import type { HostOptions } from '../support/host.js'
import { until } from '../support/waiting.js'
import type { TestPage } from './browser.js'
import { shows, withPages, writes } from './chat-pages.js'
import { HeldCalls } from './held-calls.js'

/** The product's pages by path; each has the elements' script. */
const pages = new Map<string, string>()
/** By path. */
const scripts = new Map<string, string>()
const session = `session=${randomBytes(8).toString('hex')}`
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; " +
  "connect-src 'self'; require-trusted-types-for 'script'; trusted-types parley lit-html"

/** The product: pages of its own, and a script that each of them loads. */
function front(request: IncomingMessage, response: ServerResponse): Promise<void> | undefined {
  const path = request.url ?? ''
  const isScript = scripts.has(path)
  const page = scripts.get(path) ?? pages.get(path)
  if (page === undefined) return undefined
  response.writeHead(200, {
    'Content-Type': isScript ? 'text/javascript' : 'text/html; charset=utf-8',
    'Content-Security-Policy': policy,
  })
  response.end(page)
  // The chat is never asked.
  return new Promise(() => {})
}

const product: HostOptions = {
  front,
  identify: (request) =>
    request.headers.cookie?.includes(session) === true
      ? { externalId: '7', email: 'ada@product.example', fullName: 'Ada of the product', role: 400 }
      : null,
}

withPages(
  'the element in the page of a product',
  (at) => {
    before(async () => {
      const { files } = await bundleElements(root)
      for (const [name, text] of Object.entries(files)) scripts.set(`/parley/${name}`, text)
    })
    afterEach(() => at.closeWindows())
    after(() => pages.clear())

    let count = 0
    /** Opens a page of the product, as the user who is logged in to it. */
    async function open(body: string): Promise<TestPage> {
      count += 1
      const path = `/product-${count}`
      pages.set(
        path,
        `<!doctype html><html lang="en"><title>Product</title><link rel="icon" href="data:,">
<script type="module" src="/parley/parley.min.js"></script>${body}</html>`,
      )
      const page = await at.window()
      const [name = '', value = ''] = session.split('=')
      await page.context().addCookies([{ name, value, url: at.host.origin }])
      await page.goto(at.host.origin + path)
      return page
    }

    it('shows the chat to the user of the session, with no other login and no other host', async () => {
      const requests: string[] = []
      const page = await at.window()
      page.on('request', (request) => requests.push(request.url()))
      const [name = '', value = ''] = session.split('=')
      await page.context().addCookies([{ name, value, url: at.host.origin }])
      pages.set(
        '/one',
        '<!doctype html><title>One</title><link rel="icon" href="data:,"><parley-chat></parley-chat><script type="module" src="/parley/parley.min.js"></script>',
      )
      await page.goto(`${at.host.origin}/one`)
      await page.locator('parley-sidebar a').filter({ hasText: 'general' }).waitFor()
      const { general } = at.cast.channels
      await at.cast.people.alice.say(general, 'tea', 'Hello, product')
      await page.locator('parley-sidebar a').filter({ hasText: 'general' }).click()
      await shows(page, 'Hello, product')
      const others = requests.filter(
        (url) => !/^(data|blob):/.test(url) && !url.startsWith(at.host.origin),
      )
      assert.deepEqual(others, [])
    })

    it('takes properties of any type, as frameworks set them, and tells what it shows', async () => {
      const { general } = at.cast.channels
      await at.cast.people.alice.say(general, '7', 'About the order')
      const page = await open('<parley-chat></parley-chat>')
      await page.locator('parley-sidebar a').first().waitFor()
      const places = await page.evaluateHandle(() => {
        const seen: unknown[] = []
        const chat = document.querySelector('parley-chat')
        chat?.addEventListener('parley-place', (event) => {
          if (event instanceof CustomEvent) seen.push(event.detail)
        })
        return seen
      })
      const set = (properties: object) =>
        page
          .locator('parley-chat')
          .evaluate((chat, values) => Object.assign(chat, values), properties)

      await set({ channel: general, topic: 7 })
      await shows(page, 'About the order')
      assert.equal(await page.locator('parley-sidebar').count(), 0)
      // Frameworks remove an attribute, or set null, when a value is missing.
      await set({ channel: null, topic: null })
      await page.locator('parley-sidebar a').first().waitFor()

      assert.deepEqual(await places.jsonValue(), [
        {
          hash: `#narrow/channel/${general}/topic/7`,
          place: { kind: 'topic', channelId: general, topic: '7' },
        },
        { hash: '#feed', place: { kind: 'all' } },
      ])
    })

    it('is one of several, with one connection and one state', async () => {
      const page = await at.window()
      let sockets = 0
      let registrations = 0
      page.on('websocket', () => (sockets += 1))
      page.on('request', (request) => {
        if (request.url().endsWith('/register')) registrations += 1
      })
      const [name = '', value = ''] = session.split('=')
      await page.context().addCookies([{ name, value, url: at.host.origin }])
      pages.set(
        '/several',
        `<!doctype html><title>Several</title><link rel="icon" href="data:,"><script type="module" src="/parley/parley.min.js"></script>
<parley-unread-badge></parley-unread-badge>
<parley-chat channel="general" topic="one"></parley-chat>
<parley-chat channel="general" topic="two"></parley-chat>`,
      )
      await page.goto(`${at.host.origin}/several`)
      const chats = page.locator('parley-chat')
      await chats.nth(1).locator('textarea').waitFor()
      const { alice } = at.cast.people
      const { general } = at.cast.channels
      await alice.say(general, 'one', 'Only in the first')
      await alice.say(general, 'two', 'Only in the second')
      const contents = (index: number, text: string): Locator =>
        chats.nth(index).locator('.content').filter({ hasText: text })
      await contents(0, 'Only in the first').waitFor()
      await contents(1, 'Only in the second').waitFor()
      assert.equal(await chats.nth(0).getByText('Only in the second').count(), 0)
      assert.deepEqual([sockets, registrations], [1, 1])
    })

    it('shows one conversation only if an attribute names it', async () => {
      const { alice } = at.cast.people
      const { general } = at.cast.channels
      await alice.say(general, 'named', 'In the topic')
      await alice.say(general, 'other', 'In another topic')
      const page = await open('<parley-chat channel="general" topic="named"></parley-chat>')
      await shows(page, 'In the topic')
      await alice.say(general, 'other', 'Later in another topic')
      await alice.say(general, 'named', 'Later in the topic')
      await shows(page, 'Later in the topic')
      assert.equal(await page.getByText('another topic').count(), 0)
      assert.equal(await page.locator('parley-sidebar').count(), 0)
    })

    it('says what it cannot show, and tells its page', async () => {
      const { alice } = at.cast.people
      const page = await at.window()
      const [name = '', value = ''] = session.split('=')
      await page.context().addCookies([{ name, value, url: at.host.origin }])
      const calls = await HeldCalls.of(page, '**/api/v1/register')
      calls.hold('answers')
      await page.addInitScript(() => {
        document.addEventListener(
          'parley-state',
          ({ target, detail }: CustomEventInit & Event) => {
            if (!(target instanceof HTMLElement)) return
            target.dataset['states'] = `${target.dataset['states'] ?? ''} ${detail.kind}`.trim()
          },
          true,
        )
      })
      pages.set(
        '/missing',
        `<!doctype html><title>Missing</title><link rel="icon" href="data:,"><script type="module" src="/parley/parley.min.js"></script>
<parley-chat channel="typo"></parley-chat>
<parley-chat dm="12345678"></parley-chat>
<parley-chat channel="general" style="height: 300px"></parley-chat>`,
      )
      await page.goto(`${at.host.origin}/missing`)
      const chat = (index: number): Locator => page.locator('parley-chat').nth(index)
      const states = (index: number): Promise<string | null> =>
        chat(index).getAttribute('data-states')
      await chat(0).getByText('Connecting…').waitFor()
      await calls.answer()
      for (const index of [0, 1]) {
        await chat(index).getByText('You cannot see this conversation').waitFor()
        assert.equal(await states(index), 'connecting notFound')
        assert.equal(await chat(index).locator('textarea').count(), 0)
      }
      await chat(2).locator('textarea').waitFor()
      assert.equal(await states(2), 'connecting conversation')
      assert.equal(await page.getByText('Connecting…').count(), 0)
      // It is found as soon as it exists.
      await alice.post('/users/me/subscriptions', { subscriptions: [{ name: 'typo' }] })
      await chat(0).locator('textarea').waitFor()
      assert.equal(await states(0), 'connecting notFound conversation')

      await page.context().clearCookies()
      await page.reload()
      for (const index of [0, 1, 2]) {
        await chat(index).getByText('You are signed out.').waitFor()
        assert.equal(await states(index), 'connecting signedOut')
      }
      assert.equal(await page.getByText('Connecting…').count(), 0)
      page.problems.length = 0
    })

    it('shows the conversation with a user', async () => {
      const { bob } = at.cast.people
      const page = await open(`<parley-chat dm="${bob.email}"></parley-chat>`)
      await writes(page, 'A direct message')
      await shows(page, 'A direct message')
      const { body } = await bob.get('/messages', {
        anchor: 'newest',
        num_before: 1,
        num_after: 0,
        narrow: [{ operator: 'is', operand: 'dm' }],
      })
      assert.match(body.messages[0]!.content, /A direct message/)
    })

    it("keeps the product's shortcuts and styles out, and its own in", async () => {
      pages.set('/product.css', '')
      const page = await open(`<p id="own">Text of the product</p>
<parley-chat channel="general" topic="keys"></parley-chat>`)
      await page.locator('textarea').waitFor()
      const before = await page.locator('#own').evaluate((p) => getComputedStyle(p).fontSize)
      await page.evaluate(() => {
        const sheet = new CSSStyleSheet()
        sheet.replaceSync(
          '* { letter-spacing: 9px !important } button { display: none !important }',
        )
        document.adoptedStyleSheets.push(sheet)
        document.addEventListener('keydown', ({ key }) => {
          document.body.dataset['keys'] = `${document.body.dataset['keys'] ?? ''}${key}`
        })
      })
      await page.locator('textarea').pressSequentially('jk')
      assert.equal(await page.locator('body').getAttribute('data-keys'), null)
      assert.ok(await page.getByRole('button', { name: 'Send', exact: true }).isVisible())
      assert.equal(await page.locator('#own').evaluate((p) => getComputedStyle(p).fontSize), before)
      // Those of the page itself still work.
      await page.locator('textarea').evaluate((field) => field.blur())
      await page.keyboard.press('x')
      assert.equal(await page.locator('body').getAttribute('data-keys'), 'x')
    })

    it('frees elements that are removed while another one keeps the session', async () => {
      const page = await open('<parley-chat></parley-chat><div id="others"></div>')
      await page.locator('parley-sidebar a').first().waitFor()
      for (let mount = 0; mount < 12; mount += 1) {
        await page.evaluate(() => {
          document.querySelector('#others')?.append(document.createElement('parley-chat'))
        })
        const chat = page.locator('#others > parley-chat')
        // Some are removed before they show anything, and some are moved before that.
        if (mount % 3 > 0) await chat.locator('parley-sidebar a').first().waitFor()
        await chat.evaluate(
          async (each, isMoved) => {
            if (isMoved) document.querySelector('#others')?.append(each)
            await new Promise(requestAnimationFrame)
            each.remove()
          },
          mount % 3 === 1,
        )
      }
      const devtools = await page.context().newCDPSession(page)
      const counts = async (): Promise<Record<string, number>> => {
        await devtools.send('HeapProfiler.collectGarbage')
        const all: Record<string, number> = {}
        for (const name of ['chat', 'sidebar', 'conversation', 'composer', 'banner']) {
          const { result } = await devtools.send('Runtime.evaluate', {
            expression: `customElements.get('parley-${name}').prototype`,
          })
          const prototypeObjectId = result.objectId ?? ''
          const found = await devtools.send('Runtime.queryObjects', { prototypeObjectId })
          const { result: length } = await devtools.send('Runtime.callFunctionOn', {
            objectId: found.objects.objectId ?? '',
            functionDeclaration: 'function () { return this.length }',
            returnByValue: true,
          })
          all[name] = Number(length.value)
          await devtools.send('Runtime.releaseObject', { objectId: found.objects.objectId ?? '' })
        }
        return all
      }
      let last: Record<string, number> = {}
      // The list of objects may contain the prototype itself, and the newest removed one.
      await until(
        'the others to be freed',
        async () => Object.values((last = await counts())).every((count) => count <= 3),
        { instead: () => last },
      )
    })

    it('leaves nothing when it is removed', async () => {
      const page = await open('<div id="place"></div>')
      const sockets: WebSocket[] = []
      page.on('websocket', (socket) => sockets.push(socket))
      const cycle = (): Promise<void> =>
        page.evaluate(async () => {
          const chat = document.createElement('parley-chat')
          document.querySelector('#place')?.append(chat)
          const shown = (): Element | null =>
            chat.shadowRoot?.querySelector('parley-sidebar a') ?? null
          while (shown() === null) await new Promise((done) => setTimeout(done, 5))
          chat.remove()
        })
      const devtools: CDPSession = await page.context().newCDPSession(page)
      await devtools.send('Performance.enable')
      const used = async (): Promise<{ nodes: number; heap: number }> => {
        await devtools.send('HeapProfiler.collectGarbage')
        const { metrics } = await devtools.send('Performance.getMetrics')
        const of = (name: string): number =>
          metrics.find((metric) => metric.name === name)?.value ?? NaN
        return { nodes: of('Nodes'), heap: of('JSHeapUsedSize') }
      }
      for (let index = 0; index < 10; index += 1) await cycle()
      const before = await used()
      for (let index = 0; index < 50; index += 1) await cycle()
      await until(
        'the memory',
        async () => {
          const after = await used()
          return after.nodes < before.nodes + 200 && after.heap < before.heap + 2_000_000
        },
        { instead: () => before },
      )
      // The connection is closed a second after the last element has gone.
      await until('the end of the connection', async () =>
        sockets.every((socket) => socket.isClosed()),
      )
    })
  },
  { host: product },
)
