import assert from 'node:assert/strict'
import { it } from 'node:test'

import { makeChannel } from '../support/channels.js'
import { makeGroup } from '../support/groups.js'
import { everyHost } from '../support/host.js'
import { bots, isOfBot, noticesOf, silent } from '../support/notices.js'

everyHost('update-user-group-members', (at) => {
  it('tells the humans whom somebody else adds or removes', async () => {
    const { alice, bob, carol, mona, bot } = at.people
    const id = await makeGroup(alice, 'told', { members: [mona.id] })
    const people = { alice, bob, carol, mona, bot }
    const members = [alice.id, bob.id, carol.id, bot.id]

    const joined = await noticesOf(people, () =>
      alice.post(`/user_groups/${id}/members`, { add: members }),
    )
    const left = await noticesOf(people, () =>
      alice.post(`/user_groups/${id}/members`, { delete: members }),
    )

    const notice = (text: string) => ({
      place: 'direct',
      content: `${silent(alice)} ${text} the group @_*told*.`,
      flags: [],
    })
    const [added, removed] = [notice('added you to'), notice('removed you from')]
    assert.deepEqual(joined, { alice: [], bob: [added], carol: [added], mona: [], bot: [] })
    assert.deepEqual(left, { alice: [], bob: [removed], carol: [removed], mona: [], bot: [] })
  })

  it('tells after everybody has heard of the new members', async () => {
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

  it('tells nobody of those whom a group is made of', async () => {
    const { alice, bob } = at.people

    const heard = await noticesOf({ bob }, () => makeGroup(alice, 'made', { members: [bob.id] }))

    assert.deepEqual(heard.bob, [])
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
    return answer.body.user_id as number
  }

  it('is followed by a starred message of the Welcome Bot, for the newcomer alone', async () => {
    const { olga, alice } = at.people

    let id = 0
    const heard = await noticesOf({ olga, alice }, async () => {
      id = await create('wendy')
    })

    assert.deepEqual(heard, { olga: [], alice: [] })
    const key = await at.nobody.post('/fetch_api_key', {
      username: 'wendy@new.example',
      password: 'correct horse battery staple',
    })
    const credentials = { email: 'wendy@new.example', apiKey: key.body.api_key as string }
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
      [message.sender_id, message.sender_full_name, message.sender_email, message.flags],
      [bots.welcome, 'Welcome Bot', 'welcome-bot@zulip.com', ['starred']],
    )
    assert.match(message.content, /^Hello, and welcome to \*\*Test\*\*/)
    const { body } = await wendy.post('/register', {
      event_types: ['message', 'update_message_flags', 'starred_messages'],
    })
    assert.deepEqual(body.starred_messages, [message.id])
    assert.deepEqual(
      body.unread_msgs.pms.map((pm: { other_user_id: number }) => pm.other_user_id),
      [bots.welcome],
    )
  })

  it('is told where the organization wants it', async () => {
    const { adam, alice, bob } = at.people
    const channelId = await makeChannel(alice, 'doorbell', { subscribers: [bob.id] })
    await adam.patch('/realm', { signup_announcements_stream_id: channelId })

    let id = 0
    const heard = await noticesOf({ alice, bob }, async () => {
      id = await create('sam')
    })

    const content = `@_**sam New|${id}** joined this organization.`
    assert.deepEqual(heard, {
      alice: [],
      bob: [{ place: 'doorbell > signups', content, flags: [] }],
    })
  })
})

everyHost('create-scheduled-message', (at) => {
  it('is told to its author if it cannot be sent', async () => {
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

    const heard = await noticesOf({ alice, bob }, async () => {
      at.clock.advance(130)
      // The server works on its own meanwhile.
      await watching.until('a notice', isOfBot)
    })

    const time = new Date(dueAt * 1000).toISOString()
    const content = `The message you scheduled for <time:${time}> was not sent because of the following error:\n\n> Not authorized to send to channel 'gone soon'\n\n[View scheduled messages](#scheduled)`
    assert.deepEqual(heard, { alice: [{ place: 'direct', content, flags: [] }], bob: [] })
    assert.deepEqual(
      (await events.drain())
        .filter((event) => event.type === 'scheduled_messages' || isOfBot(event))
        .map(({ type, message }) => message?.sender_id ?? type),
      ['scheduled_messages', bots.notification],
    )
  })
})
