/**
 * Parses `#` and 3 to 6 hexadecimal digits.
 *
 * @returns `#rrggbb` in lower case, the only form that clients get, or undefined.
 */
export function parseColor(text: string): string | undefined {
  const digits = /^#([0-9a-f]{3,6})$/.exec(text.toLowerCase())?.[1]
  if (digits === undefined) return undefined
  if (digits.length >= 5) return `#${digits.padEnd(6, '0')}`
  // In `#rgb` and `#rgba` every digit counts twice; the alpha channel is ignored.
  return `#${digits.slice(0, 3).replaceAll(/./g, '$&$&')}`
}
