import assert from 'node:assert/strict'
import { it } from 'node:test'

import { everyHost } from '../support/host.js'

everyHost('render-message', (at) => {
  it('renders content as if the caller had sent it', async () => {
    const answer = await at.people.alice.post('/messages/render', {
      content: 'Ask @**Bob Test** in #**general** :octopus:',
    })

    assert.equal(
      answer.body.rendered,
      `<p>Ask <span class="user-mention" data-user-id="${at.people.bob.id}">@Bob Test</span> in ` +
        `<a class="stream" data-stream-id="${at.channels.general}" href="/#narrow/channel/${at.channels.general}-general">#general</a> ` +
        '<span aria-label="octopus" class="emoji emoji-1f419" role="img" title="octopus">:octopus:</span></p>',
    )
  })

  it('renders the name of a channel that the caller cannot see as plain text', async () => {
    const content = 'in #**secret**'

    const [insider, outsider] = [
      await at.people.alice.post('/messages/render', { content }),
      await at.people.bob.post('/messages/render', { content }),
    ]

    assert.match(insider.body.rendered, /class="stream"/)
    assert.equal(outsider.body.rendered, '<p>in #<strong>secret</strong></p>')
  })

  it('renders empty content as an empty string', async () => {
    const answer = await at.people.alice.post('/messages/render', { content: '' })

    assert.deepEqual(answer.body, { result: 'success', msg: '', rendered: '' })
  })

  it('escapes HTML, and renders no unsafe links', async () => {
    const answer = await at.people.alice.post('/messages/render', {
      content: '<script>alert(1)</script> [x](javascript:alert(1))',
    })

    assert.doesNotMatch(answer.body.rendered, /<script|href="javascript/)
  })

  it('truncates long content and refuses null bytes, like send-message', async () => {
    const { body } = await at.people.alice.post('/messages/render', {
      content: 'a '.repeat(50_000),
    })
    const { body: refused } = await at.people.alice.post('/messages/render', { content: 'a\0b' })

    assert.equal(body.rendered.length, 10_000 + '<p><br></p>'.length)
    assert.match(body.rendered, /a <br>\n\[message truncated\]<\/p>$/)
    assert.equal(refused.msg, 'Message must not contain null bytes')
  })

  it('requires content', async () => {
    const answer = await at.people.alice.post('/messages/render')

    assert.equal(answer.body.code, 'REQUEST_VARIABLE_MISSING')
  })
})

everyHost(
  'send-message',
  (at) => {
    const receivedFlags = async (content: string): Promise<Record<string, unknown>> => {
      const { alice, bob, carol, mona } = at.people
      const readers = { alice, bob, carol, mona }
      const feeds = await Promise.all(
        Object.values(readers).map((person) => person.listen({ event_types: ['message'] })),
      )
      await alice.say(at.channels.general, `mentions ${content.length}`, content)
      const names = Object.keys(readers)
      const flags = await Promise.all(
        feeds.map(async (feed, index) => [names[index], (await feed.drain())[0]?.['flags']]),
      )
      return Object.fromEntries(flags) as Record<string, unknown>
    }

    it('flags users who are mentioned by name', async () => {
      assert.deepEqual(await receivedFlags('Hello @**Bob Test**'), {
        alice: [],
        bob: ['mentioned'],
        carol: [],
        mona: [],
      })
    })

    it('sets no flag for a silent mention', async () => {
      assert.deepEqual((await receivedFlags('Hello @_**Bob Test**'))['bob'], [])
    })

    it('flags every recipient for a channel wildcard', async () => {
      const flags = ['stream_wildcard_mentioned', 'wildcard_mentioned']

      const received = await receivedFlags('Hello @**all**')

      assert.deepEqual(received, { alice: flags, bob: flags, carol: flags, mona: flags })
    })

    it('flags the participants of the topic for a topic wildcard', async () => {
      const { alice, bob, carol } = at.people
      await bob.say(at.channels.general, 'participants', 'I take part')
      const [bobFeed, carolFeed] = [await bob.listen(), await carol.listen()]

      await alice.say(at.channels.general, 'participants', 'Hello @**topic**')

      const flags = ['topic_wildcard_mentioned', 'wildcard_mentioned']
      assert.deepEqual((await bobFeed.drain())[0]?.['flags'], flags)
      assert.deepEqual((await carolFeed.drain())[0]?.['flags'], [])
    })

    it('flags the members of a mentioned group, at any depth', async () => {
      assert.deepEqual(await receivedFlags('Hello @*night crew*'), {
        alice: [],
        bob: ['mentioned'],
        carol: ['mentioned'],
        mona: [],
      })
    })

    it('refuses a group that the sender cannot mention, except silently', async () => {
      const { alice } = at.people
      const send = (content: string) =>
        alice.post('/messages', { type: 'channel', to: at.channels.general, topic: 'x', content })

      const [loud, silent] = [await send('@*role:moderators*'), await send('@_*role:moderators*')]

      assert.equal(loud.status, 400)
      assert.equal(loud.body.msg, "You are not allowed to mention user group 'role:moderators'.")
      assert.equal(silent.status, 200)
    })
  },
  {
    more: ({ people, base }) => ({
      groups: [
        { id: base + 50, name: 'night crew', members: [people.bob], subgroups: [base + 51] },
        { id: base + 51, name: 'interns', members: [people.carol, people.dora] },
      ],
    }),
  },
)
