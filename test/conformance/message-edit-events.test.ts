import assert from 'node:assert/strict'
import { it } from 'node:test'

import { makeChannel } from '../support/channels.js'
import { everyHost } from '../support/host.js'

const updates = { event_types: ['update_message'] }
const namesEmptyTopics = {
  ...updates,
  client_capabilities: { notification_settings_null: true, empty_topic_name: true },
}

everyHost('update-message', (at) => {
  it('sends a display name of the empty topic to clients without empty_topic_name', async () => {
    const { alice, bob } = at.people
    const id = await alice.say(at.channels.design, '', 'Text')
    const feeds = [await bob.listen(updates), await bob.listen(namesEmptyTopics)]

    await alice.patch(`/messages/${id}`, { topic: 'named' })
    for (const topic of ['(no topic)', 'named', 'general chat']) {
      const answer = await alice.patch(`/messages/${id}`, { topic })
      assert.equal(answer.status, 200, answer.text)
    }

    const topics = await Promise.all(
      feeds.map(async (feed) =>
        (await feed.drain()).map((event) => [event['orig_subject'], event['subject']]),
      ),
    )
    assert.deepEqual(topics, [
      [
        ['general chat', 'named'],
        ['named', 'general chat'],
        ['general chat', 'named'],
        ['named', 'general chat'],
      ],
      [
        ['', 'named'],
        ['named', ''],
        ['', 'named'],
        ['named', ''],
      ],
    ])
  })

  it('sends edits to new subscribers of a private channel only if they can read earlier messages', async () => {
    const { alice, bob, carol, olga } = at.people
    for (const isShared of [true, false]) {
      const name = `edits ${isShared}`
      const channelId = await makeChannel(olga, name, {
        invite_only: true,
        history_public_to_subscribers: isShared,
        subscribers: [alice.id, bob.id, olga.id],
      })
      const id = await alice.say(channelId, 'topic', 'Text')
      await olga.post('/users/me/subscriptions', {
        subscriptions: [{ name }],
        principals: [carol.id],
      })
      const [old, newSubscriber] = [await bob.listen(updates), await carol.listen(updates)]

      await alice.patch(`/messages/${id}`, { content: 'Other text' })

      assert.deepEqual(
        (await old.drain()).map((event) => event['flags']),
        [[]],
        name,
      )
      assert.deepEqual(
        (await newSubscriber.drain()).map((event) => event['flags']),
        isShared ? [['read']] : [],
        name,
      )
    }
  })

  it('sends only the content for an edit of a direct message', async () => {
    const { alice, bob, carol } = at.people
    const id = await alice.whisper([bob], 'Text')
    const [bobFeed, carolFeed] = [await bob.listen(updates), await carol.listen(updates)]

    await alice.patch(`/messages/${id}`, { content: '/me **waves**' })

    const { id: _, ...event } = (await bobFeed.drain())[0] ?? {}
    assert.deepEqual(event, {
      type: 'update_message',
      user_id: alice.id,
      edit_timestamp: at.clock.seconds,
      message_id: id,
      message_ids: [id],
      rendering_only: false,
      orig_content: 'Text',
      orig_rendered_content: '<p>Text</p>',
      content: '/me **waves**',
      rendered_content: '<p>/me <strong>waves</strong></p>',
      is_me_message: true,
      flags: [],
    })
    assert.deepEqual(await carolFeed.drain(), [])
  })

  it('recalculates flags that depend on the content, and keeps flags that users have set', async () => {
    const { alice, bob } = at.people
    await bob.post('/users/me/alert_words', { alert_words: ['zebra'] })
    const id = await alice.say(at.channels.design, 'flags', 'Text')
    for (const flag of ['starred', 'collapsed']) {
      await bob.post('/messages/flags', { messages: [id], op: 'add', flag })
    }
    const feed = await bob.listen({ event_types: ['update_message', 'update_message_flags'] })

    await alice.patch(`/messages/${id}`, { content: 'zebra @**all** @**Bob Test**' })
    await alice.patch(`/messages/${id}`, { content: 'Text' })

    const chosen = ['starred', 'collapsed']
    const [marked, plain, ...more] = await feed.drain()
    assert.deepEqual(more, [])
    assert.deepEqual(
      marked?.['flags'].filter((flag: string) => flag !== 'wildcard_mentioned'),
      [...chosen, 'mentioned', 'stream_wildcard_mentioned', 'has_alert_word'],
    )
    assert.deepEqual(plain?.['flags'], chosen)
  })
})

everyHost('update-message', (at) => {
  it('follows the topic that a partial move starts for its sender, unless the sender is a bot', async () => {
    const { alice, bot, bob } = at.people
    const feed = await alice.listen({ event_types: ['user_topic'] })
    const say = async (by: typeof alice, topic: string): Promise<number> => {
      const id = await by.say(at.channels.general, topic, 'Text')
      await by.say(at.channels.general, topic, 'Stays')
      return id
    }
    const [bots, people] = [await say(bot, 'robots'), await say(alice, 'people')]
    await feed.drain()

    await bob.patch(`/messages/${bots}`, { topic: 'started by a bot' })
    await bob.patch(`/messages/${people}`, { topic: 'started by alice' })

    assert.deepEqual(
      (await feed.drain()).map((event) => [event['topic_name'], event['visibility_policy']]),
      [['started by alice', 3]],
    )
  })
})
