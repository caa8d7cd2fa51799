import type { Logger } from '../../kernel/logger.js'
import type { BackgroundWork } from '../../kernel/periodic-task.js'
import type { Database } from '../database.js'

/**
 * Logs, once, that the process has loaded another SQLite library after the start, which would have
 * been refused at the start: an application may open its own connections later.
 */
export class LibraryWatch implements BackgroundWork {
  readonly name = 'Looking for other SQLite libraries'
  readonly intervalMilliseconds = 120_000
  #isReported = false

  constructor(
    private readonly database: Database,
    private readonly logger: Logger,
  ) {}

  async round(): Promise<void> {
    if (this.#isReported) return
    const problem = this.database.findLibrariesProblem()
    if (problem === undefined) return
    this.#isReported = true
    this.logger.error(problem)
  }
}
