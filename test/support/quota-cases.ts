import type { QuotaName } from '@parley/core'

import { freshBot } from './bots.js'
import type { Answer } from './client.js'
import type { HostCase } from './host.js'
import { pngOf, sendFiles } from './uploads.js'

/** How one more item of a kind is created. */
export interface QuotaCase {
  readonly quota: QuotaName
  readonly refusal: string
  /** The number of existing items. */
  readonly present?: number
  readonly make: (at: HostCase, index: number) => Promise<Answer>
}

/** How many more items of each kind there may be. */
export const remaining = 2
/** The number of concurrent requests; there are enough users and emoji for them. */
export const attempts = 5

const emoji = ['octopus', 'heart', 'tada', 'smile', 'rocket']

/** Runs once for all attempts of a case. */
const once = new WeakMap<HostCase, Map<string, Promise<number>>>()
function shared(at: HostCase, key: string, make: () => Promise<number>): Promise<number> {
  const known = once.get(at) ?? new Map<string, Promise<number>>()
  once.set(at, known)
  const value = known.get(key) ?? make()
  known.set(key, value)
  return value
}

const message = (at: HostCase, key: string, content = 'Hi'): Promise<number> =>
  shared(at, key, () => at.people.alice.say(at.channels.design, 'lunch', content))

/** The quotas of items that are created one by one, and how. */
export const quotaCases: readonly QuotaCase[] = [
  {
    quota: 'alertWordsPerUser',
    refusal: 'alert words',
    make: ({ people }, index) =>
      people.alice.post('/users/me/alert_words', { alert_words: [`word${index}`] }),
  },
  {
    quota: 'draftsPerUser',
    refusal: 'drafts',
    make: ({ people }) =>
      people.alice.post('/drafts', { drafts: [{ type: '', to: [], topic: '', content: 'x' }] }),
  },
  {
    quota: 'savedSnippetsPerUser',
    refusal: 'saved snippets',
    make: ({ people }, index) =>
      people.alice.post('/saved_snippets', { title: `t${index}`, content: 'c' }),
  },
  {
    quota: 'remindersPerUser',
    refusal: 'reminders',
    make: async (at) =>
      at.people.alice.post('/reminders', {
        message_id: await message(at, 'reminders'),
        scheduled_delivery_timestamp: at.clock.seconds + 86_400,
      }),
  },
  {
    quota: 'scheduledMessagesPerUser',
    refusal: 'scheduled messages',
    make: ({ people, clock }) =>
      people.alice.post('/scheduled_messages', {
        type: 'direct',
        to: [people.bob.id],
        content: 'Later',
        scheduled_delivery_timestamp: clock.seconds + 86_400,
      }),
  },
  {
    quota: 'mutedUsersPerUser',
    refusal: 'muted users',
    make: ({ people }, index) => {
      const { olga, adam, mona, bob, carol } = people
      const muted = [olga, adam, mona, bob, carol][index]
      return people.alice.post(`/users/me/muted_users/${muted?.id}`)
    },
  },
  {
    quota: 'topicPoliciesPerUser',
    refusal: 'topics with a visibility policy',
    make: ({ people, channels }, index) =>
      people.carol.post('/user_topics', {
        stream_id: channels.general,
        topic: `topic${index}`,
        visibility_policy: 1,
      }),
  },
  {
    quota: 'navigationViewsPerUser',
    refusal: 'navigation views',
    make: ({ people }, index) =>
      people.alice.post('/navigation_views', {
        fragment: `narrow/${index}`,
        is_pinned: true,
        name: `view${index}`,
      }),
  },
  {
    quota: 'botsPerUser',
    refusal: 'bots',
    make: ({ people }) => people.carol.post('/bots', freshBot()),
  },
  {
    quota: 'pushDevicesPerUser',
    refusal: 'push devices',
    make: ({ people }, index) =>
      people.alice.post('/users/me/android_gcm_reg_id', { token: `token${index}` }),
  },
  {
    quota: 'unlinkedAttachmentsPerUser',
    refusal: 'uploaded files that no message links to',
    make: ({ people }) => sendFiles(people.alice, '/user_uploads', [{}]),
  },
  {
    quota: 'reactionsPerUserAndMessage',
    refusal: 'reactions of a user to one message',
    make: async (at, index) =>
      at.people.alice.post(`/messages/${await message(at, 'own')}/reactions`, {
        emoji_name: emoji[index],
      }),
  },
  {
    quota: 'reactionsPerMessage',
    refusal: 'reactions to one message',
    present: 1,
    make: async (at, index) => {
      const { olga, adam, mona, alice, bob, carol } = at.people
      const id = await shared(at, 'everyone', async () => {
        const sent = await alice.say(at.channels.general, 'lunch', 'Hi')
        await carol.post(`/messages/${sent}/reactions`, { emoji_name: 'heart' })
        return sent
      })
      const someone = [olga, adam, mona, alice, bob][index]
      return (someone ?? alice).post(`/messages/${id}/reactions`, { emoji_name: 'octopus' })
    },
  },
  {
    quota: 'submessagesPerUserAndMessage',
    refusal: 'submessages of a user to one message',
    make: async (at) =>
      at.people.bob.post('/submessage', {
        message_id: await message(at, 'votes', '/poll Where?'),
        msg_type: 'widget',
        content: '{}',
      }),
  },
  {
    quota: 'submessagesPerMessage',
    refusal: 'submessages of one message',
    // The poll itself is one.
    present: 1,
    make: async (at, index) => {
      const { olga, adam, mona, bob, carol } = at.people
      const someone = [olga, adam, mona, bob, carol][index]
      return (someone ?? bob).post('/submessage', {
        message_id: await shared(at, 'poll', () =>
          at.people.alice.say(at.channels.general, 'lunch', '/poll When?'),
        ),
        msg_type: 'widget',
        content: '{}',
      })
    },
  },
  {
    quota: 'channelFoldersPerOrganization',
    refusal: 'channel folders',
    make: ({ people }, index) =>
      people.adam.post('/channel_folders/create', { name: `folder${index}` }),
  },
  {
    quota: 'channelsPerOrganization',
    refusal: 'channels',
    present: 7,
    make: ({ people }, index) =>
      people.alice.post('/channels/create', { name: `channel${index}`, subscribers: [] }),
  },
  {
    quota: 'defaultChannelsPerOrganization',
    refusal: 'default channels',
    present: 1,
    make: ({ people, channels }, index) => {
      const { design, empty, window, general } = channels
      const stream_id = [design, empty, window][index] ?? general
      return people.adam.post('/default_streams', { stream_id })
    },
  },
  {
    quota: 'customEmojiPerOrganization',
    refusal: 'custom emoji',
    make: ({ people }, index) =>
      sendFiles(people.adam, `/realm/emoji/own${index}`, [
        { name: 'x.png', type: 'image/png', bytes: pngOf(2, 2) },
      ]),
  },
  {
    quota: 'linkifiersPerOrganization',
    refusal: 'linkifiers',
    make: ({ people }, index) =>
      people.adam.post('/realm/filters', {
        pattern: `X${index}-(?P<id>[0-9]+)`,
        url_template: 'https://issues.example/{id}',
      }),
  },
  {
    quota: 'playgroundsPerOrganization',
    refusal: 'code playgrounds',
    make: ({ people }, index) =>
      people.adam.post('/realm/playgrounds', {
        name: `site${index}`,
        pygments_language: 'Python',
        url_template: 'https://run.example/{code}',
      }),
  },
  {
    quota: 'profileFieldsPerOrganization',
    refusal: 'custom profile fields',
    make: ({ people }, index) =>
      people.adam.post('/realm/profile_fields', { name: `field${index}`, field_type: 1 }),
  },
  {
    quota: 'realmDomainsPerOrganization',
    refusal: 'e-mail domains',
    make: ({ people }, index) =>
      people.olga.post('/realm/domains', {
        domain: `d${index}.example`,
        allow_subdomains: false,
      }),
  },
  {
    quota: 'invitationsPerOrganization',
    refusal: 'invitations',
    make: ({ people }) => people.olga.post('/invites/multiuse'),
  },
]
