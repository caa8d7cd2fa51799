import { heartbeatJitter } from '../../events/long-poll.js'

/** How often at most the use of a queue is written to its row, in seconds. */
export function saveIntervalSeconds(idleTimeoutSeconds: number): number {
  return Math.min(60, idleTimeoutSeconds / 4)
}

/**
 * How long after the last noted use a queue may be removed, in seconds. Its client may have waited
 * in another process since, for one heartbeat, or have asked again before the next note was due.
 */
export function lifespanSeconds(idleTimeoutSeconds: number, heartbeatSeconds: number): number {
  return idleTimeoutSeconds + unnotedSeconds(idleTimeoutSeconds, heartbeatSeconds)
}

/** How long after the last noted use a queue may have been in use in another process, in seconds. */
export function unnotedSeconds(idleTimeoutSeconds: number, heartbeatSeconds: number): number {
  const longestWaitSeconds = heartbeatSeconds * (1 + heartbeatJitter)
  return saveIntervalSeconds(idleTimeoutSeconds) + longestWaitSeconds
}
