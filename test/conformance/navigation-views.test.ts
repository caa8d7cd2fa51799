import assert from 'node:assert/strict'
import { it } from 'node:test'

import { withoutIds } from '../support/event-feed.js'
import { everyHost } from '../support/host.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'

const views = { event_types: ['navigation_view'] }
const exists = 'Navigation view already exists.'
const unknown = 'Navigation view does not exist.'

everyHost('add-navigation-view', (at) => {
  it('stores a built-in and a custom view and sends the event only to their owner', async () => {
    const { alice, bob } = at.people
    const [aliceFeed, bobFeed] = [await alice.listen(views), await bob.listen(views)]

    const builtIn = await alice.post('/navigation_views', { fragment: 'inbox', is_pinned: false })
    const custom = await alice.post('/navigation_views', {
      fragment: ' narrow/is/alerted ',
      is_pinned: true,
      name: ' Alert Words ',
    })

    assert.deepEqual([builtIn.body, custom.body], [bareSuccess, bareSuccess])
    assert.deepEqual(withoutIds(await aliceFeed.drain()), [
      {
        type: 'navigation_view',
        op: 'add',
        navigation_view: { fragment: 'inbox', is_pinned: false, name: null },
      },
      {
        type: 'navigation_view',
        op: 'add',
        navigation_view: { fragment: 'narrow/is/alerted', is_pinned: true, name: 'Alert Words' },
      },
    ])
    assert.deepEqual(await bobFeed.drain(), [])
  })

  it('accepts every built-in view', async () => {
    const { carol } = at.people
    const builtIns = [
      'inbox',
      'recent',
      'feed',
      'drafts',
      'scheduled',
      'reminders',
      'narrow/has/reaction/sender/me',
      'narrow/is/mentioned',
      'narrow/is/starred',
    ]
    for (const fragment of builtIns) {
      const named = { fragment, is_pinned: true, name: 'Mine' }
      assertRefused(
        await carol.post('/navigation_views', named),
        'Built-in views cannot have a custom name.',
      )
      const nameless = await carol.post('/navigation_views', { fragment, is_pinned: true })
      assert.equal(nameless.status, 200, fragment)
    }
  })

  it('accepts null as the name', async () => {
    const params = { fragment: 'recent', is_pinned: true, name: null }

    assert.deepEqual((await at.people.adam.post('/navigation_views', params)).body, bareSuccess)
  })

  it('requires a name for a custom view', async () => {
    const { bob } = at.people
    for (const name of [undefined, '', '  ', null]) {
      const params = { fragment: 'narrow/is/dm', is_pinned: true, name }
      assertRefused(
        await bob.post('/navigation_views', params),
        'Custom views must have a valid name.',
      )
    }
  })

  it('rejects control characters and accepts texts up to their limits', async () => {
    const { bob } = at.people
    const add = (view: object) =>
      bob.post('/navigation_views', {
        fragment: 'narrow/dm/7',
        is_pinned: true,
        name: 'N',
        ...view,
      })

    const hasScheme = 'The fragment of a navigation view cannot begin with a scheme.'
    for (const [view, text] of [
      [{ fragment: 'a\u0000b' }, 'Invalid character in fragment, at position 2.'],
      [{ fragment: '💬\u0085b' }, 'Invalid character in fragment, at position 2.'],
      [{ fragment: 'ab\uFFFF' }, 'Invalid character in fragment, at position 3.'],
      [{ name: 'a\nb' }, 'Invalid character in name, at position 2.'],
      [{ fragment: 'javascript:alert(1)' }, hasScheme],
      [{ fragment: ' HTTPS://product.example' }, hasScheme],
    ] as const) {
      assertRefused(await add(view), text)
    }
    assert.equal((await add({ fragment: 'x'.repeat(2000), name: 'y'.repeat(200) })).status, 200)
  })

  it('rejects a fragment or a name that the user already has, but not those of other users', async () => {
    const { bob, mona } = at.people
    const view = { fragment: 'narrow/dm/9', is_pinned: true, name: 'Boss' }

    assert.deepEqual((await bob.post('/navigation_views', view)).body, bareSuccess)
    assertRefused(await bob.post('/navigation_views', { ...view, name: 'Other' }), exists)
    assertRefused(await bob.post('/navigation_views', { ...view, fragment: 'narrow/dm/8' }), exists)
    assert.deepEqual((await mona.post('/navigation_views', view)).body, bareSuccess)
  })

  it('lets only one of two equal concurrent requests succeed', async () => {
    const { olga } = at.people
    const view = { fragment: 'narrow/dm/5', is_pinned: true, name: 'At once' }

    const answers = await Promise.all([1, 2].map(() => olga.post('/navigation_views', view)))

    assert.deepEqual(
      answers.map(({ status }) => status).sort((a, b) => a - b),
      [200, 400],
    )
  })

  for (const [params, msg] of [
    [{ fragment: ' ', is_pinned: true }, 'fragment cannot be blank'],
    [{ fragment: 'inbox', is_pinned: 1 }, 'is_pinned is not a boolean'],
    [
      { fragment: 'a', is_pinned: true, name: 'n'.repeat(201) },
      'name is too long (limit: 200 characters)',
    ],
    [
      { fragment: 'a'.repeat(2001), is_pinned: true, name: 'n' },
      'fragment is too long (limit: 2000 characters)',
    ],
  ] as const) {
    it(`returns the error "${msg}"`, async () => {
      assertRefused(await at.people.alice.post('/navigation_views', params), msg)
    })
  }

  it('requires is_pinned', async () => {
    assertRefused(
      await at.people.alice.post('/navigation_views', { fragment: 'feed' }),
      "Missing 'is_pinned' argument",
      { code: 'REQUEST_VARIABLE_MISSING', var_name: 'is_pinned' },
    )
  })
})

everyHost('get-navigation-views', (at) => {
  it('lists the views in the order of their creation, also in the snapshot', async () => {
    const { alice, bob } = at.people
    await bob.post('/navigation_views', { fragment: 'feed', is_pinned: true })
    await alice.post('/navigation_views', { fragment: 'z', is_pinned: true, name: 'Z' })
    await alice.post('/navigation_views', { fragment: 'inbox', is_pinned: false })

    const expected = [
      { fragment: 'z', is_pinned: true, name: 'Z' },
      { fragment: 'inbox', is_pinned: false, name: null },
    ]
    const { body } = await alice.get('/navigation_views')
    assert.deepEqual(body, { ...bareSuccess, navigation_views: expected })
    const registered = await alice.listen({ fetch_event_types: ['navigation_views'] })
    assert.deepEqual(registered.snapshot['navigation_views'], expected)
    const other = await alice.listen({ fetch_event_types: ['navigation_view'] })
    assert.equal('navigation_views' in other.snapshot, false)
  })

  it('lists nothing by default, for every user with credentials', async () => {
    const { gus, bot, dora } = at.people
    for (const client of [gus, bot]) {
      const { body } = await client.get('/navigation_views')
      assert.deepEqual(body, { ...bareSuccess, navigation_views: [] })
    }
    assert.equal((await dora.get('/navigation_views')).status, 401)
    assert.equal((await at.nobody.get('/navigation_views')).status, 401)
  })
})

everyHost('edit-navigation-view', (at) => {
  it('changes the given fields and sends the event only to the owner, also if nothing changes', async () => {
    const { alice, bob } = at.people
    await alice.post('/navigation_views', { fragment: 'narrow/is/dm', is_pinned: true, name: 'DM' })
    const [aliceFeed, bobFeed] = [await alice.listen(views), await bob.listen(views)]

    const answers = [
      await alice.patch('/navigation_views/narrow/is/dm', { is_pinned: true }),
      await alice.patch('/navigation_views/narrow%2Fis%2Fdm', { name: 'People' }),
      await alice.patch('/navigation_views/narrow/is%2Fdm', { name: 'DM', is_pinned: false }),
      await alice.patch('/navigation_views/narrow/is/dm', { name: null }),
    ]

    for (const { body } of answers) assert.deepEqual(body, bareSuccess)
    const update = { type: 'navigation_view', op: 'update', fragment: 'narrow/is/dm' }
    assert.deepEqual(withoutIds(await aliceFeed.drain()), [
      { ...update, data: { is_pinned: true } },
      { ...update, data: { name: 'People' } },
      { ...update, data: { is_pinned: false, name: 'DM' } },
    ])
    assert.deepEqual(await bobFeed.drain(), [])
    const { navigation_views } = (await alice.get('/navigation_views')).body
    assert.deepEqual(navigation_views, [{ fragment: 'narrow/is/dm', is_pinned: false, name: 'DM' }])
  })

  it('rejects a name for a built-in view, an empty name, and a name that is taken', async () => {
    const { bob } = at.people
    await bob.post('/navigation_views', { fragment: 'inbox', is_pinned: true })
    await bob.post('/navigation_views', { fragment: 'a', is_pinned: true, name: 'A' })
    await bob.post('/navigation_views', { fragment: 'b', is_pinned: true, name: 'B' })
    const feed = await bob.listen(views)

    assertRefused(
      await bob.patch('/navigation_views/inbox', { name: 'In' }),
      'Built-in views cannot have a custom name.',
    )
    assertRefused(
      await bob.patch('/navigation_views/a', { name: '' }),
      'Custom views must have a valid name.',
    )
    assertRefused(
      await bob.patch('/navigation_views/a', { name: 'B\u0007' }),
      'Invalid character in name, at position 2.',
    )
    assertRefused(await bob.patch('/navigation_views/a', { name: 'B' }), exists)
    assertRefused(await bob.patch('/navigation_views/a', { name: 'A' }), exists)
    assert.deepEqual(await feed.drain(), [])
  })

  it("returns the same error for an unknown view and for another user's view", async () => {
    const { carol, mona } = at.people
    await carol.post('/navigation_views', { fragment: 'c/d', is_pinned: true, name: 'C' })

    const foreign = await mona.patch('/navigation_views/c/d', { is_pinned: false })
    const missing = await mona.patch('/navigation_views/e/f', { name: 'E' })

    assertRefused(foreign, unknown, { status: 404 })
    assert.equal(foreign.text, missing.text)
  })
})

everyHost('remove-navigation-view', (at) => {
  it('deletes the view once and sends the event only to its owner', async () => {
    const { alice, bob } = at.people
    const fragment = 'narrow/channel/7-design/topic/a.20b%3F'
    const path = `/navigation_views/${encodeURIComponent(fragment)}`
    await alice.post('/navigation_views', { fragment, is_pinned: true, name: 'Topic' })
    const [aliceFeed, bobFeed] = [await alice.listen(views), await bob.listen(views)]

    const foreign = await bob.delete(path)
    const first = await alice.delete(path)
    const second = await alice.delete(path)

    assert.deepEqual(first.body, bareSuccess)
    assertRefused(foreign, unknown, { status: 404 })
    assert.equal(foreign.text, second.text)
    assert.deepEqual(withoutIds(await aliceFeed.drain()), [
      { type: 'navigation_view', op: 'remove', fragment },
    ])
    assert.deepEqual(await bobFeed.drain(), [])
  })

  it('accepts slashes that are not percent-encoded', async () => {
    const { carol } = at.people
    await carol.post('/navigation_views', { fragment: 'narrow/is/mentioned', is_pinned: false })

    const answer = await carol.delete('/navigation_views/narrow/is/mentioned')

    assert.deepEqual(answer.body, bareSuccess)
    assert.deepEqual((await carol.get('/navigation_views')).body.navigation_views, [])
  })
})
