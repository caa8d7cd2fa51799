import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import fc from 'fast-check'

import { systemGroupNames } from '../../../packages/core/src/domain/organizations/organization-settings.js'
import {
  GroupGraph,
  systemGroupsOf,
} from '../../../packages/core/src/domain/organizations/permission-groups.js'
import { Role } from '../../../packages/core/src/domain/users/actor.js'

type Edge = { readonly group_id: number; readonly subgroup_id: number }

const id = fc.integer({ min: 1, max: 12 })
/** Any graph, also with cycles: a database that was modified by hand. */
const edges = fc.array(fc.record({ group_id: id, subgroup_id: id }), { maxLength: 40 })
const ids = fc.uniqueArray(id, { maxLength: 4 })

function inOrder(found: Iterable<number>): number[] {
  return [...found].sort((a, b) => a - b)
}

/** The groups reachable in any number of steps, found by a simple algorithm. */
function reachable(from: readonly number[], list: readonly Edge[], up: boolean): number[] {
  let found = new Set(from)
  for (;;) {
    const next = new Set(found)
    for (const { group_id, subgroup_id } of list) {
      if (up && found.has(subgroup_id)) next.add(group_id)
      if (!up && found.has(group_id)) next.add(subgroup_id)
    }
    if (next.size === found.size) return inOrder(found)
    found = next
  }
}

describe('a graph of groups', () => {
  it('returns exactly the groups that contain a group and those that it contains, also with cycles', () => {
    fc.assert(
      fc.property(edges, ids, (list, from) => {
        const graph = new GroupGraph([], list)

        assert.deepEqual(inOrder(graph.containing(from)), reachable(from, list, true))
        assert.deepEqual(inOrder(graph.containedIn(from)), reachable(from, list, false))
      }),
    )
  })

  it('returns symmetric results for both directions', () => {
    fc.assert(
      fc.property(edges, id, id, (list, one, other) => {
        const graph = new GroupGraph([], list)

        assert.equal(graph.containing([one]).has(other), graph.containedIn([other]).has(one))
      }),
    )
  })

  it('returns the same groups for its own result', () => {
    fc.assert(
      fc.property(edges, ids, (list, from) => {
        const graph = new GroupGraph([], list)
        const once = graph.containing(from)

        assert.deepEqual(inOrder(graph.containing(once)), inOrder(once))
      }),
    )
  })

  it('returns at least as many groups for more groups', () => {
    fc.assert(
      fc.property(edges, ids, id, (list, from, added) => {
        const graph = new GroupGraph([], list)
        const more = graph.containing([...from, added])

        for (const found of graph.containing(from)) assert.equal(more.has(found), true)
      }),
    )
  })

  it('traverses a chain of thousands of groups, and a cycle of as many', () => {
    const chain = Array.from({ length: 20_000 }, (_, index) => ({
      group_id: index + 1,
      subgroup_id: index,
    }))
    const circle = [...chain, { group_id: 0, subgroup_id: 20_000 }]

    assert.equal(new GroupGraph([], chain).containing([0]).size, 20_001)
    assert.equal(new GroupGraph([], circle).containing([77]).size, 20_001)
    assert.equal(new GroupGraph([], circle).containedIn([77]).size, 20_001)
  })

  it('finds the system groups by name, and throws for a missing one', () => {
    const node = { id: 5, name: 'role:owners', isSystemGroup: true, isDeactivated: false }
    const impostor = { ...node, id: 6, name: 'role:nobody', isSystemGroup: false }
    const graph = new GroupGraph([node, impostor], [])

    assert.equal(graph.systemGroupId('role:owners'), 5)
    assert.throws(() => graph.systemGroupId('role:nobody'), /no group role:nobody/)
  })
})

describe('the system groups of a user', () => {
  const day = 86_400
  const nodes = systemGroupNames.map((name, index) => ({
    id: index,
    name,
    isSystemGroup: true,
    isDeactivated: false,
  }))
  const graph = new GroupGraph(
    nodes,
    nodes.slice(2).map((node) => ({ group_id: node.id, subgroup_id: node.id - 1 })),
  )
  const namesOf = (role: Role, ageDays: number, waitingDays: number): string[] => {
    const user = { role, joinedAtSeconds: 1000 }
    const direct = systemGroupsOf(user, waitingDays, 1000 + ageDays * day)
    const all = graph.containing(direct.map((name) => graph.systemGroupId(name)))
    return systemGroupNames.filter((_, index) => all.has(index))
  }
  const order = ['owners', 'administrators', 'moderators', 'fullmembers', 'members', 'everyone']
  const from = (weakest: string): string[] =>
    [...order.slice(order.indexOf(weakest)), 'internet'].map((name) => `role:${name}`)

  it('are those of the role and every weaker one', () => {
    assert.deepEqual(namesOf(Role.owner, 0, 30), from('owners'))
    assert.deepEqual(namesOf(Role.administrator, 0, 30), from('administrators'))
    assert.deepEqual(namesOf(Role.moderator, 0, 30), from('moderators'))
    assert.deepEqual(namesOf(Role.guest, 900, 30), from('everyone'))
  })

  it('include full members after whole days of waiting', () => {
    assert.deepEqual(namesOf(Role.member, 29.99, 30), from('members'))
    assert.deepEqual(namesOf(Role.member, 30, 30), from('fullmembers'))
    assert.deepEqual(namesOf(Role.member, 0, 0), from('fullmembers'))
  })

  it('never include role:nobody, and never shrink as the account gets older', () => {
    const role = fc.constantFrom(...Object.values(Role))
    const days = fc.integer({ min: 0, max: 400 })
    fc.assert(
      fc.property(role, days, days, days, (someRole, age, older, waiting) => {
        const before = namesOf(someRole, age, waiting)
        const after = namesOf(someRole, age + older, waiting)

        assert.equal(before.includes('role:nobody'), false)
        for (const name of before) assert.equal(after.includes(name), true)
      }),
    )
  })
})
