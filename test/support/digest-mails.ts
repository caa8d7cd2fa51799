import knex from 'knex'

import type { HostCase } from './host.js'
import { MissedMails } from './missed-mails.js'
import { until } from './waiting.js'

const daySeconds = 86_400
const roundSeconds = 90
/** Monday, 5 January 1970, in days. */
const firstMonday = 4

/** The digests of the cases in a test file. They are sent on Mondays. */
export class DigestMails extends MissedMails {
  readonly organization = { digest_emails_enabled: true, digest_weekday: 0 } as const

  /** Goes to a Wednesday, from which it is five days to the Monday of {@link morning}. */
  start(at: HostCase): void {
    const day = Math.floor(at.clock.seconds / daySeconds) + 7
    const monday = day + ((firstMonday - day) % 7) + 14
    at.clock.jump((monday - 5) * daySeconds - at.clock.seconds)
  }

  /** Goes to the next Monday at 8:05 UTC, or some hours later or earlier, and sends what is due. */
  async morning(at: HostCase, hoursLater = 0): Promise<void> {
    const secondsOfWeek = 8 * 3600 + 300 + hoursLater * 3600
    const day = Math.floor((at.clock.seconds - secondsOfWeek) / daySeconds) + 1
    const monday = day + ((((firstMonday - day) % 7) + 7) % 7)
    at.clock.jump(monday * daySeconds + secondsOfWeek - at.clock.seconds)
    await this.rounds(at)
  }

  /** Runs a round, and waits until everything that was due is done. */
  async rounds(at: HostCase): Promise<void> {
    const isOver = at.clock.next('set', roundSeconds)
    at.clock.fire(roundSeconds)
    await isOver
    const database = knex({ ...at.host.databaseConfig, useNullAsDefault: true })
    try {
      await until('the end of the digests that are due', async () => {
        const due = database('chat_digests').where('due_at_seconds', '<=', at.clock.seconds)
        const leased = database('chat_digests')
          .whereNull('decided_at_seconds')
          .where('attempts', '>', 0)
          .whereBetween('due_at_seconds', [at.clock.seconds + 100, at.clock.seconds + 180])
        const [left] = await due.count<{ count: number }[]>('* as count')
        const [running] = await leased.count<{ count: number }[]>('* as count')
        return Number(left?.count) + Number(running?.count) === 0
      })
    } finally {
      await database.destroy()
    }
  }
}
