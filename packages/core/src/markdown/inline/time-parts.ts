/** The written parts of a point in time; absent parts are those of today or zero. */
export interface TimeParts {
  year?: number
  /** 1 to 12. */
  month?: number
  day?: number
  hour?: number
  minute?: number
  second?: number
  milliseconds?: number
  /** Minutes east of UTC. */
  offsetMinutes?: number
}

/**
 * The point in time that `parts` describe, with the date of `now` for absent parts; `undefined` if
 * a part is out of range. Years are 1 to 9999.
 */
export function toInstant(parts: TimeParts, now: Date): Date | undefined {
  const year = parts.year ?? now.getUTCFullYear()
  const month = parts.month ?? now.getUTCMonth() + 1
  const { hour = 0, minute = 0, second = 0, milliseconds = 0, offsetMinutes = 0 } = parts
  const isInRange =
    isBetween(year, 1, 9999) &&
    isBetween(month, 1, 12) &&
    isBetween(hour, 0, 23) &&
    isBetween(minute, 0, 59) &&
    isBetween(second, 0, 59) &&
    isBetween(offsetMinutes, -24 * 60 + 1, 24 * 60 - 1)
  if (!isInRange) return undefined
  const daysInMonth = lastDayOf(year, month)
  // Only a written day can be invalid: today's day is clamped to a shorter month.
  const day = parts.day ?? Math.min(now.getUTCDate(), daysInMonth)
  if (!isBetween(day, 1, daysInMonth)) return undefined
  const instant = new Date(0)
  instant.setUTCFullYear(year, month - 1, day)
  instant.setUTCHours(hour, minute - offsetMinutes, second, milliseconds)
  return isBetween(instant.getUTCFullYear(), 1, 9999) ? instant : undefined
}

/** Minutes east of UTC of `Z`, `+02`, `+0200` or `+02:00`. */
export function readOffset(offset: string): number {
  if (offset === 'Z' || offset === 'z') return 0
  const digits = offset.slice(1).replace(':', '')
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2) || 0)
  return offset.startsWith('-') ? -minutes : minutes
}

function isBetween(value: number, low: number, high: number): boolean {
  return value >= low && value <= high
}

function lastDayOf(year: number, month: number): number {
  const date = new Date(0)
  date.setUTCFullYear(year, month, 0)
  return date.getUTCDate()
}
