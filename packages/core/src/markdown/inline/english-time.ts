import { readOffset, type TimeParts } from './time-parts.js'

const monthNames = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const longMonthNames =
  'january february march april may june july august september october november december'.split(' ')
const weekdays = new Set(
  'mon tue tues wed thu thur thurs fri sat sun monday tuesday wednesday thursday friday saturday sunday'.split(
    ' ',
  ),
)
const fillers = new Set(['at', 'on', 'of', 'the', 'and', 'st', 'nd', 'rd', 'th'])

/** Zone abbreviations in their most common meaning, in hours east of UTC. */
const zoneHours: ReadonlyMap<string, number> = new Map([
  ...Object.entries({ utc: 0, gmt: 0, z: 0, wet: 0, west: 1, bst: 1, cet: 1, cest: 2, eet: 2 }),
  ...Object.entries({ eest: 3, msk: 3, ist: 5.5, sgt: 8, hkt: 8, awst: 8, jst: 9, kst: 9 }),
  ...Object.entries({ acst: 9.5, aest: 10, aedt: 11, nzst: 12, nzdt: 13, nst: -3.5 }),
  ...Object.entries({ ast: -4, edt: -4, est: -5, cdt: -5, cst: -6, mdt: -6, mst: -7 }),
  ...Object.entries({ pdt: -7, pst: -8, akdt: -8, akst: -9, hst: -10 }),
])

// Each alternative begins with a different kind of character, so the split is unambiguous.
const token =
  /[0-9]{1,2}(?::[0-9]{2}){1,2}(?:\.[0-9]{1,6})?|[0-9]+|[a-z]+|[+-][0-9]{2}:?[0-9]{2}|[^\s]/g
const separators = new Set([',', '.', '/', '-'])

/**
 * Parses an English date and time in most orders ("Apr 9 2031 6:30 pm PST", "9 April", "4/9/2031").
 * Of two numbers, the first is the month if it can be one. `undefined` for any text with an unknown
 * word or sign.
 */
export function readEnglishTime(text: string): TimeParts | undefined {
  const reader = new EnglishTimeReader()
  for (const word of text.toLowerCase().match(token) ?? []) {
    if (!reader.read(word)) return undefined
  }
  return reader.finish()
}

class EnglishTimeReader {
  private readonly parts: TimeParts = {}
  private readonly numbers: number[] = []
  private isHourLoose = false

  /** Whether `word` is valid after the words so far. */
  read(word: string): boolean {
    if (separators.has(word) || fillers.has(word) || weekdays.has(word)) return true
    if (word.includes(':') && /^[0-9]/.test(word)) return this.readClock(word)
    if (/^[0-9]+$/.test(word)) return this.readNumber(word)
    if (word === 'am' || word === 'pm') return this.readHalf(word)
    if (/^[+-]/.test(word)) {
      this.parts.offsetMinutes = readOffset(word)
      return this.parts.hour !== undefined
    }
    const month = Math.max(monthNames.indexOf(word), longMonthNames.indexOf(word))
    if (month >= 0 || word === 'sept') {
      this.parts.month = month >= 0 ? month + 1 : 9
      return true
    }
    const hours = zoneHours.get(word)
    if (hours === undefined) return word === 't' && this.numbers.length > 0
    this.parts.offsetMinutes = hours * 60
    return true
  }

  finish(): TimeParts | undefined {
    const rest = [...this.numbers]
    if (this.parts.year === undefined) {
      const long = rest.findIndex((number) => number > 31)
      if (long !== -1) this.parts.year = toFullYear(rest.splice(long, 1)[0]!)
    }
    if (this.parts.month === undefined && rest.length > 1) {
      const first = rest[0]!
      this.parts.month = first > 12 ? rest.splice(1, 1)[0]! : rest.shift()!
    }
    if (rest.length > 0) this.parts.day = rest.shift()!
    if (rest.length > 0 && this.parts.year === undefined)
      this.parts.year = toFullYear(rest.shift()!)
    const hasAny = Object.keys(this.parts).some((key) => key !== 'offsetMinutes')
    return rest.length === 0 && hasAny ? this.parts : undefined
  }

  private readClock(word: string): boolean {
    const [hour, minute, second] = word.split(':').map(Number)
    this.parts.hour = hour!
    this.parts.minute = minute!
    if (second !== undefined) {
      this.parts.second = Math.trunc(second)
      this.parts.milliseconds = Math.trunc((second % 1) * 1000)
    }
    return true
  }

  private readNumber(word: string): boolean {
    const isYear = word.length === 4
    if (isYear) this.parts.year = Number(word)
    else this.numbers.push(Number(word))
    this.isHourLoose = !isYear
    return isYear || word.length <= 2
  }

  private readHalf(half: string): boolean {
    // "6 pm": the number right before is the hour, not part of the date.
    if (this.parts.hour === undefined) {
      const hour = this.isHourLoose ? this.numbers.pop() : undefined
      if (hour === undefined) return false
      this.parts.hour = hour
    }
    const { hour } = this.parts
    if (hour > 12) return false
    this.parts.hour = (hour % 12) + (half === 'pm' ? 12 : 0)
    return true
  }
}

/** A two-digit year is in 1970 to 2069. */
function toFullYear(year: number): number {
  if (year > 99) return year
  return year < 70 ? 2000 + year : 1900 + year
}
