/** JSON in which a bigint is a number with all of its digits. */
export function exactJson(value: unknown): string {
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) return `[${value.map(exactJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).filter(([, item]) => item !== undefined)
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${exactJson(item)}`).join(',')}}`
}
