import assert from 'node:assert/strict'
import { it } from 'node:test'

import { withoutIds } from '../support/event-feed.js'
import { everyHost } from '../support/host.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'

const feedOptions = { event_types: ['drafts'] }
const unaddressed = { type: '', to: [], topic: '', content: 'Later' }
const switchedOff = { userSettings: { bob: { enable_drafts_synchronization: false } } } as const
const disabled = 'User has disabled synchronizing drafts.'

everyHost(
  'create-drafts',
  (at) => {
    it('stores drafts of every type, and sends one event only to their owner', async () => {
      const { alice, bob, carol } = at.people
      const [aliceFeed, carolFeed] = [
        await alice.listen(feedOptions),
        await carol.listen(feedOptions),
      ]
      const to = [bob.id, alice.id, carol.id, bob.id]

      const answer = await alice.post('/drafts', {
        drafts: [
          {
            type: 'stream',
            to: [at.channels.secret],
            topic: 'Plans',
            content: 'One',
            timestamp: 5,
          },
          { type: 'private', to, topic: 'dropped', content: 'Two', timestamp: 6.75 },
          { type: '', to: [1, 2], topic: 'dropped', content: ' Three ' },
          { type: 'private', to: [alice.id], topic: '', content: 'Four' },
          { type: 'private', to: [], topic: '', content: 'Five' },
        ],
      })

      const { ids, ...rest } = answer.body as { ids: number[] }
      assert.deepEqual(rest, bareSuccess)
      assert.equal(new Set(ids).size, 5)
      const now = at.clock.seconds
      const drafts = [
        { type: 'stream', to: [at.channels.secret], topic: 'Plans', content: 'One', timestamp: 5 },
        { type: 'private', to: [bob.id, carol.id], topic: '', content: 'Two', timestamp: 6 },
        { type: '', to: [], topic: '', content: ' Three', timestamp: now },
        { type: 'private', to: [alice.id], topic: '', content: 'Four', timestamp: now },
        { type: '', to: [], topic: '', content: 'Five', timestamp: now },
      ].map((draft, index) => ({ id: ids[index], ...draft }))
      assert.deepEqual(withoutIds(await aliceFeed.drain()), [{ type: 'drafts', op: 'add', drafts }])
      assert.deepEqual(await carolFeed.drain(), [])
    })

    it('truncates long topics and contents', async () => {
      const { alice } = at.people
      const feed = await alice.listen(feedOptions)

      const draft = {
        type: 'stream',
        to: [at.channels.general],
        topic: 't'.repeat(61),
        content: 'c'.repeat(10_001),
      }
      await alice.post('/drafts', { drafts: [draft] })

      const [event] = await feed.drain()
      const stored = event?.['drafts'][0] as { topic: string; content: string }
      assert.equal(stored.topic, `${'t'.repeat(57)}...`)
      assert.equal(stored.content.length, 10_000)
      assert.ok(stored.content.endsWith('\n[message truncated]'))
    })

    it('stores nothing if one draft is invalid', async () => {
      const { carol } = at.people
      const feed = await carol.listen(feedOptions)

      const answer = await carol.post('/drafts', {
        drafts: [unaddressed, { ...unaddressed, content: ' ' }],
      })

      assertRefused(answer, 'drafts[1]["content"] cannot be blank')
      assert.equal((await carol.get('/drafts')).body.count, 0)
      assert.deepEqual(await feed.drain(), [])
    })

    it('does nothing without drafts', async () => {
      const { carol } = at.people
      const feed = await carol.listen(feedOptions)

      const empty = await carol.post('/drafts', { drafts: [] })
      const absent = await carol.post('/drafts')

      assert.deepEqual(
        [empty.body, absent.body].map(({ ids }) => ids as unknown),
        [[], []],
      )
      assert.deepEqual(await feed.drain(), [])
    })

    const stream = { type: 'stream', topic: 't', content: 'c' }
    const refusals: [what: string, draft: (id: typeof at) => object, msg: string][] = [
      ['an unknown type', () => ({ ...unaddressed, type: 'direct' }), 'Invalid drafts[0]["type"]'],
      [
        'an id',
        () => ({ ...unaddressed, id: 3 }),
        'Argument "id" at drafts[0]["id"] is unexpected',
      ],
      [
        'a missing topic',
        () => ({ type: '', to: [], content: 'c' }),
        'topic key is missing from drafts[0]',
      ],
      [
        'a recipient that is not an integer',
        () => ({ ...unaddressed, to: ['a'] }),
        'drafts[0]["to"][0] is not an integer',
      ],
      [
        'a NUL in the content',
        () => ({ ...unaddressed, content: 'a\0b' }),
        'Message must not contain null bytes',
      ],
      [
        'a negative timestamp',
        () => ({ ...unaddressed, timestamp: -1 }),
        'Timestamp must not be negative.',
      ],
      [
        'no channel',
        () => ({ ...stream, to: [] }),
        'Must specify exactly 1 channel ID for channel messages',
      ],
      [
        'two channels',
        () => ({ ...stream, to: [at.channels.general, at.channels.design] }),
        'Must specify exactly 1 channel ID for channel messages',
      ],
      ['an unknown channel', () => ({ ...stream, to: [at.unknownId] }), 'Invalid channel ID'],
      [
        'a channel that the user cannot read',
        () => ({ ...stream, to: [at.channels.secret] }),
        'Invalid channel ID',
      ],
      ['an archived channel', () => ({ ...stream, to: [at.channels.attic] }), 'Invalid channel ID'],
      [
        'a NUL in the topic',
        () => ({ ...stream, to: [at.channels.general], topic: 'a\0' }),
        'Topic must not contain null bytes',
      ],
    ]
    for (const [what, draft, msg] of refusals) {
      it(`refuses ${what}`, async () => {
        const answer = await at.people.carol.post('/drafts', { drafts: [draft(at)] })
        assertRefused(answer, msg)
      })
    }

    it('names the unknown user in the error', async () => {
      const draft = { type: 'private', topic: '', content: 'c' }

      const answer = await at.people.carol.post('/drafts', {
        drafts: [{ ...draft, to: [at.people.bob.id, at.unknownId] }],
      })

      assertRefused(answer, `Invalid user ID ${at.unknownId}`)
    })

    it('is refused to users who have disabled the synchronization of drafts', async () => {
      assertRefused(await at.people.bob.post('/drafts', { drafts: [unaddressed] }), disabled)
    })

    it('accepts all other users with credentials', async () => {
      const { olga, gus, bot, dora } = at.people
      for (const client of [olga, gus, bot]) {
        const answer = await client.post('/drafts', { drafts: [unaddressed] })
        assert.equal(answer.status, 200, client.name)
      }
      for (const client of [dora, at.nobody]) {
        const answer = await client.post('/drafts', { drafts: [unaddressed] })
        assert.equal(answer.status, 401, client.name)
      }
    })
  },
  switchedOff,
)

everyHost(
  'get-drafts',
  (at) => {
    it("lists the user's own drafts, the latest edit first, as in the snapshot", async () => {
      const { alice, carol } = at.people
      await carol.post('/drafts', { drafts: [unaddressed] })
      const { ids } = (
        await alice.post('/drafts', {
          drafts: [100, 300, 300.5, 200].map((timestamp) => ({ ...unaddressed, timestamp })),
        })
      ).body as { ids: number[] }

      const { drafts, ...rest } = (await alice.get('/drafts')).body as {
        drafts: { id: number; timestamp: number }[]
      }

      assert.deepEqual(rest, { ...bareSuccess, count: 4 })
      assert.deepEqual(
        drafts.map(({ id, timestamp }) => [id, timestamp]),
        [
          [ids[2], 300],
          [ids[1], 300],
          [ids[3], 200],
          [ids[0], 100],
        ],
      )
      const withDrafts = await alice.listen({ fetch_event_types: ['drafts'] })
      assert.deepEqual(withDrafts.snapshot['drafts'], drafts)
      const other = await alice.listen({ fetch_event_types: ['message'] })
      assert.equal('drafts' in other.snapshot, false)
    })

    it('is refused to users who have disabled the synchronization of drafts', async () => {
      assertRefused(await at.people.bob.get('/drafts'), disabled)
    })

    it('returns at most a thousand drafts, all of which are in the snapshot', async () => {
      const { mona } = at.people
      const drafts = Array.from({ length: 1000 }, (_, timestamp) => ({ ...unaddressed, timestamp }))

      const { ids } = (await mona.post('/drafts', { drafts })).body as { ids: number[] }
      const more = await mona.post('/drafts', { drafts: [unaddressed] })

      assert.equal(ids.length, 1000)
      assertRefused(more, 'Too many drafts (limit: 1000)')
      assert.equal((await mona.get('/drafts')).body.count, 1000)
      const { snapshot } = await mona.listen({ fetch_event_types: ['drafts'] })
      const inSnapshot = (snapshot['drafts'] as { id: number }[]).map(({ id }) => id)
      assert.deepEqual(inSnapshot, ids.toReversed())
    })
  },
  switchedOff,
)

everyHost(
  'edit-draft',
  (at) => {
    const store = async (): Promise<number> => {
      const answer = await at.people.alice.post('/drafts', { drafts: [unaddressed] })
      return (answer.body as { ids: [number] }).ids[0]
    }

    it('replaces the draft, and sends an event only to its owner', async () => {
      const { alice, carol } = at.people
      const id = await store()
      at.clock.advance(30)
      const [aliceFeed, carolFeed] = [
        await alice.listen(feedOptions),
        await carol.listen(feedOptions),
      ]

      const answer = await alice.patch(`/drafts/${id}`, {
        draft: { type: 'private', to: [carol.id], topic: '', content: 'Hello' },
      })

      assert.deepEqual(answer.body, bareSuccess)
      const draft = { id, type: 'private', to: [carol.id], topic: '', content: 'Hello' }
      const expected = { ...draft, timestamp: at.clock.seconds }
      assert.deepEqual(withoutIds(await aliceFeed.drain()), [
        { type: 'drafts', op: 'update', draft: expected },
      ])
      assert.deepEqual(await carolFeed.drain(), [])
      const { drafts } = (await alice.get('/drafts')).body as { drafts: { id: number }[] }
      assert.deepEqual(
        drafts.find((stored) => stored.id === id),
        expected,
      )
    })

    it("returns the same error for an unknown draft and another user's", async () => {
      const { carol } = at.people
      const id = await store()

      const foreign = await carol.patch(`/drafts/${id}`, { draft: unaddressed })
      const unknown = await carol.patch(`/drafts/${at.unknownId}`, { draft: unaddressed })

      assertRefused(foreign, 'Draft does not exist', { status: 404 })
      assert.equal(foreign.text, unknown.text)
    })

    it('refuses invalid drafts, and names the invalid field', async () => {
      const { alice } = at.people
      const id = await store()
      const feed = await alice.listen(feedOptions)

      assertRefused(
        await alice.patch(`/drafts/${id}`, { draft: { ...unaddressed, content: '' } }),
        'draft["content"] cannot be blank',
      )
      assertRefused(
        await alice.patch(`/drafts/${id}`, { draft: { ...unaddressed, type: 'x' } }),
        'Invalid draft["type"]',
      )
      assertRefused(await alice.patch(`/drafts/${id}`), "Missing 'draft' argument", {
        code: 'REQUEST_VARIABLE_MISSING',
        var_name: 'draft',
      })
      assert.deepEqual(await feed.drain(), [])
    })

    it('is refused to users who have disabled the synchronization of drafts', async () => {
      assertRefused(await at.people.bob.patch('/drafts/1', { draft: unaddressed }), disabled)
    })
  },
  switchedOff,
)

everyHost(
  'delete-draft',
  (at) => {
    it("deletes the user's own draft once, and sends an event only to the user", async () => {
      const { alice, carol } = at.people
      const created = await alice.post('/drafts', { drafts: [unaddressed] })
      const [id] = (created.body as { ids: [number] }).ids
      const [aliceFeed, carolFeed] = [
        await alice.listen(feedOptions),
        await carol.listen(feedOptions),
      ]

      const foreign = await carol.delete(`/drafts/${id}`)
      const first = await alice.delete(`/drafts/${id}`)
      const second = await alice.delete(`/drafts/${id}`)

      assert.deepEqual(first.body, bareSuccess)
      assertRefused(second, 'Draft does not exist', { status: 404 })
      assert.equal(foreign.text, second.text)
      assert.deepEqual(withoutIds(await aliceFeed.drain()), [
        { type: 'drafts', op: 'remove', draft_id: id },
      ])
      assert.deepEqual(await carolFeed.drain(), [])
    })

    it('is refused to users who have disabled the synchronization of drafts', async () => {
      assertRefused(await at.people.bob.delete('/drafts/1'), disabled)
    })
  },
  switchedOff,
)
