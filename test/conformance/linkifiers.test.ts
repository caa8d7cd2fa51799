import assert from 'node:assert/strict'
import { it } from 'node:test'

import { everyHost } from '../support/host.js'

const issues = {
  pattern: 'ISSUE-(?P<id>[0-9]+)',
  url_template: 'https://issues.example/{id}',
}

everyHost('add-linkifier', (at) => {
  it('renders links for its matches in messages and topics', async () => {
    const { adam, alice, bob } = at.people
    await adam.post('/realm/filters', issues)
    const feed = await bob.listen({ apply_markdown: true })

    const id = await alice.say(at.channels.design, 'about ISSUE-7', 'See ISSUE-9')

    const [event] = await feed.drain()
    const link = '<p>See <a href="https://issues.example/9">ISSUE-9</a></p>'
    const topicLinks = [{ text: 'ISSUE-7', url: 'https://issues.example/7' }]
    assert.equal(event?.['message'].content, link)
    assert.deepEqual(event?.['message'].topic_links, topicLinks)
    const { body } = await bob.get(`/messages/${id}`)
    assert.equal(body.message.content, link)
    assert.deepEqual(body.message.topic_links, topicLinks)
  })

  it('sends an event only to clients that support URL templates', async () => {
    const { adam, gus } = at.people
    const modern = await gus.listen({
      event_types: ['realm_linkifiers'],
      client_capabilities: { notification_settings_null: true, linkifier_url_template: true },
    })
    const old = await gus.listen({ event_types: ['realm_linkifiers'] })
    const pattern = { pattern: 'T(?P<n>[0-9]+)', url_template: 'https://t.example/{n}' }

    const answer = await adam.post('/realm/filters', pattern)

    const [event] = await modern.drain()
    assert.deepEqual(event?.['realm_linkifiers'].at(-1), { id: answer.body.id, ...pattern })
    assert.deepEqual(await old.drain(), [])
  })

  it('limits the instructions of all compiled patterns of an organization together', async () => {
    const { adam } = at.people
    const url_template = 'https://x.example/{id}'
    const add = (pattern: string) => adam.post('/realm/filters', { pattern, url_template })
    const msg = 'Too many instructions in the patterns of linkifiers (limit: 5000)'

    const first = await add('A(?P<id>(?:[a-z]?){900})')
    assert.equal(first.status, 200, first.text)
    const second = await add('B(?P<id>(?:[a-z]?){900})')
    assert.equal(second.status, 200, second.text)
    const small = await add('C(?P<id>[a-z]+)')
    assert.equal(small.status, 200, small.text)

    const grown = { pattern: `C(?P<id>${'[a-z]?'.repeat(300)}(?:x?){900})`, url_template }
    const refused = [
      await add('D(?P<id>(?:[a-z]?){900})'),
      await adam.patch(`/realm/filters/${small.body.id}`, grown),
    ]
    for (const { status, body } of refused) {
      assert.deepEqual([status, body.msg], [400, msg])
    }
    const path = `/realm/filters/${first.body.id}`
    const renamed = { pattern: 'A(?P<id>(?:[a-z]?){900})', url_template: `${url_template}/a` }
    assert.equal((await adam.patch(path, renamed)).status, 200)
    assert.equal((await adam.delete(path)).status, 200)
    assert.equal((await add('D(?P<id>(?:[a-z]?){900})')).status, 200)
  })

  it('refuses invalid patterns and templates, and explains why', async () => {
    const add = (pattern: string, url_template: string) =>
      at.people.adam.post('/realm/filters', { pattern, url_template })
    const url = 'https://x.example/'

    const answers = await Promise.all([
      add('(?P<id>[0-9]+', `${url}{id}`),
      add('(?P<id>(?=a))', `${url}{id}`),
      add('', url),
      add('(?P<id>a)', `${url}{id`),
      add('a', `${url}{id}`),
      add('(?P<id>a)', url),
    ])

    assert.match(answers[0]?.body.msg, /^Bad regular expression: /)
    assert.match(answers[1]?.body.msg, /^Bad regular expression: /)
    assert.deepEqual(answers[2]?.body, {
      result: 'error',
      msg: 'This field cannot be blank.',
      code: 'BAD_REQUEST',
      errors: { pattern: ['This field cannot be blank.'] },
    })
    assert.equal(answers[3]?.body.msg, 'Invalid URL template.')
    assert.equal(
      answers[4]?.body.msg,
      "Group 'id' in URL template is not present in linkifier pattern.",
    )
    assert.equal(
      answers[5]?.body.msg,
      "Group 'id' in linkifier pattern is not present in URL template.",
    )
  })

  it('refuses patterns that would break the combined pattern for messages', async () => {
    const { adam, alice } = at.people
    const bad = 'Bad regular expression: it cannot be a part of another one'

    for (const [pattern, url_template] of [
      // An unterminated quotation would include the text after the pattern.
      ['\\Qabc', 'https://x.example/'],
      ['(?P<parley_match__>a)', 'https://x.example/{parley_match__}'],
    ]) {
      const answer = await adam.post('/realm/filters', { pattern, url_template })
      assert.equal(answer.body.msg, bad)
      assert.deepEqual(answer.body.errors, { pattern: [bad] })
    }
    await alice.say(at.channels.design, 'links', 'Messages go on')
  })

  it('refuses templates with schemes that links in messages cannot have', async () => {
    const { adam } = at.people
    let count = 0
    const add = (url_template: string) => {
      count += 1
      return adam.post('/realm/filters', { pattern: `Q${count}(?P<q>[0-9])`, url_template })
    }
    const invalid = 'Invalid URL template.'

    for (const template of [
      'javascript:f({q})',
      ' \tJAVASCRIPT:f({q})',
      'java\u0001script:f({q})',
      'data:text/html,{q}',
      'vbscript:{q}',
      'blob:{q}',
      '{+q}://x.example/',
      'java{q}:f()',
    ]) {
      const { body } = await add(template)
      assert.deepEqual([body.msg, body.errors], [invalid, { url_template: [invalid] }], template)
    }
    for (const template of ['HTTP://x.example/{q}', 'mailto:{q}@x.example', '/#narrow/{q}']) {
      assert.equal((await add(template)).status, 200, template)
    }
  })

  it('refuses patterns and templates that are too long', async () => {
    const { adam } = at.people
    const add = (pattern: string, url_template: string) =>
      adam.post('/realm/filters', { pattern, url_template })

    const pattern = await add('x'.repeat(2001), 'https://x.example/')
    const template = await add('y', `https://x.example/${'y'.repeat(10_000)}`)

    assert.equal(pattern.body.msg, 'pattern is too long (limit: 2000 characters)')
    assert.equal(template.body.msg, 'url_template is too long (limit: 10000 characters)')
  })

  it('refuses a pattern that already exists', async () => {
    const twice = { pattern: 'W(?P<n>[0-9]+)', url_template: 'https://w.example/{n}' }
    await at.people.adam.post('/realm/filters', twice)

    const answer = await at.people.adam.post('/realm/filters', twice)

    assert.equal(answer.body.msg, 'Realm filter with this Realm and Pattern already exists.')
  })

  it('is restricted to administrators', async () => {
    for (const name of ['mona', 'alice', 'gus', 'bot'] as const) {
      const answer = await at.people[name].post('/realm/filters', issues)
      assert.equal(answer.body.code, 'UNAUTHORIZED_PRINCIPAL')
      assert.equal(answer.body.msg, 'Must be an organization administrator')
    }
  })
})

everyHost('get-linkifiers', (at) => {
  it('lists linkifiers for every user, in the order in which they are applied', async () => {
    const { body } = await at.people.adam.post('/realm/filters', issues)

    const answer = await at.people.gus.get('/realm/linkifiers')

    assert.deepEqual(answer.body.linkifiers, [{ id: body.id, ...issues }])
  })
})

everyHost('update-linkifier', (at) => {
  it('changes the rendering of new messages', async () => {
    const { adam, alice } = at.people
    const { body } = await adam.post('/realm/filters', issues)

    const answer = await adam.patch(`/realm/filters/${body.id}`, {
      pattern: 'BUG-(?P<id>[0-9]+)',
      url_template: 'https://bugs.example/{id}',
    })

    assert.deepEqual(answer.body, { result: 'success', msg: '' })
    const rendered = await alice.post('/messages/render', { content: 'ISSUE-1 BUG-2' })
    assert.equal(
      rendered.body.rendered,
      '<p>ISSUE-1 <a href="https://bugs.example/2">BUG-2</a></p>',
    )
  })

  it('refuses unknown linkifiers, and callers who are not administrators', async () => {
    const unknown = await at.people.adam.patch(`/realm/filters/${at.unknownId}`, issues)
    const member = await at.people.alice.patch(`/realm/filters/${at.unknownId}`, issues)

    assert.equal(unknown.body.msg, 'Linkifier not found.')
    assert.equal(member.body.code, 'UNAUTHORIZED_PRINCIPAL')
  })
})

everyHost('remove-linkifier', (at) => {
  it('renders no links in later messages', async () => {
    const { adam, alice } = at.people
    const { body } = await adam.post('/realm/filters', issues)

    await adam.delete(`/realm/filters/${body.id}`)

    const rendered = await alice.post('/messages/render', { content: 'ISSUE-1' })
    assert.equal(rendered.body.rendered, '<p>ISSUE-1</p>')
  })

  it('returns the same error for a linkifier of another organization and for an unknown one', async () => {
    const other = await at.host.organization()
    const foreign = await other.people.adam.post('/realm/filters', issues)

    const missing = await at.people.adam.delete(`/realm/filters/${at.unknownId}`)
    const theirs = await at.people.adam.delete(`/realm/filters/${foreign.body.id}`)

    assert.equal(missing.body.msg, 'Linkifier not found.')
    assert.equal(theirs.text, missing.text)
  })
})

everyHost('reorder-linkifiers', (at) => {
  it('applies the first of two overlapping linkifiers', async () => {
    const { adam, alice } = at.people
    const wide = { pattern: 'A(?P<x>[0-9]+)', url_template: 'https://wide.example/{x}' }
    const narrow = { pattern: 'A1(?P<x>[0-9]*)', url_template: 'https://narrow.example/{x}' }
    const first = (await adam.post('/realm/filters', wide)).body.id
    const second = (await adam.post('/realm/filters', narrow)).body.id

    await adam.patch('/realm/linkifiers', { ordered_linkifier_ids: [second, first] })

    const rendered = await alice.post('/messages/render', { content: 'A12' })
    assert.match(rendered.body.rendered, /narrow\.example/)
    const duplicate = await adam.patch('/realm/linkifiers', {
      ordered_linkifier_ids: [first, first],
    })
    const partial = await adam.patch('/realm/linkifiers', { ordered_linkifier_ids: [first] })
    assert.equal(duplicate.body.msg, 'The ordered list must not contain duplicated linkifiers')
    assert.equal(
      partial.body.msg,
      'The ordered list must enumerate all existing linkifiers exactly once',
    )
  })
})
