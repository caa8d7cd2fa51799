import { addTo } from '../../kernel/grouping.js'
import { Role, type Actor } from '../users/actor.js'
import type { SystemGroupName } from './organization-settings.js'

/** A group, as the permission rules need it. */
export interface GroupNode {
  readonly id: number
  /** Null for anonymous groups, which hold a setting's value. */
  readonly name: string | null
  readonly isSystemGroup: boolean
  readonly isDeactivated: boolean
}

/**
 * All groups of one organization and how they contain each other. A deactivated group has no members
 * and is in no other group, so it grants nothing.
 */
export class GroupGraph {
  readonly #nodes: ReadonlyMap<number, GroupNode>
  readonly #systemIds = new Map<string, number>()
  readonly #supergroups = new Map<number, number[]>()
  readonly #subgroups = new Map<number, number[]>()

  constructor(
    nodes: readonly GroupNode[],
    edges: readonly { readonly group_id: number; readonly subgroup_id: number }[],
  ) {
    this.#nodes = new Map(nodes.map((node) => [node.id, node]))
    for (const node of nodes) {
      if (node.isSystemGroup && node.name !== null) this.#systemIds.set(node.name, node.id)
    }
    for (const { group_id, subgroup_id } of edges) {
      addTo(this.#supergroups, subgroup_id, group_id)
      addTo(this.#subgroups, group_id, subgroup_id)
    }
  }

  get ids(): ReadonlySet<number> {
    return new Set(this.#nodes.keys())
  }

  find(id: number): GroupNode | undefined {
    return this.#nodes.get(id)
  }

  systemGroupId(name: SystemGroupName): number {
    const id = this.#systemIds.get(name)
    if (id === undefined) throw new Error(`The organization has no group ${name}`)
    return id
  }

  directSubgroups(id: number): readonly number[] {
    return this.#subgroups.get(id) ?? []
  }

  directSupergroups(id: number): readonly number[] {
    return this.#supergroups.get(id) ?? []
  }

  /** These groups and all that contain one of them, at any depth. */
  containing(ids: Iterable<number>): ReadonlySet<number> {
    return this.#closure(ids, this.#supergroups)
  }

  /** These groups and all that are contained in one of them, at any depth. */
  containedIn(ids: Iterable<number>): ReadonlySet<number> {
    return this.#closure(ids, this.#subgroups)
  }

  #closure(
    ids: Iterable<number>,
    next: ReadonlyMap<number, readonly number[]>,
  ): ReadonlySet<number> {
    const found = new Set<number>()
    const add = (id: number): void => {
      if (this.#nodes.get(id)?.isDeactivated !== true) found.add(id)
    }
    for (const id of ids) add(id)
    // A set also iterates over elements that are added meanwhile, so every group is visited once.
    for (const id of found) next.get(id)?.forEach(add)
    return found
  }
}

/** The role of the direct members of a system group; undefined for groups without any. */
export function roleOfSystemGroup(name: SystemGroupName): Role | undefined {
  switch (name) {
    case 'role:owners':
      return Role.owner
    case 'role:administrators':
      return Role.administrator
    case 'role:moderators':
      return Role.moderator
    case 'role:members':
    case 'role:fullmembers':
      return Role.member
    case 'role:everyone':
      return Role.guest
    default:
      return undefined
  }
}

/**
 * The system groups that a user belongs to directly. A member counts as a full member once the
 * account is `waitingPeriodDays` old.
 */
export function systemGroupsOf(
  user: Pick<Actor, 'role' | 'joinedAtSeconds'>,
  waitingPeriodDays: number,
  nowSeconds: number,
): readonly SystemGroupName[] {
  switch (user.role) {
    case Role.owner:
      return ['role:owners']
    case Role.administrator:
      return ['role:administrators']
    case Role.moderator:
      return ['role:moderators']
    case Role.guest:
      return ['role:everyone']
    case Role.member: {
      const days = Math.floor((nowSeconds - user.joinedAtSeconds) / 86_400)
      return days >= waitingPeriodDays ? ['role:members', 'role:fullmembers'] : ['role:members']
    }
  }
}

/**
 * The time in milliseconds before which the members have joined who count as full members, as in
 * {@link systemGroupsOf}.
 */
export function fullMembersJoinedBefore(waitingPeriodDays: number, nowSeconds: number): number {
  return (nowSeconds - waitingPeriodDays * 86_400 + 1) * 1000
}
