import assert from 'node:assert/strict'
import { it } from 'node:test'

import { everyLoaded, type Row } from '../support/loaded-organization.js'

everyLoaded('the personal items of users', (at) => {
  const { id, at: seconds } = at

  it('are in the snapshot and the lists of their owners', async () => {
    const { body: words } = await at.people.gus.get('/users/me/alert_words')
    const { body: status } = await at.people.alice.get(`/users/${id.bob}/status`)
    const { body: scheduled } = await at.people.alice.get('/scheduled_messages')

    assert.deepEqual(words.alert_words, ['Ahoy', 'land'])
    assert.deepEqual(at.registered['muted_users'], [{ id: id.gus, timestamp: seconds + 1 }])
    assert.deepEqual(
      at.registered['user_topics'].map((row: Row) => [
        row['stream_id'],
        row['topic_name'],
        row['visibility_policy'],
        row['last_updated'],
      ]),
      [
        [id.deck, 'sails', 3, seconds + 2],
        [id.deck, 'Oars', 1, seconds + 3],
      ],
    )
    assert.deepEqual(status.status, {
      status_text: 'Rowing',
      emoji_name: 'shout',
      emoji_code: String(id.shout),
      reaction_type: 'realm_emoji',
    })
    assert.deepEqual(at.registered['drafts'], [
      {
        id: id.draft,
        type: 'stream',
        to: [id.deck],
        topic: 'sails',
        content: 'Not yet',
        timestamp: seconds + 4,
      },
    ])
    assert.deepEqual(at.registered['saved_snippets'], [
      { id: id.snippet, title: 'Sign', content: 'Yours, Alice', date_created: seconds + 5 },
    ])
    assert.deepEqual(at.registered['navigation_views'], [
      { fragment: 'inbox', is_pinned: true, name: null },
      { fragment: 'narrow/is/dm', is_pinned: false, name: 'Direct' },
    ])
    assert.deepEqual(scheduled.scheduled_messages, [
      {
        scheduled_message_id: id.scheduled,
        type: 'stream',
        to: id.deck,
        topic: 'sails',
        content: '*Later*',
        rendered_content: '<p><em>Later</em></p>',
        scheduled_delivery_timestamp: 4_000_000_000,
        failed: false,
      },
      {
        scheduled_message_id: id.scheduled + 1,
        type: 'private',
        to: [id.bob],
        content: 'Bob',
        rendered_content: '<p>Bob</p>',
        scheduled_delivery_timestamp: 4_000_000_001,
        failed: false,
      },
    ])
  })

  it('include reminders, as if they had been created through the API', async () => {
    const { body } = await at.people.alice.get('/reminders')

    assert.deepEqual(
      body.reminders.map((row: Row) => [
        row['reminder_id'],
        row['reminder_target_message_id'],
        row['scheduled_delivery_timestamp'],
        row['failed'],
      ]),
      [
        [id.reminder + 1, id.direct, seconds, true],
        [id.reminder, id.mention, 4_000_000_002, false],
      ],
    )
    const [direct, mention] = body.reminders
    assert.match(mention!.content, new RegExp(`^You requested .*#\\*\\*Deck>Sails@${id.mention}`))
    assert.match(mention!.content, /> Look at the sails/)
    assert.match(mention!.content, /said[^]*REF-7, ahoy/)
    assert.match(mention!.rendered_content, /<blockquote>/)
    assert.match(
      direct!.content,
      new RegExp(`/#narrow/dm/${id.alice},${id.bob},${id.gus}-group/near/${id.direct}`),
    )
  })

  it('determine the next ids', async () => {
    const sent = await at.people.bob.post('/messages', {
      type: 'direct',
      to: [id.alice],
      content: 'Next',
    })
    const linkifier = await at.people.olga.post('/realm/filters', {
      pattern: 'NEXT-(?P<id>[0-9]+)',
      url_template: 'https://next.example/{id}',
    })
    const draft = await at.people.bob.post('/drafts', {
      drafts: [{ type: '', to: [], topic: '', content: 'x' }],
    })

    const domain = await at.people.olga.post('/realm/domains', {
      domain: 'next.example',
      allow_subdomains: false,
    })
    const field = await at.people.olga.post('/realm/profile_fields', {
      name: 'Next',
      field_type: 1,
    })
    const folder = await at.people.olga.post('/channel_folders/create', { name: 'Next' })
    const bot = await at.people.alice.post('/bots', {
      full_name: 'Next',
      short_name: 'next',
      bot_type: 1,
    })
    const reminder = await at.people.bob.post('/reminders', {
      message_id: id.first,
      scheduled_delivery_timestamp: 4_000_000_000,
    })

    assert.equal(sent.body.id, 6000)
    assert.deepEqual(
      [field.body.id, folder.body.channel_folder_id, bot.body.user_id, reminder.body.reminder_id],
      [5500, 5500, 5500, 5500],
    )
    assert.match(JSON.stringify(domain.body), /5500/)
    assert.equal(linkifier.body.id, 5500)
    assert.deepEqual(draft.body.ids, [5500])
  })
})
