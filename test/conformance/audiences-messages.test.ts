import assert from 'node:assert/strict'
import { it } from 'node:test'

import { each, heardOf, type Heard } from '../support/audiences.js'
import { makeChannel } from '../support/channels.js'
import type { Answer, Client } from '../support/client.js'
import { everyHost, type HostCase } from '../support/host.js'

const settings = {
  can_delete_own_message_group: 'role:members',
  can_resolve_topics_group: 'role:members',
}
/** Settings by which writing in a topic changes nothing about it. */
const quiet = {
  automatically_follow_topics_policy: 4,
  automatically_unmute_topics_in_muted_streams_policy: 4,
}
const options = { settings, userSettings: { adam: quiet } }

/**
 * Where a message of Adam's is. Of a channel, Alice has received it and left, and Carol came later;
 * the guest has left the public one. The owner and the moderator are in none.
 */
interface Place {
  readonly channelId: number | null
  readonly messageId: number
}

const placeNames = ['public', 'shared', 'hidden', 'direct'] as const
type PlaceName = (typeof placeNames)[number]

const privacy = {
  public: {},
  shared: { invite_only: true, history_public_to_subscribers: true },
  hidden: { invite_only: true, history_public_to_subscribers: false },
}

async function makePlace(
  at: HostCase,
  kind: PlaceName,
  content: string,
  name: string = kind,
): Promise<Place> {
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

/** Who hears of what is done to a message, in each place. */
type Audiences = Readonly<Record<PlaceName, Heard>>

/** Those who follow the message: a member who has received it follows it in public for good. */
const readers = (...labels: string[]): Audiences => ({
  public: each(['adam', 'alice', 'bob', 'carol'], ...labels),
  shared: each(['adam', 'bob', 'carol', 'gus', 'bot'], ...labels),
  hidden: each(['adam', 'bob', 'gus', 'bot'], ...labels),
  direct: each(['adam', 'bob', 'gus'], ...labels),
})

/** Those who are there now. */
const present = (...labels: string[]): Audiences => ({
  ...readers(...labels),
  public: each(['adam', 'bob', 'carol'], ...labels),
  hidden: each(['adam', 'bob', 'carol', 'gus', 'bot'], ...labels),
})

interface Row {
  readonly operationId: string
  /** What is done. */
  readonly title: string
  /** The message. */
  readonly content?: string
  readonly prepare?: (adam: Client, place: Place) => Promise<Answer>
  readonly call: (adam: Client, place: Place) => Promise<Answer>
  readonly heard: Partial<Audiences>
}

const react = (adam: Client, { messageId }: Place): Promise<Answer> =>
  adam.post(`/messages/${messageId}/reactions`, { emoji_name: 'tada' })

const write =
  (op: string) =>
  (adam: Client, { channelId }: Place): Promise<Answer> =>
    adam.post('/typing', { op, type: 'stream', stream_id: channelId, topic: 'place' })

const channelsOf = ({ direct: _, ...channels }: Audiences): Partial<Audiences> => channels

const rows: readonly Row[] = [
  {
    operationId: 'send-message',
    title: 'a channel message',
    call: (adam, { channelId }) =>
      adam.post('/messages', { type: 'channel', to: channelId, topic: 'place', content: 'Hi' }),
    heard: channelsOf(present('message')),
  },
  {
    operationId: 'add-reaction',
    title: 'a reaction',
    call: react,
    heard: readers('reaction/add'),
  },
  {
    operationId: 'remove-reaction',
    title: 'a reaction taken back',
    prepare: react,
    call: (adam, { messageId }) =>
      adam.delete(`/messages/${messageId}/reactions`, { emoji_name: 'tada' }),
    heard: readers('reaction/remove'),
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
    heard: channelsOf(readers('submessage')),
  },
  {
    operationId: 'update-message',
    title: 'another topic',
    call: (adam, { messageId }) =>
      adam.patch(`/messages/${messageId}`, {
        topic: 'elsewhere',
        send_notification_to_new_thread: false,
      }),
    heard: channelsOf(readers('update_message')),
  },
  {
    operationId: 'update-message',
    title: 'another text',
    call: (adam, { messageId }) => adam.patch(`/messages/${messageId}`, { content: 'Changed' }),
    heard: readers('update_message'),
  },
  {
    operationId: 'delete-message',
    title: 'a deletion',
    call: (adam, { messageId }) => adam.delete(`/messages/${messageId}`),
    heard: readers('delete_message'),
  },
  {
    operationId: 'delete-topic',
    title: 'a deleted topic',
    call: (adam, { channelId }) =>
      adam.post(`/streams/${channelId}/delete_topic`, { topic_name: 'place' }),
    heard: channelsOf(readers('delete_message')),
  },
  ...(['start', 'stop'] as const).flatMap((op) => [
    {
      operationId: 'set-typing-status',
      title: `writing in a channel (${op})`,
      call: write(op),
      heard: channelsOf(present(`typing/${op}`)),
    },
    {
      operationId: 'set-typing-status-for-message-edit',
      title: `editing (${op})`,
      call: (adam: Client, { messageId }: Place) =>
        adam.post(`/messages/${messageId}/typing`, { op }),
      heard: {
        ...readers(`typing_edit_message/${op}`),
        public: each(['adam', 'bob', 'carol'], `typing_edit_message/${op}`),
      },
    },
  ]),
]

for (const { operationId, title, content = 'Here', prepare, call, heard } of rows) {
  everyHost(
    operationId,
    (at) => {
      it(`lets exactly those hear of ${title} who are meant to`, async () => {
        const { adam } = at.people
        const outcomes: Partial<Record<PlaceName, Heard>> = {}
        for (const name of placeNames) {
          if (heard[name] === undefined) continue
          const place = await makePlace(at, name, content)
          if (prepare !== undefined) await prepare(adam, place)
          outcomes[name] = await heardOf(at, () => call(adam, place))
        }

        assert.deepEqual(outcomes, heard)
      })
    },
    options,
  )
}

everyHost(
  'update-message',
  (at) => {
    for (const target of ['shared', 'hidden'] as const) {
      it(`takes a message to a private channel (${target}) from those who are not there`, async () => {
        const { adam } = at.people
        const name = `to-${target}`
        const { messageId } = await makePlace(at, 'public', 'Here', name)
        const { channelId } = await makePlace(at, target, 'There')

        const heard = await heardOf(at, () =>
          adam.patch(`/messages/${messageId}`, {
            stream_id: channelId,
            send_notification_to_new_thread: false,
          }),
        )

        // To the guest, who could not see it where it was, the message is no news.
        assert.deepEqual(heard, {
          ...each(['adam', 'bob', 'carol', 'bot'], 'update_message'),
          alice: ['delete_message'],
        })
      })
    }
  },
  options,
)

everyHost('render-message', (at) => {
  it('is heard by nobody', async () => {
    const heard = await heardOf(at, ({ alice }) =>
      alice.post('/messages/render', { content: '@**all** :octopus:' }),
    )

    assert.deepEqual(heard, {})
  })
})
