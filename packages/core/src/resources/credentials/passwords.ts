import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

import { ChatError } from '../../errors/index.js'

/** Cost parameters of scrypt; about 60 ms and 64 MiB a hash (OWASP's minimum for scrypt). */
const cost = { logN: 16, r: 8, p: 1 } as const
/** Nothing longer was ever hashed; normalizing megabytes would hold up everybody else. */
const maxLength = 1000
const keyBytes = 32
const saltBytes = 16
const maxConcurrent = 2
/** Whoever comes after so many would wait more than about two seconds. */
const maxWaiting = 60

/**
 * Hashes passwords with scrypt into PHC strings (`$scrypt$ln=16,r=8,p=1$salt$hash`).
 * A bounded number at a time: each takes a thread of the pool that files and DNS need too. The
 * others wait for their turn, a bounded number too, so that a flood of logins is refused before it
 * takes all memory and makes everyone wait for ever.
 */
export class PasswordHasher {
  #running = 0
  readonly #waiting: (() => void)[] = []

  /** @throws {ChatError} `SERVICE_UNAVAILABLE` if too many are waiting. */
  requireRoom(): void {
    if (this.#waiting.length >= maxWaiting) throw new ChatError('SERVICE_UNAVAILABLE')
  }

  /** @throws {ChatError} `SERVICE_UNAVAILABLE` if too many are waiting. */
  async hash(password: string): Promise<string> {
    this.requireRoom()
    return this.hashInTurn(password)
  }

  /** The same however many are waiting, for those who hash a few at a time. */
  async hashInTurn(password: string): Promise<string> {
    const salt = randomBytes(saltBytes)
    const key = await this.#derive(password, salt, cost)
    return `$scrypt$ln=${cost.logN},r=${cost.r},p=${cost.p}$${b64(salt)}$${b64(key)}`
  }

  /**
   * Takes the same time whether or not there is a hash to compare with.
   *
   * @throws {ChatError} `SERVICE_UNAVAILABLE` if too many are waiting.
   */
  async verify(password: string, phc: string | null): Promise<boolean> {
    this.requireRoom()
    const parsed = phc === null ? undefined : parsePhc(phc)
    const { salt, key, ...parameters } = parsed ?? {
      ...cost,
      salt: Buffer.alloc(saltBytes),
      key: Buffer.alloc(keyBytes),
    }
    const isTooLong = password.length > maxLength
    const derived = await this.#derive(isTooLong ? '' : password, salt, parameters)
    return timingSafeEqual(derived, key) && parsed !== undefined && !isTooLong
  }

  /** Whether a stored hash is one that {@link verify} can compare with; another system's is not. */
  canVerify(phc: string): boolean {
    return parsePhc(phc) !== undefined
  }

  /** Whether a stored hash was made with weaker parameters than today's. */
  needsRehash(phc: string): boolean {
    const parsed = parsePhc(phc)
    return parsed === undefined || parsed.logN < cost.logN || parsed.r < cost.r
  }

  async #derive(
    password: string,
    salt: Buffer,
    { logN, r, p }: { logN: number; r: number; p: number },
  ): Promise<Buffer> {
    await this.#enter()
    try {
      return await new Promise<Buffer>((resolve, reject) => {
        const options = { N: 2 ** logN, r, p, maxmem: 256 * 2 ** logN * r }
        scrypt(password.normalize('NFKC'), salt, keyBytes, options, (error, key) => {
          if (error === null) resolve(key)
          else reject(error)
        })
      })
    } finally {
      this.#leave()
    }
  }

  async #enter(): Promise<void> {
    if (this.#running >= maxConcurrent) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    } else this.#running += 1
  }

  /** Hands the place over to whoever has waited longest. */
  #leave(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#running -= 1
    else next()
  }
}

function b64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}

function parsePhc(
  phc: string,
): { logN: number; r: number; p: number; salt: Buffer; key: Buffer } | undefined {
  const [, scheme, parameters, salt, key] = phc.split('$')
  if (scheme !== 'scrypt' || parameters === undefined || salt === undefined || key === undefined) {
    return undefined
  }
  const values = Object.fromEntries(parameters.split(',').map((pair) => pair.split('=')))
  const [logN, r, p] = [Number(values['ln']), Number(values['r']), Number(values['p'])]
  const keyBuffer = Buffer.from(key, 'base64')
  if (!(logN > 0 && logN < 22 && r > 0 && r < 64 && p > 0 && p < 16)) return undefined
  if (keyBuffer.length !== keyBytes) return undefined
  return { logN, r, p, salt: Buffer.from(salt, 'base64'), key: keyBuffer }
}
