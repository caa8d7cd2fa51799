import { createPublicKey, diffieHellman, generateKeyPairSync } from 'node:crypto'

import { hsalsa, xsalsa20poly1305 } from '@noble/ciphers/salsa.js'
import { blake2b } from '@noble/hashes/blake2.js'

const keyBytes = 32
/** "expand 32-byte k": the constant of Salsa20 with a key of that length. */
const sigma = wordsOf(new TextEncoder().encode('expand 32-byte k'))

/**
 * Encrypts a text for the owner of a private key, without authenticating the sender: NaCl's sealed
 * box (`crypto_box_seal`). X25519 with an ephemeral key pair, XSalsa20-Poly1305, and a nonce that
 * is the BLAKE2b hash of both public keys.
 *
 * @param publicKey base64 of 32 bytes.
 * @returns base64.
 * @throws {Error} if the key is not a valid X25519 public key of 32 bytes.
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

/** Derives a uniformly random key from a point of the curve with HSalsa20. */
function boxKey(sharedPoint: Uint8Array): Uint8Array {
  const key = new Uint32Array(keyBytes / 4)
  hsalsa(sigma, wordsOf(sharedPoint), new Uint32Array(4), key)
  return new Uint8Array(key.buffer)
}

/** Copies the bytes, because a `Uint32Array` needs an aligned offset. */
function wordsOf(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(Uint8Array.from(bytes).buffer)
}
