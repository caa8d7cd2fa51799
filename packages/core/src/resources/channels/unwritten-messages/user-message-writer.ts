import { inject } from 'tsyringe'

import type { BackgroundWork, Round } from '../../../kernel/periodic-task.js'
import { perServer } from '../../../kernel/per-server.js'
import { UnitOfWork } from '../../../storage/index.js'
import { UnwrittenMessages } from './unwritten-messages.js'

/**
 * Writes the messages that callers have received, if reads would have to look at many. While many
 * writes of clients wait, it writes little in each round, because they wait for it.
 */
@perServer()
export class UserMessageWriter implements BackgroundWork {
  readonly name = 'Writing user messages'
  readonly intervalMilliseconds = 1000

  constructor(
    @inject(UnwrittenMessages) private readonly unwritten: UnwrittenMessages,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  async round({ stopping, failed }: Round): Promise<void> {
    let areWaiting = true
    do {
      try {
        areWaiting = await this.unwritten.writeSomeOfNextCaller()
      } catch (error) {
        failed(error)
      }
    } while (areWaiting && !stopping.aborted && !this.unitOfWork.pending.areMany)
  }
}
