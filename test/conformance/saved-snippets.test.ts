import assert from 'node:assert/strict'
import { it } from 'node:test'

import { withoutIds } from '../support/event-feed.js'
import { everyHost } from '../support/host.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'

const snippets = { event_types: ['saved_snippets'] }

everyHost('create-saved-snippet', (at) => {
  it('returns the new id and sends the event only to its owner', async () => {
    const { alice, bob } = at.people
    const [aliceFeed, bobFeed] = [await alice.listen(snippets), await bob.listen(snippets)]

    const answer = await alice.post('/saved_snippets', {
      title: '  Greeting ',
      content: '\nHello **there** ',
    })

    const { saved_snippet_id: id, ...rest } = answer.body
    assert.deepEqual(rest, bareSuccess)
    assert.deepEqual(withoutIds(await aliceFeed.drain()), [
      {
        type: 'saved_snippets',
        op: 'add',
        saved_snippet: {
          id,
          title: 'Greeting',
          content: 'Hello **there**',
          date_created: at.clock.seconds,
        },
      },
    ])
    assert.deepEqual(await bobFeed.drain(), [])
  })

  it('accepts the same title and content twice', async () => {
    const { bob } = at.people
    const texts = { title: 'Twice', content: 'The same' }

    const first = await bob.post('/saved_snippets', texts)
    const second = await bob.post('/saved_snippets', texts)

    assert.notEqual(first.body.saved_snippet_id, second.body.saved_snippet_id)
    const { saved_snippets } = (await bob.get('/saved_snippets')).body
    assert.deepEqual(
      saved_snippets.map(({ id }) => id),
      [first.body.saved_snippet_id, second.body.saved_snippet_id],
    )
  })

  it('measures the maximum length in code points', async () => {
    const { carol } = at.people

    const fits = { title: '🐙'.repeat(60), content: '🐙'.repeat(10_000) }
    assert.equal((await carol.post('/saved_snippets', fits)).status, 200)
    const [stored] = (await carol.get('/saved_snippets')).body.saved_snippets
    assert.equal(stored!.title, fits.title)
    assert.equal(stored!.content, fits.content)
  })

  for (const [params, msg] of [
    [{ title: ' ', content: 'c' }, 'title cannot be blank'],
    [{ title: 't', content: ' \n' }, 'content cannot be blank'],
    [{ title: 'é'.repeat(61), content: 'c' }, 'title is too long (limit: 60 characters)'],
    [{ title: 't', content: 'c'.repeat(10_001) }, 'content is too long (limit: 10000 characters)'],
  ] as const) {
    it(`returns the error "${msg}"`, async () => {
      assertRefused(await at.people.alice.post('/saved_snippets', params), msg)
    })
  }

  it('returns an error that names the missing parameter', async () => {
    const answer = await at.people.alice.post('/saved_snippets', { title: 't' })

    assert.equal(answer.status, 400)
    assert.deepEqual(answer.body, {
      result: 'error',
      msg: "Missing 'content' argument",
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: 'content',
    })
  })

  it('accepts calls by all users with credentials', async () => {
    for (const client of Object.values(at.people)) {
      const answer = await client.post('/saved_snippets', { title: 't', content: 'c' })
      const expected = client.name === 'dora' ? 401 : 200
      assert.equal(answer.status, expected, client.name)
    }
    const answer = await at.nobody.post('/saved_snippets', { title: 't', content: 'c' })
    assert.equal(answer.status, 401)
  })
})

everyHost('get-saved-snippets', (at) => {
  it("lists the caller's snippets, oldest first, also in the snapshot", async () => {
    const { alice, bob } = at.people
    await bob.post('/saved_snippets', { title: 'Of Bob', content: 'b' })
    const first = await alice.post('/saved_snippets', { title: 'Z', content: 'one' })
    const createdAt = at.clock.seconds
    at.clock.advance(5)
    const second = await alice.post('/saved_snippets', { title: 'A', content: 'two' })

    const expected = [
      { id: first.body.saved_snippet_id, title: 'Z', content: 'one', date_created: createdAt },
      { id: second.body.saved_snippet_id, title: 'A', content: 'two', date_created: createdAt + 5 },
    ]
    assert.deepEqual((await alice.get('/saved_snippets')).body, {
      ...bareSuccess,
      saved_snippets: expected,
    })
    const registered = await alice.listen({ fetch_event_types: ['saved_snippets'] })
    assert.deepEqual(registered.snapshot['saved_snippets'], expected)
    const other = await alice.listen({ fetch_event_types: ['message'] })
    assert.equal('saved_snippets' in other.snapshot, false)
  })

  it('returns an empty list to users without snippets', async () => {
    const { body } = await at.people.carol.get('/saved_snippets')

    assert.deepEqual(body, { ...bareSuccess, saved_snippets: [] })
  })
})

everyHost('edit-saved-snippet', (at) => {
  const save = async (): Promise<number> => {
    const answer = await at.people.alice.post('/saved_snippets', { title: 'Old', content: 'Old c' })
    return answer.body.saved_snippet_id
  }

  it('changes the given fields, keeps the others, and sends the event only to the owner', async () => {
    const { alice, bob } = at.people
    const id = await save()
    const createdAt = at.clock.seconds
    at.clock.advance(60)
    const [aliceFeed, bobFeed] = [await alice.listen(snippets), await bob.listen(snippets)]

    const titled = await alice.patch(`/saved_snippets/${id}`, { title: ' New ' })
    const filled = await alice.patch(`/saved_snippets/${id}`, { content: 'New c' })

    assert.deepEqual([titled.body, filled.body], [bareSuccess, bareSuccess])
    const base = { id, date_created: createdAt }
    const update = { type: 'saved_snippets', op: 'update' }
    assert.deepEqual(withoutIds(await aliceFeed.drain()), [
      { ...update, saved_snippet: { ...base, title: 'New', content: 'Old c' } },
      { ...update, saved_snippet: { ...base, title: 'New', content: 'New c' } },
    ])
    assert.deepEqual(await bobFeed.drain(), [])
  })

  it('does nothing without parameters, whatever the id', async () => {
    const { alice } = at.people
    const id = await save()
    const feed = await alice.listen(snippets)

    const known = await alice.patch(`/saved_snippets/${id}`)
    const unknown = await alice.patch(`/saved_snippets/${at.unknownId}`)

    assert.deepEqual([known.body, unknown.body], [bareSuccess, bareSuccess])
    assert.deepEqual(await feed.drain(), [])
  })

  it("returns the same error for an unknown snippet and for another user's snippet", async () => {
    const { bob } = at.people
    const id = await save()

    const foreign = await bob.patch(`/saved_snippets/${id}`, { title: 'Mine' })
    const unknown = await bob.patch(`/saved_snippets/${at.unknownId}`, { title: 'Mine' })

    assertRefused(foreign, 'Saved snippet does not exist.', { status: 404 })
    assert.equal(foreign.text, unknown.text)
  })

  it('rejects blank and long texts', async () => {
    const { alice } = at.people
    const id = await save()

    const blank = await alice.patch(`/saved_snippets/${id}`, { title: '  ' })
    const long = await alice.patch(`/saved_snippets/${id}`, { content: 'c'.repeat(10_001) })

    assertRefused(blank, 'title cannot be blank')
    assertRefused(long, 'content is too long (limit: 10000 characters)')
  })
})

everyHost('delete-saved-snippet', (at) => {
  it('deletes the snippet once and sends the event only to its owner', async () => {
    const { alice, bob } = at.people
    const created = await alice.post('/saved_snippets', { title: 't', content: 'c' })
    const id = created.body.saved_snippet_id
    const [aliceFeed, bobFeed] = [await alice.listen(snippets), await bob.listen(snippets)]

    const foreign = await bob.delete(`/saved_snippets/${id}`)
    const first = await alice.delete(`/saved_snippets/${id}`)
    const second = await alice.delete(`/saved_snippets/${id}`)

    assert.deepEqual(first.body, bareSuccess)
    assertRefused(foreign, 'Saved snippet does not exist.', { status: 404 })
    assertRefused(second, 'Saved snippet does not exist.', { status: 404 })
    assert.equal(foreign.text, second.text)
    assert.deepEqual(withoutIds(await aliceFeed.drain()), [
      { type: 'saved_snippets', op: 'remove', saved_snippet_id: id },
    ])
    assert.deepEqual(await bobFeed.drain(), [])
  })
})
