import { everyAudience, everyAudienceOf } from '../support/audience-table.js'
import { each, everybody, everybodyBut } from '../support/audiences.js'
import { freshBot, makeBot } from '../support/bots.js'
import type { Answer } from '../support/client.js'
import type { HostCase } from '../support/host.js'
import { pngOf, sendFiles } from '../support/uploads.js'

const limited = { settings: { can_access_all_users_group: 'role:members' } } as const

const createUser = ({ people: { olga } }: HostCase, name: string): Promise<Answer> =>
  olga.post('/users', {
    email: `${name}@people.example`,
    full_name: name,
    password: 'a rather long staple 12',
  })

/** An account that shares no channel with the guest. */
const createUnknownUser = async (at: HostCase, name = 'unknown'): Promise<number> => {
  await at.people.olga.delete('/default_streams', { stream_id: at.channels.general })
  return (await createUser(at, name)).body.user_id as number
}

everyAudience(
  'update-user',
  'all users except guests without access to the user',
  {
    ready: createUnknownUser,
    call: ({ people: { olga } }, id) => olga.patch(`/users/${id}`, { full_name: 'Other' }),
    events: everybodyBut(['gus'], 'realm_user/update'),
  },
  limited,
)
everyAudience(
  'update-status-for-user',
  'all users except guests without access to the user',
  {
    ready: createUnknownUser,
    call: ({ people: { olga } }, id) => olga.post(`/users/${id}/status`, { status_text: 'There' }),
    events: everybodyBut(['gus'], 'user_status'),
  },
  limited,
)
everyAudience(
  'deactivate-user',
  'all users; to guests without access to the user only as user group changes',
  {
    ready: createUnknownUser,
    call: ({ people: { olga } }, id) => olga.delete(`/users/${id}`),
    events: {
      ...everybody('realm_user/update'),
      gus: ['user_group/remove_members', 'user_group/remove_members'],
    },
  },
  limited,
)
everyAudience(
  'subscribe',
  'all users, and the new user to a guest who gains access to the subscriber',
  {
    ready: createUnknownUser,
    call: ({ people: { olga } }, id) =>
      olga.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'general' }],
        principals: [id],
      }),
    events: {
      ...everybody('subscription/peer_add'),
      gus: ['realm_user/add', 'subscription/peer_add'],
    },
  },
  limited,
)
everyAudience(
  'unsubscribe',
  'all users, and a removal to a guest who loses access to the user',
  {
    call: ({ people: { carol } }) =>
      carol.delete('/users/me/subscriptions', { subscriptions: ['general'] }),
    events: {
      ...everybody('subscription/peer_remove'),
      carol: ['subscription/remove'],
      gus: ['subscription/peer_remove', 'realm_user/remove'],
    },
  },
  limited,
)

const administrators = ['olga', 'adam'] as const
const managers = [...administrators, 'alice'] as const
const groups = ['user_group/add_members', 'user_group/add_members'] as const

const arrival = ['realm_user/add', ...groups, 'subscription/peer_add'] as const

everyAudienceOf(
  'create-user',
  [
    {
      who: 'all users; to guests once they share a channel with the user',
      prepare: (at) => () => createUser(at, 'mate'),
      events: {
        ...everybody(...arrival),
        ...each(administrators, ...arrival, 'realm_export_consent'),
        gus: [...groups, 'realm_user/add', 'subscription/peer_add'],
      },
      oldClientEvents: {
        ...everybody(...arrival),
        ...each(administrators, ...arrival, 'realm_export_consent'),
        gus: ['realm_user/add', ...groups, 'realm_user/add', 'subscription/peer_add'],
      },
    },
    {
      who: 'all users; to guests who share no channel with the user as group changes or an unknown user',
      prepare: async (at) => {
        await createUnknownUser(at, 'first')
        return () => createUser(at, 'second')
      },
      events: {
        ...everybody('realm_user/add', ...groups),
        ...each(administrators, 'realm_user/add', ...groups, 'realm_export_consent'),
        gus: [...groups],
      },
      oldClientEvents: {
        ...everybody('realm_user/add', ...groups),
        ...each(administrators, 'realm_user/add', ...groups, 'realm_export_consent'),
      },
    },
  ],
  limited,
)
everyAudienceOf(
  'reactivate-user',
  [
    {
      who: 'all users; to guests without access to the user only as user group changes',
      prepare: async (at) => {
        const id = await createUnknownUser(at)
        await at.people.olga.delete(`/users/${id}`)
        return () => at.people.olga.post(`/users/${id}/reactivate`)
      },
      events: {
        ...everybody('realm_user/update', ...groups),
        ...each(administrators, 'realm_user/update', 'realm_export_consent', ...groups),
        gus: [...groups],
      },
    },
    {
      who: 'all users, for a bot too: guests have access to every bot',
      prepare: async ({ people: { olga, alice } }) => {
        const { user_id } = await makeBot(alice)
        await alice.delete(`/bots/${user_id}`)
        return () => olga.post(`/users/${user_id}/reactivate`)
      },
      events: {
        ...everybody('realm_user/update', ...groups),
        ...each(managers, 'realm_user/update', 'realm_bot/update', ...groups),
        // The new key.
        alice: ['realm_bot/update', 'realm_user/update', 'realm_bot/update', ...groups],
      },
    },
  ],
  limited,
)
everyAudience(
  'create-bot',
  'all users: guests have access to every bot',
  {
    call: ({ people: { alice } }) => alice.post('/bots', freshBot()),
    events: {
      ...everybody('realm_user/add', ...groups),
      ...each(managers, 'realm_user/add', ...groups, 'realm_bot/add'),
    },
  },
  limited,
)
everyAudienceOf(
  'update-bot',
  [
    {
      who: 'all users: guests have access to every bot',
      prepare: async ({ people: { alice } }) => {
        const { user_id } = await makeBot(alice)
        return () => alice.patch(`/bots/${user_id}`, { full_name: 'Robot' })
      },
      events: {
        ...everybody('realm_user/update'),
        ...each(managers, 'realm_user/update', 'realm_bot/update'),
      },
    },
    {
      who: 'all users, if the picture changes',
      prepare: async ({ people: { alice } }) => {
        const { user_id } = await makeBot(alice)
        const picture = [{ name: 'a.png', type: 'image/png', bytes: pngOf(8, 8) }]
        return () => sendFiles(alice, `/bots/${user_id}`, picture, { method: 'PATCH' })
      },
      events: {
        ...everybody('realm_user/update'),
        ...each(managers, 'realm_bot/update', 'realm_user/update'),
      },
    },
  ],
  limited,
)
everyAudience(
  'deactivate-bot',
  'all users: guests have access to every bot',
  {
    ready: async ({ people: { alice } }) => (await makeBot(alice)).user_id,
    call: ({ people: { alice } }, id) => alice.delete(`/bots/${id}`),
    events: {
      ...everybody('realm_user/update'),
      ...each(managers, 'realm_user/update', 'realm_bot/update'),
    },
  },
  limited,
)
