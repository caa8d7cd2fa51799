import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Answer, Client } from '../support/client.js'
import { withoutIds } from '../support/event-feed.js'
import { everyHost } from '../support/host.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'

const listenOptions = { event_types: ['realm_playgrounds', 'realm'] }
const rust = {
  name: 'Rust site',
  pygments_language: 'Rust',
  url_template: 'https://play.example/?code={code}',
}
const notAdministrator = 'Must be an organization administrator'

const add = (client: Client, changes: Partial<typeof rust> = {}): Promise<Answer> =>
  client.post('/realm/playgrounds', { ...rust, ...changes })

everyHost('add-code-playground', (at) => {
  it('returns the new id and sends the whole list to all active users', async () => {
    const { adam, olga, gus, bot } = at.people
    const first = await add(olga)
    const feeds = [await gus.listen(listenOptions), await bot.listen(listenOptions)]

    const answer = await add(adam, {
      name: '  Other site ',
      pygments_language: ' C++/F#, v1.0_x-y ',
      url_template: ' https://other.example/{#code} ',
    })

    const { id, ...rest } = answer.body as { id: number }
    assert.deepEqual(rest, bareSuccess)
    const list = [
      { id: (first.body as { id: number }).id, ...rust },
      {
        id,
        name: 'Other site',
        pygments_language: 'C++/F#, v1.0_x-y',
        url_template: 'https://other.example/{#code}',
      },
    ]
    for (const feed of feeds) {
      assert.deepEqual(withoutIds(await feed.drain()), [
        { type: 'realm_playgrounds', realm_playgrounds: list },
      ])
    }
    const registered = await gus.listen({ fetch_event_types: ['realm_playgrounds'] })
    assert.deepEqual(registered.snapshot['realm_playgrounds'], list)
    const other = await gus.listen({ fetch_event_types: ['message'] })
    assert.equal('realm_playgrounds' in other.snapshot, false)
  })

  it('accepts several playgrounds of one language, but no duplicates', async () => {
    const { adam } = at.people
    assert.equal((await add(adam, { pygments_language: 'Go', name: 'One' })).status, 200)
    assert.equal((await add(adam, { pygments_language: 'Go', name: 'Two' })).status, 200)
    assert.equal((await add(adam, { pygments_language: 'Go', name: 'one' })).status, 200)

    const feed = await adam.listen(listenOptions)
    const text = 'Realm playground with this Realm, Pygments language and Name already exists.'
    assertRefused(await add(adam, { pygments_language: 'Go', name: 'One' }), text, {
      errors: { __all__: [text] },
    })
    assert.deepEqual(await feed.drain(), [])
  })

  it('lets only one of two equal concurrent requests succeed', async () => {
    const { adam } = at.people

    const answers = await Promise.all([1, 2].map(() => add(adam, { name: 'At once' })))

    assert.deepEqual(
      answers.map(({ status }) => status).sort((a, b) => a - b),
      [200, 400],
    )
  })

  const invalid = 'Invalid URL template.'
  const missing = 'Missing the required variable "code" in the URL template'
  const only = '"code" should be the only variable present in the URL template'
  const blank = 'This field cannot be blank.'
  for (const [changes, msg, errors] of [
    [{ url_template: 'https://a.example/{code' }, invalid, { url_template: [invalid] }],
    [{ url_template: 'https://a.example/{co de}' }, invalid, { url_template: [invalid] }],
    [{ url_template: 'https://a.example/{}' }, invalid, { url_template: [invalid] }],
    [{ url_template: 'javascript:eval({code})' }, invalid, { url_template: [invalid] }],
    [{ url_template: ' \u0001JavaScript:{code}' }, invalid, { url_template: [invalid] }],
    [{ url_template: 'data:text/html,{code}' }, invalid, { url_template: [invalid] }],
    [{ url_template: '{+code}://a.example/' }, invalid, { url_template: [invalid] }],
    [{ url_template: 'https:a.example/{code}' }, invalid, { url_template: [invalid] }],
    [{ url_template: '/relative/{code}' }, invalid, { url_template: [invalid] }],
    [{ url_template: 'https://a.example/' }, missing, { __all__: [missing] }],
    [{ url_template: 'https://a.example/{lang}' }, missing, { __all__: [missing] }],
    [{ url_template: 'https://a.example/{lang}{?code}' }, only, { __all__: [only] }],
    [{ url_template: 'https://a.example/{code,lang}' }, only, { __all__: [only] }],
    [{ name: ' ' }, blank, { name: [blank] }],
    [{ pygments_language: '' }, blank, { pygments_language: [blank] }],
    [{ url_template: '' }, blank, { url_template: [blank] }],
    [
      { name: '', url_template: 'https://a.example/' },
      blank,
      { name: [blank], __all__: [missing] },
    ],
  ] as const) {
    it(`rejects ${JSON.stringify(changes)} and names the invalid field`, async () => {
      const params = { name: 'Fresh', ...changes }
      assertRefused(await add(at.people.adam, params), msg, { errors })
    })
  }

  for (const [changes, msg] of [
    [{ pygments_language: 'C$' }, 'Invalid characters in pygments language'],
    [{ pygments_language: 'Ä' }, 'Invalid characters in pygments language'],
    [{ pygments_language: 'x'.repeat(41) }, 'pygments_language is too long (limit: 40 characters)'],
    [{ name: 'x'.repeat(201) }, 'name is too long (limit: 200 characters)'],
  ] as const) {
    it(`returns the error "${msg}"`, async () => {
      assertRefused(await add(at.people.adam, changes), msg)
    })
  }

  it('returns an error that names the missing parameter', async () => {
    const { url_template: _, ...rest } = rust
    assertRefused(
      await at.people.adam.post('/realm/playgrounds', rest),
      "Missing 'url_template' argument",
      { code: 'REQUEST_VARIABLE_MISSING', var_name: 'url_template' },
    )
  })

  it('checks that the caller is an administrator before it validates parameters', async () => {
    const { mona, alice, gus, bot } = at.people
    for (const client of [mona, alice, gus, bot]) {
      assertRefused(await client.post('/realm/playgrounds'), notAdministrator, {
        code: 'UNAUTHORIZED_PRINCIPAL',
      })
    }
    assert.equal((await add(at.nobody)).status, 401)
  })
})

everyHost(
  'remove-code-playground',
  (at) => {
    const idOf = (answer: Answer): number => (answer.body as { id: number }).id

    it('removes it once and sends the remaining list to all active users', async () => {
      const { adam, olga, gus } = at.people
      const kept = idOf(await add(adam, { name: 'Kept' }))
      const gone = idOf(await add(adam, { name: 'Gone' }))
      const feed = await gus.listen(listenOptions)

      const first = await olga.delete(`/realm/playgrounds/${gone}`)
      const second = await adam.delete(`/realm/playgrounds/${gone}`)

      assert.deepEqual(first.body, bareSuccess)
      assertRefused(second, 'Invalid playground')
      assert.deepEqual(withoutIds(await feed.drain()), [
        { type: 'realm_playgrounds', realm_playgrounds: [{ id: kept, ...rust, name: 'Kept' }] },
      ])
    })

    it('resets the default language of code blocks if it was the removed one', async () => {
      const { adam, alice } = at.people
      const id = idOf(await add(adam, { pygments_language: 'Python', name: 'Default' }))
      const feed = await alice.listen({ ...listenOptions, fetch_event_types: ['realm'] })
      assert.equal(feed.snapshot['realm_default_code_block_language'], 'Python')

      await adam.delete(`/realm/playgrounds/${id}`)

      const [list, reset, ...more] = withoutIds(await feed.drain())
      assert.equal(list?.['type'], 'realm_playgrounds')
      assert.deepEqual(reset, {
        type: 'realm',
        op: 'update',
        property: 'default_code_block_language',
        value: '',
      })
      assert.deepEqual(more, [])
      const { snapshot } = await alice.listen({ fetch_event_types: ['realm'] })
      assert.equal(snapshot['realm_default_code_block_language'], '')
      assert.equal(snapshot['realm_name'], 'Test')
    })

    it("does not remove another organization's playgrounds", async () => {
      const { adam } = at.people
      const other = await at.host.organization()
      const foreign = idOf(await add(other.people.adam))

      const answer = await adam.delete(`/realm/playgrounds/${foreign}`)

      assertRefused(answer, 'Invalid playground')
      const unknown = await adam.delete(`/realm/playgrounds/${at.unknownId}`)
      assert.equal(answer.text, unknown.text)
      assert.equal((await other.people.adam.delete(`/realm/playgrounds/${foreign}`)).status, 200)
    })

    it('returns an error to users who are not administrators', async () => {
      const id = idOf(await add(at.people.adam, { name: 'Safe' }))
      for (const client of [at.people.mona, at.people.alice, at.people.gus, at.people.bot]) {
        assertRefused(await client.delete(`/realm/playgrounds/${id}`), notAdministrator, {
          code: 'UNAUTHORIZED_PRINCIPAL',
        })
      }
      assert.equal((await at.people.adam.delete(`/realm/playgrounds/${id}`)).status, 200)
    })
  },
  { settings: { default_code_block_language: 'Python' } },
)
