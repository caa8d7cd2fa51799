import assert from 'node:assert/strict'
import { it } from 'node:test'

import { makeChannel } from '../support/channels.js'
import { makeGroup } from '../support/groups.js'
import { everyHost } from '../support/host.js'
import { bots, isOfBot, notificationMessagesOf, silent } from '../support/notification-messages.js'

everyHost('update-user-group-members', (at) => {
  it('sends a direct message to human users whom another user adds or removes', async () => {
    const { alice, bob, carol, mona, bot } = at.people
    const id = await makeGroup(alice, 'crew', { members: [mona.id] })
    const people = { alice, bob, carol, mona, bot }
    const members = [alice.id, bob.id, carol.id, bot.id]

    const joined = await notificationMessagesOf(people, () =>
      alice.post(`/user_groups/${id}/members`, { add: members }),
    )
    const left = await notificationMessagesOf(people, () =>
      alice.post(`/user_groups/${id}/members`, { delete: members }),
    )

    const notice = (text: string) => ({
      place: 'direct',
      content: `${silent(alice)} ${text} the group @_*crew*.`,
      flags: [],
    })
    const [added, removed] = [notice('added you to'), notice('removed you from')]
    assert.deepEqual(joined, { alice: [], bob: [added], carol: [added], mona: [], bot: [] })
    assert.deepEqual(left, { alice: [], bob: [removed], carol: [removed], mona: [], bot: [] })
  })

  it('sends the message after the event about the new members', async () => {
    const { alice, bob } = at.people
    const id = await makeGroup(alice, 'ordered')
    const feed = await bob.listen()

    await alice.post(`/user_groups/${id}/members`, { add: [bob.id] })

    const events = await feed.drain()
    assert.deepEqual(
      events.map(({ type }) => type),
      ['user_group', 'message'],
    )
    assert.ok(events.slice(1).every(isOfBot))
  })

  it('sends no message to the initial members of a new group', async () => {
    const { alice, bob } = at.people

    const received = await notificationMessagesOf({ bob }, () =>
      makeGroup(alice, 'made', { members: [bob.id] }),
    )

    assert.deepEqual(received.bob, [])
  })
})

everyHost('create-user', (at) => {
  const create = async (name: string): Promise<number> => {
    const answer = await at.people.olga.post('/users', {
      email: `${name}@new.example`,
      password: 'correct horse battery staple',
      full_name: `${name} New`,
    })
    assert.equal(answer.status, 200)
    return answer.body.user_id
  }

  it('sends a starred message of the Welcome Bot to the new user only', async () => {
    const { olga, alice } = at.people

    let id = 0
    const received = await notificationMessagesOf({ olga, alice }, async () => {
      id = await create('wendy')
    })

    assert.deepEqual(received, { olga: [], alice: [] })
    const key = await at.nobody.post('/fetch_api_key', {
      username: 'wendy@new.example',
      password: 'correct horse battery staple',
    })
    const credentials = { email: 'wendy@new.example', apiKey: key.body.api_key }
    const wendy = at.host.client(at.subdomain, credentials, id, 'wendy')
    const read = await wendy.get('/messages', {
      narrow: [{ operator: 'is', operand: 'dm' }],
      anchor: 'newest',
      num_before: 5,
      num_after: 0,
      apply_markdown: false,
    })
    const [message, ...others] = read.body.messages
    assert.deepEqual(others, [])
    assert.deepEqual(
      [message!.sender_id, message!.sender_full_name, message!.sender_email, message!.flags],
      [bots.welcome, 'Welcome Bot', 'welcome-bot@zulip.com', ['starred']],
    )
    assert.match(message!.content, /^Hello, and welcome to \*\*Test\*\*/)
    const { body } = await wendy.post('/register', {
      event_types: ['message', 'update_message_flags', 'starred_messages'],
    })
    assert.deepEqual(body.starred_messages, [message!.id])
    assert.deepEqual(
      body.unread_msgs.pms.map((pm) => pm.other_user_id),
      [bots.welcome],
    )
  })

  it('announces the new user in the channel that the organization has chosen', async () => {
    const { adam, alice, bob } = at.people
    const channelId = await makeChannel(alice, 'doorbell', { subscribers: [bob.id] })
    await adam.patch('/realm', { signup_announcements_stream_id: channelId })

    let id = 0
    const received = await notificationMessagesOf({ alice, bob }, async () => {
      id = await create('sam')
    })

    const content = `@_**sam New|${id}** joined this organization.`
    assert.deepEqual(received, {
      alice: [],
      bob: [{ place: 'doorbell > signups', content, flags: [] }],
    })
  })
})

everyHost('create-scheduled-message', (at) => {
  it('sends the author a direct message if the message cannot be sent', async () => {
    const { adam, alice, bob } = at.people
    const channelId = await makeChannel(alice, 'gone soon', { subscribers: [alice.id, bob.id] })
    const dueAt = Math.floor(at.clock.now() / 1000) + 120
    const { body } = await alice.post('/scheduled_messages', {
      type: 'channel',
      to: channelId,
      topic: 'later',
      content: 'Too late',
      scheduled_delivery_timestamp: dueAt,
    })
    assert.equal(typeof body.scheduled_message_id, 'number')
    await adam.delete(`/streams/${channelId}`)
    const [watching, events] = [await alice.listen(), await alice.listen()]

    const received = await notificationMessagesOf({ alice, bob }, async () => {
      at.clock.advance(130)
      // The server works in the background meanwhile.
      await watching.until('a notification message', isOfBot)
    })

    const time = new Date(dueAt * 1000).toISOString()
    const content = `The message you scheduled for <time:${time}> was not sent because of the following error:\n\n> Not authorized to send to channel 'gone soon'\n\n[View scheduled messages](#scheduled)`
    assert.deepEqual(received, { alice: [{ place: 'direct', content, flags: [] }], bob: [] })
    assert.deepEqual(
      (await events.drain())
        .filter((event) => event.type === 'scheduled_messages' || isOfBot(event))
        .map(({ type, message }) => message?.sender_id ?? type),
      ['scheduled_messages', bots.notification],
    )
  })
})
