import assert from 'node:assert/strict'
import { it } from 'node:test'

import { everyHost } from '../support/host.js'
import { withoutIds } from '../support/event-feed.js'

const tada = { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' }

everyHost('add-reaction', (at) => {
  const react = (person: keyof typeof at.people, messageId: number, emoji: object) =>
    at.people[person].post(`/messages/${messageId}/reactions`, { ...emoji })

  it('sends the event to all users who receive the channel, and to no others', async () => {
    const { alice, bob, carol } = at.people
    const id = await alice.say(at.channels.design, 'party', 'It is done')
    const [bobFeed, carolFeed] = [await bob.listen(), await carol.listen()]

    const answer = await react('alice', id, { emoji_name: 'tada' })

    assert.deepEqual(answer.body, { result: 'success', msg: '' })
    assert.deepEqual(withoutIds(await bobFeed.drain()), [
      {
        type: 'reaction',
        op: 'add',
        user_id: alice.id,
        user: { user_id: alice.id, email: alice.email, full_name: 'Alice Test' },
        message_id: id,
        ...tada,
      },
    ])
    assert.deepEqual(await carolFeed.drain(), [])
  })

  it('returns the reactions with the message, in the order of their creation', async () => {
    const { alice, bob } = at.people
    const id = await alice.say(at.channels.design, 'order', 'First!')
    await react('bob', id, { emoji_name: 'tada' })
    await react('alice', id, { emoji_name: 'octopus' })

    const answer = await bob.get(`/messages/${id}`)

    assert.deepEqual(
      answer.body.message.reactions.map((reaction) => [reaction.emoji_name, reaction.user_id]),
      [
        ['tada', bob.id],
        ['octopus', alice.id],
      ],
    )
  })

  it("adds a message that the user never received to the user's history", async () => {
    const id = await at.people.alice.say(at.channels.design, 'history', 'Public')

    await react('carol', id, { emoji_name: 'tada' })

    const answer = await at.people.carol.get(`/messages/${id}`)
    assert.deepEqual(answer.body.message.flags, ['read', 'historical'])
  })

  it('keeps the first name of an emoji for later reactions with it', async () => {
    const id = await at.people.alice.say(at.channels.design, 'names', 'Sea')
    await react('alice', id, { emoji_name: 'octopus' })

    const answer = await react('bob', id, { ...tada, emoji_code: '1f419', emoji_name: 'anything' })

    assert.equal(answer.status, 200)
    const { body } = await at.people.bob.get(`/messages/${id}`)
    assert.deepEqual(
      body.message.reactions.map((reaction) => reaction.emoji_name),
      ['octopus', 'octopus'],
    )
  })

  it('accepts each emoji once per user', async () => {
    const id = await at.people.alice.say(at.channels.design, 'once', 'Again')
    await react('alice', id, tada)

    const answer = await react('alice', id, tada)

    assert.equal(answer.status, 400)
    assert.deepEqual(answer.body, {
      result: 'error',
      msg: 'Reaction already exists.',
      code: 'REACTION_ALREADY_EXISTS',
    })
  })

  it('accepts both type names of the extra emoji and sends the one of the API documentation', async () => {
    const id = await at.people.alice.say(at.channels.design, 'extra', 'Z')
    const zulip = { emoji_name: 'zulip', emoji_code: 'zulip' }

    const first = await react('alice', id, { ...zulip, reaction_type: 'zulip_extra_emoji' })
    const second = await react('bob', id, { ...zulip, reaction_type: 'service_extra_emoji' })

    assert.deepEqual([first.status, second.status], [200, 200])
    const { body } = await at.people.bob.get(`/messages/${id}`)
    assert.deepEqual(
      new Set(body.message.reactions.map((reaction) => reaction.reaction_type)),
      new Set(['service_extra_emoji']),
    )
  })

  it('rejects an emoji that does not exist, and a name and code that do not match', async () => {
    const id = await at.people.alice.say(at.channels.design, 'errors', 'Hm')
    const refusals = {
      "Emoji 'no_such' does not exist": { emoji_name: 'no_such' },
      'Invalid emoji code.': { ...tada, emoji_code: 'ffff' },
      'Invalid emoji name.': { ...tada, emoji_name: 'octopus' },
      'Invalid emoji type.': { ...tada, reaction_type: 'other' },
      'Invalid custom emoji.': { ...tada, reaction_type: 'realm_emoji', emoji_code: '999999' },
    }

    for (const [text, emoji] of Object.entries(refusals)) {
      const answer = await react('alice', id, emoji)
      assert.deepEqual(
        [answer.status, answer.body.msg, answer.body.code],
        [400, text, 'BAD_REQUEST'],
      )
    }
  })

  it('returns the same error for missing, foreign and inaccessible messages', async () => {
    const other = await at.host.organization()
    const foreign = await other.people.alice.say(other.channels.general, 'x', 'Elsewhere')
    const hidden = await at.people.alice.say(at.channels.secret, 'x', 'Private')

    const answers = [
      await react('bob', at.unknownId, tada),
      await react('bob', foreign, tada),
      await react('bob', hidden, tada),
    ]

    for (const answer of answers) {
      assert.equal(answer.text, answers[0]?.text)
      assert.deepEqual([answer.status, answer.body.msg], [400, 'Invalid message(s)'])
    }
  })

  it('requires a name', async () => {
    const answer = await react('alice', 1, {})

    assert.deepEqual(
      [answer.body.code, answer.body.var_name],
      ['REQUEST_VARIABLE_MISSING', 'emoji_name'],
    )
  })
})

everyHost('remove-reaction', (at) => {
  it('sends the event once, to all users who received the reaction', async () => {
    const { alice, bob } = at.people
    const id = await alice.say(at.channels.design, 'back', 'Oops')
    await alice.post(`/messages/${id}/reactions`, tada)
    const feed = await bob.listen()

    const first = await alice.delete(`/messages/${id}/reactions`, tada)
    const second = await alice.delete(`/messages/${id}/reactions`, tada)

    assert.deepEqual(first.body, { result: 'success', msg: '' })
    assert.deepEqual(second.body, {
      result: 'error',
      msg: "Reaction doesn't exist.",
      code: 'REACTION_DOES_NOT_EXIST',
    })
    const [event, ...more] = await feed.drain()
    assert.deepEqual([event?.['op'], event?.['message_id'], more], ['remove', id, []])
  })

  it('finds the emoji by its name alone, or by its code alone', async () => {
    const { alice } = at.people
    const id = await alice.say(at.channels.design, 'short', 'Oops')
    await alice.post(`/messages/${id}/reactions`, tada)
    await alice.post(`/messages/${id}/reactions`, { emoji_name: 'octopus' })

    const byName = await alice.delete(`/messages/${id}/reactions`, { emoji_name: 'tada' })
    const byCode = await alice.delete(`/messages/${id}/reactions`, { emoji_code: '1f419' })

    assert.deepEqual([byName.status, byCode.status], [200, 200])
  })

  it("does not remove other users' reactions", async () => {
    const { alice, bob } = at.people
    const id = await alice.say(at.channels.design, 'others', 'Oops')
    await bob.post(`/messages/${id}/reactions`, tada)

    const answer = await alice.delete(`/messages/${id}/reactions`, tada)

    assert.equal(answer.body.code, 'REACTION_DOES_NOT_EXIST')
    const { body } = await alice.get(`/messages/${id}`)
    assert.equal(body.message.reactions.length, 1)
  })

  it('rejects an unknown code, and a request that names no emoji', async () => {
    const id = await at.people.alice.say(at.channels.design, 'none', 'Oops')
    const remove = (emoji: object) =>
      at.people.alice.delete(`/messages/${id}/reactions`, { ...emoji })

    const unknown = await remove({ ...tada, emoji_code: 'ffff' })
    const nothing = await remove({})

    assert.deepEqual([unknown.status, unknown.body.msg], [400, 'Invalid emoji code'])
    for (const [emoji, code, msg] of [
      [
        { emoji_code: '2000000000', reaction_type: 'realm_emoji' },
        'BAD_REQUEST',
        'Invalid emoji code',
      ],
      [{ emoji_code: '1f389', reaction_type: 'realm_emoji' }, 'BAD_REQUEST', 'Invalid emoji code'],
      [
        { emoji_code: 'x', reaction_type: 'zulip_extra_emoji' },
        'BAD_REQUEST',
        'Invalid emoji code',
      ],
      [
        { emoji_code: '1f389', reaction_type: 'smoke_signal' },
        'BAD_REQUEST',
        'Invalid emoji type.',
      ],
      [{ emoji_code: '1f389' }, 'REACTION_DOES_NOT_EXIST', "Reaction doesn't exist."],
    ] as const) {
      const { status, body } = await remove(emoji)
      assert.deepEqual([status, body.code, body.msg], [400, code, msg], JSON.stringify(emoji))
    }
    assert.equal(
      nothing.body.msg,
      'At least one of the following arguments must be present: emoji_name, emoji_code',
    )
  })

  it('returns the same error for missing and inaccessible messages', async () => {
    const hidden = await at.people.alice.say(at.channels.secret, 'x', 'Private')

    const missing = await at.people.bob.delete(`/messages/${at.unknownId}/reactions`, tada)
    const forbidden = await at.people.bob.delete(`/messages/${hidden}/reactions`, tada)

    assert.equal(missing.body.msg, 'Invalid message(s)')
    assert.equal(forbidden.text, missing.text)
  })
})

for (const op of ['add', 'remove'] as const) {
  everyHost(
    `${op}-reaction`,
    (at) => {
      it('does not disclose the reacting user to guests without access to the user', async () => {
        const { alice, bob, carol, gus } = at.people
        await alice.post('/users/me/subscriptions', {
          subscriptions: [{ name: 'design' }],
          principals: [gus.id],
        })
        await gus.delete('/users/me/subscriptions', { subscriptions: ['general'] })
        const id = await alice.say(at.channels.design, 'unknown', 'Text')
        const feeds = [gus, bob].map((person) => person.listen({ event_types: ['reaction'] }))
        const [gusFeed, bobFeed] = await Promise.all(feeds)

        for (const person of [carol, alice]) {
          await react(person, 'post')
          if (op === 'remove') await react(person, 'delete')
        }

        const named = async (feed: typeof gusFeed): Promise<unknown[]> =>
          ((await feed?.drain()) ?? [])
            .filter((event) => event['op'] === op)
            .map((event) => event['user'] as unknown)
        const self = { user_id: alice.id, email: alice.email, full_name: 'Alice Test' }
        assert.deepEqual(await named(bobFeed), [
          { user_id: carol.id, email: carol.email, full_name: 'Carol Test' },
          self,
        ])
        assert.deepEqual(await named(gusFeed), [
          {
            user_id: carol.id,
            email: `user${carol.id}@users.invalid`,
            full_name: 'Unknown user',
          },
          self,
        ])

        async function react(person: typeof alice, method: 'post' | 'delete'): Promise<void> {
          const answer = await person[method](`/messages/${id}/reactions`, { emoji_name: 'tada' })
          assert.equal(answer.status, 200, answer.text)
        }
      })
    },
    { settings: { can_access_all_users_group: 'role:members' } },
  )
}
