import { inject } from 'tsyringe'

import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import type { BackgroundWork, Round } from '../../../kernel/periodic-task.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { UnitOfWork } from '../../../storage/index.js'
import { OrganizationDeletion } from '../organization-lifecycle/index.js'
import { ImportRepository } from './import-repository.js'

const organizationsPerRound = 100

/**
 * Deletes organizations whose import has ended early because its process has. Two processes may
 * delete the same one: each step deletes the remaining data.
 */
@perServer()
export class AbandonedImports implements BackgroundWork {
  readonly name = 'Deleting incomplete imports'
  readonly intervalMilliseconds = 5 * 60 * 1000

  constructor(
    @inject(ImportRepository) private readonly imports: ImportRepository,
    @inject(OrganizationDeletion) private readonly deletion: OrganizationDeletion,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  async round({ stopping, failed }: Round): Promise<void> {
    const ids = await this.imports.listAbandoned(nowSeconds(this.clock), organizationsPerRound)
    for (const id of ids) {
      if (stopping.aborted) return
      await this.#delete(id).catch(failed)
    }
  }

  async #delete(id: number): Promise<void> {
    const now = nowSeconds(this.clock)
    // From then on, the import itself fails, if it only has been slow.
    const hasEnded = await this.unitOfWork.run(id, (tx) => this.imports.endAbandoned(tx, now))
    if (hasEnded) await this.deletion.deleteAll(id)
  }
}
