import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import type { TableName } from '../../../storage/index.js'
import { chunksOf } from '../../../resource-definition/chunks.js'
import { OrganizationFileFormat } from './organization-file-format.js'
import { idOf, listOf } from '../../../resource-definition/file-check.js'
import type { OrganizationFile } from './organization-file-schema.js'
import { TakenIdRepository } from './taken-id-repository.js'

interface PrescribedId {
  readonly place: string
  readonly id: number
}

/** Lists the ids of a file that are in use, after an insert failed on a unique key. */
@perServer()
export class TakenIds {
  constructor(
    @inject(OrganizationFileFormat) private readonly format: OrganizationFileFormat,
    @inject(TakenIdRepository) private readonly rows: TakenIdRepository,
  ) {}

  /** One problem for each prescribed id that is in use by another organization. */
  async problemsOf(file: OrganizationFile): Promise<readonly string[]> {
    const { id } = file.organization
    const problems = await this.#problems(
      'organizations',
      id === undefined ? [] : [{ place: '/organization/id', id }],
    )
    for (const { keys, table } of this.format.numberedLists) {
      const prescribed = keys.flatMap((key) => prescribedIn(file, key))
      for (const chunk of chunksOf(prescribed)) {
        problems.push(...(await this.#problems(table, chunk)))
      }
    }
    return problems
  }

  async #problems(table: TableName, prescribed: readonly PrescribedId[]): Promise<string[]> {
    if (prescribed.length === 0) return []
    const ids = prescribed.map(({ id }) => id)
    const taken = new Set(await this.rows.findAmong(table, ids))
    return prescribed
      .filter(({ id }) => taken.has(id))
      .map(({ place, id }) => `${place}: ${id} is another organization's`)
  }
}

function prescribedIn(file: OrganizationFile, key: string): PrescribedId[] {
  return listOf(file[key]).flatMap((item, index) => {
    const id = idOf(item)
    return id === undefined ? [] : [{ place: `/${key}/${index}/id`, id }]
  })
}
