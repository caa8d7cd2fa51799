import { heartbeatJitter } from '../../../events/queues/long-poll.js'

/** Uses of queues that are due are written together, once a second. */
const writeDelaySeconds = 1

/** The minimum interval between writes of a queue's use to its row, in seconds. */
export function saveIntervalSeconds(idleTimeoutSeconds: number): number {
  return Math.min(60, idleTimeoutSeconds / 4)
}

/**
 * How long after its last recorded use a queue may be removed, in seconds. Since then, its client
 * may have waited in another process for one heartbeat, or polled again before the next write was
 * due.
 */
export function lifespanSeconds(idleTimeoutSeconds: number, heartbeatSeconds: number): number {
  return idleTimeoutSeconds + unnotedSeconds(idleTimeoutSeconds, heartbeatSeconds)
}

/**
 * How long after its last recorded use a queue may have been used in another process, in seconds.
 */
export function unnotedSeconds(idleTimeoutSeconds: number, heartbeatSeconds: number): number {
  const longestWaitSeconds = heartbeatSeconds * (1 + heartbeatJitter)
  return saveIntervalSeconds(idleTimeoutSeconds) + writeDelaySeconds + longestWaitSeconds
}
