import fc from 'fast-check'

import { anyone, by, command, flag, index, withOne } from './register-command.js'
import { names, type Name, type RegisterState } from './register-state.js'

const person = fc.constantFrom<Name>('adam', 'alice', 'bob', 'carol', 'gus')
/** Mostly one of those that {@link addSharedChannels} created: the newest ones. */
const channel = fc.constantFrom(0, 1, 2, 0, 1, 2, 3, 4)

const sharedChannels = ['shared one', 'shared two'] as const
const privateChannel = 'shared with protected history'

/** Channels that everybody receives at first. */
export async function addSharedChannels(state: RegisterState): Promise<void> {
  await by(state, 'olga').post('/users/me/subscriptions', {
    subscriptions: sharedChannels.map((name) => ({ name })),
    principals: names.map((name) => by(state, name).id),
  })
  await by(state, 'olga').post('/users/me/subscriptions', {
    subscriptions: [{ name: privateChannel }],
    principals: names.map((name) => by(state, name).id),
    invite_only: true,
    history_public_to_subscribers: false,
  })
  const { streams } = (await by(state, 'olga').get('/streams')).body
  for (const name of [...sharedChannels, privateChannel]) {
    state.note('channel', streams.find((one: { name: string }) => one.name === name)!.stream_id)
  }
}

function repeated<Command>(times: number, one: Command): Command[] {
  return Array.from({ length: times }, () => one)
}

/** Commands about users who are away: messages that they receive, and what changes about them. */
export const subscriptionCommands = [
  ...repeated(
    8,
    command<[Name, number, string, string]>(
      'send to a shared channel',
      [
        anyone,
        channel,
        fc.constantFrom('a', 'c'),
        fc.constantFrom('Hello', 'Hello', 'Hello', '@**Bob Test** look', '@**all** look'),
      ],
      (state, name, which, topic, content) =>
        withOne(state, 'channel', which, (id) =>
          by(state, name).post('/messages', { type: 'channel', to: id, topic, content }),
        ),
      (state, body) => state.note('message', body.id),
    ),
  ),
  ...repeated(
    3,
    command<[Name, number, boolean]>(
      'subscribe or unsubscribe',
      [person, fc.nat(2), flag],
      (state, name, which, subscribes) => {
        const subscriptions = [[...sharedChannels, privateChannel][which]!]
        const principals = [by(state, name).id]
        return subscribes
          ? by(state, 'olga').post('/users/me/subscriptions', {
              subscriptions: subscriptions.map((title) => ({ name: title })),
              principals,
            })
          : by(state, 'olga').delete('/users/me/subscriptions', { subscriptions, principals })
      },
    ),
  ),
  command<[Name, boolean]>('deactivate', [person, flag], (state, name) =>
    by(state, 'olga').delete(`/users/${by(state, name).id}`),
  ),
  ...repeated(
    2,
    command<[Name]>('reactivate', [person], (state, name) => state.reactivate(by(state, name).id)),
  ),
  ...repeated(
    2,
    command<[number, string]>(
      'move to a topic',
      [index, fc.constantFrom('a', 'c', 'e')],
      (state, which, topic) =>
        withOne(state, 'message', which, (id) =>
          by(state, 'olga').patch(`/messages/${id}`, { propagate_mode: 'change_all', topic }),
        ),
    ),
  ),
  command<[number, string]>(
    'delete a topic',
    [channel, fc.constantFrom('a', 'c')],
    (state, which, topic_name) =>
      withOne(state, 'channel', which, (id) =>
        by(state, 'olga').post(`/streams/${id}/delete_topic`, { topic_name }),
      ),
  ),
  ...repeated(
    2,
    command<[number, number]>('move to a channel', [index, channel], (state, which, into) =>
      withOne(state, 'message', which, (id) =>
        by(state, 'olga').patch(`/messages/${id}`, {
          propagate_mode: 'change_all',
          stream_id: state.one('channel', into) ?? 0,
        }),
      ),
    ),
  ),
  ...repeated(
    2,
    command<[number, Name, boolean]>(
      'edit with a mention',
      [index, person, flag],
      (state, which, name, ofAll) =>
        withOne(state, 'message', which, async (id) => {
          const { body } = await by(state, 'olga').get(`/messages/${id}`)
          const author = names.find((one) => by(state, one).id === body.message?.sender_id)
          const mentioned = `${name.charAt(0).toUpperCase()}${name.slice(1)} Test`
          return by(state, author ?? 'olga').patch(`/messages/${id}`, {
            content: `@**${ofAll ? 'all' : mentioned}** again`,
          })
        }),
    ),
  ),
  command<[number]>('old messages expire', [fc.constantFrom(40_000, 70_000)], (state, seconds) =>
    state.expireMessages(seconds),
  ),
]
