import assert from 'node:assert/strict'
import { it } from 'node:test'

import {
  each,
  everybody,
  everybodyBut,
  receivedEvents,
  type Recipient,
} from '../support/audiences.js'
import type { Answer, Client } from '../support/client.js'
import { everyHost, type HostCase } from '../support/host.js'
import { link, pngOf, sendFiles, upload } from '../support/uploads.js'

const tomorrow = 24 * 3600
const draft = { type: '', to: [], topic: '', content: 'Text' }
const snippet = { title: 'Title', content: 'Text' }
const view = { fragment: 'inbox', is_pinned: true }

/** One call of an operation that only concerns the caller. */
interface Row {
  readonly operationId: string
  /** Events that only the caller receives. */
  readonly labels: readonly string[]
  /** @returns what the call is about, such as an id. */
  readonly prepare?: (at: HostCase, by: Client) => Promise<unknown>
  readonly call: (by: Client, about: unknown, at: HostCase) => Promise<Answer>
}

async function made(answer: Promise<Answer>, key: string): Promise<unknown> {
  const { status, body, text } = await answer
  assert.equal(status, 200, text)
  return body[key]?.[0] ?? body[key]
}

const message = (at: HostCase): Promise<number> =>
  at.people.olga.say(at.channels.general, 'audience', 'Text')

const schedule = (at: HostCase, by: Client): Promise<Answer> =>
  by.post('/scheduled_messages', {
    type: 'direct',
    to: [at.people.bob.id],
    content: 'Text',
    scheduled_delivery_timestamp: at.clock.seconds + tomorrow,
  })

const remind = async (at: HostCase, by: Client): Promise<Answer> =>
  by.post('/reminders', {
    message_id: await message(at),
    scheduled_delivery_timestamp: at.clock.seconds + tomorrow,
  })

const configure = (_: HostCase, by: Client): Promise<unknown> => by.post('/navigation_views', view)

const flagNarrow = (by: Client, anchor: unknown, op: string, flag: string): Promise<Answer> =>
  by.post('/messages/flags/narrow', {
    anchor,
    num_before: 0,
    num_after: 0,
    narrow: [['channel', 'general']],
    op,
    flag,
  })

const rows: readonly Row[] = [
  {
    operationId: 'create-drafts',
    labels: ['drafts/add'],
    call: (by) => by.post('/drafts', { drafts: [draft] }),
  },
  {
    operationId: 'edit-draft',
    labels: ['drafts/update'],
    prepare: (_, by) => made(by.post('/drafts', { drafts: [draft] }), 'ids'),
    call: (by, id) => by.patch(`/drafts/${id}`, { draft: { ...draft, content: 'Other' } }),
  },
  {
    operationId: 'delete-draft',
    labels: ['drafts/remove'],
    prepare: (_, by) => made(by.post('/drafts', { drafts: [draft] }), 'ids'),
    call: (by, id) => by.delete(`/drafts/${id}`),
  },
  {
    operationId: 'create-saved-snippet',
    labels: ['saved_snippets/add'],
    call: (by) => by.post('/saved_snippets', snippet),
  },
  {
    operationId: 'edit-saved-snippet',
    labels: ['saved_snippets/update'],
    prepare: (_, by) => made(by.post('/saved_snippets', snippet), 'saved_snippet_id'),
    call: (by, id) => by.patch(`/saved_snippets/${id}`, { title: 'Other' }),
  },
  {
    operationId: 'delete-saved-snippet',
    labels: ['saved_snippets/remove'],
    prepare: (_, by) => made(by.post('/saved_snippets', snippet), 'saved_snippet_id'),
    call: (by, id) => by.delete(`/saved_snippets/${id}`),
  },
  {
    operationId: 'add-navigation-view',
    labels: ['navigation_view/add'],
    call: (by) => by.post('/navigation_views', view),
  },
  {
    operationId: 'edit-navigation-view',
    labels: ['navigation_view/update'],
    prepare: configure,
    call: (by) => by.patch('/navigation_views/inbox', { is_pinned: false }),
  },
  {
    operationId: 'remove-navigation-view',
    labels: ['navigation_view/remove'],
    prepare: configure,
    call: (by) => by.delete('/navigation_views/inbox'),
  },
  {
    operationId: 'create-scheduled-message',
    labels: ['scheduled_messages/add'],
    call: (by, _, at) => schedule(at, by),
  },
  {
    operationId: 'update-scheduled-message',
    labels: ['scheduled_messages/update'],
    prepare: (at, by) => made(schedule(at, by), 'scheduled_message_id'),
    call: (by, id) => by.patch(`/scheduled_messages/${id}`, { content: 'Other' }),
  },
  {
    operationId: 'delete-scheduled-message',
    labels: ['scheduled_messages/remove'],
    prepare: (at, by) => made(schedule(at, by), 'scheduled_message_id'),
    call: (by, id) => by.delete(`/scheduled_messages/${id}`),
  },
  {
    operationId: 'create-message-reminder',
    labels: ['reminders/add'],
    prepare: message,
    call: (by, message_id, { clock }) =>
      by.post('/reminders', {
        message_id,
        scheduled_delivery_timestamp: clock.seconds + tomorrow,
      }),
  },
  {
    operationId: 'delete-reminder',
    labels: ['reminders/remove'],
    prepare: (at, by) => made(remind(at, by), 'reminder_id'),
    call: (by, id) => by.delete(`/reminders/${id}`),
  },
  {
    operationId: 'update-user-topic',
    labels: ['muted_topics', 'user_topic'],
    call: (by, _, { channels }) =>
      by.post('/user_topics', {
        stream_id: channels.general,
        topic: 'audience',
        visibility_policy: 3,
      }),
  },
  {
    operationId: 'mute-topic',
    labels: ['muted_topics', 'user_topic'],
    call: (by) =>
      by.patch('/users/me/subscriptions/muted_topics', {
        stream: 'general',
        topic: 'audience',
        op: 'add',
      }),
  },
  {
    operationId: 'update-message-flags',
    labels: ['update_message_flags/add:starred'],
    prepare: message,
    call: (by, id) => by.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' }),
  },
  {
    operationId: 'update-message-flags',
    labels: ['update_message_flags/remove:starred'],
    prepare: async (at, by) => {
      const id = await message(at)
      await by.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
      return id
    },
    call: (by, id) => by.post('/messages/flags', { messages: [id], op: 'remove', flag: 'starred' }),
  },
  {
    operationId: 'update-message-flags',
    labels: ['update_message_flags/remove:read'],
    prepare: async (at, by) => {
      const id = await message(at)
      await by.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' })
      return id
    },
    call: (by, id) => by.post('/messages/flags', { messages: [id], op: 'remove', flag: 'read' }),
  },
  ...(['read', 'starred'] as const).map((flag): Row => ({
    operationId: 'update-message-flags-for-narrow',
    labels: [`update_message_flags/remove:${flag}`],
    prepare: async (at, by) => {
      const id = await message(at)
      await by.post('/messages/flags', { messages: [id], op: 'add', flag })
      return id
    },
    call: (by, id) => flagNarrow(by, id, 'remove', flag),
  })),
  {
    operationId: 'update-message-flags-for-narrow',
    labels: ['update_message_flags/add:read'],
    prepare: message,
    call: (by, id) => flagNarrow(by, id, 'add', 'read'),
  },
  {
    operationId: 'mark-all-as-read',
    labels: ['update_message_flags/add:read'],
    prepare: message,
    call: (by) => by.post('/mark_all_as_read'),
  },
  {
    operationId: 'mark-stream-as-read',
    labels: ['update_message_flags/add:read'],
    prepare: message,
    call: (by, _, { channels }) => by.post('/mark_stream_as_read', { stream_id: channels.general }),
  },
  {
    operationId: 'mark-topic-as-read',
    labels: ['update_message_flags/add:read'],
    prepare: message,
    call: (by, _, { channels }) =>
      by.post('/mark_topic_as_read', { stream_id: channels.general, topic_name: 'audience' }),
  },
  {
    operationId: 'upload-file',
    labels: ['attachment/add'],
    call: (by) => sendFiles(by, '/user_uploads', [{}]),
  },
  {
    operationId: 'remove-attachment',
    labels: ['attachment/remove'],
    prepare: async (_, by) => {
      await upload(by)
      return made(by.get('/attachments'), 'attachments')
    },
    call: (by, attachment) => by.delete(`/attachments/${(attachment as { id: number }).id}`),
  },
]

/** A member, a guest and a bot: each may make all of these calls. */
const callers: readonly Recipient[] = ['alice', 'gus', 'bot']

for (const { operationId, labels, prepare, call } of rows) {
  everyHost(operationId, (at) => {
    for (const name of callers) {
      it(`sends ${labels.join(', ')} only to the caller (${name})`, async () => {
        const by = at.people[name]
        const about = await prepare?.(at, by)

        const events = await receivedEvents(at, () => call(by, about, at))

        assert.deepEqual(events, each([name], ...labels))
      })
    }
  })
}

everyHost('send-message', (at) => {
  it('sends a direct message with a file to both users, and the attachment event only to the sender', async () => {
    const { adam } = at.people
    const content = link(await upload(adam))

    const events = await receivedEvents(at, () =>
      adam.post('/messages', { type: 'direct', to: [at.people.gus.id], content }),
    )

    assert.deepEqual(events, { adam: ['attachment/update', 'message'], gus: ['message'] })
  })
})

everyHost('set-typing-status', (at) => {
  for (const op of ['start', 'stop'] as const) {
    it(`sends typing events to all participants of a direct message conversation (${op})`, async () => {
      const { adam, gus, bot } = at.people

      const events = await receivedEvents(at, () =>
        adam.post('/typing', { op, to: [gus.id, bot.id] }),
      )

      assert.deepEqual(events, each(['adam', 'gus', 'bot'], `typing/${op}`))
    })
  }
})

const image = { name: 'e.png', type: 'image/png', bytes: pngOf(4, 4) }
/** Guests only have access to users with whom they share a channel. */
const limitedGuests = { settings: { can_access_all_users_group: 'role:members' } }

everyHost('upload-custom-emoji', (at) => {
  it('sends an event to all users', async () => {
    const events = await receivedEvents(at, ({ alice }) =>
      sendFiles(alice, '/realm/emoji/leaf', [image]),
    )

    assert.deepEqual(events, everybody('realm_emoji/update'))
  })
})

everyHost('deactivate-custom-emoji', (at) => {
  it('sends an event to all users', async () => {
    await sendFiles(at.people.alice, '/realm/emoji/leaf', [image])

    const events = await receivedEvents(at, ({ alice }) => alice.delete('/realm/emoji/leaf'))

    assert.deepEqual(events, everybody('realm_emoji/update'))
  })
})

for (const [operationId, label, call] of [
  [
    'update-presence',
    'presence',
    ({ alice }) => alice.post('/users/me/presence', { status: 'active' }),
  ],
  [
    'update-status',
    'user_status',
    ({ alice }) => alice.post('/users/me/status', { status_text: 'Out' }),
  ],
  [
    'update-status-for-user',
    'user_status',
    ({ adam, alice }) => adam.post(`/users/${alice.id}/status`, { status_text: 'Away' }),
  ],
] as const satisfies [string, string, (people: HostCase['people']) => Promise<Answer>][]) {
  everyHost(
    operationId,
    (at) => {
      it('sends an event to all users with access to the user', async () => {
        const first = await receivedEvents(at, call)
        at.clock.advance(1000)
        await at.people.gus.delete('/users/me/subscriptions', { subscriptions: ['general'] })
        const second = await receivedEvents(at, ({ alice, ...more }) => call({ alice, ...more }))

        assert.deepEqual(first, everybody(label))
        assert.deepEqual(second, everybodyBut(['gus'], label))
      })
    },
    limitedGuests,
  )
}
