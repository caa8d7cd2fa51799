import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { afterEach, describe, it } from 'node:test'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'

import { bundleElements, bundlePage } from '../../scripts/web-page.mjs'
import { root } from '../architecture/source-files.js'
import { inList, shows, withPages } from './chat-pages.js'

const maxBytes = 60 * 1024

interface PageFiles {
  readonly start: string
  readonly files: Readonly<Record<string, { readonly br: string; readonly gzip: string }>>
}

describe('the files of the page', () => {
  it('are small: what is loaded before the chat is shown, with the client', async () => {
    // It is what the function writes.
    const { start, files } = JSON.parse(await bundlePage(root)) as PageFiles
    const decoded = Object.entries(files).map(([name, { br, gzip }]) => {
      const text = gunzipSync(Buffer.from(gzip, 'base64')).toString()
      assert.equal(brotliDecompressSync(Buffer.from(br, 'base64')).toString(), text)
      assert.ok(br.length < gzip.length || text.length < 1000, name)
      return [name, text]
    })
    assertSmall(Object.fromEntries(decoded), start)
    assertSmall((await bundleElements(root)).files, 'parley.min.js')
  })
})

/** Asserts how much is loaded to show the chat: the file, and what it imports at once. */
function assertSmall(files: Readonly<Record<string, string>>, start: string): void {
  const needed = new Set<string>()
  const add = (name: string): void => {
    if (needed.has(name)) return
    needed.add(name)
    for (const [, imported = ''] of (files[name] ?? '').matchAll(/(?:from|import)"\.\/([^"]+)"/g)) {
      add(imported)
    }
  }
  add(start)
  const bytes = [...needed].reduce(
    (sum, name) => sum + gzipSync(files[name] ?? '', { level: 9 }).length,
    0,
  )
  assert.ok(bytes > 10_000 && bytes <= maxBytes, `${bytes} bytes for ${start}`)
  // The rest is loaded on demand.
  assert.ok(Object.keys(files).some((name) => name.endsWith('.js') && !needed.has(name)))
}

withPages('what a browser gets of the page', (at) => {
  afterEach(() => at.closeWindows())

  it('has a strict policy, and comes from no other host', async () => {
    const answer = await fetch(at.address)
    const policy = answer.headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'; script-src 'sha256-[\w+/=]+' 'strict-dynamic';/)
    assert.doesNotMatch(policy, /unsafe|\*|https?:/)
    assert.match(policy, /require-trusted-types-for 'script'/)
    const known = await fetch(at.address, {
      headers: { 'If-None-Match': answer.headers.get('etag') ?? '' },
    })
    assert.equal(known.status, 304)
    const style = /href="([^"]+\.css)"/.exec(await answer.text())?.[1] ?? ''
    const file = await fetch(at.host.origin + style)
    assert.match(file.headers.get('cache-control') ?? '', /immutable/)

    const page = await at.window()
    const hosts = new Set<string>()
    page.on('request', (request) => {
      if (!/^(data|blob):/.test(request.url())) hosts.add(new URL(request.url()).origin)
    })
    await page.goto(at.address)
    await page.getByRole('button', { name: at.cast.people.alice.email }).click()
    await inList(page, 'general').waitFor()
    assert.deepEqual([...hosts], [at.host.origin])
  })

  it('is as small as the browser accepts, and the same in each form', async () => {
    const [, start = ''] = /u="([^"]+\.js)"/.exec(await (await fetch(at.address)).text()) ?? []
    const get = async (
      accepted: string,
    ): Promise<{ encoding: unknown; vary: unknown; body: Buffer }> => {
      const headers = { 'Accept-Encoding': accepted }
      const answer = request(at.host.origin + start, { headers }).end()
      const [message] = (await once(answer, 'response')) as [IncomingMessage]
      assert.equal(message.statusCode, 200)
      const { 'content-encoding': encoding, vary } = message.headers
      return { encoding, vary, body: await buffer(message) }
    }
    const plain = await get('identity, br;q=0, gzip ; q=0.0')
    assert.deepEqual([plain.encoding, plain.vary], [undefined, 'Accept-Encoding'])
    const br = await get('gzip, deflate, BR;q=0.9')
    assert.equal(br.encoding, 'br')
    assert.ok(brotliDecompressSync(br.body).equals(plain.body))
    const zipped = await get('gzip, deflate')
    assert.equal(zipped.encoding, 'gzip')
    assert.ok(gunzipSync(zipped.body).equals(plain.body))
    assert.ok(zipped.body.length * 2 < plain.body.length)
  })

  it('requests messages at the same time as the state, and shows those that come meanwhile', async () => {
    const { alice, bob } = at.cast.people
    const { general } = at.cast.channels
    for (const hash of ['', `#narrow/channel/${general}/topic/early`]) {
      await bob.say(general, 'early', 'Before')
      const page = await at.window()
      const login = JSON.stringify({
        type: 'apiKey',
        email: alice.email,
        apiKey: alice.credentials?.apiKey,
      })
      await page.addInitScript(
        ([key, text]) => localStorage.setItem(key ?? '', text ?? ''),
        [`parley-login ${at.host.origin}`, login],
      )
      // The state waits for the messages, and a message comes after their answer.
      let answer = (): void => {}
      const isAnswered = new Promise<void>((resolve) => (answer = resolve))
      await page.route(/\/api\/v1\/register$/, async (route) => {
        await isAnswered
        await bob.say(general, 'early', 'Between')
        await route.continue()
      })
      page.on('response', (response) => {
        if (/\/api\/v1\/messages\?/.test(response.url())) answer()
      })
      await page.goto(at.address + hash)
      await shows(page, 'Before')
      await shows(page, 'Between')
      await bob.say(general, 'early', 'After')
      await shows(page, 'After')
    }
  })

  it('is not asked for a password by the browser itself', async () => {
    const page = await at.window()
    await page.goto(at.address)
    const answer = await page.evaluate(async () => {
      const { status, headers } = await fetch('/api/v1/users/me')
      return { status, challenge: headers.get('www-authenticate') }
    })
    assert.deepEqual(answer, { status: 401, challenge: 'Session realm="zulip"' })
  })

  it('shows pictures of messages to a user with an API key', async () => {
    const { alice } = at.cast.people
    const { general } = at.cast.channels
    const page = await at.open('alice', `#narrow/channel/${general}/topic/pictures`)
    const field = page.locator('parley-composer textarea')
    // One red pixel.
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
      'base64',
    )
    const file = { name: 'red.png', mimeType: 'image/png', buffer: png }
    await page.locator('parley-composer input[type=file]').setInputFiles(file)
    await page.waitForFunction(
      (element) => (element as HTMLTextAreaElement).value.includes('red.png'),
      await field.elementHandle(),
    )
    await field.press('Enter')
    const image = page.locator('.message_inline_image img')
    await image.waitFor()
    await page.waitForFunction(
      (element) => (element as HTMLImageElement).naturalWidth === 1,
      await image.elementHandle(),
    )
    assert.equal(alice.name, 'alice')
  })
})
