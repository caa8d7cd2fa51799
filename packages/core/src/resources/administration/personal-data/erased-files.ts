import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import { Database } from '../../../storage/index.js'
import { AttachmentService } from '../../files/attachments/index.js'
import { StoredFiles } from '../../files/file-storage/index.js'
import { PersonalRowRepository } from './personal-row-repository.js'

/** Removes the files of an erased user that no message links to any more. */
@perServer()
export class ErasedFiles {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(PersonalRowRepository) private readonly rows: PersonalRowRepository,
    @inject(AttachmentService) private readonly attachments: AttachmentService,
    @inject(StoredFiles) private readonly files: StoredFiles,
  ) {}

  async remove(organizationId: number, userId: number): Promise<void> {
    const scope = this.database.read(organizationId)
    for (const id of await this.rows.listUnlinkedFiles(scope, userId)) {
      await this.attachments.removeUnlinked(organizationId, id, Number.MAX_SAFE_INTEGER)
    }
    await this.files.sweepOf(organizationId)
  }
}
