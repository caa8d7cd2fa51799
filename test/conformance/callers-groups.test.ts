import { everyCaller } from '../support/callers.js'
import type { Client } from '../support/client.js'
import { makeGroup, systemGroupId } from '../support/groups.js'
import type { HostCase } from '../support/host.js'

const membersOnly = { gus: 'noGuests', bot: 'noBots' } as const
/** Operations that a group's settings restrict to its creator, and the organization's to owners. */
const owners = {
  ...membersOnly,
  adam: 'notPermitted',
  mona: 'notPermitted',
  alice: 'notPermitted',
} as const
/** Deactivating a group requires only the permission. */
const permitted = { ...owners, gus: 'notPermitted', bot: 'notPermitted' } as const

/** Creates a group of Bob's for the caller to act on. @returns its path. */
async function bobsGroup(
  at: HostCase,
  by: Client,
  params: Record<string, unknown> = {},
): Promise<string> {
  return `/user_groups/${await makeGroup(at.people.bob, `for ${by.name}`, params)}`
}

everyCaller('get-user-groups', (_, by) => by.get('/user_groups'), membersOnly)
everyCaller(
  'get-user-group-members',
  async (at, by) => by.get(`${await bobsGroup(at, by)}/members`),
  membersOnly,
)
everyCaller(
  'get-is-user-group-member',
  async (at, by) => by.get(`${await bobsGroup(at, by)}/members/${at.people.bob.id}`),
  membersOnly,
)
everyCaller(
  'get-user-group-subgroups',
  async (at, by) => by.get(`${await bobsGroup(at, by)}/subgroups`),
  membersOnly,
)
everyCaller(
  'create-user-group',
  (_, by) =>
    by.post('/user_groups/create', { name: `of ${by.name}`, description: '', members: [] }),
  membersOnly,
)
everyCaller(
  'update-user-group',
  async (at, by) => by.patch(await bobsGroup(at, by), { description: 'Other' }),
  owners,
)
everyCaller(
  'update-user-group',
  async (at, by) => {
    const path = await bobsGroup(at, by)
    await at.people.bob.post(`${path}/deactivate`)
    return by.patch(path, { deactivated: false })
  },
  owners,
)
everyCaller(
  'deactivate-user-group',
  async (at, by) => by.post(`${await bobsGroup(at, by)}/deactivate`),
  permitted,
)
everyCaller(
  'update-user-group-members',
  async (at, by) =>
    by.post(`${await bobsGroup(at, by)}/members`, { add: [at.people.carol.id, by.id] }),
  owners,
)
everyCaller(
  'update-user-group-members',
  async (at, by) => by.post(`${await bobsGroup(at, by)}/members`, { add: [by.id] }),
  owners,
)
everyCaller(
  'update-user-group-members',
  async (at, by) => {
    const members = by === at.nobody || by.name === 'dora' ? [] : [by.id]
    return by.post(`${await bobsGroup(at, by, { members })}/members`, { delete: [by.id] })
  },
  membersOnly,
)
everyCaller(
  'update-user-group-members',
  async (at, by) => {
    const members = [at.people.carol.id]
    return by.post(`${await bobsGroup(at, by, { members })}/members`, { delete: members })
  },
  owners,
)
everyCaller(
  'update-user-group-subgroups',
  async (at, by) => {
    const add = [await makeGroup(at.people.carol, `in ${by.name}`)]
    return by.post(`${await bobsGroup(at, by)}/subgroups`, { add })
  },
  owners,
)
everyCaller(
  'update-user-group-subgroups',
  async (at, by) => {
    const subgroups = [await makeGroup(at.people.carol, `in ${by.name}`)]
    return by.post(`${await bobsGroup(at, by, { subgroups })}/subgroups`, { delete: subgroups })
  },
  owners,
)

/** No user can change a system group, not even an owner. */
const ofSystem = { ...owners, olga: 'notPermitted' } as const
const systemGroup = async (at: HostCase): Promise<string> =>
  `/user_groups/${await systemGroupId(at.people.olga, 'role:members')}`

everyCaller(
  'update-user-group',
  async (at, by) => by.patch(await systemGroup(at), { description: 'Other' }),
  ofSystem,
)
everyCaller(
  'update-user-group-members',
  async (at, by) => by.post(`${await systemGroup(at)}/members`, { add: [at.people.gus.id] }),
  ofSystem,
)
everyCaller(
  'update-user-group-subgroups',
  async (at, by) => {
    const add = [await makeGroup(at.people.carol, `in ${by.name}`)]
    return by.post(`${await systemGroup(at)}/subgroups`, { add })
  },
  ofSystem,
)
everyCaller(
  'deactivate-user-group',
  async (at, by) => by.post(`${await systemGroup(at)}/deactivate`),
  { ...ofSystem, gus: 'notPermitted', bot: 'notPermitted' },
)
