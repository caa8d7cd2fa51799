import { inject } from 'tsyringe'

import { Role } from '../../../domain/users/actor.js'
import { nowSeconds, type Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { Database, UnitOfWork } from '../../../storage/index.js'
import {
  OrganizationRepository,
  organizationStateOf,
} from '../../organization/organizations/index.js'
import { DigestRepository } from './digest-repository.js'
import { localHourSeconds } from './local-time.js'

/** Users who were active later than this get no digest. */
export const awaySeconds = 5 * 86_400

const secondsPerDay = 86_400
/** No time zone is further ahead of UTC. */
const earliestZoneSeconds = 14 * 3600
/** The hour of the user's day at which digests are sent. */
const sendingHour = 8
const organizationsAtOnce = 100
const usersAtOnce = 500

/** The day of the week, 0 for Monday, of a day since 1 January 1970, which was a Thursday. */
export function weekdayOf(day: number): number {
  return (day + 3) % 7
}

/** Queues the digests of the users whose day has come. */
@perServer()
export class DigestSchedule {
  constructor(
    @inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @inject(DigestRepository) private readonly digests: DigestRepository,
    @inject(Database) private readonly database: Database,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /**
   * Adds a row for each user who may get a digest today, where it is already the organization's day
   * in the first time zone. Does nothing for users who have a row, so it can be repeated.
   */
  async queue(stopping: AbortSignal): Promise<void> {
    const day = Math.floor((nowSeconds(this.clock) + earliestZoneSeconds) / secondsPerDay)
    const weekday = weekdayOf(day)
    let afterId = 0
    for (;;) {
      const rows = await this.organizations.listWithDigests(organizationsAtOnce, afterId)
      for (const row of rows) {
        if (organizationStateOf(row).settings.digest_weekday !== weekday) continue
        for (const role of humanRoles) await this.#queueRole(row.id, role, day, stopping)
      }
      const last = rows.at(-1)
      if (last === undefined || rows.length < organizationsAtOnce || stopping.aborted) return
      afterId = last.id
    }
  }

  async #queueRole(
    organizationId: number,
    role: Role,
    day: number,
    stopping: AbortSignal,
  ): Promise<void> {
    const dueByZone = new Map<string, number>()
    const dueIn = (timezone: string): number => {
      let due = dueByZone.get(timezone)
      if (due === undefined) {
        due = localHourSeconds(day, sendingHour, timezone)
        dueByZone.set(timezone, due)
      }
      return due
    }
    const awaySince = nowSeconds(this.clock) - awaySeconds
    let afterId = 0
    while (!stopping.aborted) {
      // Most rounds find nobody, and need no lock.
      const scope = this.database.read(organizationId)
      const found = await this.digests.listCandidates(scope, role, awaySince, afterId, 1)
      if (found.length === 0) return
      // Within the lock of the organization, so that no other process adds the same users.
      const queued = await this.unitOfWork.run(organizationId, async (tx) => {
        const users = await this.digests.listCandidates(tx, role, awaySince, afterId, usersAtOnce)
        await this.digests.insertMany(
          tx,
          users.map(({ id, timezone }) => ({ user_id: id, day, due_at_seconds: dueIn(timezone) })),
        )
        return users
      })
      const last = queued.at(-1)
      if (last === undefined || queued.length < usersAtOnce) return
      afterId = last.id
    }
  }
}

const humanRoles = [Role.owner, Role.administrator, Role.moderator, Role.member, Role.guest]
