import * as crypto from 'node:crypto'

import { keyBytes, type Argon2idCost } from './password-hash.js'

/** Derives the key of a password off the event loop. */
export type DeriveArgon2id = (password: string, salt: Buffer, cost: Argon2idCost) => Promise<Buffer>

/** An implementation of Argon2id, and where it comes from. */
export interface Argon2id {
  readonly derive: DeriveArgon2id
  readonly isPeer: boolean
}

/** `crypto.argon2` of Node.js 24.7 and later, which the types of Node.js 20 do not have. */
type NodeArgon2 = (
  algorithm: 'argon2id',
  parameters: {
    readonly message: string
    readonly nonce: Buffer
    readonly parallelism: number
    readonly tagLength: number
    readonly memory: number
    readonly passes: number
  },
  callback: (error: Error | null, key: Buffer) => void,
) => void

/**
 * @returns the implementation of the optional peer `@node-rs/argon2`, otherwise that of Node.js, or
 *   undefined if there is neither.
 */
export async function loadArgon2id(): Promise<Argon2id | undefined> {
  return (await peerArgon2id()) ?? nodeArgon2id()
}

async function peerArgon2id(): Promise<Argon2id | undefined> {
  try {
    const { hashRaw } = await import('@node-rs/argon2')
    return {
      isPeer: true,
      derive: async (password, salt, { memoryKibibytes, passes, lanes }) =>
        hashRaw(password, {
          salt,
          memoryCost: memoryKibibytes,
          timeCost: passes,
          parallelism: lanes,
          outputLen: keyBytes,
        }),
    }
  } catch {
    return undefined
  }
}

/** @returns undefined before Node.js 24.7. */
export function nodeArgon2id(): Argon2id | undefined {
  const argon2: unknown = Reflect.get(crypto, 'argon2')
  if (!isNodeArgon2(argon2)) return undefined
  return {
    isPeer: false,
    derive: async (message, nonce, { memoryKibibytes, passes, lanes }) =>
      new Promise((resolve, reject) => {
        const parameters = {
          message,
          nonce,
          parallelism: lanes,
          tagLength: keyBytes,
          memory: memoryKibibytes,
          passes,
        }
        argon2('argon2id', parameters, (error, key) => {
          if (error === null) resolve(key)
          else reject(error)
        })
      }),
  }
}

function isNodeArgon2(value: unknown): value is NodeArgon2 {
  return typeof value === 'function'
}
