import assert from 'node:assert/strict'
import { it } from 'node:test'

import fc from 'fast-check'

import { everyCapability } from '../support/client-capabilities.js'
import type { Answer, Client } from '../support/client.js'
import { everyDatabase } from '../support/host.js'

const steps = 60

type Listed = Readonly<Record<string, unknown>> & { readonly stream_id: number }

/** The keys of a subscription that a channel does not have. */
const personalKeys = new Set([
  'color',
  'is_muted',
  'in_home_view',
  'pin_to_top',
  'audible_notifications',
  'desktop_notifications',
  'email_notifications',
  'push_notifications',
  'wildcard_mentions_notify',
])

/** A channel as the server reads it when it is asked for that one. */
async function channelFor(user: Client, id: number): Promise<unknown> {
  const answer = await user.get(`/streams/${id}`)
  return answer.status === 200 ? answer.body.stream : undefined
}

everyDatabase('channels whose JSON is kept for registrations', 'express', (at) => {
  it('are, after each change, those that are read one by one', async () => {
    const { olga, adam, alice, bob, carol } = at.people
    const ids = [at.channels.general, at.channels.design]
    await alice.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'kept private' }],
      principals: [alice.id, bob.id],
      invite_only: true,
    })
    ids.push((await alice.get('/get_stream_id', { stream: 'kept private' })).body.stream_id)
    const folder = await olga.post('/channel_folders/create', { name: 'Kept' })
    const sent: number[] = []
    const group = { direct_members: [bob.id, carol.id], direct_subgroups: [] }

    const changes: readonly ((id: number, value: number) => Promise<Answer>)[] = [
      (id, value) => olga.patch(`/streams/${id}`, { new_name: `renamed ${value}` }),
      (id, value) => olga.patch(`/streams/${id}`, { description: `**about** ${value}` }),
      (id, value) => olga.patch(`/streams/${id}`, { is_private: value % 2 === 0 }),
      (id, value) => olga.patch(`/streams/${id}`, { is_default_stream: value % 2 === 0 }),
      (id, value) => olga.patch(`/streams/${id}`, { is_archived: value % 3 === 0 }),
      (id, value) =>
        olga.patch(`/streams/${id}`, {
          folder_id: value % 2 === 0 ? folder.body.channel_folder_id : null,
        }),
      (id, value) => olga.patch(`/streams/${id}`, { message_retention_days: 1000 + value }),
      (id) => olga.patch(`/streams/${id}`, { can_send_message_group: { new: group } }),
      (id) => olga.patch(`/streams/${id}`, { can_subscribe_group: { new: group } }),
      (_, value) =>
        value % 2 === 0
          ? olga.delete(`/users/${carol.id}`)
          : olga.post(`/users/${carol.id}/reactivate`),
      (id, value) => {
        const subscriptions = [at.channels.general, at.channels.design].includes(id)
          ? ['design']
          : ['general']
        return value % 2 === 0
          ? bob.delete('/users/me/subscriptions', { subscriptions })
          : bob.post('/users/me/subscriptions', {
              subscriptions: subscriptions.map((name) => ({ name })),
            })
      },
      async (_, value) => {
        const answer = await adam.post('/users/me/subscriptions', {
          subscriptions: [{ name: `new ${value % 5}` }],
        })
        const found = await adam.get('/get_stream_id', { stream: `new ${value % 5}` })
        if (found.status === 200 && !ids.includes(found.body.stream_id))
          ids.push(found.body.stream_id)
        return answer
      },
      async (id) => {
        const answer = await olga.post('/messages', {
          type: 'channel',
          to: id,
          topic: 'kept',
          content: 'the first one, perhaps',
        })
        if (answer.status === 200) sent.push(answer.body.id)
        return answer
      },
      (_, value) => olga.delete(`/messages/${sent[value % Math.max(1, sent.length)] ?? 1}`),
      (id, value) =>
        olga.patch(`/messages/${sent[value % Math.max(1, sent.length)] ?? 1}`, {
          stream_id: id,
          propagate_mode: 'change_all',
          send_notification_to_new_thread: false,
        }),
      (id, value) =>
        alice.post('/users/me/subscriptions/properties', {
          subscription_data: [{ stream_id: id, property: 'is_muted', value: value % 2 === 0 }],
        }),
    ]
    const history = fc.sample(fc.tuple(fc.nat(changes.length - 1), fc.nat(20), fc.nat(1000)), {
      numRuns: steps,
      seed: 11,
    })
    let accepted = 0
    for (const [step, [which, index, value]] of history.entries()) {
      const answer = await changes[which]?.(ids[index % ids.length] ?? 0, value)
      assert.ok(answer !== undefined && answer.status < 500, answer?.text)
      if (answer.status === 200) accepted += 1
      for (const user of [olga, alice]) {
        const { body } = await user.post('/register', {
          fetch_event_types: ['stream', 'subscription'],
          client_capabilities: everyCapability,
        })
        const lists = [body.subscriptions, body.unsubscribed, body.never_subscribed] as Listed[][]
        const listed = new Map(lists.flat().map((channel) => [channel.stream_id, channel]))
        const streams = new Map(
          (body.streams as Listed[]).map((channel) => [channel.stream_id, channel]),
        )
        const place = `after step ${step} (${which})`
        for (const id of ids) {
          const expected = await channelFor(user, id)
          assert.deepEqual(streams.get(id), expected, place)
          const shown = listed.get(id)
          const common = shown && Object.entries(shown).filter(([key]) => !personalKeys.has(key))
          assert.deepEqual(common && Object.fromEntries(common), expected, place)
        }
        for (const list of [...lists, body.streams as Listed[]]) {
          const names = list.map(({ name }) => String(name))
          assert.deepEqual(names, [...names].sort(), place)
        }
      }
    }
    assert.ok(accepted > steps / 2, String(accepted))
  })
})
