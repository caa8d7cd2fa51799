import { setImmediate } from 'node:timers/promises'

import type { ValidateFunction } from 'ajv'

import { loadAjv } from '../../../kernel/load-ajv.js'
import { numberedTable, type FileSection } from '../../../resource-definition/file-section.js'
import { coreLists, organizationFileFrame, type NumberedLists } from './organization-file-schema.js'

interface Validators {
  /** Validates all but the items of the lists. */
  readonly frame: ValidateFunction
  /** Validate one item each. */
  readonly lists: ReadonlyMap<string, ValidateFunction>
}

/** The format of organization files: organizations, their main lists, and the resources' lists. */
export class OrganizationFileFormat {
  readonly numberedLists: readonly NumberedLists[]
  #validators: Promise<Validators> | undefined

  constructor(
    /** The lists that resources check and store by themselves, after the other lists. */
    readonly sections: readonly FileSection[],
  ) {
    this.numberedLists = [
      { key: 'users', keys: ['users', 'bots'], table: 'users' },
      { key: 'groups', keys: ['groups'], table: 'user_groups' },
      { key: 'channels', keys: ['channels'], table: 'channels' },
      { key: 'messages', keys: ['messages'], table: 'messages' },
      ...sections.flatMap((section) => {
        const table = numberedTable(section)
        return table === undefined ? [] : [{ key: section.key, keys: [section.key], table }]
      }),
    ]
  }

  /** Compiled when they are first needed. */
  validators(): Promise<Validators> {
    return (this.#validators ??= this.#compile())
  }

  async #compile(): Promise<Validators> {
    const Ajv = loadAjv()
    // The schemas are our own: validating them against the meta-schema is not needed and slow.
    const ajv = new Ajv({
      allErrors: true,
      strict: false,
      meta: false,
      validateSchema: false,
      verbose: true,
    })
    const lists = new Map<string, ValidateFunction>()
    for (const [key, schema] of [
      ...Object.entries(coreLists),
      ...this.sections.map(({ key, item }) => [key, item] as const),
    ]) {
      lists.set(key, ajv.compile(schema))
      await setImmediate()
    }
    return { frame: ajv.compile(organizationFileFrame(this)), lists }
  }
}
