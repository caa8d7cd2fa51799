import type { QuotaName } from '@parley/core'

import { freshBot } from './bots.js'
import type { Answer } from './client.js'
import { callerOf } from './examples/example.js'
import { examples } from './examples/index.js'
import type { HostCase } from './host.js'

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

/** Makes the item as the example of an operation does. */
function example(id: string): QuotaCase['make'] {
  const found = examples[id]
  if (found === undefined) throw new Error(`There is no example of ${id}.`)
  return (at) => found.call(at, callerOf(found, at.people))
}

/** The quotas of items that are created one by one, and how. */
export const quotaCases: readonly QuotaCase[] = [
  {
    quota: 'alertWordsPerUser',
    refusal: 'alert words',
    make: example('add-alert-words'),
  },
  {
    quota: 'draftsPerUser',
    refusal: 'drafts',
    make: example('create-drafts'),
  },
  {
    quota: 'savedSnippetsPerUser',
    refusal: 'saved snippets',
    make: example('create-saved-snippet'),
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
    make: example('create-scheduled-message'),
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
    make: example('add-navigation-view'),
  },
  {
    quota: 'botsPerUser',
    refusal: 'bots',
    make: ({ people }) => people.carol.post('/bots', freshBot()),
  },
  {
    quota: 'pushDevicesPerUser',
    refusal: 'push devices',
    make: example('add-fcm-token'),
  },
  {
    quota: 'unlinkedAttachmentsPerUser',
    refusal: 'uploaded files that no message links to',
    make: example('upload-file'),
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
    make: example('create-channel-folder'),
  },
  {
    quota: 'channelsPerOrganization',
    refusal: 'channels',
    present: 7,
    make: example('create-channel'),
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
    make: example('upload-custom-emoji'),
  },
  {
    quota: 'linkifiersPerOrganization',
    refusal: 'linkifiers',
    make: example('add-linkifier'),
  },
  {
    quota: 'playgroundsPerOrganization',
    refusal: 'code playgrounds',
    make: example('add-code-playground'),
  },
  {
    quota: 'profileFieldsPerOrganization',
    refusal: 'custom profile fields',
    make: example('create-custom-profile-field'),
  },
  {
    quota: 'realmDomainsPerOrganization',
    refusal: 'e-mail domains',
    make: example('create-realm-domain'),
  },
  {
    quota: 'invitationsPerOrganization',
    refusal: 'invitations',
    make: example('create-invite-link'),
  },
]
