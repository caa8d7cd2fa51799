import assert from 'node:assert/strict'
import { before, it } from 'node:test'

import { allEvents } from '../../packages/core/src/resources/index.js'
import { storeRegistration } from '../../packages/client/src/store/registered.js'
import type { Answer, Client, Parameters } from '../support/client.js'
import type { EventFeed } from '../support/event-feed.js'
import { everyDatabase, type HostCase } from '../support/host.js'
import { pixel } from '../support/rich-organization.js'
import { sendFiles } from '../support/uploads.js'
import { StoreObserver } from './store-observer.js'

/** Types of events that are about nothing in the store. */
const otherTypes: readonly string[] = [
  'attachment',
  'invites_changed',
  'muted_topics', // an older form of `user_topic`
  'navigation_view',
  'push_device',
  'realm_bot',
  'realm_domains',
  'realm_export',
  'realm_export_consent',
  'realm_playgrounds',
  'realm_user_settings_defaults',
  'typing_edit_message',
  'update_display_settings', // an older form of `user_settings`
  'update_global_notifications', // likewise
]
/** Events of the store's types that it does not get. */
const otherKinds: readonly string[] = [
  'realm/deactivated', // The connection ends: see `ended-connections.test.ts`.
  'user_group/remove', // Is only sent to clients that do not know deactivated groups.
]

const laterSeconds = 4_000_000_000

type Call = (at: HostCase) => Promise<Answer>

/** Remembers the id in an answer for later calls. */
const ids = new Map<string, number>()
const idOf = (name: string): number => ids.get(name) ?? assert.fail(`There is no ${name}`)
const noted =
  (name: string, field: string, call: Call): Call =>
  async (at) => {
    const answer = await call(at)
    const value: unknown = answer.body[field]
    ids.set(name, Number(Array.isArray(value) ? value[0] : value))
    return answer
  }

const by =
  (
    name: keyof HostCase['people'],
    method: 'post' | 'patch' | 'delete',
    path: string | ((at: HostCase) => string),
    params: Parameters | ((at: HostCase) => Parameters) = {},
  ): Call =>
  (at) =>
    at.people[name][method](
      typeof path === 'string' ? path : path(at),
      typeof params === 'function' ? params(at) : params,
    )

const say = (topic: string, content: string): Call =>
  by('alice', 'post', '/messages', ({ channels }) => ({
    type: 'channel',
    to: channels.general,
    topic,
    content,
  }))
const onMessage = (rest: string) => () => `/messages/${idOf('message')}${rest}`
const flags = (op: string, flag: string): Call =>
  by('bob', 'post', '/messages/flags', () => ({ messages: [idOf('message')], op, flag }))
const group = (rest: string) => () => `/user_groups/${idOf('group')}${rest}`

/** Calls that together cause every kind of event, in groups that belong together. */
const groups: Readonly<Record<string, readonly Call[]>> = {
  messages: [
    noted('message', 'id', say('a', '@**Bob Test** look')),
    by('alice', 'patch', onMessage(''), { content: 'edited @**all**' }),
    by('bob', 'post', onMessage('/reactions'), { emoji_name: 'tada' }),
    by('bob', 'delete', onMessage('/reactions'), { emoji_name: 'tada' }),
    flags('add', 'starred'),
    flags('add', 'read'),
    flags('remove', 'starred'),
    flags('remove', 'read'),
    by('olga', 'patch', onMessage(''), { topic: 'b', propagate_mode: 'change_all' }),
    noted('open', 'id', say('to do', 'not yet')),
    ...['✔ to do', 'to do', '✔ to do'].map((topic) =>
      by('olga', 'patch', () => `/messages/${idOf('open')}`, {
        topic,
        propagate_mode: 'change_all',
        send_notification_to_old_thread: false,
      }),
    ),
    noted('poll', 'id', say('a', '/poll Which?\nOne\nTwo')),
    by('bob', 'post', '/submessage', () => ({
      message_id: idOf('poll'),
      msg_type: 'widget',
      content: JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 }),
    })),
    // Queues forget the text of a message that is deleted, so it is not the one before.
    noted('deleted', 'id', say('a', 'to be deleted')),
    by('olga', 'delete', () => `/messages/${idOf('deleted')}`),
  ],
  typing: ['start', 'stop'].map((op) =>
    by('alice', 'post', '/typing', ({ people }) => ({ type: 'direct', to: [people.bob.id], op })),
  ),
  'personal items': [
    by('bob', 'post', '/users/me/alert_words', { alert_words: ['ahoy'] }),
    by('bob', 'post', ({ people }) => `/users/me/muted_users/${people.carol.id}`),
    by('bob', 'post', '/user_topics', ({ channels }) => ({
      stream_id: channels.general,
      topic: 'a',
      visibility_policy: 3,
    })),
    by('bob', 'patch', '/settings', { twenty_four_hour_time: true }),
    by('bob', 'post', '/users/me/status', { status_text: 'Away' }),
    noted(
      'draft',
      'ids',
      by('bob', 'post', '/drafts', ({ channels }) => ({
        drafts: [{ type: 'stream', to: [channels.general], topic: 't', content: 'x' }],
      })),
    ),
    by('bob', 'patch', () => `/drafts/${idOf('draft')}`, {
      draft: { type: 'private', to: [], topic: '', content: 'edited' },
    }),
    by('bob', 'delete', () => `/drafts/${idOf('draft')}`),
    noted(
      'snippet',
      'saved_snippet_id',
      by('bob', 'post', '/saved_snippets', { title: 'One', content: 'x' }),
    ),
    by('bob', 'patch', () => `/saved_snippets/${idOf('snippet')}`, { title: 'Two' }),
    by('bob', 'delete', () => `/saved_snippets/${idOf('snippet')}`),
    noted(
      'scheduled',
      'scheduled_message_id',
      by('bob', 'post', '/scheduled_messages', ({ people }) => ({
        type: 'direct',
        to: [people.alice.id],
        content: 'later',
        scheduled_delivery_timestamp: laterSeconds,
      })),
    ),
    by('bob', 'patch', () => `/scheduled_messages/${idOf('scheduled')}`, { content: 'edited' }),
    by('bob', 'delete', () => `/scheduled_messages/${idOf('scheduled')}`),
    noted(
      'reminder',
      'reminder_id',
      by('bob', 'post', '/reminders', () => ({
        message_id: idOf('poll'),
        scheduled_delivery_timestamp: laterSeconds,
      })),
    ),
    by('bob', 'delete', () => `/reminders/${idOf('reminder')}`),
  ],
  channels: [
    noted(
      'channel',
      'id',
      by('alice', 'post', '/channels/create', ({ people }) => ({
        name: 'created',
        subscribers: [people.alice.id, people.bob.id],
      })),
    ),
    by('olga', 'patch', () => `/streams/${idOf('channel')}`, { new_name: 'renamed' }),
    by('bob', 'post', '/users/me/subscriptions/properties', () => ({
      subscription_data: [{ stream_id: idOf('channel'), property: 'color', value: '#123456' }],
    })),
    by('alice', 'post', '/users/me/subscriptions', ({ people }) => ({
      subscriptions: [{ name: 'renamed' }],
      principals: [people.carol.id, people.gus.id],
    })),
    by('olga', 'delete', '/users/me/subscriptions', ({ people }) => ({
      subscriptions: ['renamed'],
      principals: [people.carol.id, people.gus.id, people.bob.id],
    })),
    by('olga', 'patch', () => `/streams/${idOf('channel')}`, { is_private: true }),
    by('olga', 'post', '/default_streams', ({ channels }) => ({ stream_id: channels.design })),
    noted(
      'folder',
      'channel_folder_id',
      by('olga', 'post', '/channel_folders/create', { name: 'One', description: '' }),
    ),
    by('olga', 'patch', () => `/channel_folders/${idOf('folder')}`, { name: 'Other' }),
    by('olga', 'patch', '/channel_folders', () => ({ order: [idOf('folder')] })),
  ],
  'users and groups': [
    by('carol', 'post', '/users/me/presence', { status: 'active' }),
    by('olga', 'post', '/users', {
      email: 'new@new.example',
      full_name: 'New User',
      password: 'correct horse new',
    }),
    by('olga', 'patch', ({ people }) => `/users/${people.carol.id}`, { full_name: 'Carol Anew' }),
    noted(
      'group',
      'group_id',
      by('olga', 'post', '/user_groups/create', ({ people }) => ({
        name: 'some',
        description: 'Some of us',
        members: [people.alice.id],
      })),
    ),
    noted(
      'subgroup',
      'group_id',
      by('olga', 'post', '/user_groups/create', { name: 'other', description: '', members: [] }),
    ),
    by('olga', 'patch', group(''), { name: 'changed' }),
    by('olga', 'post', group('/members'), ({ people }) => ({ add: [people.bob.id] })),
    by('olga', 'post', group('/members'), ({ people }) => ({ delete: [people.bob.id] })),
    by('olga', 'post', group('/subgroups'), () => ({ add: [idOf('subgroup')] })),
    by('olga', 'post', group('/subgroups'), () => ({ delete: [idOf('subgroup')] })),
    by('olga', 'post', group('/deactivate')),
    // A limited guest, who only knows those with whom it shares a conversation.
    by('olga', 'delete', '/users/me/subscriptions', ({ people }) => ({
      subscriptions: ['general'],
      principals: [people.carol.id],
    })),
    by('olga', 'delete', ({ people }) => `/users/${people.mona.id}`),
  ],
  organization: [
    by('olga', 'patch', '/realm', { name: 'Renamed' }),
    by('olga', 'patch', '/realm', { allow_message_editing: false }),
    by('olga', 'post', '/realm/filters', {
      pattern: 'x-(?P<n>[0-9]+)',
      url_template: 'https://links.example/{n}',
    }),
    by('olga', 'post', '/realm/profile_fields', { name: 'Field', field_type: 1 }),
    ({ people }) =>
      sendFiles(people.alice, '/realm/emoji/of_the_store', [
        { name: 'x.png', type: 'image/png', bytes: Buffer.from(pixel, 'base64') },
      ]),
  ],
}

everyDatabase(
  'a live store and every kind of event',
  'express',
  (at) => {
    let observers: readonly (readonly [string, StoreObserver])[] = []
    let feeds: readonly EventFeed[] = []

    before(async () => {
      ids.clear()
      const { olga, bob, gus } = at.people
      const users: readonly Client[] = [olga, bob, gus]
      observers = await Promise.all(
        users.map(async (user) => [user.name, await StoreObserver.open(user)] as const),
      )
      const { client_capabilities } = storeRegistration
      const event_types = storeRegistration.event_types ?? []
      feeds = await Promise.all(
        users.map((user) => user.listen({ event_types, client_capabilities })),
      )
    })

    for (const [title, calls] of Object.entries(groups)) {
      it(`agree about ${title}`, async () => {
        for (const [index, call] of calls.entries()) {
          const answer = await call(at)
          assert.equal(answer.status, 200, `call ${index + 1}: ${answer.text}`)
        }
        for (const [name, observer] of observers) {
          await observer.compare(`of ${name} after ${title}`)
        }
      })
    }

    it('have all met', async () => {
      const received = new Set<string>()
      for (const feed of feeds) {
        for (const { type, op } of await feed.drain()) {
          received.add(op === undefined ? type : `${type}/${op}`)
        }
      }
      for (const [, observer] of observers) await observer.close()
      const stored = new Set(storeRegistration.event_types)
      const types = new Set(allEvents.map(({ type }) => type))
      assert.deepEqual(
        [...types].filter((type) => !stored.has(type)).toSorted(),
        otherTypes.toSorted(),
        'an event is neither in the store nor listed here',
      )
      const missing = allEvents
        .filter(({ type, kind }) => stored.has(type) && !received.has(kind))
        .map(({ kind }) => kind)
      assert.deepEqual(missing.toSorted(), otherKinds.toSorted())
    })
  },
  { resolveOrganization: undefined } as never,
  { settings: { can_access_all_users_group: 'role:members' } },
)
