import { everyAudience, everyAudienceOf, type AudienceRow } from '../support/audience-table.js'
import { each, everybody, everybodyBut } from '../support/audiences.js'
import { makeChannel } from '../support/channels.js'
import type { Client } from '../support/client.js'
import type { HostCase } from '../support/host.js'

everyAudience('create-channel', 'all users except guests', {
  call: ({ people: { alice, bob } }) =>
    alice.post('/channels/create', { name: 'leaves', subscribers: [alice.id, bob.id] }),
  events: {
    ...everybodyBut(['gus'], 'stream/create', 'subscription/peer_add'),
    ...each(['alice', 'bob'], 'stream/create', 'subscription/add', 'message'),
  },
})
everyAudience('create-channel', 'subscribers and administrators, for a private channel', {
  call: ({ people: { alice, bob } }) =>
    alice.post('/channels/create', {
      name: 'leaves',
      subscribers: [alice.id, bob.id],
      invite_only: true,
    }),
  events: {
    ...each(['olga', 'adam'], 'stream/create', 'subscription/peer_add'),
    ...each(['alice', 'bob'], 'stream/create', 'subscription/add', 'message'),
  },
})

const subscribing = (name: string, by: 'alice' | 'bob', who: 'bob' | 'carol' | 'gus') => ({
  call: ({ people }: HostCase) =>
    people[by].post('/users/me/subscriptions', {
      subscriptions: [{ name }],
      principals: [people[who].id],
    }),
})

everyAudience(
  'subscribe',
  'the new subscriber and all users who can see the subscribers, not to guests',
  {
    ...subscribing('design', 'alice', 'carol'),
    events: {
      ...everybodyBut(['gus'], 'subscription/peer_add'),
      ...each(['carol'], 'subscription/add', 'message'),
    },
  },
)
everyAudience('subscribe', 'a guest who is subscribed, and all users who can see the subscribers', {
  ...subscribing('design', 'alice', 'gus'),
  events: {
    ...everybodyBut(['gus'], 'subscription/peer_add'),
    ...each(['gus'], 'stream/create', 'subscription/add', 'message'),
  },
})
everyAudience(
  'subscribe',
  'the new subscriber, other subscribers and administrators, for a private channel',
  {
    ...subscribing('secret', 'alice', 'carol'),
    events: {
      ...each(['olga', 'adam', 'alice'], 'subscription/peer_add'),
      ...each(['carol'], 'stream/create', 'subscription/add', 'message'),
    },
  },
)

everyAudience('unsubscribe', 'the user and all users who can see the subscribers, not to guests', {
  call: ({ people: { bob } }) =>
    bob.delete('/users/me/subscriptions', { subscriptions: ['design'] }),
  events: {
    ...everybodyBut(['gus'], 'subscription/peer_remove'),
    ...each(['bob'], 'subscription/remove'),
  },
})
everyAudience('unsubscribe', 'the user, subscribers and administrators, for a private channel', {
  call: ({ people: { bob } }) =>
    bob.delete('/users/me/subscriptions', { subscriptions: ['vault'] }),
  events: {
    ...each(['olga', 'adam', 'alice'], 'subscription/peer_remove'),
    ...each(['bob'], 'subscription/remove', 'stream/delete'),
  },
})
everyAudience('update-subscriptions', 'the user and all users who can see the subscribers', {
  call: ({ people: { bob } }) =>
    bob.patch('/users/me/subscriptions', { delete: ['design'], add: [{ name: 'empty' }] }),
  events: {
    ...everybodyBut(['gus'], 'subscription/peer_add', 'subscription/peer_remove'),
    ...each(['bob'], 'subscription/add', 'subscription/remove'),
  },
})

everyAudience('update-subscription-settings', "only the user's own clients", {
  call: ({ people: { alice }, channels }) =>
    alice.post('/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id: channels.design, property: 'is_muted', value: true }],
    }),
  events: each(['alice'], 'subscription/update:in_home_view', 'subscription/update:is_muted'),
})
everyAudience('update-user-topic', "only the user's own clients", {
  call: ({ people: { alice }, channels }) =>
    alice.post('/user_topics', {
      stream_id: channels.design,
      topic: 'leaf',
      visibility_policy: 3,
    }),
  events: each(['alice'], 'muted_topics', 'user_topic'),
})
everyAudience('mute-topic', "only the user's own clients", {
  call: ({ people: { alice }, channels }) =>
    alice.patch('/users/me/subscriptions/muted_topics', {
      stream_id: channels.design,
      topic: 'leaf',
      op: 'add',
    }),
  events: each(['alice'], 'muted_topics', 'user_topic'),
})

everyAudience('update-stream', 'all users except guests who are not subscribed', {
  call: ({ people: { olga }, channels }) =>
    olga.patch(`/streams/${channels.design}`, { description: 'About it' }),
  events: {
    ...everybodyBut(['gus'], 'stream/update:description'),
    ...each(['alice', 'bob'], 'stream/update:description', 'message'),
  },
})
everyAudience('update-stream', 'subscribers and administrators, for a private channel', {
  call: ({ people: { olga }, channels }) =>
    olga.patch(`/streams/${channels.vault}`, { description: 'About it' }),
  events: {
    ...each(['olga', 'adam'], 'stream/update:description'),
    ...each(['alice', 'bob'], 'stream/update:description', 'message'),
  },
})
everyAudience(
  'update-stream',
  'all users except guests, as a deletion to those who lose access, if it becomes private',
  {
    call: ({ people: { olga }, channels }) =>
      olga.patch(`/streams/${channels.design}`, { is_private: true }),
    events: {
      ...each(['olga', 'adam'], 'stream/update:invite_only'),
      ...each(['mona', 'carol', 'bot'], 'stream/delete'),
      ...each(['alice', 'bob'], 'stream/update:invite_only', 'message'),
    },
  },
)
everyAudience(
  'update-stream',
  'all users except guests who are not subscribed, if it is unarchived',
  {
    call: ({ people: { olga }, channels }) =>
      olga.patch(`/streams/${channels.attic}`, { is_archived: false }),
    events: {
      ...everybodyBut(['gus'], 'stream/update:is_archived'),
      ...each(['alice'], 'stream/update:is_archived', 'message'),
    },
  },
)
/** Changes of a channel that do not affect its visibility. */
const groupChanges = {
  can_add_subscribers_group: 'role:administrators',
  can_administer_channel_group: 'role:administrators',
  can_delete_any_message_group: 'role:moderators',
  can_delete_own_message_group: 'role:moderators',
  can_move_messages_out_of_channel_group: 'role:moderators',
  can_move_messages_within_channel_group: 'role:moderators',
  can_remove_subscribers_group: 'role:moderators',
  can_resolve_topics_group: 'role:moderators',
  can_send_message_group: 'role:moderators',
  can_subscribe_group: 'role:administrators',
}
const change = async (at: HostCase, channelId: number) => {
  const { olga } = at.people
  const folder = await olga.post('/channel_folders/create', {
    name: `Folder ${channelId}`,
    description: '',
  })
  const groups = (await olga.get('/user_groups')).body.user_groups as { id: number; name: string }[]
  const idOf = (name: string) => groups.find((group) => group.name === name)?.id
  return () =>
    olga.patch(`/streams/${channelId}`, {
      ...Object.fromEntries(
        Object.entries(groupChanges).map(([name, group]) => [name, { new: idOf(group) }]),
      ),
      folder_id: folder.body.channel_folder_id,
      message_retention_days: 30,
      topics_policy: 'disable_empty_topic',
    })
}
const changeLabels = [
  'message_retention_days',
  'folder_id',
  'topics_policy',
  ...Object.keys(groupChanges).flatMap((name) =>
    name === 'can_send_message_group' ? [name, 'stream_post_policy', 'is_announcement_only'] : name,
  ),
].map((property) => `stream/update:${property}`)

const only = ({ id }: Client) => ({ direct_members: [id], direct_subgroups: [] })

/** A private channel of the owner, Alice and the guest. */
const privateChannel = ({ people: { olga, alice, gus } }: HostCase, name: string, more = {}) =>
  makeChannel(olga, name, {
    subscribers: [olga.id, alice.id, gus.id],
    invite_only: true,
    ...more,
  })

everyAudienceOf(
  'update-stream',
  [
    {
      who: 'all users except guests who are not subscribed, for any property',
      prepare: (at) => change(at, at.channels.design),
      events: {
        ...everybodyBut(['gus'], ...changeLabels),
        ...each(['alice', 'bob'], ...changeLabels, 'message'),
      },
    },
    {
      who: 'subscribed guests too, for any property',
      prepare: (at) => change(at, at.channels.general),
      events: everybody(...changeLabels, 'message'),
    },
    {
      who: 'all users, for any property of a web-public channel',
      prepare: (at) => change(at, at.channels.window),
      events: { ...everybody(...changeLabels), ...each(['alice'], ...changeLabels, 'message') },
    },
    {
      who: 'subscribers and administrators, for any property of a private channel, not to former subscribers',
      prepare: async (at) => {
        const { olga, alice, bob, gus } = at.people
        const subscribers = [olga.id, alice.id, bob.id, gus.id]
        const id = await privateChannel(at, 'quiet', { subscribers })
        await bob.delete('/users/me/subscriptions', { subscriptions: ['quiet'] })
        return change(at, id)
      },
      events: {
        ...each(['adam'], ...changeLabels),
        ...each(['olga', 'alice', 'gus'], ...changeLabels, 'message'),
      },
    },
    {
      who: 'users who can administer a private channel, too',
      prepare: async (at) => {
        const id = await privateChannel(at, 'run by Carol', {
          can_administer_channel_group: only(at.people.carol),
        })
        return () => at.people.olga.patch(`/streams/${id}`, { message_retention_days: 7 })
      },
      events: each(
        ['olga', 'adam', 'alice', 'gus', 'carol'],
        'stream/update:message_retention_days',
      ),
    },
    {
      who: 'all users except guests, if it becomes a default channel',
      prepare:
        ({ people: { olga }, channels }) =>
        () =>
          olga.patch(`/streams/${channels.empty}`, { is_default_stream: true }),
      events: everybodyBut(['gus'], 'default_streams'),
    },
    {
      who: 'users who can see a private channel, if it is renamed',
      prepare: async (at) => {
        const id = await privateChannel(at, 'before')
        return () => at.people.olga.patch(`/streams/${id}`, { new_name: 'after' })
      },
      events: {
        ...each(['adam'], 'stream/update:name'),
        ...each(['olga', 'alice', 'gus'], 'stream/update:name', 'message'),
      },
    },
    ...(
      ['can_subscribe_group', 'can_add_subscribers_group', 'can_administer_channel_group'] as const
    ).flatMap((property): AudienceRow[] => [
      {
        who: `users who can see a private channel, and users who gain access through ${property}`,
        prepare: async (at) => {
          const id = await privateChannel(at, `open to ${property}`)
          return () =>
            at.people.olga.patch(`/streams/${id}`, { [property]: { new: only(at.people.carol) } })
        },
        events: {
          ...each(['olga', 'adam', 'alice', 'gus'], `stream/update:${property}`),
          carol: ['stream/create', 'subscription/peer_add'],
        },
      },
      {
        who: `users who can see a private channel, and users who lose access through ${property}`,
        prepare: async (at) => {
          const id = await privateChannel(at, `closed to ${property}`, {
            [property]: only(at.people.carol),
          })
          return () =>
            at.people.olga.patch(`/streams/${id}`, { [property]: { new: only(at.people.olga) } })
        },
        events: {
          ...each(['olga', 'adam', 'alice', 'gus'], `stream/update:${property}`),
          carol: ['stream/delete'],
        },
      },
    ]),
    {
      who: 'members as a new channel, and to no other guests, if a private channel becomes public',
      prepare: async (at) => {
        const { olga, alice } = at.people
        const id = await privateChannel(at, 'opened', { subscribers: [olga.id, alice.id] })
        return () => olga.patch(`/streams/${id}`, { is_private: false })
      },
      events: {
        ...each(['mona', 'bob', 'carol', 'bot'], 'stream/create', 'subscription/peer_add'),
        ...each(['adam'], 'stream/update:invite_only'),
        ...each(['olga', 'alice'], 'stream/update:invite_only', 'message'),
      },
    },
    {
      who: 'users who can see a private channel, if its history becomes shared',
      prepare: async (at) => {
        const id = await privateChannel(at, 'shared')
        const changes = { is_private: true, history_public_to_subscribers: true }
        return () => at.people.olga.patch(`/streams/${id}`, changes)
      },
      events: {
        ...each(['adam'], 'stream/update:invite_only'),
        ...each(['olga', 'alice', 'gus'], 'stream/update:invite_only', 'message'),
      },
    },
    {
      who: 'all users, and to guests as a new channel, if it becomes web-public',
      prepare: async ({ people: { olga, alice } }) => {
        const id = await makeChannel(olga, 'to the web', { subscribers: [alice.id] })
        return () => olga.patch(`/streams/${id}`, { is_web_public: true })
      },
      events: {
        ...everybody('stream/update:invite_only'),
        alice: ['stream/update:invite_only', 'message'],
        gus: ['stream/create', 'subscription/peer_add'],
      },
    },
    {
      who: 'all users, and to guests as a deleted channel, if it is no longer web-public',
      prepare: async ({ people: { olga, alice } }) => {
        const id = await makeChannel(olga, 'from the web', {
          subscribers: [alice.id],
          is_web_public: true,
        })
        return () => olga.patch(`/streams/${id}`, { is_web_public: false })
      },
      events: {
        ...everybody('stream/update:invite_only'),
        alice: ['stream/update:invite_only', 'message'],
        gus: ['stream/delete'],
      },
    },
  ],
  { settings: { enable_spectator_access: true } },
)

everyAudience('archive-stream', 'all users except guests who are not subscribed', {
  call: ({ people: { olga }, channels }) => olga.delete(`/streams/${channels.design}`),
  events: {
    ...everybodyBut(['gus'], 'stream/update:is_archived'),
    ...each(['alice', 'bob'], 'stream/update:is_archived', 'message'),
  },
})
everyAudience('archive-stream', 'subscribers and administrators, for a private channel', {
  call: ({ people: { olga }, channels }) => olga.delete(`/streams/${channels.vault}`),
  events: {
    ...each(['olga', 'adam'], 'stream/update:is_archived'),
    ...each(['alice', 'bob'], 'stream/update:is_archived', 'message'),
  },
})
everyAudience(
  'archive-stream',
  'all users, if announcements are posted there; default_streams not to guests',
  {
    ready: ({ people: { olga }, channels }) =>
      olga.patch('/realm', { new_stream_announcements_stream_id: channels.general }),
    call: ({ people: { olga }, channels }) => olga.delete(`/streams/${channels.general}`),
    events: {
      ...everybody(
        'realm/update_dict:default',
        'default_streams',
        'stream/update:is_archived',
        'message',
      ),
      gus: ['realm/update_dict:default', 'stream/update:is_archived', 'message'],
    },
  },
)
