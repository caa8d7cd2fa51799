import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, describe, it } from 'node:test'

import { createChatServer, type ChatServer, type HostIdentity } from '@parley/core'
import { WebSocket } from 'ws'

import type { Cast } from '../support/cast.js'
import { ContentOrigin } from '../support/content-origin.js'
import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import { FakeMail } from '../support/fake-mail.js'
import { SocketClient } from '../support/socket-client.js'
import type { UncheckedJson } from '../support/unchecked-json.js'
import { movingGif, pngOf, sendFiles, upload } from '../support/uploads.js'
import { within } from '../support/waiting.js'
import { basePath, mounts, ownPage } from './base-path-hosts.js'
import { Product } from './product.js'

const ada: HostIdentity = { externalId: '7', email: 'ada@product.example', fullName: 'Ada Byron' }

/** All texts in an answer that are links to the server, also those in its HTML. */
function linksIn(answer: unknown, origin: string): Set<string> {
  const links = new Set<string>()
  JSON.stringify(answer, (_, value: unknown) => {
    if (typeof value !== 'string') return value
    const inHtml = [...value.matchAll(/ (?:src|href|data-[a-z-]+)="([^"]*)"/g)]
    for (const link of [value, ...inHtml.map(([, address = '']) => address)]) {
      if (link.startsWith('/') || link.startsWith(`${origin}/`)) links.add(link)
    }
    return value
  })
  return links
}

interface Mounted {
  chat: ChatServer
  product: Product
  cast: Cast
  /** The address that clients know: what the chat says about itself. */
  realmUrl: string
}

const mail = new FakeMail()

reportSkippedColumns()
const columns = databaseColumns()
for (const [index, [name, mount]] of Object.entries(mounts).entries()) {
  const database = columns[index % columns.length]!
  describe(`a chat with a base path in ${name} (${database.title})`, () => {
    const at = {} as Mounted
    let content: ContentOrigin
    let drop: (() => Promise<void>) | undefined
    before(async () => {
      const created = await database.create()
      drop = created.drop
      content = await ContentOrigin.start()
      at.product = await Product.listen(() => {})
      at.chat = createChatServer({
        database: created.config,
        rateLimits: 'off',
        checkResponses: true,
        baseUrl: at.product.origin,
        basePath,
        mail,
        externalContent: { privateHosts: ['127.0.0.1'] },
        identify: ({ headers }) => (headers.cookie === 'session=1' ? ada : null),
        signOn: { displayName: 'The product', loginUrl: '/login' },
      })
      await at.chat.start()
      const answer = mount(at.chat, at.product.server)
      at.product.server.on('request', (request, response) => void answer(request, response))
      at.cast = at.product.cast(undefined, undefined, basePath)
      await at.chat.organizations.load(at.cast.file)
      at.realmUrl = `${at.product.origin}${basePath}`
    })
    after(async () => {
      await at.product[Symbol.asyncDispose]()
      await content.stop()
      await at.chat.close()
      await drop?.()
    })

    /** Opens a link as clients do, which resolve it against the address of the chat. */
    const open = async (link: string, client = at.cast.people.alice): Promise<Response> => {
      const url = new URL(link, at.realmUrl)
      assert.ok(url.href.startsWith(`${at.realmUrl}/`), `${link} is outside of the chat`)
      return fetch(url, { headers: client.authorization(), redirect: 'manual' })
    }
    const openAll = async (links: Iterable<string>): Promise<Record<string, string | null>> => {
      const types: Record<string, string | null> = {}
      for (const link of links) {
        const response = await open(link)
        await response.arrayBuffer()
        assert.equal(response.status, 200, link)
        types[link] = response.headers.get('content-type')
      }
      return types
    }

    it('says so in its settings, from which clients begin', async () => {
      const response = await fetch(`${at.realmUrl}/api/v1/server_settings`)
      const settings = (await response.json()) as UncheckedJson

      assert.equal(settings.realm_url, at.realmUrl)
      assert.equal(settings.realm_uri, at.realmUrl)
      const [method] = settings.external_authentication_methods
      assert.equal(method.login_url, `${basePath}/api/v1/sign_on`)
      assert.equal(method.signup_url, `${basePath}/api/v1/sign_on`)
      assert.deepEqual(Object.values(await openAll([settings.realm_icon])), ['image/png'])
    })

    it('links everything in its answers and messages below the base path', async () => {
      const { alice, olga, gus } = at.cast.people
      const { general } = at.cast.channels
      const emoji = { name: 'emoji.gif', type: 'image/gif', bytes: movingGif }
      const picture = { name: 'a.png', type: 'image/png', bytes: pngOf(900, 700) }
      for (const [path, file] of [
        ['/realm/emoji/dance', emoji],
        ['/realm/icon', picture],
        ['/realm/logo', picture],
        ['/users/me/avatar', picture],
      ] as const) {
        const sent = await sendFiles(olga, path, [file], { fields: { night: 'false' } })
        assert.equal(sent.status, 200, sent.text)
      }
      const image = await upload(alice, picture)
      const sound = await upload(alice, { name: 'a.mp3', type: 'audio/mpeg', bytes: 'ID3' })
      const shared = content.at('/other.png', pngOf(3, 2))
      const short = image.slice(basePath.length)
      const id = await alice.say(
        general,
        'pictures',
        `[a](${image}) ![b](${sound}) :dance: ${shared}\n\n[c](${short}) ${at.realmUrl}${short}`,
      )

      const answers = await Promise.all([
        olga.post('/register'),
        gus.post('/register', { client_capabilities: { user_list_incomplete: true } }),
        olga.get(`/messages/${id}`),
        alice.get('/users/me'),
        alice.get('/users', { client_gravatar: false }),
        alice.get('/realm/emoji'),
        alice.get(short),
      ])
      const links = linksIn(
        answers.map(({ body }) => body),
        at.product.origin,
      )
      const types = await openAll(
        [...links].filter((link) => link !== at.realmUrl && !link.startsWith('/#narrow/')),
      )

      const { message } = answers[2].body
      // Each of the three spellings, and the preview.
      assert.equal(message.content.split(`href="${image}"`).length - 1, 4, message.content)
      const { attachments } = (await alice.get('/attachments')).body
      assert.equal(attachments.find((one) => one.name === 'a.png')!.messages[0]!.id, id)
      const found = (pattern: RegExp): number =>
        Object.keys(types).filter((link) => pattern.test(link)).length
      const expected = {
        'user_uploads/\\d': 2,
        'user_uploads/thumbnail/': 1,
        'user_uploads/temporary/': 1,
        'external_content/': 1,
        'api/v1/realm/emoji/images/': 1,
        'api/v1/emoji_data.json': 1,
        'user_avatars/\\d+/realm/icon': 1,
        'user_avatars/\\d+/realm/logo': 1,
        'user_avatars/default/organization-': 1,
        'user_avatars/\\d+/[\\w-]+\\.png': 2,
      }
      assert.deepEqual(
        Object.fromEntries(
          Object.keys(expected).map((path) => [path, found(new RegExp(`${basePath}/${path}`))]),
        ),
        expected,
      )
    })

    it('leaves all other paths to the application', async () => {
      const { alice } = at.cast.people
      const url = await upload(alice)
      for (const path of [
        '/api/v1/users/me',
        '/team/api/v1/users/me',
        '/team/chat',
        '/team/chats/api/v1/users/me',
        '/team/chat/other',
        url.slice(basePath.length),
        `/team/chat${url}`,
      ]) {
        const response = await fetch(at.product.origin + path, { headers: alice.authorization() })

        assert.equal(await response.text(), ownPage, path)
      }
      const unknown = await alice.get('/nowhere')
      assert.deepEqual([unknown.status, unknown.body.code], [404, 'BAD_REQUEST'])
    })

    it('sends events over WebSockets and long polls below the base path', async () => {
      const { alice, bob } = at.cast.people
      const feed = await alice.listen({ event_types: ['message'] })
      const socket = await SocketClient.open(bob, { event_types: ['message'] })

      const id = await alice.whisper([bob], 'Hello')
      const [event] = await socket.events(1)
      await socket.close()

      assert.equal(event?.['message'].id, id)
      assert.equal((await feed.drain())[0]?.['message'].id, id)
      const elsewhere = new WebSocket(`${at.product.origin.replace('http', 'ws')}/api/v1/events`)
      const [error] = (await within('the refusal', once(elsewhere, 'error'))) as [Error]
      assert.match(error.message, /404/)
    })

    it('confirms e-mail addresses by a link below the base path', async () => {
      const { carol } = at.cast.people
      const newEmail = `carol.${index}@new.example`
      await carol.patch('/settings', { email: newEmail })
      const link = /https?:\S+/.exec(mail.to(newEmail)[0]?.text ?? '')?.[0] ?? ''

      const page = await open(link)
      const confirmed = await fetch(link, { method: 'POST' })

      assert.match(await page.text(), /<form method="post">/)
      assert.equal(confirmed.status, 200)
      const own = await at.cast.people.olga.get(`/users/${carol.id}`)
      assert.equal(own.body.user.delivery_email, newEmail)
    })

    it('signs in devices by redirects that lead back below the base path', async () => {
      const pad = 'ab'.repeat(32)
      const query = `?mobile_flow_otp=${pad}`
      const cookie = { cookie: 'session=1', 'sec-fetch-site': 'same-origin' }

      const signOn = `${at.realmUrl}/api/v1/sign_on${query}`
      const toLogin = await fetch(signOn, { redirect: 'manual' })
      const login = new URL(toLogin.headers.get('location') ?? '', at.realmUrl)
      const next = new URL(login.searchParams.get('next') ?? '', login)
      const toDevice = await fetch(next, { headers: cookie, redirect: 'manual' })
      const elsewhere = { ...cookie, 'sec-fetch-site': 'cross-site' }
      const question = await (await fetch(next, { headers: elsewhere })).text()

      assert.equal(login.pathname, '/login')
      assert.equal(next.href, signOn)
      const device = new URL(toDevice.headers.get('location') ?? '')
      assert.equal(device.searchParams.get('realm'), at.realmUrl)
      assert.ok(
        question.includes(`<a class="button" href="${basePath}/api/v1/sign_on${query}">`),
        question,
      )
    })

    it('describes itself with its URL', async () => {
      const response = await open(`${basePath}/api/v1/openapi.json`)
      const description = (await response.json()) as UncheckedJson

      assert.deepEqual(description.servers, [{ url: at.realmUrl }])
      assert.ok(description.paths['/api/v1/messages'])
    })

    it('accepts only requests of its own origin with the session of the application', async () => {
      const call = async (origin: string): Promise<number> => {
        const headers = { cookie: 'session=1', origin }
        const body = new URLSearchParams({ type: 'direct', to: '[]', content: 'x' })
        const url = `${at.realmUrl}/api/v1/typing`
        return (await fetch(url, { method: 'POST', headers, body })).status
      }

      assert.equal(await call('https://other.example'), 403)
      assert.equal(await call(at.product.origin), 400)
    })
  })
}
