import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { it } from 'node:test'

import { everyDatabase, type HostOptions } from '../support/host.js'
import { pngOf } from '../support/uploads.js'
import { runInBrowser } from './browser.js'
import { chatClientOf } from './clients.js'

const session = `session=${randomUUID()}`

/** The product's login, which pages of another site call: its cookie is sent from there too. */
function login(request: IncomingMessage, response: ServerResponse): Promise<void> | undefined {
  if (request.url !== '/login') return undefined
  response.writeHead(204, {
    'Access-Control-Allow-Origin': request.headers.origin ?? '',
    'Access-Control-Allow-Credentials': 'true',
    'Set-Cookie': `${session}; HttpOnly; Secure; SameSite=None; Partitioned`,
  })
  response.end()
  // The chat never gets the request.
  return new Promise(() => {})
}

const product = {
  resolveOrganization: undefined,
  front: login,
  identify: (request: IncomingMessage) =>
    request.headers.cookie?.includes(session) === true
      ? { externalId: '7', email: 'ada@product.example', fullName: 'Ada', role: 400 }
      : null,
  // Any page of this machine that is not the chat's own.
  trustedOrigins: ({ headers }: IncomingMessage) =>
    [headers.origin ?? ''].filter((origin) => /^http:\/\/(127\.0\.0\.1|localhost):/.test(origin)),
} as unknown as HostOptions

/** Functions of the page, which the programs use. */
const helpers = `
  /** The width of a picture as an <img> shows it; 0 if it does not. */
  const widthOf = async (address) => {
    const img = document.createElement('img')
    const loaded = new Promise((resolve) => { img.onload = img.onerror = resolve })
    img.src = address
    document.body.append(img)
    await loaded
    return img.naturalWidth
  }
  const picture = async () => {
    await fetch('/go')
    const canvas = Object.assign(document.createElement('canvas'), { width: 3, height: 2 })
    canvas.getContext('2d').fillRect(0, 0, 3, 2)
    return { name: 'leaf.png', content: await new Promise((resolve) => canvas.toBlob(resolve)) }
  }
  const until = (store, selector) => new Promise((resolve) => {
    const look = (value) => { if (value) resolve(value) }
    store.subscribe(selector, look)
    look(selector(store.state))
  })`

/** Logs in, gets an event, and shows an uploaded picture and an avatar. */
const programOf = (url: string, before = ''): string => `async ({ ChatClient }) => {
  ${helpers}
  ${before}
  const url = ${url}
  const client = new ChatClient({ url })
  client.open()
  const me = await until(client.store, ({ me, connection }) => connection.kind === 'connected' && me)
  const { id } = await client.api.sendMessage({ type: 'direct', to: [me.user_id], content: 'a note' })
  const message = await until(client.store, ({ messages }) => messages.get(id))
  const { by } = client.store.state.connection
  const uploaded = await client.upload(await picture(), { onProgress() {} })
  const widths = [await widthOf(new URL(uploaded.url, url)), await widthOf(new URL(me.avatar_url, url))]
  await client.close()
  return { email: me.delivery_email, content: message.content, by, widths }
}`

everyDatabase(
  'a client in a page of the product',
  'express',
  (at) => {
    const requireLoggedIn = (result: unknown): void => {
      const { widths, ...rest } = result as { widths: number[] }
      assert.deepEqual(rest, {
        email: 'ada@product.example',
        content: '<p>a note</p>',
        by: 'socket',
      })
      assert.equal(widths[0], 3)
      assert.ok((widths[1] ?? 0) > 0, 'the avatar is not shown')
    }

    it('is logged in by the cookie, and shows files in <img>', async () => {
      const cookie = `${session}; HttpOnly; SameSite=Lax`
      requireLoggedIn(await runInBrowser(at.host.origin, programOf('location.origin'), { cookie }))
    })

    it('is logged in at a chat with another origin of the same site', async () => {
      const cookie = `${session}; HttpOnly; SameSite=Lax`
      const program = programOf(JSON.stringify(at.host.origin))
      requireLoggedIn(await runInBrowser(at.host.origin, program, { cookie }))
    })

    it('is logged in at a chat of another site', async () => {
      const url = JSON.stringify(at.host.origin)
      const program = programOf(url, `await fetch(${url} + '/login', { credentials: 'include' })`)
      requireLoggedIn(await runInBrowser(at.host.origin, program, { hostname: 'localhost' }))
    })

    it('is nobody without the cookie, and shows no files', async () => {
      const content = new Blob([new Uint8Array(pngOf(3, 2))], { type: 'image/png' })
      const { url } = await chatClientOf(at.people.alice).upload({ name: 'dot.png', content })
      const result = await runInBrowser(
        at.host.origin,
        `async ({ ChatClient, isErrorOf }) => {
          ${helpers}
          const client = new ChatClient({ url: location.origin })
          const code = await client.api
            .getOwnUser()
            .catch((error) => isErrorOf('getOwnUser', error) && error.code)
          return { code, width: await widthOf(${JSON.stringify(url)}) }
        }`,
      )
      assert.deepEqual(result, { code: 'UNAUTHORIZED', width: 0 })
    })

    it('with an API key shows files by temporary addresses, and others by none', async () => {
      const { email, credentials } = at.people.alice
      const apiKey = { type: 'apiKey', email, apiKey: credentials?.apiKey }
      const result = await runInBrowser(
        at.host.origin,
        `async ({ ChatClient }) => {
          ${helpers}
          const url = ${JSON.stringify(at.host.origin)}
          const client = new ChatClient({ url, credentials: ${JSON.stringify(apiKey)} })
          const uploaded = await client.upload(await picture())
          const { urls } = await client.api.getFileTemporaryUrls({ paths: [uploaded.url] })
          const own = await client.api.getOwnUser()
          return {
            withoutKey: await widthOf(new URL(uploaded.url, url)),
            signed: await widthOf(new URL(urls[uploaded.url], url)),
            hasAvatar: (await widthOf(new URL(own.avatar_url, url))) > 0,
          }
        }`,
      )
      assert.deepEqual(result, { withoutKey: 0, signed: 3, hasAvatar: true })
    })

    it('asks its provider once for many refused calls', async () => {
      const { email, credentials } = at.people.alice
      const right = `Basic ${btoa(`${email}:${credentials?.apiKey}`)}`
      const wrong = `Basic ${btoa(`${email}:${'x'.repeat(32)}`)}`
      const result = await runInBrowser(
        at.host.origin,
        `async ({ ChatClient }) => {
          let calls = 0
          const authorization = async () => {
            calls += 1
            return calls === 1 ? ${JSON.stringify(wrong)} : ${JSON.stringify(right)}
          }
          const credentials = { type: 'provider', authorization }
          const { api } = new ChatClient({ url: location.origin, credentials })
          const users = await Promise.all(Array.from({ length: 10 }, () => api.getOwnUser()))
          return { calls, ids: [...new Set(users.map(({ user_id }) => user_id))] }
        }`,
      )
      assert.deepEqual(result, { calls: 2, ids: [at.people.alice.id] })
    })
  },
  product,
)
