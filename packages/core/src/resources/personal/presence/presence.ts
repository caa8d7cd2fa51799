/** Periods of the presence rules, in seconds. */
const presencePeriods = {
  /** A timestamp is not updated until it is older than this. */
  minUpdate: 55,
  /**
   * If the last activity is older, `active` is sent to the others: the offline threshold minus one
   * ping and some slack.
   */
  newlyOnline: 130,
  /** A connected user counts as active for this long after the last activity. */
  stillActive: 70,
  /**
   * The last presence of a user who becomes invisible is set this far back: offline for every
   * client.
   */
  invisible: 265,
} as const

/** The user's last presence, in UNIX seconds. */
export interface PresenceTimes {
  /** Null for a user who was connected but never active. */
  readonly activeAt: number | null
  /** Never earlier than `activeAt`. */
  readonly connectedAt: number
}

export type PresenceStatus = 'active' | 'idle'

/** The result of applying a client's report to the known presence of the user. */
export interface PresenceReport {
  readonly times: PresenceTimes
  readonly hasChanged: boolean
  /** Whether an event is sent to the other users: the user was offline before. */
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

/** The newer of two reported presences of a user, for each kind of time. */
export function latestPresence(one: PresenceTimes, other: PresenceTimes): PresenceTimes {
  const { activeAt } = one
  const isLater = activeAt !== null && (other.activeAt === null || activeAt > other.activeAt)
  return {
    activeAt: isLater ? activeAt : other.activeAt,
    connectedAt: Math.max(one.connectedAt, other.connectedAt),
  }
}

/** The presence of a user who becomes invisible: as if they had left some time ago. */
export function backdatePresence(known: PresenceTimes | undefined, now: number): PresenceTimes {
  const latest = now - presencePeriods.invisible
  if (known === undefined) return { activeAt: null, connectedAt: latest }
  return {
    activeAt: known.activeAt === null ? null : Math.min(known.activeAt, latest),
    connectedAt: Math.min(known.connectedAt, latest),
  }
}

/** A user's presence as one status and one time, for older clients. */
export function legacyPresence(times: { activeAt: number; connectedAt: number }): {
  status: PresenceStatus
  timestamp: number
} {
  const { activeAt, connectedAt } = times
  return activeAt + presencePeriods.stillActive >= connectedAt
    ? { status: 'active', timestamp: activeAt }
    : { status: 'idle', timestamp: connectedAt }
}
