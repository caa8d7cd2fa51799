import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
/** Said explicitly: a shorter tag, which Node would take as well, can be guessed. */
const authTagLength = 16

/**
 * Encrypts short texts that the server must be able to read again, such as API keys, so that a
 * copy of the database alone gives nothing away. AES-256-GCM with a key derived from the secret.
 */
export class SealedBox {
  readonly #key: Buffer

  constructor(secret: string, purpose: string) {
    this.#key = Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))
  }

  /** Base64url of nonce, tag and ciphertext. */
  seal(text: string): string {
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv(algorithm, this.#key, nonce, { authTagLength })
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
  }

  /** @throws {Error} if the text was sealed with another secret, or changed since. */
  open(sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64url')
    const nonce = bytes.subarray(0, nonceBytes)
    const textStart = nonceBytes + authTagLength
    const decipher = createDecipheriv(algorithm, this.#key, nonce, { authTagLength })
    decipher.setAuthTag(bytes.subarray(nonceBytes, textStart))
    const text = [decipher.update(bytes.subarray(textStart)), decipher.final()]
    return Buffer.concat(text).toString('utf8')
  }
}
