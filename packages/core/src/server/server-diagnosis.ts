import { inject, type InjectionToken } from 'tsyringe'

import { nowSeconds, type Clock } from '../kernel/clock.js'
import { perServer } from '../kernel/per-server.js'
import { SetupProblems, type SetupProblem } from '../kernel/setup-problems.js'
import { ClockToken } from '../kernel/tokens.js'
import { OrganizationRepository } from '../resources/organization/organizations/index.js'
import { Database } from '../storage/index.js'
import type { ChatServerOptions } from './chat-server-options.js'

/** Less is no problem, and may be the time that the answer took. */
const toleratedSeconds = 5

type GivenOptions = Pick<ChatServerOptions, 'secret' | 'baseUrl' | 'development' | 'clock'>

/** The options as the application has given them. */
export const GivenOptionsToken: InjectionToken<GivenOptions> = Symbol('GivenOptions')

/** Looks for problems of the setup that the options and the database show. */
@perServer()
export class ServerDiagnosis {
  constructor(
    @inject(GivenOptionsToken) private readonly options: GivenOptions,
    @inject(SetupProblems) private readonly problems: SetupProblems,
    @inject(ClockToken) private readonly clock: Clock,
    @inject(Database) private readonly database: Database,
    @inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
  ) {}

  /** Notes what a running product should have. To be called when the database is connected. */
  async check(): Promise<void> {
    const { options, problems } = this
    problems.update(false, 'NOT_STARTED')
    if (options.development !== true) {
      if (options.secret === undefined) problems.note('NO_SECRET')
      if (options.baseUrl === undefined) problems.note('NO_BASE_URL')
    }
    // A clock of the application may be one of its tests.
    if (options.clock === undefined) await this.#checkClock()
  }

  /** The problems that the process has met, and those of now. */
  async read(): Promise<readonly SetupProblem[]> {
    await this.check()
    const { length } = await this.organizations.list(2)
    this.problems.update(length === 0, 'NO_ORGANIZATION')
    if (length < 2) this.problems.update(false, 'SEVERAL_ORGANIZATIONS')
    return this.problems.list()
  }

  async #checkClock(): Promise<void> {
    const { dialect, reader } = this.database
    const databaseSeconds = await dialect.clockSeconds(reader)
    if (databaseSeconds === undefined) return
    const seconds = nowSeconds(this.clock) - databaseSeconds
    this.problems.update(Math.abs(seconds) > toleratedSeconds, 'CLOCK_DIFFERS', seconds)
  }
}
