import { everyAudience, everyAudienceOf, type AudienceRow } from '../support/audience-table.js'
import { each, everybody, everybodyBut } from '../support/audiences.js'
import { makeChannel } from '../support/channels.js'
import type { Client } from '../support/client.js'
import type { HostCase } from '../support/host.js'

everyAudience('create-channel', 'its subscribers and those who may know of it: no guests', {
  call: ({ people: { alice, bob } }) =>
    alice.post('/channels/create', { name: 'leaves', subscribers: [alice.id, bob.id] }),
  heard: {
    ...everybodyBut(['gus'], 'stream/create', 'subscription/peer_add'),
    ...each(['alice', 'bob'], 'stream/create', 'subscription/add', 'message'),
  },
})
everyAudience('create-channel', 'subscribers and administrators, if it is private', {
  call: ({ people: { alice, bob } }) =>
    alice.post('/channels/create', {
      name: 'leaves',
      subscribers: [alice.id, bob.id],
      invite_only: true,
    }),
  heard: {
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

everyAudience('subscribe', 'the subscriber and those who may see the subscribers: no guests', {
  ...subscribing('design', 'alice', 'carol'),
  heard: {
    ...everybodyBut(['gus'], 'subscription/peer_add'),
    ...each(['carol'], 'subscription/add', 'message'),
  },
})
everyAudience('subscribe', 'the guest, and those who may see the subscribers', {
  ...subscribing('design', 'alice', 'gus'),
  heard: {
    ...everybodyBut(['gus'], 'subscription/peer_add'),
    ...each(['gus'], 'stream/create', 'subscription/add', 'message'),
  },
})
everyAudience('subscribe', 'the subscriber, other subscribers and administrators, if private', {
  ...subscribing('secret', 'alice', 'carol'),
  heard: {
    ...each(['olga', 'adam', 'alice'], 'subscription/peer_add'),
    ...each(['carol'], 'stream/create', 'subscription/add', 'message'),
  },
})

everyAudience('unsubscribe', 'the user and those who may see the subscribers: no guests', {
  call: ({ people: { bob } }) =>
    bob.delete('/users/me/subscriptions', { subscriptions: ['design'] }),
  heard: {
    ...everybodyBut(['gus'], 'subscription/peer_remove'),
    ...each(['bob'], 'subscription/remove'),
  },
})
everyAudience('unsubscribe', 'the user, subscribers and administrators, if private', {
  call: ({ people: { bob } }) =>
    bob.delete('/users/me/subscriptions', { subscriptions: ['vault'] }),
  heard: {
    ...each(['olga', 'adam', 'alice'], 'subscription/peer_remove'),
    ...each(['bob'], 'subscription/remove', 'stream/delete'),
  },
})
everyAudience('update-subscriptions', 'the user and those who may see the subscribers', {
  call: ({ people: { bob } }) =>
    bob.patch('/users/me/subscriptions', { delete: ['design'], add: [{ name: 'empty' }] }),
  heard: {
    ...everybodyBut(['gus'], 'subscription/peer_add', 'subscription/peer_remove'),
    ...each(['bob'], 'subscription/add', 'subscription/remove'),
  },
})

everyAudience('update-subscription-settings', "the user's own clients alone", {
  call: ({ people: { alice }, channels }) =>
    alice.post('/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id: channels.design, property: 'is_muted', value: true }],
    }),
  heard: each(['alice'], 'subscription/update:in_home_view', 'subscription/update:is_muted'),
})
everyAudience('update-user-topic', "the user's own clients alone", {
  call: ({ people: { alice }, channels }) =>
    alice.post('/user_topics', {
      stream_id: channels.design,
      topic: 'leaf',
      visibility_policy: 3,
    }),
  heard: each(['alice'], 'muted_topics', 'user_topic'),
})
everyAudience('mute-topic', "the user's own clients alone", {
  call: ({ people: { alice }, channels }) =>
    alice.patch('/users/me/subscriptions/muted_topics', {
      stream_id: channels.design,
      topic: 'leaf',
      op: 'add',
    }),
  heard: each(['alice'], 'muted_topics', 'user_topic'),
})

everyAudience('update-stream', 'everyone but guests who are not subscribed', {
  call: ({ people: { olga }, channels }) =>
    olga.patch(`/streams/${channels.design}`, { description: 'About it' }),
  heard: {
    ...everybodyBut(['gus'], 'stream/update:description'),
    ...each(['alice', 'bob'], 'stream/update:description', 'message'),
  },
})
everyAudience('update-stream', 'subscribers and administrators, if it is private', {
  call: ({ people: { olga }, channels }) =>
    olga.patch(`/streams/${channels.vault}`, { description: 'About it' }),
  heard: {
    ...each(['olga', 'adam'], 'stream/update:description'),
    ...each(['alice', 'bob'], 'stream/update:description', 'message'),
  },
})
everyAudience('update-stream', 'those who lose sight of it, if it becomes private', {
  call: ({ people: { olga }, channels }) =>
    olga.patch(`/streams/${channels.design}`, { is_private: true }),
  heard: {
    ...each(['olga', 'adam'], 'stream/update:invite_only'),
    ...each(['mona', 'carol', 'bot'], 'stream/delete'),
    ...each(['alice', 'bob'], 'stream/update:invite_only', 'message'),
  },
})
everyAudience('update-stream', 'everyone who may know of it again, if it is brought back', {
  call: ({ people: { olga }, channels }) =>
    olga.patch(`/streams/${channels.attic}`, { is_archived: false }),
  heard: {
    ...everybodyBut(['gus'], 'stream/update:is_archived'),
    ...each(['alice'], 'stream/update:is_archived', 'message'),
  },
})
/** Everything about a channel that changes nobody's sight of it, and what is heard of it. */
const quietChanges = {
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
        Object.entries(quietChanges).map(([name, group]) => [name, { new: idOf(group) }]),
      ),
      folder_id: folder.body.channel_folder_id,
      message_retention_days: 30,
      topics_policy: 'disable_empty_topic',
    })
}
const quietLabels = [
  'message_retention_days',
  'folder_id',
  'topics_policy',
  ...Object.keys(quietChanges).flatMap((name) =>
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
      who: 'everyone but guests who are not subscribed, whatever changes',
      prepare: (at) => change(at, at.channels.design),
      heard: {
        ...everybodyBut(['gus'], ...quietLabels),
        ...each(['alice', 'bob'], ...quietLabels, 'message'),
      },
    },
    {
      who: 'subscribed guests too, whatever changes',
      prepare: (at) => change(at, at.channels.general),
      heard: everybody(...quietLabels, 'message'),
    },
    {
      who: 'all, if it is open to the web, whatever changes',
      prepare: (at) => change(at, at.channels.window),
      heard: { ...everybody(...quietLabels), ...each(['alice'], ...quietLabels, 'message') },
    },
    {
      who: 'subscribers and administrators, if it is private, whatever changes; none who left',
      prepare: async (at) => {
        const { olga, alice, bob, gus } = at.people
        const subscribers = [olga.id, alice.id, bob.id, gus.id]
        const id = await privateChannel(at, 'quiet', { subscribers })
        await bob.delete('/users/me/subscriptions', { subscriptions: ['quiet'] })
        return change(at, id)
      },
      heard: {
        ...each(['adam'], ...quietLabels),
        ...each(['olga', 'alice', 'gus'], ...quietLabels, 'message'),
      },
    },
    {
      who: 'whoever may administer a private channel, too',
      prepare: async (at) => {
        const id = await privateChannel(at, 'run by Carol', {
          can_administer_channel_group: only(at.people.carol),
        })
        return () => at.people.olga.patch(`/streams/${id}`, { message_retention_days: 7 })
      },
      heard: each(
        ['olga', 'adam', 'alice', 'gus', 'carol'],
        'stream/update:message_retention_days',
      ),
    },
    {
      who: 'all but guests, where it becomes a default channel',
      prepare:
        ({ people: { olga }, channels }) =>
        () =>
          olga.patch(`/streams/${channels.empty}`, { is_default_stream: true }),
      heard: everybodyBut(['gus'], 'default_streams'),
    },
    {
      who: 'those who know of the private channel, where it gets another name',
      prepare: async (at) => {
        const id = await privateChannel(at, 'before')
        return () => at.people.olga.patch(`/streams/${id}`, { new_name: 'after' })
      },
      heard: {
        ...each(['adam'], 'stream/update:name'),
        ...each(['olga', 'alice', 'gus'], 'stream/update:name', 'message'),
      },
    },
    ...(
      ['can_subscribe_group', 'can_add_subscribers_group', 'can_administer_channel_group'] as const
    ).flatMap((property): AudienceRow[] => [
      {
        who: `those who know of a private channel, and those who come to by ${property}`,
        prepare: async (at) => {
          const id = await privateChannel(at, `open to ${property}`)
          return () =>
            at.people.olga.patch(`/streams/${id}`, { [property]: { new: only(at.people.carol) } })
        },
        heard: {
          ...each(['olga', 'adam', 'alice', 'gus'], `stream/update:${property}`),
          carol: ['stream/create', 'subscription/peer_add'],
        },
      },
      {
        who: `those who know of a private channel, and those who did by ${property}`,
        prepare: async (at) => {
          const id = await privateChannel(at, `closed to ${property}`, {
            [property]: only(at.people.carol),
          })
          return () =>
            at.people.olga.patch(`/streams/${id}`, { [property]: { new: only(at.people.olga) } })
        },
        heard: {
          ...each(['olga', 'adam', 'alice', 'gus'], `stream/update:${property}`),
          carol: ['stream/delete'],
        },
      },
    ]),
    {
      who: 'members as of a new one, where a private channel becomes public: no other guests',
      prepare: async (at) => {
        const { olga, alice } = at.people
        const id = await privateChannel(at, 'opened', { subscribers: [olga.id, alice.id] })
        return () => olga.patch(`/streams/${id}`, { is_private: false })
      },
      heard: {
        ...each(['mona', 'bob', 'carol', 'bot'], 'stream/create', 'subscription/peer_add'),
        ...each(['adam'], 'stream/update:invite_only'),
        ...each(['olga', 'alice'], 'stream/update:invite_only', 'message'),
      },
    },
    {
      who: 'those who know of a private channel, where its history becomes shared',
      prepare: async (at) => {
        const id = await privateChannel(at, 'shared')
        const wanted = { is_private: true, history_public_to_subscribers: true }
        return () => at.people.olga.patch(`/streams/${id}`, wanted)
      },
      heard: {
        ...each(['adam'], 'stream/update:invite_only'),
        ...each(['olga', 'alice', 'gus'], 'stream/update:invite_only', 'message'),
      },
    },
    {
      who: 'all, and by guests as of a new one, where a channel opens to the web',
      prepare: async ({ people: { olga, alice } }) => {
        const id = await makeChannel(olga, 'to the web', { subscribers: [alice.id] })
        return () => olga.patch(`/streams/${id}`, { is_web_public: true })
      },
      heard: {
        ...everybody('stream/update:invite_only'),
        alice: ['stream/update:invite_only', 'message'],
        gus: ['stream/create', 'subscription/peer_add'],
      },
    },
    {
      who: 'all, and by guests as of one that is gone, where a channel closes to the web',
      prepare: async ({ people: { olga, alice } }) => {
        const id = await makeChannel(olga, 'from the web', {
          subscribers: [alice.id],
          is_web_public: true,
        })
        return () => olga.patch(`/streams/${id}`, { is_web_public: false })
      },
      heard: {
        ...everybody('stream/update:invite_only'),
        alice: ['stream/update:invite_only', 'message'],
        gus: ['stream/delete'],
      },
    },
  ],
  { settings: { enable_spectator_access: true } },
)

everyAudience('archive-stream', 'everyone but guests who are not subscribed', {
  call: ({ people: { olga }, channels }) => olga.delete(`/streams/${channels.design}`),
  heard: {
    ...everybodyBut(['gus'], 'stream/update:is_archived'),
    ...each(['alice', 'bob'], 'stream/update:is_archived', 'message'),
  },
})
everyAudience('archive-stream', 'subscribers and administrators, if it is private', {
  call: ({ people: { olga }, channels }) => olga.delete(`/streams/${channels.vault}`),
  heard: {
    ...each(['olga', 'adam'], 'stream/update:is_archived'),
    ...each(['alice', 'bob'], 'stream/update:is_archived', 'message'),
  },
})
everyAudience(
  'archive-stream',
  'all, where announcements went to it; no guests of default channels',
  {
    ready: ({ people: { olga }, channels }) =>
      olga.patch('/realm', { new_stream_announcements_stream_id: channels.general }),
    call: ({ people: { olga }, channels }) => olga.delete(`/streams/${channels.general}`),
    heard: {
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
