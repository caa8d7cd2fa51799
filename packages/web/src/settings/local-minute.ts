/** UNIX seconds as the value of a field for date and time, in the reader's zone. */
export function toLocalMinute(seconds: number): string {
  const date = new Date(seconds * 1000)
  const pad = (number: number): string => String(number).padStart(2, '0')
  const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`
  return `${day}T${pad(date.getHours())}:${pad(date.getMinutes())}`
}

/** The UNIX seconds of such a field. */
export function fromLocalMinute(text: string): number {
  return Math.floor(new Date(text).getTime() / 1000)
}
