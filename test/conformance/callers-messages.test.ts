import { everyCaller } from '../support/callers.js'
import type { Client } from '../support/client.js'
import type { HostCase } from '../support/host.js'

/** Sends a message to a channel that all users are subscribed to. */
const fromAlice = (at: HostCase): Promise<number> =>
  at.people.alice.say(at.channels.general, 'callers', 'Text')

/** Sends a message from the caller, or from Alice if the caller cannot send it. */
async function own(at: HostCase, by: Client): Promise<number> {
  const params = { type: 'channel', to: at.channels.general, topic: 'own', content: 'Text' }
  const { status, body } = await by.post('/messages', params)
  return status === 200 ? (body.id as number) : fromAlice(at)
}

const range = { anchor: 'newest', num_before: 1, num_after: 0 }
const inGeneral = (at: HostCase): object => ({ stream_id: at.channels.general, topic: 'callers' })

everyCaller(
  'send-message',
  (at, by) =>
    by.post('/messages', { type: 'channel', to: 'general', topic: 'callers', content: 'Text' }),
  { hook: 'nothing' },
)
everyCaller('get-messages', (_, by) => by.get('/messages', range))
everyCaller('get-message', async (at, by) => by.get(`/messages/${await fromAlice(at)}`))
everyCaller('check-messages-match-narrow', (_, by) =>
  by.get('/messages/matches_narrow', { msg_ids: [1], narrow: [] }),
)
everyCaller('render-message', (_, by) => by.post('/messages/render', { content: 'Text' }))
everyCaller('update-message', async (at, by) =>
  by.patch(`/messages/${await own(at, by)}`, { content: 'Other text' }),
)
everyCaller('delete-message', async (at, by) => by.delete(`/messages/${await own(at, by)}`))
everyCaller(
  'delete-topic',
  (at, by) =>
    by.post(`/streams/${at.channels.general}/delete_topic`, { topic_name: 'nobody wrote this' }),
  { mona: 'administrators', alice: 'administrators', gus: 'administrators', bot: 'administrators' },
)
everyCaller('get-message-history', async (at, by) =>
  by.get(`/messages/${await fromAlice(at)}/history`),
)
everyCaller('get-read-receipts', async (at, by) =>
  by.get(`/messages/${await fromAlice(at)}/read_receipts`),
)
everyCaller('add-reaction', async (at, by) =>
  by.post(`/messages/${await fromAlice(at)}/reactions`, { emoji_name: 'octopus' }),
)
everyCaller('remove-reaction', async (at, by) => {
  const id = await fromAlice(at)
  await by.post(`/messages/${id}/reactions`, { emoji_name: 'octopus' })
  return by.delete(`/messages/${id}/reactions`, { emoji_name: 'octopus' })
})
everyCaller('update-message-flags', async (at, by) =>
  by.post('/messages/flags', { messages: [await fromAlice(at)], op: 'add', flag: 'starred' }),
)
everyCaller('update-message-flags-for-narrow', (_, by) =>
  by.post('/messages/flags/narrow', { ...range, narrow: [], op: 'add', flag: 'starred' }),
)
everyCaller('mark-all-as-read', (_, by) => by.post('/mark_all_as_read'))
everyCaller('mark-stream-as-read', (at, by) =>
  by.post('/mark_stream_as_read', { stream_id: at.channels.general }),
)
everyCaller('mark-topic-as-read', async (at, by) => {
  await fromAlice(at)
  const params = { stream_id: at.channels.general, topic_name: 'callers' }
  return by.post('/mark_topic_as_read', params)
})
everyCaller('add-submessage', async (at, by) =>
  by.post('/submessage', { message_id: await own(at, by), msg_type: 'widget', content: '{}' }),
)
everyCaller('set-typing-status', (at, by) =>
  by.post('/typing', { op: 'start', to: [at.people.bob.id] }),
)
everyCaller('set-typing-status-for-message-edit', async (at, by) =>
  by.post(`/messages/${await own(at, by)}/typing`, { op: 'start' }),
)
everyCaller('report-message', async (at, by) => {
  const moderation = { moderation_request_channel_id: at.channels.vault }
  await at.people.olga.patch('/realm', moderation)
  return by.post(`/messages/${await fromAlice(at)}/report`, { report_type: 'spam' })
})
everyCaller('get-stream-topics', (at, by) => by.get(`/users/me/${at.channels.general}/topics`))
everyCaller('update-user-topic', (at, by) =>
  by.post('/user_topics', { ...inGeneral(at), visibility_policy: 3 }),
)
everyCaller('mute-topic', (at, by) =>
  by.patch('/users/me/subscriptions/muted_topics', {
    ...inGeneral(at),
    topic: `callers ${by.name}`,
    op: 'add',
  }),
)
