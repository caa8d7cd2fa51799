import { legacyPresence } from '../../../domain/presence.js'
import type { ServerFacts } from '../../../kernel/server-facts.js'
import { apiEmail } from '../../people/users/index.js'
import type { PresenceRow, UserPresenceRow } from './presence-repository.js'
import type {
  LegacyPresence,
  ModernPresence,
  Presences,
  WebsitePresence,
} from './presence-schemas.js'

/** The columns from which a presence is computed. */
export type PresenceTimesOf = Pick<PresenceRow, 'active_at_seconds' | 'connected_at_seconds'> & {
  readonly joined_at_milliseconds: number
}

/** A user without activity is reported as last active when they joined. */
function shownTimes(row: PresenceTimesOf): { activeAt: number; connectedAt: number } {
  return {
    activeAt: row.active_at_seconds ?? Math.floor(row.joined_at_milliseconds / 1000),
    connectedAt: row.connected_at_seconds,
  }
}

export function modernView(row: PresenceTimesOf): ModernPresence {
  const { activeAt, connectedAt } = shownTimes(row)
  return { active_timestamp: activeAt, idle_timestamp: connectedAt }
}

export function websiteView(row: PresenceTimesOf): WebsitePresence {
  return { client: 'website', ...legacyPresence(shownTimes(row)), pushable: false }
}

function legacyView(row: PresenceTimesOf): LegacyPresence {
  const { pushable: _, ...aggregated } = websiteView(row)
  return { aggregated, website: websiteView(row) }
}

/** By user id; by address for older clients. */
export function presencesView(
  rows: readonly UserPresenceRow[],
  format: 'modern' | 'legacy',
  facts: ServerFacts,
): Presences {
  return format === 'modern'
    ? Object.fromEntries(rows.map((row) => [String(row.user_id), modernView(row)]))
    : Object.fromEntries(rows.map((row) => [apiEmail(row, facts), legacyView(row)]))
}
