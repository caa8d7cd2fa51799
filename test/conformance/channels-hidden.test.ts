import assert from 'node:assert/strict'
import { before, it } from 'node:test'

import { makeChannel } from '../support/channels.js'
import {
  callsWithChannels,
  requestOf,
  shownAnswer,
  type ChannelCall,
  type NamedChannel,
} from '../support/channel-calls.js'
import type { Client } from '../support/client.js'
import { everyDatabase, type HostCase } from '../support/host.js'
import type { UncheckedJson } from '../support/unchecked-json.js'

/** Private channels that only Olga, Alice and the administrators have access to. */
const kinds = {
  shared: { invite_only: true, history_public_to_subscribers: true },
  archived: { invite_only: true, history_public_to_subscribers: false },
  announcements: { invite_only: true, can_send_message_group: 'role:administrators' },
} as const

everyDatabase('A channel that the caller cannot see', 'express', (at) => {
  const hidden: NamedChannel[] = []
  const callers: Client[] = []
  let calls: readonly ChannelCall[] = []
  before(async () => {
    const { alice, bob, olga, gus } = at.people
    for (const [kind, params] of Object.entries(kinds)) {
      const { can_send_message_group: group, ...others } = {
        can_send_message_group: undefined,
        ...params,
      }
      const name = `old name of ${kind}`
      const id = await makeChannel(olga, name, {
        subscribers: [olga.id, alice.id],
        ...others,
        ...(group === undefined ? {} : { can_send_message_group: await groupId(at, group) }),
      })
      await olga.post('/messages', { type: 'channel', to: id, topic: 'lunch', content: 'Soup' })
      const channel = { id, name: `secret ${kind} plans` }
      succeed(await olga.patch(`/streams/${id}`, { new_name: channel.name }))
      if (kind === 'archived') succeed(await olga.delete(`/streams/${id}`))
      hidden.push(channel)
    }
    const made = await bob.post('/bots', { full_name: 'Bobs', short_name: 'bobs', bot_type: 1 })
    const { api_key: apiKey, user_id } = made.body
    const credentials = { email: 'bobs-bot@users.invalid', apiKey }
    const bot = at.host.client(at.subdomain, credentials, user_id, 'bobs bot')

    callers.push(bob, gus, bot, at.nobody)
    const { body } = await alice.get('/openapi.json')
    calls = callsWithChannels(body)
  })

  it('is answered like a missing channel in every operation that takes channels', async () => {
    const missing = { id: at.unknownId, name: 'nothing of the kind' }
    const owned = new Map<Client, Owned>()
    for (const caller of callers) owned.set(caller, await ownedBy(at, caller))
    const answerTo = async (call: ChannelCall, caller: Client, channel: NamedChannel) =>
      shownAnswer(
        await requestOf(call, channel, {
          client: caller,
          own: owned.get(caller) as Owned,
        }),
        channel,
      )

    const different: unknown[] = []
    for (const call of calls) {
      for (const caller of callers) {
        // The first call may change flags, and then answers how many.
        await answerTo(call, caller, missing)
        const expected = await answerTo(call, caller, missing)
        const answers = hidden.map(async (channel) => {
          const actual = await answerTo(call, caller, channel)
          if (actual !== expected)
            different.push([call.title, caller.name, channel.name, actual, expected])
        })
        await Promise.all(answers)
      }
    }

    assert.deepEqual(different, [])
  })

  it('is looked up by each of these operations', async () => {
    const { olga } = at.people
    const owned = await ownedBy(at, olga)
    const missing = { id: at.unknownId, name: 'nothing of the kind' }

    const unaffected: string[] = []
    let channel = await makeVisibleChannel(olga, 'seen')
    for (const call of calls) {
      const own = { ...owned, searched_message_id: channel.messageId }
      const found = shownAnswer(await requestOf(call, channel, { client: olga, own }), channel)
      const notFound = shownAnswer(await requestOf(call, missing, { client: olga, own }), missing)
      if (found === notFound) unaffected.push(`${call.title}: ${found}`)
      if (call.operationId === 'archive-stream')
        channel = await makeVisibleChannel(olga, 'seen again')
    }

    assert.deepEqual(unaffected, [])
  })

  it('appears in errors as the caller wrote it, for callers who can create channels', async () => {
    const { bob, gus } = at.people
    const [{ name }] = hidden as [NamedChannel]
    const written = name.toUpperCase()
    const subscriptions = (one: string): object => ({ subscriptions: [{ name: one }] })

    const refused = await bob.post('/users/me/subscriptions', { ...subscriptions(written) })
    const listed = await bob.post('/users/me/subscriptions', {
      ...subscriptions(written),
      authorization_errors_fatal: false,
    })
    const taken = await bob.post('/channels/create', { name: written, subscribers: [] })
    const changed = await bob.patch('/users/me/subscriptions', { add: [{ name: written }] })

    assert.equal(refused.body.msg, `Unable to access channel (${written}).`)
    assert.equal(changed.body.msg, `Unable to access channel (${written}).`)
    assert.deepEqual(listed.body.unauthorized, [written])
    assert.equal(taken.body.msg, `Channel '${written}' already exists`)
    for (const [path, params] of [
      ['/users/me/subscriptions', subscriptions],
      ['/channels/create', (one: string) => ({ name: one, subscribers: [] })],
    ] as const) {
      const ofHidden = await gus.post(path, { ...params(name) })
      const ofMissing = await gus.post(path, { ...params('nothing of the kind') })
      assert.deepEqual([ofHidden.status, ofHidden.body], [ofMissing.status, ofMissing.body], path)
    }
  })

  it('is not named to users who have lost access', async () => {
    const { olga, bob, alice } = at.people
    const id = await makeChannel(olga, 'open at first', {
      subscribers: [olga.id, alice.id, bob.id],
      invite_only: true,
    })
    const mute = { stream_id: id, topic: 'lunch', visibility_policy: 1 }
    succeed(await bob.post('/user_topics', mute))
    const own = { full_name: 'Knows', short_name: 'knows', default_sending_stream: 'open at first' }
    succeed(await bob.post('/bots', own))
    const later = { type: 'channel', to: id, topic: 'lunch', content: 'Soup' }
    const scheduled = await bob.post('/scheduled_messages', {
      ...later,
      scheduled_delivery_timestamp: at.clock.seconds + 60,
    })
    succeed(scheduled)
    const params = { subscriptions: ['open at first'], principals: [bob.id] }
    succeed(await olga.delete('/users/me/subscriptions', params))
    succeed(await olga.patch(`/streams/${id}`, { new_name: 'closed plans' }))

    const feed = await bob.listen({ event_types: ['muted_topics', 'scheduled_messages'] })
    succeed(await bob.post('/user_topics', { ...mute, stream_id: at.channels.design }))
    at.clock.advance(70)
    const event = await feed.until(
      'the event of the failure',
      ({ type, op }) => `${type}/${op}` === 'scheduled_messages/update',
    )
    const snapshot = await bob.post('/register', { event_types: ['muted_topics', 'realm_bot'] })
    const { body: listed } = await bob.get('/scheduled_messages')
    const messages = await bob.get('/messages', { anchor: 'newest', num_before: 3 })

    const [failed] = listed.scheduled_messages
    assert.equal(failed!.failed, true)
    for (const answer of [snapshot.text, messages.text, JSON.stringify(event)]) {
      assert.ok(!answer.includes('closed plans'), answer)
    }
    assert.ok(messages.text.includes(`Channel with ID '${id}' does not exist`), messages.text)
    assert.deepEqual(
      snapshot.body.muted_topics.map(([channel]) => channel),
      ['design'],
    )
    // A visibility policy in a hidden channel can still be removed, once.
    assert.equal((await bob.post('/user_topics', { ...mute, visibility_policy: 0 })).status, 200)
    const again = await bob.post('/user_topics', { ...mute, visibility_policy: 0 })
    assert.equal(again.body.msg, 'Invalid channel ID')
  })

  it('is not named in notification messages about moves from it or to it', async () => {
    const { olga } = at.people
    const [{ id }] = hidden as [NamedChannel]
    const { design } = at.channels
    const messageId = await olga.say(design, 'moving', 'Soup or salad?')
    const moved = {
      send_notification_to_old_thread: true,
      topic: 'moving',
      propagate_mode: 'change_all',
    }

    succeed(await olga.patch(`/messages/${messageId}`, { ...moved, stream_id: id }))
    succeed(await olga.patch(`/messages/${messageId}`, { ...moved, stream_id: design }))

    const narrow = [{ operator: 'channel', operand: design }]
    const { body } = await olga.get('/messages', {
      narrow,
      anchor: 'newest',
      num_before: 3,
      apply_markdown: false,
    })
    const texts = body.messages.map(({ content }) => content)
    assert.equal(texts.filter((text: string) => text.includes('a private channel by')).length, 2)
    assert.ok(!texts.some((text: string) => text.includes('secret')), texts.join('\n'))
  })
})

function succeed({ status, text }: { readonly status: number; readonly text: string }): void {
  assert.equal(status, 200, text)
}

async function groupId(at: HostCase, name: string): Promise<number> {
  const { body } = await at.people.olga.get('/user_groups')
  return body.user_groups.find((group) => group.name === name)!.id
}

/** Creates a channel with a message. */
async function makeVisibleChannel(
  by: Client,
  name: string,
): Promise<NamedChannel & { readonly messageId: number }> {
  const id = await makeChannel(by, name, { subscribers: [by.id] })
  return { id, name, messageId: await by.say(id, 'lunch', 'Soup') }
}

type Owned = Readonly<Record<string, number>>

/** The ids besides channels in the caller's requests; an unknown id where creation fails. */
async function ownedBy(at: HostCase, caller: Client): Promise<Owned> {
  const { unknownId } = at
  const idOf = (body: UncheckedJson | undefined, key: string): number =>
    (body?.[key] as number) ?? unknownId
  const draft = { type: '', to: [], topic: '', content: 'Soup' }
  const later = {
    type: 'channel',
    to: at.channels.general,
    topic: 'lunch',
    content: 'Soup',
    scheduled_delivery_timestamp: 4_000_000_000,
  }
  const bot = { full_name: `${caller.name}s`, short_name: caller.name.replaceAll(' ', '') }
  const isAnonymous = caller === at.nobody
  return {
    user_id: caller.id,
    message_id: isAnonymous ? unknownId : await caller.say(later.to, 'lunch', 'Soup or salad?'),
    draft_id: (await caller.post('/drafts', { drafts: [draft] })).body?.ids?.[0] ?? unknownId,
    scheduled_message_id: idOf(
      (await caller.post('/scheduled_messages', later)).body,
      'scheduled_message_id',
    ),
    bot_id: idOf((await caller.post('/bots', bot)).body, 'user_id'),
  }
}
