import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Client } from '../support/client.js'
import { everyHost, everySeparateHost } from '../support/host.js'
import { statementsOf } from '../support/statements.js'
import { until } from '../support/waiting.js'
import { movingGif, pngOf, readRoot, upload } from '../support/uploads.js'

const notFound = '{"result":"error","msg":"Not Found","code":"BAD_REQUEST"}'

const notForYou =
  '{"result":"error","msg":"You are not authorized to view this file.","code":"BAD_REQUEST"}'

everyHost('get-file-temporary-url', (at) => {
  const temporaryUrl = async (client: Client, url: string): Promise<string> =>
    (await client.get(encodeURI(url))).body.url as string

  it('returns the file without credentials, for one minute', async () => {
    const url = await upload(at.people.alice, { name: 'grün.txt' })

    const temporary = await temporaryUrl(at.people.alice, url)

    assert.match(temporary, /^\/user_uploads\/temporary\/[A-Za-z0-9_.~-]+\/grün\.txt$/)
    at.clock.advance(59)
    assert.equal((await readRoot(at.nobody, temporary)).text, 'leaf')
    at.clock.advance(1)
    const late = await readRoot(at.nobody, temporary)
    assert.deepEqual([late.status, JSON.parse(late.text).msg], [400, 'Invalid token'])
  })

  it('returns an error to users who may not read the file', async () => {
    const url = await upload(at.people.alice)

    const unauthorized = await at.people.bob.get(url)
    const nobody = await at.nobody.get(url)
    const unknown = await at.people.alice.get(`${url}x`)

    assert.deepEqual([unauthorized.status, unauthorized.text], [403, notForYou])
    assert.equal(nobody.status, 401)
    assert.deepEqual([unknown.status, unknown.text], [404, notFound])
  })
})

everySeparateHost('get-file-temporary-urls', (at) => {
  const ask = async (client: Client, paths: readonly string[]): Promise<Record<string, string>> => {
    const { status, body, text } = await client.post('/user_uploads/temporary_urls', { paths })
    assert.equal(status, 200, text)
    assert.equal(body.validity_seconds, 600)
    return body.urls
  }
  const thumbnailOf = (url: string, format = '840x560.webp'): string =>
    `${url.replace('/user_uploads', '/user_uploads/thumbnail')}/${format}`

  it('returns URLs of files and thumbnails, valid for ten minutes without credentials', async () => {
    const { alice } = at.people
    const picture = await upload(alice, { name: 'grün.png', bytes: pngOf(1680, 300) })
    const moving = await upload(alice, { name: 'spin.gif', bytes: movingGif })
    const note = await upload(alice)
    const paths = [
      encodeURI(picture),
      thumbnailOf(encodeURI(picture)),
      thumbnailOf(moving, '840x560-anim.webp'),
      note,
    ]

    const urls = await ask(alice, paths)
    at.clock.advance(599)
    const answers = await Promise.all(paths.map((path) => readRoot(at.nobody, urls[path] ?? '')))
    at.clock.advance(1)
    const late = await readRoot(at.nobody, urls[paths[1] ?? ''] ?? '')

    assert.deepEqual(
      answers.map(({ status, headers }) => [status, headers['content-type']]),
      [
        [200, 'image/png'],
        [200, 'image/webp'],
        [200, 'image/webp'],
        [200, 'text/plain; charset=utf-8'],
      ],
    )
    assert.deepEqual([late.status, JSON.parse(late.text).msg], [400, 'Invalid token'])
  })

  it('makes the pictures of a message visible to pages without a session', async () => {
    const { alice, bob } = at.people
    const picture = await upload(alice, { name: 'leaf.png', bytes: pngOf(900, 700) })
    const id = await alice.say(at.channels.general, 'pictures', `[leaf](${picture})`)
    const { message } = (await bob.get(`/messages/${id}`)).body
    const html: string = message.content
    const sources = Array.from(html.matchAll(/(?:src|href)="([^"]+)"/g), ([, link = '']) => link)

    const urls = await ask(bob, sources)

    assert.ok(sources.length >= 2)
    for (const source of sources) {
      assert.equal((await readRoot(at.nobody, source)).status, 403, source)
      assert.equal((await readRoot(at.nobody, urls[source] ?? '')).status, 200, source)
    }
  })

  it('omits what the caller may not read, what does not exist, and other paths', async () => {
    const { alice, bob } = at.people
    const own = await upload(bob)
    const secret = await upload(alice, { name: 'leaf.png', bytes: pngOf(4, 4) })
    const other = await upload((await at.host.organization()).people.alice)

    const urls = await ask(bob, [
      own,
      own,
      secret,
      thumbnailOf(secret),
      `${own}x`,
      `${thumbnailOf(own)}.php`,
      thumbnailOf(own, '1x1.webp'),
      other,
      `/chat${own}`,
      own.slice(1),
      `https://elsewhere.example${own}`,
      '/user_uploads/../api/v1/messages',
      '/user_avatars/1/a.png',
      '%',
      '',
    ])

    assert.deepEqual(Object.keys(urls), [own])
  })

  it('needs as many statements for ten files as for one', async () => {
    const { alice, bob } = at.people
    const paths = await Promise.all(Array.from({ length: 10 }, () => upload(alice)))
    for (const path of paths) await alice.say(at.channels.general, 'files', `[a](${path})`)
    const countOf = async (some: readonly string[]): Promise<number> =>
      (await statementsOf(at.host, () => ask(bob, some))).length

    // The server works on the messages meanwhile, which ends; statements per file would not.
    await until('as many statements for both', async () => {
      return (await countOf(paths)) === (await countOf(paths.slice(0, 1)))
    })
  })

  it('refuses more paths than a page has pictures', async () => {
    const paths = Array.from({ length: 501 }, (_, index) => `/user_uploads/2/${index}`)

    const { status } = await at.people.alice.post('/user_uploads/temporary_urls', { paths })

    assert.equal(status, 400)
  })
})

everyHost('read-temporary-file', (at) => {
  const refusal = async (path: string): Promise<unknown[]> => {
    const { status, text } = await readRoot(at.nobody, path)
    return [status, JSON.parse(text).msg]
  }

  it('rejects addresses that are invented, modified, or of another organization', async () => {
    const { alice } = at.people
    const other = await at.host.organization()
    const url = await upload(alice)
    const temporary = (await alice.get(url)).body.url as string
    const foreign = await upload(other.people.alice)
    const ofOther = (await other.people.alice.get(foreign)).body.url as string

    assert.deepEqual(await refusal('/user_uploads/temporary/abc/notes.txt'), [400, 'Invalid token'])
    assert.deepEqual(await refusal(temporary.replace('temporary/', 'temporary/A')), [
      400,
      'Invalid token',
    ])
    assert.deepEqual(await refusal(temporary.replace('notes', 'note')), [400, 'Invalid filename'])
    assert.deepEqual(await refusal(ofOther), [400, 'Invalid token'])
  })

  it('rejects thumbnail addresses under another name', async () => {
    const { alice } = at.people
    const url = await upload(alice, { name: 'leaf.png', bytes: pngOf(4, 4) })
    const path = `${url.replace('/user_uploads', '/user_uploads/thumbnail')}/840x560.webp`
    const { urls } = (await alice.post('/user_uploads/temporary_urls', { paths: [path, url] })).body
    const [small, whole] = [urls[path] as string, urls[url] as string]

    const swapped = [
      small.replace('840x560.webp', 'leaf.png'),
      small.replace('840x560.webp', '840x560-anim.webp'),
      whole.replace('leaf.png', '840x560.webp'),
    ]

    for (const address of swapped) {
      assert.deepEqual(await refusal(address), [400, 'Invalid filename'], address)
    }
  })

  it('returns 404 after the file is deleted', async () => {
    const { carol } = at.people
    const url = await upload(carol)
    const temporary = (await carol.get(url)).body.url as string
    const { body } = await carol.get('/attachments')

    await carol.delete(`/attachments/${body.attachments.at(-1)!.id}`)

    assert.deepEqual(await refusal(temporary), [404, 'Not Found'])
  })
})
