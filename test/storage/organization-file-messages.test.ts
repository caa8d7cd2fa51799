import assert from 'node:assert/strict'
import { it } from 'node:test'

import { TestHost } from '../support/host.js'
import { everyLoaded, messagesOf, type Row } from '../support/loaded-organization.js'

everyLoaded('the messages', (at) => {
  const { id, file } = at

  it('contain mentions, alert words, emoji, links and flags', async () => {
    const alice = await messagesOf(at.people.alice)
    const gus = await messagesOf(at.people.gus)
    const bot = await messagesOf(at.people.bot)
    const flagsOf = (messages: Map<number, Row>) =>
      Object.fromEntries(
        [...messages].map(([messageId, { flags }]) => [messageId, (flags as string[]).toSorted()]),
      )

    assert.match(String(alice.get(id.mention)?.['content']), /class="user-mention"/)
    assert.match(
      String(alice.get(id.mention)?.['content']),
      new RegExp(`/near/${id.first}|/with/${id.first}`),
    )
    assert.match(String(alice.get(id.mention)?.['content']), /alt=":shout:"/)
    assert.match(String(alice.get(id.mention)?.['content']), /https:\/\/refs.example\/7/)
    assert.equal(alice.get(id.mention)?.['client'], 'website')
    assert.match(String(alice.get(id.everyone)?.['content']), /class="emoji/)
    assert.doesNotMatch(String(alice.get(id.first)?.['content']), /class="emoji/)
    assert.deepEqual(flagsOf(alice), {
      [id.first]: ['read', 'starred'],
      [id.mention]: ['mentioned'],
      [id.everyone]: ['read', 'stream_wildcard_mentioned', 'wildcard_mentioned'],
      [id.direct]: [],
      [id.outside]: ['historical', 'read'],
      // Messages of muted users are marked as read.
      [id.poll + 1]: ['read'],
    })
    assert.deepEqual(flagsOf(gus), {
      [id.first]: ['collapsed'],
      [id.mention]: ['has_alert_word'],
      [id.everyone]: ['stream_wildcard_mentioned', 'wildcard_mentioned'],
      [id.direct]: [],
      [id.poll + 1]: ['read'],
    })
    assert.deepEqual(flagsOf(bot), { [id.outside]: ['mentioned'] })
  })

  it('are in the unread counts and in the recent conversations', () => {
    assert.deepEqual(at.registered['unread_msgs'].mentions, [id.mention])
    assert.deepEqual(at.registered['unread_msgs'].streams, [
      { stream_id: id.deck, topic: 'Sails', unread_message_ids: [id.mention] },
    ])
    assert.deepEqual(
      at.registered['unread_msgs'].huddles.map((row: Row) => row['unread_message_ids']),
      [[id.direct]],
    )
    assert.deepEqual(at.registered['starred_messages'], [id.first])
    assert.deepEqual(
      at.registered['recent_private_conversations'].map((row: Row) => row['user_ids']),
      [[id.gus], [id.bob, id.gus]],
    )
  })

  it('have the reactions', async () => {
    const messages = await messagesOf(at.people.bob)

    assert.deepEqual(
      messages
        .get(id.first)
        ?.['reactions'].map((row: Row) => [
          row['user_id'],
          row['emoji_name'],
          row['emoji_code'],
          row['reaction_type'],
        ]),
      [
        [id.bob, 'tada', '1f389', 'unicode_emoji'],
        [id.gus, 'shout', String(id.shout), 'realm_emoji'],
      ],
    )
  })

  it('have polls and their votes', async () => {
    const { body } = await at.people.bob.get(`/messages/${id.poll}`)

    assert.deepEqual(
      body.message.submessages.map((row: Row) => [
        row['message_id'],
        row['sender_id'],
        row['msg_type'],
        JSON.parse(String(row['content'])),
      ]),
      [
        [
          id.poll,
          id.bob,
          'widget',
          {
            widget_type: 'poll',
            extra_data: { question: 'Where to?', options: ['North', 'South'] },
          },
        ],
        [id.poll, id.bob, 'widget', { type: 'vote', key: 'canned,0' }],
      ],
    )
  })

  it('are the same at every load', async () => {
    const again = new TestHost('koa', at.database)
    await again.start()
    try {
      await again.chat.organizations.load(file)
      const client = again.client('rich', at.credentials.gus, id.gus, 'gus')
      const first = await at.people.gus.get(`/messages/${id.mention}`)
      const second = await client.get(`/messages/${id.mention}`)

      assert.deepEqual(second.body, first.body)
    } finally {
      await again.stop()
    }
  })
})
