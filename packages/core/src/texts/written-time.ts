import { english, type TextWriter } from './translator.js'

/** A time in UTC, as it is written in a language. */
export function writtenTime({ locale }: Pick<TextWriter, 'locale'>, seconds: number): string {
  const date = new Date(seconds * 1000)
  const plain = `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  if (locale === english) return plain
  try {
    const format = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const
    return `${new Intl.DateTimeFormat(locale, format).format(date)} UTC`
  } catch {
    // A tag of the application that Intl refuses.
    return plain
  }
}
