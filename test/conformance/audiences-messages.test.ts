import assert from 'node:assert/strict'
import { it } from 'node:test'

import { each, receivedEvents, type EventsByUser } from '../support/audiences.js'
import { makeChannel } from '../support/channels.js'
import type { Answer, Client } from '../support/client.js'
import { everyHost, type HostCase } from '../support/host.js'

const settings = {
  can_delete_own_message_group: 'role:members',
  can_resolve_topics_group: 'role:members',
}
/** Settings with which sending a message changes no visibility policy of its topic. */
const quiet = {
  automatically_follow_topics_policy: 4,
  automatically_unmute_topics_in_muted_streams_policy: 4,
}
const options = { settings, userSettings: { adam: quiet } }

/**
 * The conversation of a message of Adam's. In channels, Alice received the message and then
 * unsubscribed, and Carol subscribed afterwards; the guest has unsubscribed from the public one.
 * The owner and the moderator are in none of these conversations.
 */
interface Conversation {
  readonly channelId: number | null
  readonly messageId: number
}

const conversationKinds = ['public', 'shared', 'hidden', 'direct'] as const
type ConversationKind = (typeof conversationKinds)[number]

const privacy = {
  public: {},
  shared: { invite_only: true, history_public_to_subscribers: true },
  hidden: { invite_only: true, history_public_to_subscribers: false },
}

async function makeConversation(
  at: HostCase,
  kind: ConversationKind,
  content: string,
  name: string = kind,
): Promise<Conversation> {
  const { adam, alice, bob, carol, gus, bot } = at.people
  if (kind === 'direct') {
    return { channelId: null, messageId: await adam.whisper([bob, gus], content) }
  }
  const subscribers = [adam, alice, bob, gus, ...(kind === 'public' ? [] : [bot])].map(
    ({ id }) => id,
  )
  const channelId = await makeChannel(adam, name, { subscribers, ...privacy[kind] })
  const messageId = await adam.say(channelId, 'place', content)
  for (const leaver of kind === 'public' ? [alice, gus] : [alice]) {
    const left = await leaver.delete('/users/me/subscriptions', { subscriptions: [name] })
    assert.equal(left.status, 200, left.text)
  }
  const joined = await adam.post('/users/me/subscriptions', {
    subscriptions: [{ name }],
    principals: [carol.id],
  })
  assert.equal(joined.status, 200, joined.text)
  return { channelId, messageId }
}

/** The events that each user receives for an action, by kind of conversation. */
type Audiences = Readonly<Record<ConversationKind, EventsByUser>>

/** Users with access to the message: in a public channel also a former subscriber who has it. */
const readers = (...labels: string[]): Audiences => ({
  public: each(['adam', 'alice', 'bob', 'carol'], ...labels),
  shared: each(['adam', 'bob', 'carol', 'gus', 'bot'], ...labels),
  hidden: each(['adam', 'bob', 'gus', 'bot'], ...labels),
  direct: each(['adam', 'bob', 'gus'], ...labels),
})

/** Current subscribers or participants. */
const present = (...labels: string[]): Audiences => ({
  ...readers(...labels),
  public: each(['adam', 'bob', 'carol'], ...labels),
  hidden: each(['adam', 'bob', 'carol', 'gus', 'bot'], ...labels),
})

interface Row {
  readonly operationId: string
  /** The action, for the title. */
  readonly title: string
  /** Content of the message that the action refers to. */
  readonly content?: string
  readonly prepare?: (adam: Client, conversation: Conversation) => Promise<Answer>
  readonly call: (adam: Client, conversation: Conversation) => Promise<Answer>
  readonly events: Partial<Audiences>
}

const react = (adam: Client, { messageId }: Conversation): Promise<Answer> =>
  adam.post(`/messages/${messageId}/reactions`, { emoji_name: 'tada' })

const setTyping =
  (op: string) =>
  (adam: Client, { channelId }: Conversation): Promise<Answer> =>
    adam.post('/typing', { op, type: 'stream', stream_id: channelId, topic: 'place' })

const channelsOf = ({ direct: _, ...channels }: Audiences): Partial<Audiences> => channels

const rows: readonly Row[] = [
  {
    operationId: 'send-message',
    title: 'a channel message',
    call: (adam, { channelId }) =>
      adam.post('/messages', { type: 'channel', to: channelId, topic: 'place', content: 'Hi' }),
    events: channelsOf(present('message')),
  },
  {
    operationId: 'add-reaction',
    title: 'a reaction',
    call: react,
    events: readers('reaction/add'),
  },
  {
    operationId: 'remove-reaction',
    title: 'a removed reaction',
    prepare: react,
    call: (adam, { messageId }) =>
      adam.delete(`/messages/${messageId}/reactions`, { emoji_name: 'tada' }),
    events: readers('reaction/remove'),
  },
  {
    operationId: 'add-submessage',
    title: 'a submessage',
    content: '/poll Where?',
    call: (adam, { messageId }) =>
      adam.post('/submessage', {
        message_id: messageId,
        msg_type: 'widget',
        content: '{"type":"vote","key":"canned,0","vote":1}',
      }),
    events: channelsOf(readers('submessage')),
  },
  {
    operationId: 'update-message',
    title: 'a changed topic',
    call: (adam, { messageId }) =>
      adam.patch(`/messages/${messageId}`, {
        topic: 'elsewhere',
        send_notification_to_new_thread: false,
      }),
    events: channelsOf(readers('update_message')),
  },
  {
    operationId: 'update-message',
    title: 'changed content',
    call: (adam, { messageId }) => adam.patch(`/messages/${messageId}`, { content: 'Changed' }),
    events: readers('update_message'),
  },
  {
    operationId: 'delete-message',
    title: 'a deleted message',
    call: (adam, { messageId }) => adam.delete(`/messages/${messageId}`),
    events: readers('delete_message'),
  },
  {
    operationId: 'delete-topic',
    title: 'a deleted topic',
    call: (adam, { channelId }) =>
      adam.post(`/streams/${channelId}/delete_topic`, { topic_name: 'place' }),
    events: channelsOf(readers('delete_message')),
  },
  ...(['start', 'stop'] as const).flatMap((op) => [
    {
      operationId: 'set-typing-status',
      title: `typing in a channel (${op})`,
      call: setTyping(op),
      events: channelsOf(present(`typing/${op}`)),
    },
    {
      operationId: 'set-typing-status-for-message-edit',
      title: `typing in a message edit (${op})`,
      call: (adam: Client, { messageId }: Conversation) =>
        adam.post(`/messages/${messageId}/typing`, { op }),
      events: {
        ...readers(`typing_edit_message/${op}`),
        public: each(['adam', 'bob', 'carol'], `typing_edit_message/${op}`),
      },
    },
  ]),
]

for (const { operationId, title, content = 'Here', prepare, call, events } of rows) {
  everyHost(
    operationId,
    (at) => {
      it(`sends events of ${title} to exactly the expected users`, async () => {
        const { adam } = at.people
        const outcomes: Partial<Record<ConversationKind, EventsByUser>> = {}
        for (const name of conversationKinds) {
          if (events[name] === undefined) continue
          const conversation = await makeConversation(at, name, content)
          if (prepare !== undefined) await prepare(adam, conversation)
          outcomes[name] = await receivedEvents(at, () => call(adam, conversation))
        }

        assert.deepEqual(outcomes, events)
      })
    },
    options,
  )
}

everyHost(
  'update-message',
  (at) => {
    for (const target of ['shared', 'hidden'] as const) {
      it(`sends delete_message to users who lose access to a message moved to a private channel (${target})`, async () => {
        const { adam } = at.people
        const name = `to-${target}`
        const { messageId } = await makeConversation(at, 'public', 'Here', name)
        const { channelId } = await makeConversation(at, target, 'There')

        const events = await receivedEvents(at, () =>
          adam.patch(`/messages/${messageId}`, {
            stream_id: channelId,
            send_notification_to_new_thread: false,
          }),
        )

        // The guest had no access to the message before the move, so no event is sent.
        assert.deepEqual(events, {
          ...each(['adam', 'bob', 'carol', 'bot'], 'update_message'),
          alice: ['delete_message'],
        })
      })
    }
  },
  options,
)

everyHost('render-message', (at) => {
  it('sends no events', async () => {
    const events = await receivedEvents(at, ({ alice }) =>
      alice.post('/messages/render', { content: '@**all** :octopus:' }),
    )

    assert.deepEqual(events, {})
  })
})
