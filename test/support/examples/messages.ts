import type { Client } from '../client.js'
import type { HostCase } from '../host.js'
import { administrators, content, nothing, reading, unused, type Examples } from './example.js'

/** Sends a message to a channel that all users are subscribed to. */
export const fromAlice = (at: HostCase): Promise<number> =>
  at.people.alice.say(at.channels.general, 'callers', 'Text')

/** Sends a message from the caller, or from Alice if the caller cannot send it. */
async function ownMessage(at: HostCase, by: Client): Promise<number> {
  const params = { type: 'channel', to: at.channels.general, topic: 'own', content: 'Text' }
  const { status, body } = await by.post('/messages', params)
  return status === 200 ? body.id : fromAlice(at)
}

const whole = { anchor: 'oldest', num_before: 0, num_after: 1000 }
const range = { anchor: 'newest', num_before: 1, num_after: 0 }
const octopus = { emoji_name: 'octopus' }

export const messages: Examples = {
  'send-message': {
    call: (_, by) =>
      by.post('/messages', { type: 'channel', to: 'general', topic: 'callers', content: 'Text' }),
    refused: { hook: 'nothing' },
    audited: content,
  },
  'get-messages': { call: (_, by) => by.get('/messages', whole) },
  'get-message': { call: async (at, by) => by.get(`/messages/${await fromAlice(at)}`) },
  'check-messages-match-narrow': {
    call: (_, by) => by.get('/messages/matches_narrow', { msg_ids: [1], narrow: [] }),
  },
  'update-message': {
    call: async (at, by) =>
      by.patch(`/messages/${await ownMessage(at, by)}`, { content: 'Other text' }),
    audited: content,
  },
  'delete-message': {
    call: async (at, by) => by.delete(`/messages/${await ownMessage(at, by)}`),
    audited: content,
  },
  'delete-topic': {
    call: (at, by) =>
      by.post(`/streams/${at.channels.general}/delete_topic`, { topic_name: 'none' }),
    refused: administrators,
    audited: content,
  },
  'get-message-history': {
    call: async (at, by) => by.get(`/messages/${await fromAlice(at)}/history`),
  },
  'get-read-receipts': {
    call: async (at, by) => by.get(`/messages/${await fromAlice(at)}/read_receipts`),
  },
  'add-reaction': {
    call: async (at, by) => by.post(`/messages/${await fromAlice(at)}/reactions`, octopus),
    audited: content,
  },
  'remove-reaction': {
    call: async (at, by) => {
      const path = `/messages/${await fromAlice(at)}/reactions`
      await by.post(path, octopus)
      return by.delete(path, octopus)
    },
    audited: content,
  },
  'update-message-flags': {
    call: async (at, by) =>
      by.post('/messages/flags', { messages: [await fromAlice(at)], op: 'add', flag: 'starred' }),
    audited: reading,
  },
  'update-message-flags-for-narrow': {
    call: (_, by) =>
      by.post('/messages/flags/narrow', { ...range, narrow: [], op: 'add', flag: 'starred' }),
    audited: reading,
  },
  'mark-all-as-read': { call: (_, by) => by.post('/mark_all_as_read'), audited: reading },
  'mark-stream-as-read': {
    call: (at, by) => by.post('/mark_stream_as_read', { stream_id: at.channels.general }),
    audited: reading,
  },
  'mark-topic-as-read': {
    call: async (at, by) => {
      await fromAlice(at)
      const topic = { stream_id: at.channels.general, topic_name: 'callers' }
      return by.post('/mark_topic_as_read', topic)
    },
    audited: reading,
  },
  'add-submessage': {
    call: async (at, by) => {
      const message_id = await ownMessage(at, by)
      return by.post('/submessage', { message_id, msg_type: 'widget', content: '{}' })
    },
    audited: content,
  },
  'set-typing-status': {
    call: (at, by) => by.post('/typing', { op: 'start', to: [at.people.bob.id] }),
    audited: nothing,
  },
  'set-typing-status-for-message-edit': {
    call: async (at, by) =>
      by.post(`/messages/${await ownMessage(at, by)}/typing`, { op: 'start' }),
    audited: nothing,
  },
  'report-message': {
    call: async (at, by) => {
      const moderation = { moderation_request_channel_id: at.channels.vault }
      await at.people.olga.patch('/realm', moderation)
      return by.post(`/messages/${await fromAlice(at)}/report`, { report_type: 'spam' })
    },
    audited: 'sends a message to the moderators',
  },
  'test-welcome-bot-custom-message': {
    call: (_, by) =>
      by.post('/realm/test_welcome_bot_custom_message', {
        welcome_message_custom_text: unused('Text '),
      }),
    refused: administrators,
    audited: 'sends a message to the caller',
  },
}
