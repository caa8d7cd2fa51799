import { createPublicKey, diffieHellman, generateKeyPairSync } from 'node:crypto'

import { hsalsa, xsalsa20poly1305 } from '@noble/ciphers/salsa.js'
import { blake2b } from '@noble/hashes/blake2.js'

const keyBytes = 32
/** "expand 32-byte k", the constant of Salsa20 with a key of that length. */
const sigma = wordsOf(new TextEncoder().encode('expand 32-byte k'))

/**
 * Encrypts for whoever has the private key, and says nothing of who did: the anonymous box of
 * NaCl (`crypto_box_seal`). X25519 with a key pair of its own, XSalsa20-Poly1305, and a nonce that
 * is the BLAKE2b hash of both public keys.
 *
 * @param publicKey base64 of 32 bytes.
 * @returns base64.
 * @throws {Error} if the key is none.
 */
export function sealedBox(text: string, publicKey: string): string {
  const theirs = Buffer.from(publicKey, 'base64')
  if (theirs.length !== keyBytes) throw new Error('The public key has not 32 bytes')
  const pair = generateKeyPairSync('x25519')
  const ours = Buffer.from(pair.publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
  const sharedPoint = diffieHellman({
    privateKey: pair.privateKey,
    publicKey: createPublicKey({
      key: { kty: 'OKP', crv: 'X25519', x: theirs.toString('base64url') },
      format: 'jwk',
    }),
  })
  const nonce = blake2b(Buffer.concat([ours, theirs]), { dkLen: 24 })
  const box = xsalsa20poly1305(boxKey(sharedPoint), nonce)
  return Buffer.concat([ours, box.encrypt(new TextEncoder().encode(text))]).toString('base64')
}

/** A point of the curve is not uniformly random; HSalsa20 makes a key of it. */
function boxKey(sharedPoint: Uint8Array): Uint8Array {
  const key = new Uint32Array(keyBytes / 4)
  hsalsa(sigma, wordsOf(sharedPoint), new Uint32Array(4), key)
  return new Uint8Array(key.buffer)
}

/** The same bytes at an address that words may have. */
function wordsOf(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(Uint8Array.from(bytes).buffer)
}
