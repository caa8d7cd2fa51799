import { everyAudience, everyAudienceOf } from '../support/audience-table.js'
import { each, everybody } from '../support/audiences.js'
import { clientOfBot, freshBot, makeBot } from '../support/bots.js'
import { FakeMail } from '../support/fake-mail.js'
import { makeGroup } from '../support/groups.js'
import type { HostCase } from '../support/host.js'
import { createdField } from '../support/profile-fields.js'
import { reactivate } from '../support/reactivation.js'
import { pngOf, sendFiles } from '../support/uploads.js'

const all = 'all active users, including guests and bots'
const own = "only the user's own clients"
const picture = [{ name: 'a.png', type: 'image/png', bytes: pngOf(8, 8) }]

everyAudience('update-user', all, {
  call: ({ people: { olga, bob } }) => olga.patch(`/users/${bob.id}`, { full_name: 'Robert' }),
  events: everybody('realm_user/update'),
})
everyAudience('update-user-by-email', all, {
  call: ({ people: { olga, bob } }) => olga.patch(`/users/${bob.email}`, { full_name: 'Robert' }),
  events: everybody('realm_user/update'),
})

const administrators = ['olga', 'adam'] as const
const groups = ['user_group/add_members', 'user_group/add_members'] as const
const arrival = ['realm_user/add', ...groups, 'subscription/peer_add'] as const
const again = ['subscription/peer_add', ...groups] as const

const account = async ({ people: { olga } }: HostCase): Promise<number> => {
  const answer = await olga.post('/users', {
    email: 'new@people.example',
    full_name: 'New Comer',
    password: 'a rather long staple 12',
  })
  return answer.body.user_id
}

everyAudience('create-user', `${all}; the export consent only to administrators`, {
  call: ({ people: { olga } }) =>
    olga.post('/users', {
      email: 'new@people.example',
      full_name: 'New Comer',
      password: 'a rather long staple 12',
    }),
  events: { ...everybody(...arrival), ...each(administrators, ...arrival, 'realm_export_consent') },
})
everyAudience('deactivate-user', all, {
  ready: account,
  call: ({ people: { olga } }, id) => olga.delete(`/users/${id}`),
  events: everybody('subscription/peer_remove', 'realm_user/update'),
})
everyAudience('reactivate-user', `${all}; the export consent only to administrators`, {
  call: ({ people: { olga, dora } }) => olga.post(`/users/${dora.id}/reactivate`),
  events: {
    ...everybody('realm_user/update', ...again),
    ...each(administrators, 'realm_user/update', 'realm_export_consent', ...again),
  },
})
everyAudience('deactivate-own-user', all, {
  ready: (at) => reactivate(at, at.people.olga, at.people.dora),
  call: ({ people: { dora } }) => dora.delete('/users/me'),
  events: everybody('subscription/peer_remove', 'realm_user/update'),
})

const ownPicture = ({ people: { alice } }: HostCase) =>
  sendFiles(alice, '/users/me/avatar', picture)

everyAudience('upload-avatar', all, {
  call: ownPicture,
  events: everybody('realm_user/update'),
})
everyAudience('remove-avatar', all, {
  ready: ownPicture,
  call: ({ people: { alice } }) => alice.delete('/users/me/avatar'),
  events: everybody('realm_user/update'),
})

const filledIn = async ({ people: { olga, alice } }: HostCase): Promise<number> => {
  const id = await createdField(olga, { name: 'Field' })
  await alice.patch('/users/me/profile_data', { data: [{ id, value: 'Before' }] })
  return id
}

everyAudience('update-profile-data', all, {
  ready: filledIn,
  call: ({ people: { alice } }, id) =>
    alice.patch('/users/me/profile_data', { data: [{ id, value: 'After' }] }),
  events: everybody('realm_user/update'),
})
everyAudience('remove-profile-data', all, {
  ready: filledIn,
  call: ({ people: { alice } }, id) => alice.delete('/users/me/profile_data', { data: [id] }),
  events: everybody('realm_user/update'),
})

everyAudience('update-status', all, {
  call: ({ people: { alice } }) => alice.post('/users/me/status', { status_text: 'Here' }),
  events: everybody('user_status'),
})
everyAudience('update-status-for-user', all, {
  call: ({ people: { olga, bob } }) =>
    olga.post(`/users/${bob.id}/status`, { status_text: 'There' }),
  events: everybody('user_status'),
})

everyAudience('update-settings', own, {
  call: ({ people: { alice } }) => alice.patch('/settings', { color_scheme: 2 }),
  events: each(['alice'], 'user_settings/update:color_scheme'),
})
everyAudience('update-settings', 'all active users, if the name changes', {
  call: ({ people: { alice } }) => alice.patch('/settings', { full_name: 'Alicia' }),
  events: everybody('realm_user/update'),
})
everyAudience('update-display-settings', own, {
  call: ({ people: { alice } }) => alice.patch('/settings/display', { color_scheme: 2 }),
  events: each(['alice'], 'user_settings/update:color_scheme'),
})
everyAudience('update-notification-settings', own, {
  call: ({ people: { alice } }) => alice.patch('/settings/notifications', { enable_sounds: false }),
  events: each(['alice'], 'user_settings/update:enable_sounds'),
})

const muting = ({ people: { alice, bob } }: HostCase) =>
  alice.post(`/users/me/muted_users/${bob.id}`)

everyAudience('mute-user', own, {
  call: muting,
  events: each(['alice'], 'muted_users'),
})
everyAudience('unmute-user', own, {
  ready: muting,
  call: ({ people: { alice, bob } }) => alice.delete(`/users/me/muted_users/${bob.id}`),
  events: each(['alice'], 'muted_users'),
})

const word = ({ people: { alice } }: HostCase) =>
  alice.post('/users/me/alert_words', { alert_words: ['leaf'] })

everyAudience('add-alert-words', own, {
  call: word,
  events: each(['alice'], 'alert_words'),
})
everyAudience('remove-alert-words', own, {
  ready: word,
  call: ({ people: { alice } }) => alice.delete('/users/me/alert_words', { alert_words: ['leaf'] }),
  events: each(['alice'], 'alert_words'),
})

const managers = ['olga', 'adam', 'alice'] as const
const created = ['realm_user/add', ...groups] as const
const botOf = async ({ people: { alice } }: HostCase) => (await makeBot(alice)).user_id

everyAudience(
  'create-bot',
  'all users, and realm_bot events to its owner and human administrators',
  {
    call: ({ people: { alice } }) => alice.post('/bots', freshBot()),
    events: { ...everybody(...created), ...each(managers, ...created, 'realm_bot/add') },
  },
)
everyAudience('update-bot', 'all users, and realm_bot events to its owner and administrators', {
  ready: botOf,
  call: ({ people: { alice } }, id) => alice.patch(`/bots/${id}`, { full_name: 'Robot' }),
  events: {
    ...everybody('realm_user/update'),
    ...each(managers, 'realm_user/update', 'realm_bot/update'),
  },
})
everyAudienceOf('update-bot', [
  {
    who: 'all users if the picture changes, and realm_bot events to its owner and administrators',
    prepare: async (at) => {
      const id = await botOf(at)
      return () => sendFiles(at.people.alice, `/bots/${id}`, picture, { method: 'PATCH' })
    },
    events: {
      ...everybody('realm_user/update'),
      ...each(managers, 'realm_bot/update', 'realm_user/update'),
    },
  },
  {
    who: 'its owner and administrators, if the channel that it sends to changes',
    prepare: async (at) => {
      const id = await botOf(at)
      return () => at.people.alice.patch(`/bots/${id}`, { default_sending_stream: 'design' })
    },
    events: each(managers, 'realm_bot/update'),
  },
  {
    who: 'only its owner, if it now sends to a private channel',
    prepare: async (at) => {
      const id = await botOf(at)
      return () => at.people.alice.patch(`/bots/${id}`, { default_sending_stream: 'vault' })
    },
    events: each(['alice'], 'realm_bot/update'),
  },
])
everyAudience(
  'update-bot',
  'all users, and realm_bot events to both owners and administrators, if the owner changes',
  {
    ready: botOf,
    call: ({ people: { adam, bob } }, id) => adam.patch(`/bots/${id}`, { bot_owner_id: bob.id }),
    events: {
      ...everybody('realm_user/update'),
      ...each(administrators, 'realm_bot/update', 'realm_user/update'),
      ...each(['alice'], 'realm_bot/delete', 'realm_user/update'),
      ...each(['bob'], 'realm_bot/add', 'realm_user/update'),
    },
  },
)
everyAudience('regenerate-bot-api-key', 'its owner', {
  ready: botOf,
  call: ({ people: { alice } }, id) => alice.post(`/bots/${id}/api_key/regenerate`),
  events: each(['alice'], 'realm_bot/update'),
})
everyAudience('deactivate-bot', 'all users, and realm_bot events to its owner and administrators', {
  ready: botOf,
  call: ({ people: { alice } }, id) => alice.delete(`/bots/${id}`),
  events: {
    ...everybody('realm_user/update'),
    ...each(managers, 'realm_user/update', 'realm_bot/update'),
  },
})

everyAudience('regenerate-own-api-key', 'the owner, if the caller is a bot', {
  ready: ({ people: { alice } }) => makeBot(alice),
  call: (at, bot) => clientOfBot(at, bot).post('/users/me/api_key/regenerate'),
  events: each(['alice'], 'realm_bot/update'),
})

const mail = new FakeMail()
const newAddress = 'fresh@elsewhere.example'

everyAudience(
  'confirm-email-change',
  'users who can see the email address',
  {
    ready: async (at) => {
      const { olga, dora } = at.people
      await reactivate(at, olga, dora)
      await dora.patch('/settings', { email: newAddress })
      const text = mail.to(newAddress).at(-1)?.text ?? ''
      return /\/api\/v1(\/accounts\/confirm_new_email\/[\w-]+)/.exec(text)?.[1] as string
    },
    call: ({ nobody }, link) => nobody.post(link),
    events: each(administrators, 'realm_user/update'),
  },
  { userSettings: { dora: { email_address_visibility: 3 } } },
  { mail },
)

const group = ({ people: { alice } }: HostCase) => makeGroup(alice, 'leaves')
const groupOf = ({ people: { alice, bob } }: HostCase) =>
  makeGroup(alice, 'leaves', { members: [bob.id] })

everyAudience('create-user-group', all, {
  call: ({ people: { alice } }) =>
    alice.post('/user_groups/create', { name: 'leaves', description: '', members: [alice.id] }),
  events: everybody('user_group/add'),
})
everyAudience('update-user-group', all, {
  ready: group,
  call: ({ people: { alice } }, id) => alice.patch(`/user_groups/${id}`, { name: 'twigs' }),
  events: everybody('user_group/update'),
})
everyAudience('deactivate-user-group', all, {
  ready: group,
  call: ({ people: { alice } }, id) => alice.post(`/user_groups/${id}/deactivate`),
  events: everybody('user_group/update'),
})
everyAudience('update-user-group-members', `${all}; a message to added and removed users`, {
  ready: groupOf,
  call: ({ people: { alice, bob, carol } }, id) =>
    alice.post(`/user_groups/${id}/members`, { add: [carol.id], delete: [bob.id] }),
  events: {
    ...everybody('user_group/add_members', 'user_group/remove_members'),
    ...each(['bob'], 'user_group/add_members', 'user_group/remove_members', 'message'),
    ...each(['carol'], 'user_group/add_members', 'message', 'user_group/remove_members'),
  },
})
everyAudience('update-user-group-subgroups', all, {
  ready: async (at) => [await group(at), await makeGroup(at.people.alice, 'twigs')] as const,
  call: ({ people: { alice } }, [id, twigs]) =>
    alice.post(`/user_groups/${id}/subgroups`, { add: [twigs] }),
  events: everybody('user_group/add_subgroups'),
})
