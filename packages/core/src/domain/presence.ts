/** Periods of the presence rules, in seconds. */
const presencePeriods = {
  /** No timestamp is written anew before it is older than this. */
  minUpdate: 55,
  /** Older than this, `active` is news to the others: offline less one ping and some slack. */
  newlyOnline: 130,
  /** Up to this long after the last activity a connected user counts as active. */
  stillActive: 70,
  /** Who becomes invisible was last there this long ago: safely offline for every client. */
  invisible: 265,
} as const

/** When a user was there last, in UNIX seconds. */
export interface PresenceTimes {
  /** Null for a user who was connected but never active. */
  readonly activeAt: number | null
  /** Never before `activeAt`. */
  readonly connectedAt: number
}

export type PresenceStatus = 'active' | 'idle'

/** What a client's report makes of what was known of the user. */
export interface PresenceReport {
  readonly times: PresenceTimes
  readonly hasChanged: boolean
  /** Whether the others should hear of it now: the user was not there before. */
  readonly isNews: boolean
}

/** @param known undefined before the user's first report. */
export function reportPresence(
  known: PresenceTimes | undefined,
  status: PresenceStatus,
  now: number,
): PresenceReport {
  const isActive = status === 'active'
  if (known === undefined) {
    const times = { activeAt: isActive ? now : null, connectedAt: now }
    return { times, hasChanged: true, isNews: true }
  }
  const isOld = (at: number | null, age: number): boolean => at === null || now - at > age
  const activeAt =
    isActive && isOld(known.activeAt, presencePeriods.minUpdate) ? now : known.activeAt
  const connected = isOld(known.connectedAt, presencePeriods.minUpdate) ? now : known.connectedAt
  const connectedAt = Math.max(connected, activeAt ?? 0)
  return {
    times: { activeAt, connectedAt },
    hasChanged: activeAt !== known.activeAt || connectedAt !== known.connectedAt,
    isNews: isActive && isOld(known.activeAt, presencePeriods.newlyOnline),
  }
}

/** The times of a user who becomes invisible: as if they had left a while ago. */
export function backdatePresence(known: PresenceTimes | undefined, now: number): PresenceTimes {
  const latest = now - presencePeriods.invisible
  if (known === undefined) return { activeAt: null, connectedAt: latest }
  return {
    activeAt: known.activeAt === null ? null : Math.min(known.activeAt, latest),
    connectedAt: Math.min(known.connectedAt, latest),
  }
}

/** A user's presence in one status and one time, as older clients want it. */
export function legacyPresence(times: { activeAt: number; connectedAt: number }): {
  status: PresenceStatus
  timestamp: number
} {
  const { activeAt, connectedAt } = times
  return activeAt + presencePeriods.stillActive >= connectedAt
    ? { status: 'active', timestamp: activeAt }
    : { status: 'idle', timestamp: connectedAt }
}
