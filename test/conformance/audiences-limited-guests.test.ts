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
const stranger = async (at: HostCase, name = 'stranger'): Promise<number> => {
  await at.people.olga.delete('/default_streams', { stream_id: at.channels.general })
  return (await createUser(at, name)).body.user_id as number
}

everyAudience(
  'update-user',
  'all but guests who may not know of the user',
  {
    ready: stranger,
    call: ({ people: { olga } }, id) => olga.patch(`/users/${id}`, { full_name: 'Other' }),
    heard: everybodyBut(['gus'], 'realm_user/update'),
  },
  limited,
)
everyAudience(
  'update-status-for-user',
  'all but guests who may not know of the user',
  {
    ready: stranger,
    call: ({ people: { olga } }, id) => olga.post(`/users/${id}/status`, { status_text: 'There' }),
    heard: everybodyBut(['gus'], 'user_status'),
  },
  limited,
)
everyAudience(
  'deactivate-user',
  'all; by guests who may not know of the user only as a member who left groups',
  {
    ready: stranger,
    call: ({ people: { olga } }, id) => olga.delete(`/users/${id}`),
    heard: {
      ...everybody('realm_user/update'),
      gus: ['user_group/remove_members', 'user_group/remove_members'],
    },
  },
  limited,
)
everyAudience(
  'subscribe',
  'the guest who comes to know of the subscriber, too',
  {
    ready: stranger,
    call: ({ people: { olga } }, id) =>
      olga.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'general' }],
        principals: [id],
      }),
    heard: {
      ...everybody('subscription/peer_add'),
      gus: ['realm_user/add', 'subscription/peer_add'],
    },
  },
  limited,
)
everyAudience(
  'unsubscribe',
  'the guest who may not know of the user any more, too',
  {
    call: ({ people: { carol } }) =>
      carol.delete('/users/me/subscriptions', { subscriptions: ['general'] }),
    heard: {
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
      who: 'all; by guests once the user comes to a channel that they share',
      prepare: (at) => () => createUser(at, 'mate'),
      heard: {
        ...everybody(...arrival),
        ...each(administrators, ...arrival, 'realm_export_consent'),
        gus: [...groups, 'realm_user/add', 'subscription/peer_add'],
      },
      heardByOldClients: {
        ...everybody(...arrival),
        ...each(administrators, ...arrival, 'realm_export_consent'),
        gus: ['realm_user/add', ...groups, 'realm_user/add', 'subscription/peer_add'],
      },
    },
    {
      who: 'all; by guests who never meet the user as of a member of groups, or somebody unknown',
      prepare: async (at) => {
        await stranger(at, 'first')
        return () => createUser(at, 'second')
      },
      heard: {
        ...everybody('realm_user/add', ...groups),
        ...each(administrators, 'realm_user/add', ...groups, 'realm_export_consent'),
        gus: [...groups],
      },
      heardByOldClients: {
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
      who: 'all; by guests who may not know of the user only as a member who joined groups',
      prepare: async (at) => {
        const id = await stranger(at)
        await at.people.olga.delete(`/users/${id}`)
        return () => at.people.olga.post(`/users/${id}/reactivate`)
      },
      heard: {
        ...everybody('realm_user/update', ...groups),
        ...each(administrators, 'realm_user/update', 'realm_export_consent', ...groups),
        gus: [...groups],
      },
    },
    {
      who: 'all, be it a bot: guests may know of every bot',
      prepare: async ({ people: { olga, alice } }) => {
        const { user_id } = await makeBot(alice)
        await alice.delete(`/bots/${user_id}`)
        return () => olga.post(`/users/${user_id}/reactivate`)
      },
      heard: {
        ...everybody('realm_user/update', ...groups),
        ...each(managers, 'realm_user/update', 'realm_bot/update', ...groups),
      },
    },
  ],
  limited,
)
everyAudience(
  'create-bot',
  'all: guests may know of every bot',
  {
    call: ({ people: { alice } }) => alice.post('/bots', freshBot()),
    heard: {
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
      who: 'all: guests may know of every bot',
      prepare: async ({ people: { alice } }) => {
        const { user_id } = await makeBot(alice)
        return () => alice.patch(`/bots/${user_id}`, { full_name: 'Robot' })
      },
      heard: {
        ...everybody('realm_user/update'),
        ...each(managers, 'realm_user/update', 'realm_bot/update'),
      },
    },
    {
      who: 'all, where it is the picture',
      prepare: async ({ people: { alice } }) => {
        const { user_id } = await makeBot(alice)
        const picture = [{ name: 'a.png', type: 'image/png', bytes: pngOf(8, 8) }]
        return () => sendFiles(alice, `/bots/${user_id}`, picture, { method: 'PATCH' })
      },
      heard: {
        ...everybody('realm_user/update'),
        ...each(managers, 'realm_bot/update', 'realm_user/update'),
      },
    },
  ],
  limited,
)
everyAudience(
  'deactivate-bot',
  'all: guests may know of every bot',
  {
    ready: async ({ people: { alice } }) => (await makeBot(alice)).user_id,
    call: ({ people: { alice } }, id) => alice.delete(`/bots/${id}`),
    heard: {
      ...everybody('realm_user/update'),
      ...each(managers, 'realm_user/update', 'realm_bot/update'),
    },
  },
  limited,
)
