import {
  systemGroupNames,
  type PermissionSettingDefinition,
} from '../../../domain/organizations/organization-settings.js'
import type { FileCheck } from '../../../resource-definition/file-check.js'
import { isPossibleSystemGroup } from '../../groups/user-groups/index.js'
import type { FileGroup, FileGroupValue } from './organization-file-items.js'

const systemNames: ReadonlySet<string> = new Set(systemGroupNames)

/** Reports permission settings that name groups or users that do not exist or are not allowed. */
export class GroupValueCheck {
  readonly #idsByName: ReadonlyMap<string, number>
  readonly #byId: ReadonlyMap<number, FileGroup>

  constructor(private readonly file: FileCheck) {
    const groups = file.items('groups').map(({ item }) => item)
    this.#idsByName = new Map(groups.map(({ name, id }) => [name, id]))
    this.#byId = new Map(groups.map((group) => [group.id, group]))
  }

  check(place: string, definition: PermissionSettingDefinition, value: FileGroupValue): void {
    if (typeof value === 'number' || typeof value === 'string') {
      if (this.reference(place, value)) this.#requirePossible(place, definition, value)
      return
    }
    if (definition.requiresSystemGroup === true) {
      this.file.report(place, 'must be a system group')
    }
    const { direct_members = [], direct_subgroups = [] } = value
    this.file.requireAllKnown(`${place}/direct_members`, 'user', direct_members)
    for (const [index, group] of direct_subgroups.entries()) {
      this.reference(`${place}/direct_subgroups/${index}`, group)
    }
  }

  /**
   * Reports a group that does not exist.
   *
   * @returns whether it exists.
   */
  reference(place: string, group: number | string): boolean {
    if (typeof group === 'number') return this.file.requireKnown(place, 'group', group)
    if (systemNames.has(group) || this.#idsByName.has(group)) return true
    this.file.report(place, `group ${group} is not in the file`)
    return false
  }

  #requirePossible(
    place: string,
    definition: PermissionSettingDefinition,
    group: number | string,
  ): void {
    const id = typeof group === 'number' ? group : this.#idsByName.get(group)
    const named = id === undefined ? undefined : this.#byId.get(id)
    const name = named?.name ?? (typeof group === 'string' ? group : '')
    if (named?.is_deactivated === true) this.file.report(place, `group ${group} is deactivated`)
    if (systemNames.has(name)) {
      if (!isPossibleSystemGroup(definition, name)) {
        this.file.report(place, `cannot be ${name}`)
      }
    } else if (definition.requiresSystemGroup === true) {
      this.file.report(place, 'must be a system group')
    }
  }
}
