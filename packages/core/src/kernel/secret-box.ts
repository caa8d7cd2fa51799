import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
/** Set explicitly: Node would also accept a shorter tag, which can be guessed. */
const authTagLength = 16

/** Prefix of the id of the secret in an encrypted text. */
export const secretIdMark = '~'
/** Separates the id of the secret from the rest; not a character of Base64url. */
const secretIdEnd = '.'
const secretIdBytes = 6
const sealedPattern = /^~([\w-]+)\.(.+)$/

/** Thrown for a text that was encrypted with a secret that is not available. */
export class UnknownSecretError extends Error {
  constructor(readonly secretId: string) {
    super(`A value is sealed under the secret with the id ${secretId}, which was not given`)
  }
}

/**
 * A short id of a secret. It reveals nothing about the secret, and is not the key of any
 * {@link SecretBox}.
 */
export function secretIdOf(secret: string): string {
  return Buffer.from(hkdfSync('sha256', secret, '', 'secret id', secretIdBytes)).toString(
    'base64url',
  )
}

/** The prefix of every text that was encrypted with the secret of this id. */
export function sealedPrefix(secretId: string): string {
  return `${secretIdMark}${secretId}${secretIdEnd}`
}

/** The id of the secret that encrypted a text; undefined if it is not an encrypted text. */
export function secretIdIn(sealed: string): string | undefined {
  return sealedPattern.exec(sealed)?.[1]
}

/** Sorts after every text that was encrypted with the secret of this id, and before all others. */
export function afterSealed(secretId: string): string {
  return `${secretIdMark}${secretId}/`
}

/**
 * Encrypts short texts that the server must be able to decrypt, such as API keys, so that a copy of
 * the database alone does not reveal them. AES-256-GCM with a key derived from the secret.
 */
export class SecretBox {
  readonly #keys = new Map<string, Buffer>()
  readonly #prefix: string
  readonly #key: Buffer

  /**
   * @param secret encrypts and decrypts.
   * @param others decrypt only.
   * @param purpose texts that were encrypted for another purpose cannot be decrypted.
   */
  constructor(secret: string, others: readonly string[], purpose: string) {
    const keyOf = (one: string) => Buffer.from(hkdfSync('sha256', one, '', purpose, 32))
    this.#key = keyOf(secret)
    this.#prefix = sealedPrefix(secretIdOf(secret))
    this.#keys.set(secretIdOf(secret), this.#key)
    for (const other of others) this.#keys.set(secretIdOf(other), keyOf(other))
  }

  /** The id of the secret, then Base64url of nonce, tag and ciphertext. */
  seal(text: string): string {
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv(algorithm, this.#key, nonce, { authTagLength })
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return this.#prefix + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
  }

  /**
   * @throws {UnknownSecretError} if the text was encrypted with a secret that is not available.
   * @throws {Error} if the text was modified, or is not an encrypted text.
   */
  open(sealed: string): string {
    const found = sealedPattern.exec(sealed)
    if (found === null) throw new Error('The text is not an encrypted text')
    const [, secretId = '', text = ''] = found
    const key = this.#keys.get(secretId)
    if (key === undefined) throw new UnknownSecretError(secretId)
    return decrypt(text, key)
  }
}

function decrypt(sealed: string, key: Buffer): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const nonce = bytes.subarray(0, nonceBytes)
  const textStart = nonceBytes + authTagLength
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength })
  decipher.setAuthTag(bytes.subarray(nonceBytes, textStart))
  const text = [decipher.update(bytes.subarray(textStart)), decipher.final()]
  return Buffer.concat(text).toString('utf8')
}
