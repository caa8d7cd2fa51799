import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'

import { bundleElements, bundlePage } from '../../scripts/web-page.mjs'
import { root } from '../architecture/source-files.js'
import { inList, withPages } from './chat-pages.js'

const maxBytes = 61 * 1024

describe('the files of the page', () => {
  it('are small: what is loaded before the chat is shown, with the client', async () => {
    // It is what the function writes.
    const { start, files } = JSON.parse(await bundlePage(root)) as {
      start: string
      files: Record<string, string>
    }
    assertSmall(files, start)
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
  const bytes = [...needed].reduce((sum, name) => sum + gzipSync(files[name] ?? '').length, 0)
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
