import type { Client } from '../client.js'
import { makeGroup, systemGroupId } from '../groups.js'
import type { HostCase } from '../host.js'
import { members, unused, type Examples } from './example.js'

/** Operations that a group's settings restrict to its creator, and the organization's to owners. */
const owners = {
  ...members,
  adam: 'notPermitted',
  mona: 'notPermitted',
  alice: 'notPermitted',
} as const
/** Deactivating a group requires only the permission. */
const permitted = { ...owners, gus: 'notPermitted', bot: 'notPermitted' } as const
/** No user can change a system group, not even an owner. */
const ofSystem = { ...owners, olga: 'notPermitted' } as const

/** Creates a group of Bob's. @returns its path. */
const bobsGroup = async (at: HostCase, params: Record<string, unknown> = {}): Promise<string> =>
  `/user_groups/${await makeGroup(at.people.bob, unused('group '), params)}`
const carolsGroup = (at: HostCase): Promise<number> => makeGroup(at.people.carol, unused('inner '))
const systemGroup = async (at: HostCase): Promise<string> =>
  `/user_groups/${await systemGroupId(at.people.olga, 'role:members')}`
const hasAccount = (by: Client): boolean => by.id !== 0 && by.name !== 'dora'

export const groups: Examples = {
  'get-user-groups': { call: (_, by) => by.get('/user_groups'), refused: members },
  'get-user-group-members': {
    call: async (at, by) => by.get(`${await bobsGroup(at)}/members`),
    refused: members,
  },
  'get-is-user-group-member': {
    call: async (at, by) => by.get(`${await bobsGroup(at)}/members/${at.people.bob.id}`),
    refused: members,
  },
  'get-user-group-subgroups': {
    call: async (at, by) => by.get(`${await bobsGroup(at)}/subgroups`),
    refused: members,
  },
  'create-user-group': {
    call: async (at, by) =>
      by.post('/user_groups/create', {
        name: unused('created '),
        description: '',
        members: [at.people.bob.id],
        subgroups: [await carolsGroup(at)],
      }),
    refused: members,
    audited: ['user_group.created', 'user_group.member_added', 'user_group.subgroup_added'],
  },
  'update-user-group': {
    call: async (at, by) => by.patch(await bobsGroup(at), { description: 'Other' }),
    refused: owners,
    audited: ['user_group.updated'],
    others: [
      {
        call: async (at, by) => {
          const path = await bobsGroup(at)
          await at.people.bob.post(`${path}/deactivate`)
          return by.patch(path, { deactivated: false })
        },
        refused: owners,
      },
      {
        call: async (at, by) => by.patch(await systemGroup(at), { description: 'Other' }),
        refused: ofSystem,
      },
    ],
  },
  'deactivate-user-group': {
    call: async (at, by) => by.post(`${await bobsGroup(at)}/deactivate`),
    refused: permitted,
    audited: ['user_group.deactivated'],
    others: [
      {
        call: async (at, by) => by.post(`${await systemGroup(at)}/deactivate`),
        refused: { ...permitted, olga: 'notPermitted' },
      },
    ],
  },
  'update-user-group-members': {
    call: async (at, by) => {
      const carol = [at.people.carol.id]
      return by.post(`${await bobsGroup(at, { members: carol })}/members`, { delete: carol })
    },
    refused: owners,
    audited: ['user_group.member_removed'],
    others: [
      {
        call: async (at, by) =>
          by.post(`${await bobsGroup(at)}/members`, { add: [at.people.carol.id, by.id] }),
        refused: owners,
      },
      {
        call: async (at, by) => by.post(`${await bobsGroup(at)}/members`, { add: [by.id] }),
        refused: owners,
      },
      {
        call: async (at, by) => {
          const path = await bobsGroup(at, { members: hasAccount(by) ? [by.id] : [] })
          return by.post(`${path}/members`, { delete: [by.id] })
        },
        refused: members,
      },
      {
        call: async (at, by) =>
          by.post(`${await systemGroup(at)}/members`, { add: [at.people.gus.id] }),
        refused: ofSystem,
      },
    ],
  },
  'update-user-group-subgroups': {
    call: async (at, by) =>
      by.post(`${await bobsGroup(at)}/subgroups`, { add: [await carolsGroup(at)] }),
    refused: owners,
    audited: ['user_group.subgroup_added'],
    others: [
      {
        call: async (at, by) => {
          const subgroups = [await carolsGroup(at)]
          return by.post(`${await bobsGroup(at, { subgroups })}/subgroups`, { delete: subgroups })
        },
        refused: owners,
      },
      {
        call: async (at, by) =>
          by.post(`${await systemGroup(at)}/subgroups`, { add: [await carolsGroup(at)] }),
        refused: ofSystem,
      },
    ],
  },
}
