import assert from 'node:assert/strict'
import { before, it } from 'node:test'

import type { Client } from '../support/client.js'
import { everyHost } from '../support/host.js'

everyHost('get-messages', (at) => {
  const mute = (client: Client, topic: string, policy: number) =>
    client.post('/user_topics', {
      stream_id: at.channels.design,
      topic,
      visibility_policy: policy,
    })
  const ids: number[] = []
  const [quiet, loud, plain] = [0, 1, 2]

  before(async () => {
    const { alice, bob } = at.people
    ids.splice(0)
    for (const topic of ['quiet', 'loud', 'plain']) {
      ids.push(await alice.say(at.channels.design, topic, 'Hello'))
    }
    await mute(bob, 'Quiet', 1)
    await mute(bob, 'loud', 3)
  })

  const find = async (narrow: unknown): Promise<number[]> => {
    const { body } = await at.people.bob.get('/messages', { anchor: 0, num_after: 100, narrow })
    return body.messages.map(({ id }) => ids.indexOf(id))
  }
  const firstUnread = async (narrow: unknown): Promise<number> => {
    const { body } = await at.people.bob.get('/messages', { anchor: 'first_unread', narrow })
    return ids.indexOf(body.anchor)
  }
  const muteChannel = (value: boolean) =>
    at.people.bob.post('/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id: at.channels.design, property: 'is_muted', value }],
    })

  it('excludes muted topics from in:home, and finds them with is:muted', async () => {
    assert.deepEqual(await find([['in', 'home']]), [loud, plain])
    assert.deepEqual(await find([['is', 'muted']]), [quiet])
    assert.deepEqual(await find([{ operator: 'in', operand: 'home', negated: true }]), [quiet])
    assert.deepEqual(await find([['is', 'followed']]), [loud])
    assert.deepEqual(await find([{ operator: 'is', operand: 'followed', negated: true }]), [
      quiet,
      plain,
    ])
    assert.deepEqual(await find([]), [quiet, loud, plain])
    assert.equal(await firstUnread([]), loud)
  })

  it('excludes muted channels from in:home, except for followed and unmuted topics', async () => {
    await muteChannel(true)

    assert.deepEqual(await find([['in', 'home']]), [loud])
    assert.deepEqual(await find([['is', 'muted']]), [quiet, plain])
    assert.equal(await firstUnread([]), loud)
    await mute(at.people.bob, 'loud', 0)
    assert.deepEqual(await find([['in', 'home']]), [])
    assert.equal(await firstUnread([]), -1)
    assert.equal(await firstUnread([['channel', 'design']]), loud)
    await mute(at.people.bob, 'loud', 2)
    assert.deepEqual(await find([['in', 'home']]), [loud])
    await mute(at.people.bob, 'loud', 3)
    await muteChannel(false)
  })
})

everyHost('get-messages', (at) => {
  const ids = async (client: Client, narrow: unknown): Promise<number[]> => {
    const { body, text } = await client.get('/messages', { anchor: 0, num_after: 50, narrow })
    assert.equal(body.result, 'success', text)
    return body.messages.map(({ id }) => id)
  }

  it('finds messages with a reaction', async () => {
    const { alice, bob } = at.people
    const plain = await alice.say(at.channels.design, 'logo', 'One')
    const liked = await alice.say(at.channels.design, 'logo', 'Two')
    await bob.post(`/messages/${liked}/reactions`, { emoji_name: 'octopus' })

    assert.deepEqual(await ids(bob, [['has', 'reaction']]), [liked])
    assert.deepEqual(await ids(bob, [{ operator: 'has', operand: 'reaction', negated: true }]), [
      plain,
    ])
  })

  it('no longer finds messages of a private channel that the user has left', async () => {
    const { alice, bob } = at.people
    const id = await alice.say(at.channels.vault, 'plans', 'Hush')
    const direct = await alice.whisper([bob], 'Hush')
    const narrows = [[['channel', 'vault']], [['topic', 'plans']], [['sender', alice.email]]]
    for (const narrow of narrows) assert.ok((await ids(bob, narrow)).includes(id))

    const left = await bob.delete('/users/me/subscriptions', { subscriptions: ['vault'] })

    assert.equal(left.status, 200, left.text)
    await assertHidden(bob, 'vault')
    for (const narrow of narrows.slice(1)) {
      assert.equal((await ids(bob, narrow)).includes(id), false)
    }
    assert.equal((await ids(bob, [])).includes(id), false)
    assert.ok((await ids(bob, [['sender', alice.email]])).includes(direct))
    assert.deepEqual(await ids(bob, [['is', 'starred']]), [])
  })

  it('finds messages of a private channel while a group gives the user access', async () => {
    const { adam, carol } = at.people
    await adam.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'club' }],
      invite_only: true,
      history_public_to_subscribers: true,
    })
    const { stream_id } = (await adam.get('/get_stream_id', { stream: 'club' })).body
    const id = await adam.say(stream_id, 'plans', 'Hush')
    const plans = [
      ['channel', 'club'],
      ['topic', 'plans'],
    ]
    const allow = async (value: unknown) => {
      const { status, text } = await adam.patch(`/streams/${stream_id}`, {
        can_subscribe_group: { new: value },
      })
      assert.equal(status, 200, text)
    }
    await assertHidden(carol, 'club')

    await allow({ direct_members: [carol.id], direct_subgroups: [] })
    assert.deepEqual(await ids(carol, plans), [id])
    await carol.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
    assert.deepEqual(await ids(carol, [['is', 'starred']]), [id])
    await allow({ direct_members: [], direct_subgroups: [] })
    assert.deepEqual(await ids(carol, [['is', 'starred']]), [])
    await assertHidden(carol, 'club')
  })
})

/** Asserts that the response is the same as for an unknown channel: no messages. */
async function assertHidden(by: Client, name: string): Promise<void> {
  const find = (operand: string) =>
    by.get('/messages', { anchor: 'newest', num_before: 5, narrow: [['channel', operand]] })
  const [hidden, unknown] = [await find(name), await find('no such channel')]
  assert.deepEqual([hidden.status, hidden.body.messages], [200, []])
  assert.equal(hidden.text, unknown.text)
}
