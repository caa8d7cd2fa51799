import { now } from '../timers.js'

const daySeconds = 86_400

let language: string | undefined
let hourCycle: 'h23' | undefined
let formats: Record<'clock' | 'day' | 'dayOfYear' | 'full', Intl.DateTimeFormat> | undefined

/** Whether times are those of 24 hours. @default as usual in the language */
export function use24Hours(isOn: boolean): void {
  const cycle = isOn ? 'h23' : undefined
  if (cycle !== hourCycle) formats = undefined
  hourCycle = cycle
}

function formatsOf(): NonNullable<typeof formats> {
  const wanted = document.documentElement.lang || undefined
  if (formats !== undefined && language === wanted) return formats
  language = wanted
  formats = {
    clock: formatOf(clockOptions()),
    day: formatOf({ weekday: 'long', day: 'numeric', month: 'long' }),
    dayOfYear: formatOf({ day: 'numeric', month: 'long', year: 'numeric' }),
    full: formatOf({ dateStyle: 'full', timeStyle: 'short', hourCycle }),
  }
  return formats
}

function clockOptions(): Intl.DateTimeFormatOptions {
  return { hour: 'numeric', minute: '2-digit', hourCycle }
}

function formatOf(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(language, options)
}

/**
 * The time of day.
 *
 * @param timeZone by default the reader's.
 * @throws {RangeError} if the browser does not know the zone.
 */
export function clockTime(seconds: number, timeZone?: string): string {
  const { clock } = formatsOf()
  if (timeZone === undefined) return clock.format(seconds * 1000)
  return formatOf({ ...clockOptions(), timeZone }).format(seconds * 1000)
}

export function localTime(seconds: number): string {
  return formatsOf().full.format(seconds * 1000)
}

/** The day as a heading, such as "Today". */
export function dayName(seconds: number): string {
  const today = startOfDay(now() / 1000)
  const distance = Math.round((startOfDay(seconds) - today) / daySeconds)
  if (distance === 0 || distance === -1) {
    const text = new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(distance, 'day')
    return text.charAt(0).toUpperCase() + text.slice(1)
  }
  const isNear = Math.abs(distance) < 300
  return (isNear ? formatsOf().day : formatsOf().dayOfYear).format(seconds * 1000)
}

/** UNIX seconds of midnight in the reader's zone. */
export function startOfDay(seconds: number): number {
  const date = new Date(seconds * 1000)
  return date.setHours(0, 0, 0, 0) / 1000
}
