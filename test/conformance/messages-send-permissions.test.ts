import assert from 'node:assert/strict'
import { it } from 'node:test'

import { makeChannel } from '../support/channels.js'
import type { Client } from '../support/client.js'
import { everyHost, type HostCase } from '../support/host.js'

const say = async (client: Client, to: number): Promise<string> => {
  const params = { type: 'channel', to, topic: 'logo', content: 'Hello' }
  return (await client.post('/messages', params)).body.msg
}
const whisper = async (client: Client, ...to: Client[]): Promise<string> => {
  const params = { type: 'direct', to: to.map(({ id }) => id), content: 'Hello' }
  return (await client.post('/messages', params)).body.msg
}

everyHost('send-message', (at) => {
  it('accepts messages only to channels that the sender can read', async () => {
    const { alice, bob, carol, gus, bot } = at.people
    const { design, secret, vault, window, attic, general, empty } = at.channels
    const no = (name: string) => `Not authorized to send to channel '${name}'`
    const hidden = (id: number) => `Channel with ID '${id}' does not exist`
    const rows: readonly (readonly [string, Client, number, string])[] = [
      ['a subscriber', bob, design, ''],
      ['a member without a subscription, in a public channel', carol, design, ''],
      ['a member, in a channel without subscribers', carol, empty, ''],
      ['a guest with a subscription', gus, general, ''],
      ['a guest without a subscription', gus, design, hidden(design)],
      ['a guest, in a web-public channel', gus, window, ''],
      ['a subscriber of a private channel', alice, secret, ''],
      ['an outsider of a private channel', bob, secret, hidden(secret)],
      ['an outsider of a channel with protected history', carol, vault, hidden(vault)],
      ['a subscriber of an archived channel', alice, attic, no('attic')],
      ['a bot whose owner is subscribed', bot, secret, ''],
      ['a bot whose owner is subscribed, with protected history', bot, vault, ''],
    ]
    for (const [title, client, channel, msg] of rows) {
      assert.equal(await say(client, channel), msg, title)
    }
  })

  it("checks the channel's own setting first, for the owner of a bot too", async () => {
    const { adam, alice, bob, bot } = at.people
    const { design, attic } = at.channels
    const no = 'You do not have permission to post in this channel.'
    const allow = async (channel: number, group: unknown) => {
      const { status, text } = await adam.patch(`/streams/${channel}`, {
        can_send_message_group: { new: group },
      })
      assert.equal(status, 200, text)
    }
    await allow(design, { direct_members: [alice.id], direct_subgroups: [] })

    assert.equal(await say(alice, design), '')
    assert.equal(await say(bot, design), '')
    assert.equal(await say(bob, design), no)
    assert.equal(await say(adam, design), no)
    await allow(design, { direct_members: [bot.id], direct_subgroups: [] })
    assert.equal(await say(bot, design), '')
    assert.equal(await say(alice, design), no)
    assert.equal(await say(alice, attic), "Not authorized to send to channel 'attic'")
  })

  it("accepts a bot's messages to private channels of its owner, but not to those of others", async () => {
    const { alice, bob, bot, olga } = at.people
    const post = async (owner: typeof alice, name: string): Promise<unknown[]> => {
      const to = await makeChannel(olga, name, { invite_only: true, subscribers: [owner.id] })
      const message = { type: 'channel', to, topic: 'bots', content: 'Beep' }
      const { status, body } = await bot.post('/messages', message)
      return [status, body.msg.replace(String(to), 'N')]
    }

    assert.deepEqual(await post(alice, 'of the owner'), [200, ''])
    assert.deepEqual(await post(bob, 'of others'), [400, "Channel with ID 'N' does not exist"])
  })

  it('enforces the topics policy of the channel', async () => {
    const { adam, alice } = at.people
    await adam.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'fresh' }],
      topics_policy: 'empty_topic_only',
    })
    const { stream_id } = (await adam.get('/get_stream_id', { stream: 'fresh' })).body
    const send = async (topic: string) => {
      const params = { type: 'channel', to: stream_id, topic, content: 'Hello' }
      const { code, msg, empty_topic_display_name } = (await alice.post('/messages', params)).body
      return [code, msg, empty_topic_display_name]
    }
    const setPolicy = async (topics_policy: string) => {
      const { status, text } = await adam.patch(`/streams/${stream_id}`, { topics_policy })
      assert.equal(status, 200, text)
    }
    const refusal = (msg: string) => ['BAD_REQUEST', msg, 'general chat']
    const success = [undefined, '', undefined]

    assert.deepEqual(
      await send('lunch'),
      refusal('Only the general chat topic is allowed in this channel.'),
    )
    assert.deepEqual(await send('general chat'), success)
    await setPolicy('disable_empty_topic')
    assert.deepEqual(
      await send('(no topic)'),
      refusal('Sending messages to the general chat is not allowed in this channel.'),
    )
    assert.deepEqual(await send('lunch'), success)
  })

  it('refuses direct messages to deactivated users', async () => {
    const { alice, bob, dora } = at.people
    const no = `'${dora.email}' is no longer using Zulip.`

    assert.equal(await whisper(alice, dora), no)
    assert.equal(await whisper(alice, bob, dora), no)
  })

  it('refuses recipients and channels of another organization', async () => {
    const { alice } = at.people
    const other = await at.host.organization()
    const foreignUser = other.people.bob

    const byId = await alice.post('/messages', {
      type: 'direct',
      to: [foreignUser.id],
      content: 'Hello',
    })
    const byEmail = await alice.post('/messages', {
      type: 'direct',
      to: [foreignUser.email],
      content: 'Hello',
    })

    assert.equal(byId.body.msg, `Invalid user ID ${foreignUser.id}`)
    assert.equal(byEmail.body.msg, `Invalid email '${foreignUser.email}'`)
    assert.equal(
      (
        await alice.post('/messages', {
          type: 'channel',
          to: other.channels.general,
          topic: 'x',
          content: 'Hello',
        })
      ).body.code,
      'STREAM_DOES_NOT_EXIST',
    )
  })
})

const disabled = (at: HostCase): void => {
  it('refuses direct messages, except those from and to bots, if they are disabled', async () => {
    const { alice, bob, bot, olga } = at.people
    const no = 'Direct messages are disabled in this organization.'

    assert.equal(await whisper(alice, bob), no)
    assert.equal(await whisper(olga, alice, bob), no)
    assert.equal(await whisper(alice, bot), '')
    assert.equal(await whisper(bot, bob), '')
    assert.equal(await whisper(alice, alice), '')
  })
}
everyHost('send-message', disabled, {
  settings: { direct_message_permission_group: 'role:nobody' },
})

const authorized = (at: HostCase): void => {
  it('requires a participant who can authorize direct messages', async () => {
    const { alice, bob, mona } = at.people
    const no = 'This conversation does not include any users who can authorize it.'

    assert.equal(await whisper(alice, bob), no)
    assert.equal(await whisper(alice, bob, mona), '')
    assert.equal(await whisper(mona, bob), '')
    assert.equal(await whisper(alice, alice), '')
  })
}
everyHost('send-message', authorized, {
  settings: { direct_message_permission_group: 'role:moderators' },
})

const initiated = (at: HostCase): void => {
  it('requires the permission to initiate a conversation only for its first message', async () => {
    const { alice, bob, bot, mona } = at.people
    const no = 'You do not have permission to initiate direct message conversations.'

    assert.equal(await whisper(alice, mona), no)
    assert.equal(await whisper(mona, alice), '')
    assert.equal(await whisper(alice, mona), '')
    assert.equal(await whisper(alice, bob), no)
    assert.equal(await whisper(alice, bot), '')
    assert.equal(await whisper(alice, alice), '')
  })
}
everyHost('send-message', initiated, {
  settings: { direct_message_initiator_group: 'role:moderators' },
})

const hidden = (at: HostCase): void => {
  it('hides senders from guests who have no access to them', async () => {
    const { alice, gus, mona } = at.people
    const left = await mona.delete('/users/me/subscriptions', { subscriptions: ['general'] })
    assert.equal(left.status, 200, left.text)
    const [gusFeed, aliceFeed] = [await gus.listen(), await alice.listen()]
    const id = await mona.say(at.channels.general, 'lunch', 'Soup')

    const [[forGus], [forAlice]] = [await gusFeed.drain(), await aliceFeed.drain()]
    const { message } = (await gus.get(`/messages/${id}`)).body

    assert.equal(forAlice?.['message'].sender_full_name, 'Mona Test')
    for (const received of [forGus?.['message'], message]) {
      assert.equal(received.sender_id, mona.id)
      assert.equal(received.sender_full_name, 'Unknown user')
      assert.match(received.sender_email, new RegExp(`^user${mona.id}@`))
      assert.notEqual(received.avatar_url, null)
    }
  })

  it('accepts direct messages from guests only to users whom they have access to', async () => {
    const { adam, gus } = at.people
    const general = await adam.delete('/users/me/subscriptions', { subscriptions: ['general'] })
    assert.equal(general.status, 200, general.text)

    assert.equal(
      await whisper(gus, adam),
      'You do not have permission to access some of the recipients.',
    )
    assert.equal(await whisper(gus, at.people.alice), '')
    assert.equal(await whisper(adam, gus), '')
    assert.equal(await whisper(gus, adam), '')
  })
}
everyHost('send-message', hidden, {
  settings: { can_access_all_users_group: 'role:members' },
})
