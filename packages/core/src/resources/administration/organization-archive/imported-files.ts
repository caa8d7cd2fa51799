import { buffer } from 'node:stream/consumers'

import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import { UnitOfWork } from '../../../storage/index.js'
import { StoredFiles } from '../../files/file-storage/index.js'
import { OrganizationArchiveError, type ArchiveEntry } from './archive-reader.js'
import { filePattern, maxImageBytes } from './archive-format.js'
import type { ArchivedFile } from './archived-files.js'

/** The kinds of files that the application's storage has; the others are in the database. */
const storedElsewhere = /^(?:uploads|thumbnails|emoji)\//

/** Stores the files of an archive. */
@perServer()
export class ImportedFiles {
  constructor(
    @inject(StoredFiles) private readonly files: StoredFiles,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * @param expected the files of the rows before, by key; the stored one is removed.
   * @throws {OrganizationArchiveError} if no row has this file, or it has another size.
   */
  async store(
    organizationId: number,
    { name, size, content }: ArchiveEntry,
    expected: Map<string, ArchivedFile>,
  ): Promise<void> {
    const path = filePattern.exec(name)?.[1] ?? ''
    const key = `${organizationId}/${path}`
    const file = expected.get(key)
    if (file === undefined) throw new OrganizationArchiveError([`${name}: belongs to no row`])
    if (file.size === undefined ? size > maxImageBytes : size !== file.size) {
      throw new OrganizationArchiveError([`${name}: has the wrong size`])
    }
    expected.delete(key)
    if (storedElsewhere.test(path)) {
      await this.files.write(organizationId, key, content)
      await this.unitOfWork.run(organizationId, (tx) => this.files.keep(tx, [key]))
    } else {
      const bytes = await buffer(content)
      await this.unitOfWork.run(organizationId, (tx) => this.files.writeWithin(tx, key, bytes))
    }
  }
}
