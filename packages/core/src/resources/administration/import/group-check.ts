import {
  groupPermissions,
  systemGroupNames,
} from '../../../domain/organizations/organization-settings.js'
import { entriesOf } from '../../../kernel/objects.js'
import type { FileCheck, PlacedItem } from '../../../resource-definition/file-check.js'
import { requireGroupName } from '../../groups/user-groups/index.js'
import { GroupValueCheck } from './group-value-check.js'
import type { FileGroup } from './organization-file-items.js'

const systemNames: ReadonlySet<string> = new Set(systemGroupNames)

/** Reports problems with the groups of a file. */
export async function checkGroups(check: FileCheck): Promise<void> {
  const groups = check.items('groups')
  const values = new GroupValueCheck(check)
  const [id, name] = [check.once(), check.once()]
  for await (const { place, item } of check.each('groups')) {
    id(`${place}/id`, item.id)
    name(`${place}/name`, item.name)
    if (systemNames.has(item.name)) {
      if (Object.keys(item).length > 2)
        check.report(place, 'only the id of a system group is given')
      continue
    }
    check.requireRule(`${place}/name`, () => requireGroupName(item.name))
    check.requireAllKnown(`${place}/members`, 'user', item.members)
    for (const [index, subgroup] of (item.subgroups ?? []).entries()) {
      values.reference(`${place}/subgroups/${index}`, subgroup)
    }
    if (item.creator_id !== undefined) {
      check.requireKnown(`${place}/creator_id`, 'user', item.creator_id)
    }
    for (const [setting, definition] of entriesOf(groupPermissions)) {
      const value = item.settings?.[setting]
      if (value !== undefined) values.check(`${place}/settings/${setting}`, definition, value)
    }
  }
  reportCycles(check, groups)
}

/** Reports groups that contain themselves, directly or through others: once for each cycle. */
function reportCycles(check: FileCheck, groups: readonly PlacedItem<FileGroup>[]): void {
  const byName = new Map(groups.map((group) => [group.item.name, group]))
  const byId = new Map(groups.map((group) => [group.item.id, group]))
  const done = new Set<number>()
  // An explicit stack, outermost group first: the nesting depth comes from the file.
  const path: { readonly group: PlacedItem<FileGroup>; nextIndex: number }[] = []
  const depths = new Map<number, number>()
  const visit = (group: PlacedItem<FileGroup>): void => {
    const { id } = group.item
    if (done.has(id)) return
    const depth = depths.get(id)
    if (depth === undefined) {
      depths.set(id, path.length)
      path.push({ group, nextIndex: 0 })
      return
    }
    const circle = [...path.slice(depth).map((step) => step.group), group]
    const names = circle.map(({ item }) => item.name).join(' > ')
    check.report(`${group.place}/subgroups`, `the groups contain each other: ${names}`)
  }
  for (const outermost of groups) {
    visit(outermost)
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const { subgroups = [], id } = step.group.item
      const reference = subgroups[step.nextIndex++]
      if (reference === undefined) {
        path.pop()
        depths.delete(id)
        done.add(id)
      } else {
        const group = typeof reference === 'number' ? byId.get(reference) : byName.get(reference)
        if (group !== undefined) visit(group)
      }
    }
  }
}
