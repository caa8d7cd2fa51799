import { createHash } from 'node:crypto'

const hashLength = 12

/** The name itself, or its beginning and a hash of the whole. */
export function fitName(name: string, maxLength: number): string {
  if (name.length <= maxLength) return name
  const hash = createHash('sha256').update(name).digest('hex').slice(0, hashLength)
  return `${name.slice(0, maxLength - hashLength - 1)}_${hash}`
}
