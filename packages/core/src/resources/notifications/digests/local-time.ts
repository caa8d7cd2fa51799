const secondsPerDay = 86_400

/**
 * When it is a full hour of a day in a time zone, in Unix seconds. If clocks
 * are put forward and skip the hour, it is up to an hour before or after that.
 *
 * @param day days since 1 January 1970.
 * @param timeZone of the IANA database; an unknown one counts as UTC.
 */
export function localHourSeconds(day: number, hour: number, timeZone: string): number {
  const wanted = day * secondsPerDay + hour * 3600
  const format = formatOf(timeZone)
  if (format === undefined) return wanted
  // The offset of the moment that is found may be another one than that of the first guess.
  const first = wanted - offsetSeconds(format, wanted)
  return wanted - offsetSeconds(format, first)
}

function formatOf(timeZone: string): Intl.DateTimeFormat | undefined {
  if (timeZone === '' || timeZone === 'UTC') return undefined
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  } catch {
    // The engine throws a RangeError for an unknown zone.
    return undefined
  }
}

/** By how much local time is ahead of UTC. */
function offsetSeconds(format: Intl.DateTimeFormat, seconds: number): number {
  const parts = new Map(
    format.formatToParts(new Date(seconds * 1000)).map(({ type, value }) => [type, Number(value)]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0
  const local = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  )
  return local / 1000 - seconds
}
