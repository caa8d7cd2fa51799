import { inject } from 'tsyringe'

import type { BackgroundWork, Round } from '../../../kernel/periodic-task.js'
import { perServer } from '../../../kernel/per-server.js'
import { UnwrittenMessages } from './unwritten-messages.js'

/** Writes the messages that callers have received, if reads would have to look at many. */
@perServer()
export class UserMessageWriter implements BackgroundWork {
  readonly name = 'Writing user messages'
  readonly intervalMilliseconds = 1000

  constructor(@inject(UnwrittenMessages) private readonly unwritten: UnwrittenMessages) {}

  async round({ stopping, failed }: Round): Promise<void> {
    for (const caller of this.unwritten.takeCallers()) {
      if (stopping.aborted) return
      try {
        await this.unwritten.writeIfMany(caller)
      } catch (error) {
        failed(error)
      }
    }
  }
}
