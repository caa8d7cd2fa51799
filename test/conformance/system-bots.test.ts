import assert from 'node:assert/strict'
import { it } from 'node:test'

import { everyHost } from '../support/host.js'
import { bots, notificationMessagesOf } from '../support/notification-messages.js'
import { makeChannel } from '../support/channels.js'
import { makeGroup } from '../support/groups.js'
import { assertRefused } from '../support/refusal.js'

const { notification } = bots
const address = 'notification-bot@zulip.com'

everyHost('register-queue', (at) => {
  it('describes the bots that all organizations share', async () => {
    const { body } = await at.people.bob.post('/register', { fetch_event_types: ['realm_user'] })

    const common = {
      date_joined: '1970-01-01T00:00:00.000+00:00',
      is_active: true,
      is_owner: false,
      is_admin: false,
      is_guest: false,
      is_bot: true,
      role: 400,
      timezone: '',
      avatar_version: 1,
      bot_type: 1,
      bot_owner_id: null,
      is_system_bot: true,
    }
    const described = (id: number, name: string, mailbox: string) => ({
      ...common,
      user_id: id,
      full_name: name,
      email: `${mailbox}@zulip.com`,
      delivery_email: `${mailbox}@zulip.com`,
      avatar_url: `/user_avatars/default/${id}.png?version=1`,
    })
    assert.deepEqual(body.cross_realm_bots, [
      described(notification, 'Notification Bot', 'notification-bot'),
      described(bots.welcome, 'Welcome Bot', 'welcome-bot'),
      described(notification + 2, 'Email Gateway', 'emailgateway'),
    ])
    const listed = [...body.realm_users, ...body.realm_non_active_users]
    assert.ok(listed.every((user) => user.user_id < notification))
  })
})

everyHost('send-message', (at) => {
  it('sends to a system bot by id and by address, and replies into one conversation', async () => {
    const { alice, bob } = at.people
    const feed = await alice.listen({ event_types: ['message'] })
    const send = (to: unknown) => alice.post('/messages', { type: 'direct', to, content: 'Hello' })

    const answers = [await send([notification]), await send(address.toUpperCase())]

    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    )
    const events = await feed.drain()
    assert.deepEqual(
      events[0]?.['message'].display_recipient.map(
        ({ id, email, full_name }: { id: number; email: string; full_name: string }) =>
          id === notification ? [email, full_name] : [email],
      ),
      [[alice.email], [address, 'Notification Bot']],
    )
    const read = await alice.get('/messages', {
      narrow: [{ operator: 'dm', operand: [notification] }],
      anchor: 'newest',
      num_before: 10,
      num_after: 0,
    })
    assert.deepEqual(
      read.body.messages.map(({ id }) => id),
      answers.map(({ body }) => body.id),
    )
    assert.deepEqual(
      read.body.messages[0]!.display_recipient,
      events[0]?.['message'].display_recipient,
    )
    const others = await bob.get('/messages', {
      narrow: [{ operator: 'dm', operand: address }],
      anchor: 'newest',
      num_before: 10,
      num_after: 0,
    })
    assert.deepEqual(others.body.messages, [])
  })

  it('sends to a system bot and a user together', async () => {
    const { alice, bob } = at.people
    const feed = await bob.listen({ event_types: ['message'] })

    const answer = await alice.post('/messages', {
      type: 'direct',
      to: [bob.id, notification],
      content: 'Us three',
    })

    assert.equal(answer.status, 200)
    const [event] = await feed.drain()
    assert.deepEqual(
      event?.['message'].display_recipient.map(({ id }: { id: number }) => id),
      [alice.id, bob.id, notification],
    )
  })
})

everyHost('get-messages', (at) => {
  it('finds messages of a system bot by its id and address', async () => {
    const { alice, bob } = at.people
    await makeChannel(alice, 'searched', { subscribers: [bob.id] })
    const found = async (operand: unknown): Promise<Record<string, unknown>[]> => {
      const { body } = await bob.get('/messages', {
        narrow: [{ operator: 'sender', operand }],
        anchor: 'newest',
        num_before: 10,
        num_after: 0,
      })
      return body.messages
    }

    const byId = await found(notification)

    assert.deepEqual(
      byId.map((message) => [message['sender_id'], message['sender_email']]),
      [[notification, address]],
    )
    assert.equal(byId[0]?.['sender_full_name'], 'Notification Bot')
    assert.deepEqual(await found(address), byId)
  })
})

everyHost(
  'render-message',
  (at) => {
    const silentMention = (id: number, name: string): string =>
      `<p><span class="user-mention silent" data-user-id="${id}">${name}</span></p>`
    const ofNotificationBot = silentMention(notification, 'Notification Bot')

    it('shows mentions of system bots, and notifies no one', async () => {
      const { alice } = at.people
      const htmlOf = async (content: string): Promise<string> =>
        (await alice.post('/messages/render', { content })).body.rendered

      for (const mention of [
        '@_**Notification Bot**',
        '@**notification bot**',
        `@**|${notification}**`,
        `@_**Notification Bot|${notification}**`,
      ]) {
        assert.equal(await htmlOf(mention), ofNotificationBot, mention)
      }
      const welcome = silentMention(bots.welcome, 'Welcome Bot')
      assert.equal(await htmlOf('@_**Welcome Bot**'), welcome)
      const otherName = await htmlOf(`@_**Other Bot|${notification}**`)
      assert.ok(!otherName.includes('user-mention'), otherName)
      const to = { type: 'direct', to: [alice.id], content: '@**Notification Bot** Hello' }
      assert.equal((await alice.post('/messages', to)).status, 200)
    })

    it('prefers a user with the name of a system bot', async () => {
      const { alice, olga, bob } = at.people
      await olga.patch(`/users/${bob.id}`, { full_name: 'Welcome Bot' })

      const { body } = await alice.post('/messages/render', { content: '@_**Welcome Bot**' })

      assert.equal(body.rendered, silentMention(bob.id, 'Welcome Bot'))
    })

    it('shows them in messages of organization files too', async () => {
      const { olga } = at.people
      const range = { anchor: 'newest', num_before: 1, narrow: [['channel', 'general']] }

      const { body } = await olga.get('/messages', range)

      assert.equal(body.messages[0]!.content, ofNotificationBot)
    })
  },
  {
    more: ({ people, channels }) => ({
      messages: [
        {
          sender_id: people.alice,
          channel_id: channels.general,
          topic: 'lunch',
          content: `@_**Notification Bot|${notification}**`,
        },
      ],
    }),
  },
)

everyHost('mute-user', (at) => {
  it('marks the earlier and later messages of a muted system bot as read', async () => {
    const { alice, bob } = at.people
    await makeChannel(alice, 'muted one', { subscribers: [alice.id] })
    const add = (name: string) => () =>
      alice.post('/users/me/subscriptions', {
        subscriptions: [{ name }],
        principals: [bob.id],
      })
    await add('muted one')()
    const feed = await bob.listen({ event_types: ['muted_users', 'update_message_flags'] })

    const muted = await bob.post(`/users/me/muted_users/${notification}`)
    const received = await notificationMessagesOf({ bob }, add('secret'))
    const unmuted = await bob.delete(`/users/me/muted_users/${notification}`)
    const loud = await notificationMessagesOf({ bob }, async () => {
      await makeGroupWith(bob.id)
    })

    assert.deepEqual([muted.status, unmuted.status], [200, 200])
    assert.deepEqual(
      received.bob.map(({ flags }) => flags),
      [['read']],
    )
    assert.deepEqual(
      loud.bob.map(({ flags }) => flags),
      [[]],
    )
    const [flagged, list, empty] = await feed.drain()
    assert.deepEqual([flagged?.type, flagged?.['flag']], ['update_message_flags', 'read'])
    assert.equal(list?.['muted_users'][0].id, notification)
    assert.deepEqual(empty?.['muted_users'], [])
  })

  const makeGroupWith = async (userId: number): Promise<void> => {
    const { alice } = at.people
    const id = await makeGroup(alice, 'loud')
    await alice.post(`/user_groups/${id}/members`, { add: [userId] })
  }
})

everyHost('get-user', (at) => {
  it('does not find a system bot, and neither do other operations about users', async () => {
    const { olga, alice } = at.people
    const groupId = await makeGroup(alice, 'humans')

    assertRefused(await alice.get(`/users/${notification}`), 'No such user')
    assertRefused(await alice.get(`/users/${address}`), 'No such user')
    assertRefused(await olga.patch(`/users/${notification}`, { full_name: 'Me' }), 'No such user')
    assertRefused(await olga.delete(`/users/${notification}`), 'No such user')
    assertRefused(
      await alice.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'design' }],
        principals: [notification],
      }),
      'No such user',
    )
    assertRefused(
      await alice.post(`/user_groups/${groupId}/members`, { add: [notification] }),
      `Invalid user ID: ${notification}`,
    )
    const { body } = await alice.get('/users')
    assert.ok(body.members.every((user) => user.user_id < notification))
    const listed = await alice.get('/users', { user_ids: [notification, alice.id] })
    assert.deepEqual(
      listed.body.members.map((user) => user.user_id),
      [alice.id],
    )
  })

  it('rejects the address of a system bot for other users', async () => {
    const { olga, alice } = at.people

    const created = await olga.post('/users', {
      email: address,
      password: 'correct horse battery staple',
      full_name: 'Impostor',
    })
    const changed = await olga.patch(`/users/${alice.id}`, { new_email: address })

    assertRefused(created, 'Email is already in use.')
    assertRefused(changed, 'New email value error: Reserved for system bots.')
  })
})
