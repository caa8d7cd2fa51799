import { legacyPresence, type PresenceTimes } from './presence.js'
import type { ServerFacts } from '../../../kernel/server-facts.js'
import { apiEmail } from '../../people/users/index.js'
import type { KnownPresence } from './organization-presences.js'
import type {
  LegacyPresence,
  ModernPresence,
  Presences,
  WebsitePresence,
} from './presence-events.js'

/** That from which a presence is computed. */
interface ShownPresence extends PresenceTimes {
  readonly user: { readonly joined_at_milliseconds: number }
}

/** A user without activity is reported as last active when they joined. */
function shownTimes({ activeAt, connectedAt, user }: ShownPresence) {
  return { activeAt: activeAt ?? Math.floor(user.joined_at_milliseconds / 1000), connectedAt }
}

export function modernView(presence: ShownPresence): ModernPresence {
  const { activeAt, connectedAt } = shownTimes(presence)
  return { active_timestamp: activeAt, idle_timestamp: connectedAt }
}

export function websiteView(presence: ShownPresence): WebsitePresence {
  return { client: 'website', ...legacyPresence(shownTimes(presence)), pushable: false }
}

function legacyView(presence: ShownPresence): LegacyPresence {
  const { pushable: _, ...aggregated } = websiteView(presence)
  return { aggregated, website: websiteView(presence) }
}

/** By user id; by address for older clients, in the order of the ids. */
export function presencesView(
  presences: readonly KnownPresence[],
  format: 'modern' | 'legacy',
  facts: ServerFacts,
): Presences {
  if (format === 'modern') {
    return Object.fromEntries(presences.map((one) => [String(one.user.id), modernView(one)]))
  }
  return Object.fromEntries(
    presences
      .toSorted((one, other) => one.user.id - other.user.id)
      .map((one) => [apiEmail(one.user, facts), legacyView(one)]),
  )
}
