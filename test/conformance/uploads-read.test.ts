import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Client } from '../support/client.js'
import { everyHost, type HostCase } from '../support/host.js'
import { pngOf, readRoot, upload } from '../support/uploads.js'

const notFound = '{"result":"error","msg":"Not Found","code":"BAD_REQUEST"}'

const notForYou =
  '{"result":"error","msg":"You are not authorized to view this file.","code":"BAD_REQUEST"}'

type Person = keyof HostCase['people'] | 'nobody'

/** Those of the given users who can read the file. */
async function readersOf(
  at: HostCase,
  url: string,
  people: readonly Person[],
): Promise<readonly Person[]> {
  const readers: Person[] = []
  for (const name of people) {
    const client: Client = name === 'nobody' ? at.nobody : at.people[name]
    const answer = await readRoot(client, url)
    if (answer.status === 200) readers.push(name)
    else assert.deepEqual([answer.status, answer.text], [403, notForYou], name)
  }
  return readers
}

const everyone: readonly Person[] = ['olga', 'alice', 'bob', 'carol', 'gus', 'bot', 'nobody']

everyHost('read-file', (at) => {
  const link = (url: string): string => `[file](${url})`

  it('returns the file only to its owner until a message links to it', async () => {
    const url = await upload(at.people.alice)

    assert.deepEqual(await readersOf(at, url, everyone), ['alice'])
  })

  it('returns a file in a public channel to all users but unsubscribed guests', async () => {
    const url = await upload(at.people.alice)
    await at.people.alice.say(at.channels.design, 'files', link(url))

    assert.deepEqual(await readersOf(at, url, everyone), ['olga', 'alice', 'bob', 'carol', 'bot'])
  })

  it('returns a file in a public channel to a subscribed guest', async () => {
    const url = await upload(at.people.alice)
    await at.people.alice.say(at.channels.general, 'files', link(url))

    assert.deepEqual(await readersOf(at, url, ['gus', 'nobody']), ['gus'])
  })

  it('returns a file in a web-public channel without credentials', async () => {
    const url = await upload(at.people.alice)
    await at.people.alice.say(at.channels.window, 'files', link(url))
    assert.equal((await readRoot(at.nobody, url)).status, 403)
    await at.people.olga.patch('/realm', { enable_spectator_access: true })

    assert.deepEqual(await readersOf(at, url, everyone), everyone)
  })

  it('returns a file in a direct conversation to its participants', async () => {
    const url = await upload(at.people.alice)
    await at.people.alice.whisper([at.people.gus], link(url))

    assert.deepEqual(await readersOf(at, url, everyone), ['alice', 'gus'])
  })

  it('returns a file in a private channel to subscribers, also later ones if the history is shared', async () => {
    const url = await upload(at.people.alice)
    await at.people.alice.say(at.channels.secret, 'files', link(url))
    const before = await readersOf(at, url, everyone)

    await subscribe(at, 'secret', [at.people.carol, at.people.gus])

    assert.deepEqual(before, ['alice'])
    assert.deepEqual(await readersOf(at, url, everyone), ['alice', 'carol', 'gus'])
  })

  it('does not return a file in a private channel with protected history to later subscribers', async () => {
    const url = await upload(at.people.alice)
    await at.people.alice.say(at.channels.vault, 'files', link(url))

    await subscribe(at, 'vault', [at.people.carol])

    assert.deepEqual(await readersOf(at, url, everyone), ['alice', 'bob'])
  })

  it('no longer returns a file to users who have left the private channel', async () => {
    const { bob } = at.people
    const url = await upload(at.people.alice)
    await at.people.alice.say(at.channels.vault, 'files', link(url))

    await bob.delete('/users/me/subscriptions', { subscriptions: ['vault'] })

    assert.deepEqual(await readersOf(at, url, ['alice', 'bob', 'olga']), ['alice'])
  })

  it('returns the file to members of a permitted group of a private channel with shared history', async () => {
    const { alice } = at.people
    const { body } = await alice.get('/user_groups')
    const moderators = (body.user_groups as { id: number; name: string }[]).find(
      ({ name }) => name === 'role:moderators',
    )
    await alice.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'grove' }],
      invite_only: true,
      history_public_to_subscribers: true,
      can_add_subscribers_group: moderators?.id,
    })
    const url = await upload(alice)

    await alice.post('/messages', { type: 'channel', to: 'grove', topic: 'x', content: link(url) })

    assert.deepEqual(await readersOf(at, url, ['mona', 'bob']), ['mona'])
  })

  it('can be shared in a message by any user who can read the file, and by no other', async () => {
    const { alice, bob, carol } = at.people
    const url = await upload(alice)
    await carol.whisper([carol], link(url))
    const guessed = await readersOf(at, url, ['bob', 'carol'])
    await alice.whisper([bob], link(url))

    await bob.whisper([carol], link(url))

    assert.deepEqual(guessed, [])
    assert.deepEqual(await readersOf(at, url, ['bob', 'carol', 'gus']), ['bob', 'carol'])
  })

  it('uses the permissions of the channel to which the message is moved', async () => {
    const { alice } = at.people
    const url = await upload(alice)
    const id = await alice.say(at.channels.general, 'moving', link(url))
    const before = await readersOf(at, url, ['carol', 'gus'])

    await alice.patch(`/messages/${id}`, { stream_id: at.channels.secret })

    assert.deepEqual(before, ['carol', 'gus'])
    assert.deepEqual(await readersOf(at, url, ['alice', 'bob', 'olga']), ['alice'])
  })

  it('returns the same error for unknown, deleted and foreign files', async () => {
    const { alice } = at.people
    const other = await at.host.organization()
    const foreign = await upload(other.people.alice)
    const deleted = await upload(alice)
    const { body } = await alice.get('/attachments')
    await alice.delete(`/attachments/${body.attachments.at(-1)!.id}`)
    const own = await upload(alice)

    for (const path of [
      foreign,
      deleted,
      `${own}x`,
      own.replace(/\/[^/]+$/, ''),
      '/user_uploads/1/ab/none/none.txt',
      '/user_uploads/1/x',
    ]) {
      const answer = await readRoot(alice, path)
      assert.deepEqual([answer.status, answer.text], [404, notFound], path)
    }
  })

  it('returns the same error for a deactivated organization as for an unknown one', async () => {
    const closed = await at.host.organization()
    const url = await upload(closed.people.alice)
    await closed.people.alice.say(closed.channels.window, 'files', link(url))
    const { body } = await closed.people.alice.get(url.replace('/user_uploads', '/user_uploads'))

    await at.host.chat.organizations.deactivate(closed.subdomain)

    const member = await readRoot(closed.people.alice, url)
    const visitor = await readRoot(closed.nobody, url)
    const temporary = await readRoot(closed.nobody, body.url)
    assert.equal(member.status, 401)
    assert.deepEqual([visitor.status, visitor.text], [404, notFound])
    assert.equal(JSON.parse(temporary.text).msg, 'Invalid token')
  })

  it('sends headers that prevent scripts and shared caching', async () => {
    const { alice } = at.people
    const page = await upload(alice, {
      name: 'page.html',
      type: 'text/html',
      bytes: '<script>alert(1)</script>',
    })
    const svg = await upload(alice, { name: 'x.svg', type: 'image/svg+xml', bytes: '<svg/>' })
    const text = await upload(alice, { name: 'grün.txt' })
    const lie = await upload(alice, { name: 'lie', type: 'text/html\tx', bytes: '<b>' })

    const pdf = await upload(alice, { name: 'a.pdf', type: 'application/pdf', bytes: '%PDF-1.7' })

    const urls = [page, svg, text, lie, pdf]
    const answers = await Promise.all(urls.map((url) => readRoot(alice, url)))

    for (const { headers } of answers) {
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.match(String(headers['content-security-policy']), /default-src 'none'.*sandbox/)
      assert.match(String(headers['cache-control']), /^private/)
    }
    assert.deepEqual(
      answers.map(({ headers }) => [
        headers['content-type'],
        headers['content-disposition']?.split(';')[0],
      ]),
      [
        ['text/html', 'attachment'],
        ['image/svg+xml', 'attachment'],
        ['text/plain; charset=utf-8', 'inline'],
        ['application/octet-stream', 'attachment'],
        ['application/pdf', 'attachment'],
      ],
    )
    assert.match(
      String(answers[2]?.headers['content-disposition']),
      /filename="gr_n.txt"; filename\*=UTF-8''gr%C3%BCn.txt$/,
    )
  })

  it('detects types that clients omit, and images whatever the client sends', async () => {
    const { alice } = at.people
    const png = pngOf(3, 2)
    const song = await upload(alice, { name: 'song.mp3', type: 'application/octet-stream' })
    const image = await upload(alice, { name: 'x.html', type: 'text/html', bytes: png })

    const types = await Promise.all([song, image].map((url) => readRoot(alice, url)))

    assert.deepEqual(
      types.map(({ headers }) => headers['content-type']),
      ['audio/mpeg', 'image/png'],
    )
  })

  it('returns a byte range, for audio and video players', async () => {
    const { alice } = at.people
    const url = await upload(alice, { bytes: '0123456789' })
    const ask = async (range: string): Promise<unknown[]> => {
      const { status, headers, text } = await readRoot(alice, url, { range })
      return [status, headers['content-range'], text]
    }

    assert.deepEqual(await ask('bytes=2-4'), [206, 'bytes 2-4/10', '234'])
    assert.deepEqual(await ask('bytes=7-'), [206, 'bytes 7-9/10', '789'])
    assert.deepEqual(await ask('bytes=-3'), [206, 'bytes 7-9/10', '789'])
    assert.deepEqual(await ask('bytes=8-99'), [206, 'bytes 8-9/10', '89'])
    assert.deepEqual(await ask('bytes=10-'), [416, 'bytes */10', ''])
    assert.deepEqual(await ask('bytes=0-1,4-5'), [200, undefined, '0123456789'])
    assert.deepEqual(await ask('leaves=1-2'), [200, undefined, '0123456789'])
  })

  it('answers HEAD without a body, and rejects other methods', async () => {
    const { alice } = at.people
    const url = await upload(alice)

    const head = await readRoot(alice, url, {}, 'HEAD')
    const post = await readRoot(alice, url, {}, 'DELETE')

    assert.deepEqual([head.status, head.text, head.headers['content-length']], [200, '', '4'])
    assert.equal(post.status, 405)
  })

  it('rejects invalid credentials', async () => {
    const url = await upload(at.people.alice)

    const answer = await readRoot(at.people.dora, url)

    assert.equal(answer.status, 401)
  })
})

everyHost(
  'read-file',
  (at) => {
    it('limits spectators by file, and does not limit users', async () => {
      const { alice } = at.people
      const [url, other] = [await upload(alice), await upload(alice)]
      await alice.say(at.channels.window, 'files', `[one](${url}) [two](${other})`)
      await at.people.olga.patch('/realm', { enable_spectator_access: true })
      for (let index = 0; index < 3; index += 1) await readRoot(at.nobody, url)

      const refused = await readRoot(at.nobody, url)

      assert.equal(refused.status, 429)
      const spellings = [
        url.replace('/user_uploads/', '/user_uploads//'),
        url.replace('/user_uploads/', '/user_uploads/0'),
      ]
      for (const spelling of spellings) {
        assert.equal((await readRoot(at.nobody, spelling)).status, 429, spelling)
      }
      assert.equal((await readRoot(at.nobody, other)).status, 200)
      for (let index = 0; index < 8; index += 1) {
        assert.equal((await readRoot(at.people.bob, url)).status, 200)
      }
    })
  },
  {},
  {
    rateLimits: {
      fileReadByFile: [{ windowSeconds: 86_400, maxRequests: 3 }],
      apiByUser: [{ windowSeconds: 60, maxRequests: 6 }],
    },
  },
)

async function subscribe(at: HostCase, channel: string, people: readonly Client[]): Promise<void> {
  const answer = await at.people.alice.post('/users/me/subscriptions', {
    subscriptions: [{ name: channel }],
    principals: people.map(({ id }) => id),
  })
  if (answer.status !== 200) throw new Error(answer.text)
}
