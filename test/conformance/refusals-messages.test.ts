import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Answer, Parameters } from '../support/client.js'
import { everyHost, type HostCase } from '../support/host.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'

everyHost(
  'update-message',
  (at) => {
    it('rejects new content if the organization does not allow edits, but not a new topic', async () => {
      const { alice, olga } = at.people
      const id = await alice.say(at.channels.design, 'before', 'c')
      const ofOlga = await olga.say(at.channels.general, 'before', 'c')
      const feed = await alice.listen({ event_types: ['update_message'] })
      const turnedOff = 'Your organization has turned off message editing'

      assertRefused(await alice.patch(`/messages/${id}`, { content: 'other' }), turnedOff)
      assertRefused(await olga.patch(`/messages/${ofOlga}`, { content: 'other' }), turnedOff)
      // Checked before the parameters of the request.
      assertRefused(
        await alice.patch(`/messages/${id}`, { content: 'other', propagate_mode: 'change_all' }),
        turnedOff,
      )
      assert.deepEqual(await feed.drain(), [])
      assert.equal((await alice.patch(`/messages/${id}`, { topic: 'after' })).status, 200)
    })
  },
  { settings: { allow_message_editing: false } },
)

/** A narrow, and its error message. */
const narrows = (at: HostCase): readonly [narrow: unknown, msg: string, desc?: string][] => {
  const bad = (operator: string, operand: unknown, desc: string) =>
    [[{ operator, operand }], `Invalid narrow operator: ${desc}`, desc] as [
      unknown[],
      string,
      string,
    ]
  const typed = (operator: string, operand: unknown, msg: string) =>
    [[{ operator, operand }], msg] as [unknown[], string]
  return [
    bad('colour', 'red', 'unknown operator colour'),
    bad('channels', 'private', 'unknown channels operand private'),
    bad('sender', at.unknownId, `unknown user ${at.unknownId}`),
    bad('sender', 'nobody@example.com', 'unknown user nobody@example.com'),
    bad('dm', 'nobody@example.com', 'unknown user in nobody@example.com'),
    bad('is', 'shiny', "unknown 'is' operand shiny"),
    bad('has', 'money', "unknown 'has' operand money"),
    bad('in', 'office', "unknown 'in' operand office"),
    bad('id', 'x', 'Invalid message ID'),
    typed('search', ' ', 'operand cannot be blank.'),
    typed('channel', [1], 'operand is not a string or integer'),
    typed('topic', 5, 'operand is not a string'),
    typed('dm', { id: 1 }, 'operand is not a string or an integer list'),
    typed('dm', [1, 'x'], 'operand[1] is not an integer'),
  ]
}

const narrowing: Readonly<
  Record<string, (at: HostCase, id: number, narrow: unknown) => Promise<Answer>>
> = {
  'update-message-flags-for-narrow': (at, id, narrow) =>
    at.people.alice.post('/messages/flags/narrow', {
      anchor: id,
      num_before: 5,
      num_after: 5,
      narrow,
      op: 'add',
      flag: 'starred',
    }),
  'check-messages-match-narrow': (at, id, narrow) =>
    at.people.alice.get('/messages/matches_narrow', { msg_ids: [id], narrow }),
}

for (const [operationId, ask] of Object.entries(narrowing)) {
  everyHost(operationId, (at) => {
    it('returns the error of an invalid narrow, and changes nothing', async () => {
      const { alice } = at.people
      const id = await alice.say(at.channels.design, 'narrow', 'c')
      const feed = await alice.listen({ event_types: ['update_message_flags'] })

      for (const [narrow, msg, desc] of narrows(at)) {
        const more = desc === undefined ? {} : { code: 'BAD_NARROW', desc }
        assertRefused(await ask(at, id, narrow), msg, more)
      }

      assert.deepEqual(await feed.drain(), [])
    })
  })
}

everyHost('edit-draft', (at) => {
  it('rejects a content that could not be stored in a new draft, and keeps the draft unchanged', async () => {
    const { alice, bob } = at.people
    const { general, design, secret, attic } = at.channels
    const draft = { type: 'private', to: [bob.id], topic: '', content: 'c' }
    const stream = { ...draft, type: 'stream', to: [general], topic: 't' }
    const { body } = await bob.post('/drafts', { drafts: [draft] })
    const [id] = body.ids as [number]
    const options = { event_types: ['drafts'] }
    const feeds = [await alice.listen(options), await bob.listen(options)]
    const noChannel = 'Invalid channel ID'
    const oneChannel = 'Must specify exactly 1 channel ID for channel messages'
    const refusals: readonly [draft: object, msg: string][] = [
      [{ ...draft, content: ' \n' }, 'draft["content"] cannot be blank'],
      [{ ...draft, content: 'a\0b' }, 'Message must not contain null bytes'],
      [{ ...draft, timestamp: -1 }, 'Timestamp must not be negative.'],
      [{ ...draft, to: [bob.id, at.unknownId] }, `Invalid user ID ${at.unknownId}`],
      [{ ...stream, topic: 'a\0' }, 'Topic must not contain null bytes'],
      [{ ...stream, to: [] }, oneChannel],
      [{ ...stream, to: [general, design] }, oneChannel],
      [{ ...stream, to: [at.unknownId] }, noChannel],
      [{ ...stream, to: [secret] }, noChannel],
      [{ ...stream, to: [attic] }, noChannel],
    ]

    for (const [changed, msg] of refusals) {
      assertRefused(await bob.patch(`/drafts/${id}`, { draft: changed }), msg)
    }

    const { drafts } = (await bob.get('/drafts')).body as { drafts: Record<string, unknown>[] }
    const { timestamp: _, ...kept } = drafts.find((stored) => stored['id'] === id) ?? {}
    assert.deepEqual(kept, { id, ...draft })
    for (const feed of feeds) assert.deepEqual(await feed.drain(), [])
  })
})

everyHost('edit-navigation-view', (at) => {
  it('returns the same error for unknown views and for views of other users', async () => {
    const { alice, bob } = at.people
    const view = { fragment: 'narrow/is/alerted', is_pinned: true, name: 'Alerted' }
    assert.equal((await bob.post('/navigation_views', view)).status, 200)
    const options = { event_types: ['navigation_view'] }
    const feeds = [await alice.listen(options), await bob.listen(options)]

    for (const fragment of ['nothing', encodeURIComponent(view.fragment)]) {
      assertRefused(
        await alice.patch(`/navigation_views/${fragment}`, { name: 'Mine' }),
        'Navigation view does not exist.',
        { status: 404 },
      )
    }

    for (const feed of feeds) assert.deepEqual(await feed.drain(), [])
  })
})

everyHost('remove-fcm-token', (at) => {
  it('rejects tokens that are missing, empty or too long, and keeps the existing ones', async () => {
    const { alice } = at.people
    const path = '/users/me/android_gcm_reg_id'
    await alice.post(path, { token: 'kept' })

    const empty = 'Empty or invalid length token'
    assertRefused(await alice.delete(path), "Missing 'token' argument", {
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: 'token',
    })
    assertRefused(await alice.delete(path, { token: '' }), empty)
    assertRefused(await alice.delete(path, { token: 'x'.repeat(4097) }), empty)

    assert.deepEqual((await alice.delete(path, { token: 'kept' })).body, bareSuccess)
  })
})

everyHost('add-reaction', (at) => {
  it('accepts the one extra emoji, by one name, for reactions and statuses', async () => {
    const { alice, bob } = at.people
    const id = await alice.say(at.channels.design, 'extra', 'c')
    const feed = await bob.listen({ event_types: ['reaction', 'user_status'] })
    const extra = { emoji_name: 'zulip', emoji_code: 'zulip', reaction_type: 'zulip_extra_emoji' }
    const attempts = [
      (params: Parameters) => alice.post(`/messages/${id}/reactions`, params),
      (params: Parameters) => alice.post('/users/me/status', params),
      (params: Parameters) => at.people.adam.post(`/users/${alice.id}/status`, params),
    ]

    for (const attempt of attempts) {
      assertRefused(await attempt({ ...extra, emoji_code: '1f44d' }), 'Invalid emoji code.')
      assertRefused(await attempt({ ...extra, emoji_name: 'other' }), 'Invalid emoji name.')
    }

    assert.deepEqual(await feed.drain(), [])
  })
})

for (const operationId of ['create-scheduled-message', 'update-scheduled-message']) {
  everyHost(operationId, (at) => {
    it('rejects topics of channels without topics, and groups that may not be mentioned', async () => {
      const { alice, olga } = at.people
      const to = at.channels.design
      const later = at.clock.seconds + 86_400
      const draft = { type: 'channel', to, topic: 't', content: 'c' }
      const due = { scheduled_delivery_timestamp: later }
      const { body } = await alice.post('/scheduled_messages', { ...draft, ...due })
      const feed = await alice.listen({ event_types: ['scheduled_messages'] })
      const attempt = (params: Parameters): Promise<Answer> =>
        operationId === 'create-scheduled-message'
          ? alice.post('/scheduled_messages', { ...draft, ...due, ...params })
          : alice.patch(`/scheduled_messages/${body.scheduled_message_id}`, params)

      assertRefused(
        await attempt({ content: '@*role:moderators*' }),
        "You are not allowed to mention user group 'role:moderators'.",
      )
      await olga.patch(`/streams/${to}`, { topics_policy: 'empty_topic_only' })

      assertRefused(
        await attempt({ topic: 'other' }),
        'Only the general chat topic is allowed in this channel.',
        { empty_topic_display_name: 'general chat' },
      )
      assert.deepEqual(await feed.drain(), [])
    })
  })
}

everyHost(
  'unmute-user',
  (at) => {
    it('rejects users to whom a guest has no access, and sends no event', async () => {
      const { alice, gus } = at.people
      await alice.delete('/users/me/subscriptions', { subscriptions: ['general'] })
      const feed = await gus.listen({ event_types: ['muted_users'] })

      assertRefused(
        await gus.delete(`/users/me/muted_users/${alice.id}`),
        'Insufficient permission',
      )
      assert.deepEqual(await feed.drain(), [])
    })
  },
  { settings: { can_access_all_users_group: 'role:members' } },
)
