import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'

import type { Client } from '../support/client.js'
import { ContentOrigin } from '../support/content-origin.js'
import { everyHost, type HostCase } from '../support/host.js'
import { assertNothingAt, pngOf, readRoot } from '../support/uploads.js'

const timeoutSeconds = 10
const failureSeconds = 60
const reaching = { externalContent: { privateHosts: ['127.0.0.1'] } }
const mp3 = Buffer.concat([Buffer.from('ID3'), Buffer.alloc(997, 7)])

let origin: ContentOrigin
before(async () => {
  origin = await ContentOrigin.start()
})
after(() => origin.stop())

let paths = 0
/** A path of the origin that no other case uses. */
const fresh = (extension: string): string => `/${(paths += 1)}.${extension}`

/** Sends a message. @returns the only URL of a file in its HTML. */
async function sourceIn(at: HostCase, author: Client, text: string): Promise<string> {
  const id = await author.say(at.channels.general, 'pictures', text)
  const html = (await author.get(`/messages/${id}`)).body.message.content
  const [source, ...more] = [...html.matchAll(/ src="([^"]*)"/g)].map(([, url]) => url)
  assert.ok(source !== undefined && more.length === 0, html)
  return source
}

everyHost(
  'read-external-content',
  (at) => {
    const sourceOf = (url: string) => sourceIn(at, at.people.alice, url)

    it('serves an image of another host, which receives no data about the readers', async () => {
      const path = fresh('png')
      const url = origin.at(path, pngOf(3, 2))

      const source = await sourceOf(url)
      const { status, headers, bytes } = await readRoot(at.nobody, source, {
        cookie: 'session=x',
        referer: 'https://product.example/',
      })

      const hex = Buffer.from(url).toString('hex')
      assert.match(source, new RegExp(`^/external_content/[0-9a-f]{40}/${hex}$`))
      assert.deepEqual([status, bytes], [200, pngOf(3, 2)])
      const names = [
        'content-type',
        'x-content-type-options',
        'content-security-policy',
        'cache-control',
      ]
      assert.deepEqual(
        names.map((name) => headers[name]),
        ['image/png', 'nosniff', "default-src 'none'; sandbox", 'public, max-age=86400'],
      )
      const [request, ...more] = origin.requests.filter((one) => one.url === path)
      assert.deepEqual(more, [])
      assert.deepEqual(Object.keys(request?.headers ?? {}).sort(), [
        'accept',
        'accept-encoding',
        'connection',
        'host',
        'user-agent',
      ])
    })

    it('fetches a file once for simultaneous and later requests', async () => {
      const path = fresh('png')
      let answer = (): void => {}
      const source = await sourceOf(
        origin.at(path, (_, response) => (answer = () => void response.end(pngOf(1, 1)))),
      )

      const reading = Promise.all(Array.from({ length: 20 }, () => readRoot(at.nobody, source)))
      await origin.asked(path)
      // All requests have arrived before the response to a later one.
      await at.nobody.get('/server_settings')
      answer()
      const statuses = (await reading).map(({ status }) => status)
      const etag = String((await readRoot(at.nobody, source)).headers['etag'])
      const unchanged = await readRoot(at.nobody, source, { 'if-none-match': etag })

      assert.deepEqual(new Set(statuses), new Set([200]))
      assert.deepEqual([unchanged.status, unchanged.bytes.length], [304, 0])
      assert.equal(origin.countOf(path), 1)
      at.clock.jump(60 * 60 + 1)
      const again = readRoot(at.nobody, source)
      await origin.asked(path, 2)
      answer()
      assert.equal((await again).status, 200)
    })

    it('serves the requested byte range of a sound', async () => {
      const url = origin.at(fresh('mp3'), mp3)
      const source = await sourceOf(`![song](${url})`)
      const read = (range: string, method = 'GET') => readRoot(at.nobody, source, { range }, method)

      const part = await read('bytes=0-9')
      const beyond = await read('bytes=5000-')
      const head = await readRoot(at.nobody, source, {}, 'HEAD')

      assert.deepEqual(
        [part.status, part.headers['content-type'], part.headers['content-range'], part.bytes],
        [206, 'audio/mpeg', 'bytes 0-9/1000', mp3.subarray(0, 10)],
      )
      assert.deepEqual([beyond.status, beyond.headers['content-range']], [416, 'bytes */1000'])
      assert.deepEqual([head.status, head.headers['content-length']], [200, '1000'])
    })

    it('fetches nothing for a URL that the server has not signed', async () => {
      const path = fresh('png')
      const source = await sourceOf(origin.at(path, pngOf(1, 1)))
      const [, , signature, hex] = source.split('/') as [string, string, string, string]
      const other = Buffer.from(origin.at('/other.png', pngOf(1, 1))).toString('hex')

      for (const parts of [
        `${signature}/${other}`,
        `${signature.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))}/${hex}`,
        `${signature}/${hex.toUpperCase()}`,
        `${signature}/${hex}0`,
        `x/${hex}`,
        `${signature}/${'0'.repeat(9000)}`,
      ]) {
        await assertNothingAt(at.nobody, `/external_content/${parts}`)
      }
      assert.deepEqual([origin.countOf(path), origin.countOf('/other.png')], [0, 0])
    })

    it('serves only images, sounds and videos, for any content type from the other host', async () => {
      const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
      for (const content of [svg, '<html>', '', '{}', 'GIF89a', pngOf(8000, 5001)]) {
        await assertNothingAt(at.nobody, await sourceOf(origin.at(fresh('png'), content)))
      }
      for (const headers of [{ 'content-encoding': 'gzip' }, { 'content-length': '10485761' }]) {
        const url = origin.at(fresh('png'), (_, response) => {
          response.writeHead(200, headers).write(pngOf(1, 1))
        })
        await assertNothingAt(at.nobody, await sourceOf(url))
      }
      const failing = origin.at(fresh('png'), (_, response) => {
        response.writeHead(500).end(pngOf(1, 1))
      })
      await assertNothingAt(at.nobody, await sourceOf(failing))
    })

    it('follows a limited number of redirects, and only to allowed hosts', async () => {
      const secret = origin.at('/secret.png', pngOf(1, 1), 'localhost')
      const redirect = (location: string) =>
        origin.at(fresh('png'), (_, response) => {
          response.writeHead(302, { location }).end()
        })
      const target = origin.at(fresh('png'), pngOf(1, 1))
      const twice = redirect(new URL(redirect(target)).pathname)
      const round = fresh('png')
      const loop = origin.at(round, (_, response) => {
        response.writeHead(302, { location: round }).end()
      })

      assert.equal((await readRoot(at.nobody, await sourceOf(twice))).status, 200)
      for (const url of [
        loop,
        ...[
          'file:///etc/passwd',
          'data:image/png;base64,AAAA',
          secret,
          '//[::1]/x',
          '//10.0.0.1/',
        ].map(redirect),
      ]) {
        await assertNothingAt(at.nobody, await sourceOf(url))
      }
      assert.equal(origin.countOf(round), 4)
      assert.equal(origin.countOf('/secret.png'), 0)
    })

    it('connects neither to hosts of private networks nor to ports other than those of the web', async () => {
      const path = fresh('png')
      for (const url of [
        origin.at(path, pngOf(1, 1), 'localhost'),
        origin.at(path, pngOf(1, 1), '2130706434'),
        'http://203.0.113.1:22/x.png',
        'http://user:password@127.0.0.1/x.png',
      ]) {
        await assertNothingAt(at.nobody, await sourceOf(url))
      }
      assert.equal(origin.countOf(path), 0)
    })

    it('aborts endless and slow responses, and retries a minute later', async () => {
      const path = fresh('png')
      const endless = origin.at(path, (_, response) => {
        response.writeHead(200)
        const more = (): void => {
          while (!response.destroyed && response.write(Buffer.alloc(256 * 1024)));
          response.once('drain', more)
        }
        more()
      })
      const slow = origin.at(fresh('png'), () => {})
      const [endlessSource, slowSource] = [await sourceOf(endless), await sourceOf(slow)]

      await assertNothingAt(at.nobody, endlessSource)
      await assertNothingAt(at.nobody, endlessSource)
      const isWaiting = at.clock.next('set', timeoutSeconds)
      const reading = assertNothingAt(at.nobody, slowSource)
      await isWaiting
      at.clock.fire(timeoutSeconds)
      await reading

      assert.equal(origin.countOf(path), 1)
      at.clock.jump(failureSeconds + 1)
      origin.at(path, pngOf(1, 1))
      assert.equal((await readRoot(at.nobody, endlessSource)).status, 200)
    })

    it('renders only a link if the URL is too long for some clients', async () => {
      const id = await at.people.alice.say(
        at.channels.general,
        'pictures',
        `https://soil.example/${'x'.repeat(2000)}.png`,
      )

      const { content } = (await at.nobody.get(`/messages/${id}`)).body.message ?? {}
      const own = (await at.people.bob.get(`/messages/${id}`)).body.message.content
      assert.equal(content, undefined)
      assert.doesNotMatch(own, / src=/)
    })

    it('keeps the URLs in stored messages valid when the secret of the server changes', async () => {
      const source = await sourceOf(origin.at(fresh('png'), pngOf(1, 1)))

      const later = await at.host.another('koa', { ...reaching, secret: 'x'.repeat(32) })
      try {
        const { status } = await readRoot(later.clientOf(at.nobody), source)

        assert.equal(status, 200)
      } finally {
        await later.stop()
      }
    })
  },
  {},
  reaching,
)

everyHost(
  'read-external-content',
  (at) => {
    it('limits the fetches per address, and does not count cached files', async () => {
      const sources: string[] = []
      for (let index = 0; index < 3; index += 1) {
        sources.push(await sourceIn(at, at.people.alice, origin.at(fresh('png'), pngOf(1, 1))))
      }
      const statuses: number[] = []
      for (const index of [0, 1, 0, 1, 0, 2, 1]) {
        statuses.push((await readRoot(at.nobody, sources[index] as string)).status)
      }

      assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429, 200])
    })
  },
  {},
  {
    ...reaching,
    rateLimits: { externalContentByAddress: [{ windowSeconds: 60, maxRequests: 2 }] },
  },
)

everyHost(
  'read-external-content',
  (at) => {
    it('renders links if the application has disabled external content', async () => {
      const url = origin.at(fresh('png'), pngOf(1, 1))
      const hex = Buffer.from(url).toString('hex')
      const { alice } = at.people

      const id = await alice.say(at.channels.general, 'pictures', `${url} ![a](${url}.mp3)`)

      assert.equal(
        (await alice.get(`/messages/${id}`)).body.message.content,
        `<p><a href="${url}">${url}</a> ![a](<a href="${url}.mp3">${url}.mp3</a>)</p>`,
      )
      await assertNothingAt(at.nobody, `/external_content/${'0'.repeat(40)}/${hex}`)
    })
  },
  {},
  { externalContent: 'off' },
)
