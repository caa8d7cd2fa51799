import { everyAudience } from '../support/audience-table.js'
import { each, everybodyBut } from '../support/audiences.js'
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
