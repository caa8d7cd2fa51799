import { freshBot, makeBot } from '../bots.js'
import type { Client } from '../client.js'
import type { HostCase } from '../host.js'
import { createdField } from '../profile-fields.js'
import { reactivate, renewKey } from '../reactivation.js'
import {
  administrators,
  humans,
  members,
  notPermitted,
  own,
  unused,
  type Example,
  type Examples,
} from './example.js'

/** Reactivates a user, and the bots that were deactivated with the user. */
async function reactivateAll(at: HostCase, by: Client, user: Client): Promise<void> {
  await reactivate(at, by, user)
  // `user` may be a client that wraps this one.
  const own = Object.values(at.people).find(({ id }) => id === user.id)
  if (own !== undefined) own.credentials = user.credentials
  const { body } = await by.get('/users')
  for (const { user_id, bot_owner_id } of body.members) {
    if (bot_owner_id !== user.id) continue
    await by.post(`/users/${user_id}/reactivate`)
    if (user_id === at.people.bot.id) await renewKey(at, at.people.bot)
  }
}

/** Gives Carol a role. @returns her path. */
async function carolAs({ people: { olga, carol } }: HostCase, role: number): Promise<string> {
  await olga.post(`/users/${carol.id}/reactivate`)
  await olga.patch(`/users/${carol.id}`, { role })
  return `/users/${carol.id}`
}

/** Creates a bot of Bob's. @returns its path. */
const bobsBot = async ({ people }: HostCase): Promise<string> =>
  `/bots/${(await makeBot(people.bob)).user_id}`
const ofBot = { ...members, mona: 'notPermitted', alice: 'notPermitted' } as const
const notOwner = { mona: 'notPermitted', gus: 'notPermitted', bot: 'notPermitted' } as const

/** Creates a profile field. @returns its id. */
const someField = ({ people }: HostCase): Promise<number> =>
  createdField(people.adam, { name: unused('Field ') })
const field = async (at: HostCase): Promise<string> =>
  `/realm/profile_fields/${await someField(at)}`

/** Invitations need mails unless addresses are not confirmed. */
const withLinks = { invitations: { confirmAddresses: false } }
/** Creates a link. @returns its path. */
async function inviteLink({ people: { olga } }: HostCase): Promise<string> {
  await olga.post('/invites/multiuse')
  const { body } = await olga.get('/invites')
  return `/invites/multiuse/${body.invites[0]!.id}`
}

const updateUser: Example = {
  call: (at, by) => by.patch(`/users/${at.people.carol.id}`, { full_name: unused('Carol ') }),
  refused: notPermitted,
  audited: ['user.renamed'],
  others: [
    {
      call: async (at, by) => by.patch(await carolAs(at, 400), { role: 300 }),
      refused: notPermitted,
    },
    {
      call: async (at, by) => by.patch(await carolAs(at, 400), { role: 100 }),
      refused: { ...notPermitted, adam: 'owners' },
    },
    {
      call: (at, by) =>
        by.patch(`/users/${at.people.carol.id}`, { new_email: `${unused('carol')}@new.example` }),
      refused: { ...notPermitted, adam: 'noAddresses' },
    },
    {
      call: (at, by) => by.patch(`/users/${at.people.bot.id}`, { full_name: unused('Bot ') }),
      refused: notOwner,
    },
    {
      call: async (at, by) => {
        const { user_id } = await makeBot(at.people.alice)
        return by.patch(`/users/${user_id}`, { role: 300 })
      },
      refused: { ...notOwner, alice: 'administrators' },
    },
  ],
}

export const accounts: Examples = {
  'get-users': { call: (_, by) => by.get('/users') },
  'get-user': { call: (at, by) => by.get(`/users/${at.people.carol.id}`) },
  'get-user-by-email': { call: (at, by) => by.get(`/users/${at.people.carol.email}`) },
  'get-own-user': { call: (_, by) => by.get('/users/me') },
  'create-user': {
    call: (_, by) =>
      by.post('/users', {
        email: `${unused('created')}@new.example`,
        full_name: unused('Created '),
        password: 'correct horse battery staple',
      }),
    refused: { ...administrators, adam: 'noCreator' },
    audited: ['user.created'],
  },
  'update-user': updateUser,
  'update-user-by-email': {
    call: (at, by) => by.patch(`/users/${at.people.carol.email}`, { full_name: unused('Carol ') }),
    refused: notPermitted,
    audited: ['user.renamed'],
  },
  'deactivate-user': {
    call: async (at, by) => by.delete(await carolAs(at, 400)),
    refused: notPermitted,
    audited: ['user.deactivated'],
    others: [
      {
        call: async (at, by) => by.delete(await carolAs(at, 100)),
        refused: { ...notPermitted, adam: 'owners' },
      },
    ],
  },
  'reactivate-user': {
    call: async (at, by) => {
      const { olga, carol } = at.people
      await olga.delete(`/users/${carol.id}`)
      const answer = await by.post(`/users/${carol.id}/reactivate`)
      if (answer.status === 200) await renewKey(at, carol)
      return answer
    },
    refused: notPermitted,
    audited: ['user.reactivated', 'user.api_key_replaced'],
  },
  'update-profile-data': {
    call: async (at, by) =>
      by.patch('/users/me/profile_data', {
        data: [{ id: await someField(at), value: 'Value' }],
      }),
    refused: humans,
    audited: own,
  },
  'remove-profile-data': {
    call: async (at, by) => {
      const id = await someField(at)
      await by.patch('/users/me/profile_data', { data: [{ id, value: 'Value' }] })
      return by.delete('/users/me/profile_data', { data: [id] })
    },
    refused: humans,
    audited: own,
  },
  'get-bots': { call: (_, by) => by.get('/bots'), refused: members },
  'create-bot': {
    call: (_, by) => by.post('/bots', freshBot()),
    refused: members,
    audited: ['bot.created'],
  },
  'update-bot': {
    call: async (at, by) => by.patch(await bobsBot(at), { full_name: unused('Robot ') }),
    refused: ofBot,
    audited: ['user.renamed'],
  },
  'deactivate-bot': {
    call: async (at, by) => by.delete(await bobsBot(at)),
    refused: ofBot,
    audited: ['user.deactivated'],
  },
  'regenerate-bot-api-key': {
    call: async (at, by) => by.post(`${await bobsBot(at)}/api_key/regenerate`),
    refused: ofBot,
    audited: ['user.api_key_replaced'],
  },
  'get-custom-profile-fields': { call: (_, by) => by.get('/realm/profile_fields') },
  'create-custom-profile-field': {
    call: (_, by) => by.post('/realm/profile_fields', { name: unused('Field '), field_type: 1 }),
    refused: administrators,
    audited: ['profile_field.created'],
  },
  'update-custom-profile-field': {
    call: async (at, by) => by.patch(await field(at), { hint: 'Other' }),
    refused: administrators,
    audited: ['profile_field.updated'],
  },
  'delete-custom-profile-field': {
    call: async (at, by) => by.delete(await field(at)),
    refused: administrators,
    audited: ['profile_field.deleted'],
  },
  'reorder-custom-profile-fields': {
    call: async (at, by) => {
      for (const _ of [1, 2]) await field(at)
      const { body } = await at.people.adam.get('/realm/profile_fields')
      const ids = (body.custom_fields as { id: number }[]).map(({ id }) => id)
      return by.patch('/realm/profile_fields', { order: ids.toReversed() })
    },
    refused: administrators,
    audited: ['profile_field.reordered'],
  },
  'get-invites': { call: (_, by) => by.get('/invites'), refused: members },
  'create-invite-link': {
    call: (_, by) => by.post('/invites/multiuse'),
    refused: { ...members, mona: 'notPermitted', alice: 'notPermitted' },
    audited: ['invitation.created'],
    server: withLinks,
  },
  'revoke-invite-link': {
    call: async (at, by) => by.delete(await inviteLink(at)),
    refused: { ...members, mona: 'noInvitation', alice: 'noInvitation' },
    audited: ['invitation.revoked'],
    server: withLinks,
  },
  'deactivate-own-user': {
    call: async (at, by) => {
      const { olga, bob } = at.people
      await olga.patch(`/users/${bob.id}`, { role: 100 })
      const answer = await by.delete('/users/me')
      if (answer.status === 200) await reactivateAll(at, by.id === olga.id ? bob : olga, by)
      return answer
    },
    audited: ['user.deactivated'],
  },
}
