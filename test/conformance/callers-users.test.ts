import { makeBot } from '../support/bots.js'
import { everyCaller } from '../support/callers.js'
import type { HostCase } from '../support/host.js'
import type { Client } from '../support/client.js'
import { pngOf, sendFiles } from '../support/uploads.js'

/** Operations on other users that only administrators are allowed. */
const notPermitted = {
  mona: 'notPermitted',
  alice: 'notPermitted',
  gus: 'notPermitted',
  bot: 'notPermitted',
} as const
const humans = { bot: 'noBots' } as const
const humanMembers = { gus: 'noGuests', bot: 'noBots' } as const

everyCaller('get-users', (_, by) => by.get('/users'))
everyCaller('get-user', (at, by) => by.get(`/users/${at.people.carol.id}`))
everyCaller('get-user-by-email', (at, by) => by.get(`/users/${at.people.carol.email}`))
everyCaller('get-own-user', (_, by) => by.get('/users/me'))
everyCaller(
  'create-user',
  (_, by) =>
    by.post('/users', {
      email: `${by.name}@new.example`,
      full_name: `New of ${by.name}`,
      password: 'correct horse battery staple',
    }),
  {
    adam: 'noCreator',
    mona: 'administrators',
    alice: 'administrators',
    gus: 'administrators',
    bot: 'administrators',
  },
)

everyCaller(
  'update-user',
  (at, by) => by.patch(`/users/${at.people.carol.id}`, { full_name: `Of ${by.name}` }),
  notPermitted,
)
everyCaller(
  'update-user-by-email',
  (at, by) => by.patch(`/users/${at.people.carol.email}`, { full_name: `Of ${by.name}` }),
  notPermitted,
)
everyCaller(
  'update-user',
  async (at, by) => {
    const { olga, carol } = at.people
    await olga.patch(`/users/${carol.id}`, { role: 400 })
    return by.patch(`/users/${carol.id}`, { role: 300 })
  },
  notPermitted,
)
everyCaller(
  'update-user',
  async (at, by) => {
    const { olga, carol } = at.people
    await olga.patch(`/users/${carol.id}`, { role: 400 })
    return by.patch(`/users/${carol.id}`, { role: 100 })
  },
  { ...notPermitted, adam: 'owners' },
)
everyCaller(
  'update-user',
  (at, by) => by.patch(`/users/${at.people.carol.id}`, { new_email: `${by.name}@new.example` }),
  { ...notPermitted, adam: 'noAddresses' },
)
everyCaller(
  'update-user',
  (at, by) => by.patch(`/users/${at.people.bot.id}`, { full_name: `Bot of ${by.name}` }),
  { mona: 'notPermitted', gus: 'notPermitted', bot: 'notPermitted' },
)
everyCaller(
  'update-user',
  async (at, by) => {
    const { user_id } = await makeBot(at.people.alice)
    return by.patch(`/users/${user_id}`, { role: 300 })
  },
  { mona: 'notPermitted', alice: 'administrators', gus: 'notPermitted', bot: 'notPermitted' },
)

everyCaller(
  'deactivate-user',
  async (at, by) => {
    const { olga, carol } = at.people
    await olga.post(`/users/${carol.id}/reactivate`)
    return by.delete(`/users/${carol.id}`)
  },
  notPermitted,
)
everyCaller(
  'deactivate-user',
  async (at, by) => {
    const { olga, carol } = at.people
    await olga.post(`/users/${carol.id}/reactivate`)
    await olga.patch(`/users/${carol.id}`, { role: 100 })
    return by.delete(`/users/${carol.id}`)
  },
  { ...notPermitted, adam: 'owners' },
)
everyCaller(
  'reactivate-user',
  (at, by) => by.post(`/users/${at.people.carol.id}/reactivate`),
  notPermitted,
)
everyCaller('deactivate-own-user', async (at, by) => {
  const { olga, bob } = at.people
  await olga.patch(`/users/${bob.id}`, { role: 100 })
  const answer = await by.delete('/users/me')
  if (answer.status === 200) await reactivate(by === olga ? bob : olga, by)
  return answer
})

/** Reactivates a user, and the bots that were deactivated with the user. */
async function reactivate(by: Client, user: Client): Promise<void> {
  await by.post(`/users/${user.id}/reactivate`)
  const { body } = await by.get('/users')
  for (const { user_id, bot_owner_id } of body.members) {
    if (bot_owner_id === user.id) await by.post(`/users/${user_id}/reactivate`)
  }
}

everyCaller('regenerate-own-api-key', (_, by) => by.post('/users/me/api_key/regenerate'))
everyCaller('update-settings', (_, by) => by.patch('/settings', { enter_sends: true }), humans)
everyCaller(
  'update-notification-settings',
  (_, by) => by.patch('/settings/notifications', { enable_sounds: true }),
  humans,
)
everyCaller(
  'update-display-settings',
  (_, by) => by.patch('/settings/display', { enter_sends: true }),
  humans,
)
everyCaller('update-profile-data', (_, by) => by.patch('/users/me/profile_data', { data: [] }), {
  ...humans,
})
everyCaller('remove-profile-data', (_, by) => by.delete('/users/me/profile_data', { data: [] }), {
  ...humans,
})
everyCaller('upload-avatar', (_, by) =>
  sendFiles(by, '/users/me/avatar', [{ name: 'a.png', type: 'image/png', bytes: pngOf(4, 4) }]),
)
everyCaller('remove-avatar', (_, by) => by.delete('/users/me/avatar'))
everyCaller('get-alert-words', (_, by) => by.get('/users/me/alert_words'))
everyCaller('add-alert-words', (_, by) => by.post('/users/me/alert_words', { alert_words: ['a'] }))
everyCaller('remove-alert-words', (_, by) =>
  by.delete('/users/me/alert_words', { alert_words: ['a'] }),
)
everyCaller('mute-user', (at, by) => by.post(`/users/me/muted_users/${at.people.carol.id}`))
everyCaller('unmute-user', async (at, by) => {
  await by.post(`/users/me/muted_users/${at.people.carol.id}`)
  return by.delete(`/users/me/muted_users/${at.people.carol.id}`)
})

everyCaller('get-bots', (_, by) => by.get('/bots'), humanMembers)
everyCaller(
  'create-bot',
  (_, by) => by.post('/bots', { full_name: `Bot of ${by.name}`, short_name: by.name }),
  humanMembers,
)

/** Creates a bot of Bob's for the caller to act on. @returns its path. */
async function bobsBot(at: HostCase, by: Client): Promise<string> {
  const names = { full_name: `For ${by.name}`, short_name: `for-${by.name}` }
  const { body } = await at.people.bob.post('/bots', names)
  return `/bots/${body.user_id}`
}
const ofBot = { ...humanMembers, mona: 'notPermitted', alice: 'notPermitted' } as const

everyCaller(
  'update-bot',
  async (at, by) => by.patch(await bobsBot(at, by), { full_name: `By ${by.name}` }),
  ofBot,
)
everyCaller('deactivate-bot', async (at, by) => by.delete(await bobsBot(at, by)), ofBot)
everyCaller(
  'regenerate-bot-api-key',
  async (at, by) => by.post(`${await bobsBot(at, by)}/api_key/regenerate`),
  ofBot,
)
