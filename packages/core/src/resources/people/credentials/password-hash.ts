/** Cost parameters of scrypt (RFC 7914): `logN` is the binary logarithm of N. */
export interface ScryptCost {
  readonly scheme: 'scrypt'
  readonly logN: number
  readonly r: number
  readonly p: number
}

/** Cost parameters of Argon2id (RFC 9106), version 1.3. */
export interface Argon2idCost {
  readonly scheme: 'argon2id'
  readonly memoryKibibytes: number
  readonly passes: number
  readonly lanes: number
}

export type HashCost = ScryptCost | Argon2idCost

/** The parts of a stored hash. */
export interface PasswordHash {
  readonly cost: HashCost
  readonly salt: Buffer
  readonly key: Buffer
}

/** OWASP's minimum for scrypt: N = 2^17, which takes 128 MiB per hash. */
export const scryptCost: ScryptCost = { scheme: 'scrypt', logN: 17, r: 8, p: 1 }
/** The first of OWASP's equivalent settings for Argon2id: 46 MiB per hash. */
export const argon2idCost: Argon2idCost = {
  scheme: 'argon2id',
  memoryKibibytes: 47_104,
  passes: 1,
  lanes: 1,
}

export const keyBytes = 32
export const saltBytes = 16
/** A stored hash that needs more memory is not verified. */
const maxMemoryKibibytes = 262_144

/** Writes a hash as a PHC string, such as `$scrypt$ln=17,r=8,p=1$salt$key`. */
export function formatPasswordHash({ cost, salt, key }: PasswordHash): string {
  const parameters =
    cost.scheme === 'scrypt'
      ? `ln=${cost.logN},r=${cost.r},p=${cost.p}`
      : `v=19$m=${cost.memoryKibibytes},t=${cost.passes},p=${cost.lanes}`
  return `$${cost.scheme}$${parameters}$${b64(salt)}$${b64(key)}`
}

/** @returns undefined if the hash has another format, or its parameters are out of range. */
export function parsePasswordHash(phc: string): PasswordHash | undefined {
  const [, scheme, ...parts] = phc.split('$')
  if (scheme === 'argon2id' && parts.shift() !== 'v=19') return undefined
  const [parameters, salt, key] = parts
  if (parameters === undefined || salt === undefined || key === undefined) return undefined
  if (parts.length !== 3) return undefined
  const cost = parseCost(scheme, parameters)
  const keyBuffer = Buffer.from(key, 'base64')
  if (cost === undefined || keyBuffer.length !== keyBytes) return undefined
  return { cost, salt: Buffer.from(salt, 'base64'), key: keyBuffer }
}

/** Whether `cost` is lower than `target`, of the same scheme, in any of the parameters. */
export function isCheaper(cost: HashCost, target: HashCost): boolean {
  if (cost.scheme === 'scrypt' && target.scheme === 'scrypt') {
    return cost.logN < target.logN || cost.r < target.r || cost.p < target.p
  }
  if (cost.scheme === 'argon2id' && target.scheme === 'argon2id') {
    return (
      cost.memoryKibibytes < target.memoryKibibytes ||
      cost.passes < target.passes ||
      cost.lanes < target.lanes
    )
  }
  return false
}

function parseCost(scheme: string | undefined, text: string): HashCost | undefined {
  const values = new Map(
    text.split(',').map((pair): [string, number] => {
      const [name = '', value] = pair.split('=')
      return [name, Number(value)]
    }),
  )
  const within = (name: string, minimum: number, maximum: number): number | undefined => {
    const value = values.get(name)
    return value !== undefined && Number.isInteger(value) && value >= minimum && value <= maximum
      ? value
      : undefined
  }
  if (values.size !== 3) return undefined
  if (scheme === 'scrypt') {
    const [logN, r, p] = [within('ln', 1, 21), within('r', 1, 63), within('p', 1, 15)]
    if (logN === undefined || r === undefined || p === undefined) return undefined
    return (2 ** logN * r) / 8 <= maxMemoryKibibytes ? { scheme, logN, r, p } : undefined
  }
  if (scheme !== 'argon2id') return undefined
  const memoryKibibytes = within('m', 8, maxMemoryKibibytes)
  const [passes, lanes] = [within('t', 1, 16), within('p', 1, 16)]
  if (memoryKibibytes === undefined || passes === undefined || lanes === undefined) return undefined
  return { scheme, memoryKibibytes, passes, lanes }
}

function b64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}
