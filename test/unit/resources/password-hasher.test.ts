import assert from 'node:assert/strict'
import { createHash, scryptSync } from 'node:crypto'
import { describe, it } from 'node:test'

import { loadArgon2id } from '../../../packages/core/src/resources/people/credentials/argon2id.js'
import {
  parsePasswordHash,
  scryptCost,
} from '../../../packages/core/src/resources/people/credentials/password-hash.js'
import {
  missingWork,
  PasswordHasher,
  type PasswordHasherOptions,
} from '../../../packages/core/src/resources/people/credentials/password-hasher.js'
import { addressKey } from '../../../packages/core/src/kernel/limit-keys.js'

const client = { lane: 'other', key: addressKey('192.0.2.1') } as const
const withoutArgon2id = { loadArgon2id: async () => undefined }

const b64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')
const noKey = b64(Buffer.alloc(32))

/** A hash of 'old password' with other parameters than the current ones. */
function scryptHash({ logN = 4, r = 8, p = 1 }): string {
  const salt = Buffer.from('0123456789abcdef')
  const options = { N: 2 ** logN, r, p, maxmem: 256 * 2 ** logN * r }
  const key = scryptSync('old password', salt, 32, options)
  return `$scrypt$ln=${logN},r=${r},p=${p}$${b64(salt)}$${b64(key)}`
}

/** Argon2id as the optional peer dependency, with a fast function in its place. */
const quickArgon2id = (isPeer: boolean): PasswordHasherOptions => ({
  loadArgon2id: async () => ({
    isPeer,
    derive: async (password, salt) => createHash('sha256').update(password).update(salt).digest(),
  }),
})

describe('PasswordHasher', () => {
  it('hashes with the parameters of OWASP for scrypt, and verifies the password', async () => {
    const hasher = new PasswordHasher({ hashing: 'scrypt' })
    const hash = await hasher.hash('correct horse', client)

    assert.match(hash, /^\$scrypt\$ln=17,r=8,p=1\$/)
    assert.equal(await hasher.verify('correct horse', hash, client), true)
    assert.equal(await hasher.verify('wrong', hash, client), false)
    assert.equal(await hasher.needsRehash(hash), false)
  })

  it('uses Argon2id if the peer dependency is installed', async () => {
    const hasher = new PasswordHasher()
    const hash = await hasher.hash('correct horse', client)

    assert.match(hash, /^\$argon2id\$v=19\$m=47104,t=1,p=1\$/)
    assert.equal(await hasher.verify('correct horse', hash, client), true)
    assert.equal(await hasher.verify('wrong', hash, client), false)
    assert.equal(await hasher.needsRehash(hash), false)
  })

  it('verifies a hash that the peer dependency has created', async () => {
    const foreign =
      '$argon2id$v=19$m=19456,t=2,p=1$MDEyMzQ1Njc4OWFiY2RlZg$rk2Mi3E4dgRMg0fHaYaptWVZRKqs//6b6k3/nntqGJk'
    const hasher = new PasswordHasher()

    assert.equal(await hasher.verify('correct horse', foreign, client), true)
    assert.equal(await hasher.verify('wrong', foreign, client), false)
    assert.equal(await hasher.needsRehash(foreign), true)
  })

  it('verifies scrypt hashes of any parameters, and replaces cheaper ones', async () => {
    const hasher = new PasswordHasher({ hashing: 'scrypt' })
    for (const weaker of [{ logN: 4 }, { logN: 10, r: 4, p: 2 }]) {
      const hash = scryptHash(weaker)
      assert.equal(await hasher.verify('old password', hash, client), true, hash)
      assert.equal(await hasher.needsRehash(hash), true, hash)
    }
    for (const [parameters, isCheaper] of [
      ['ln=17,r=8,p=1', false],
      ['ln=17,r=8,p=2', false],
      ['ln=16,r=8,p=1', true],
      ['ln=17,r=4,p=2', true],
    ] as const) {
      assert.equal(await hasher.needsRehash(`$scrypt$${parameters}$c2FsdA$${noKey}`), isCheaper)
    }
    assert.equal(await hasher.needsRehash('pbkdf2_sha256$1000$salt$hash'), true)
  })

  it('replaces the other kind of hash depending on the option', async () => {
    const scrypt17 = `$scrypt$ln=17,r=8,p=1$c2FsdA$${noKey}`
    const argon2id = `$argon2id$v=19$m=47104,t=1,p=1$c2FsdA$${noKey}`
    const rehashes = async (options: PasswordHasherOptions) => {
      const hasher = new PasswordHasher(options)
      const kinds = [scrypt17, argon2id]
      return Promise.all(kinds.map((hash) => hasher.needsRehash(hash)))
    }

    assert.deepEqual(await rehashes(quickArgon2id(true)), [true, false])
    // Node.js has an implementation, but the application has not requested it.
    assert.deepEqual(await rehashes(quickArgon2id(false)), [false, false])
    assert.deepEqual(await rehashes({ ...quickArgon2id(true), hashing: 'scrypt' }), [false, true])
    assert.deepEqual(await rehashes({ ...quickArgon2id(false), hashing: 'argon2id' }), [
      true,
      false,
    ])
  })

  it('fails to start with Argon2id without an implementation', async () => {
    const missing = new PasswordHasher({ ...withoutArgon2id, hashing: 'argon2id' })

    await assert.rejects(missing.prepare(), /install @node-rs\/argon2/)
    await new PasswordHasher(withoutArgon2id).prepare()
    assert.ok(await loadArgon2id())
  })

  it('rejects a password whose hash it cannot verify, and logs that', async () => {
    const lines: unknown[] = []
    const note = (...line: unknown[]) => void lines.push(line)
    const logger = { debug: note, info: note, warn: note, error: note }
    const hasher = new PasswordHasher({ ...withoutArgon2id, logger })

    for (const hash of [
      `$argon2id$v=19$m=47104,t=1,p=1$c2FsdA$${noKey}`,
      'pbkdf2_sha256$1000$salt$hash',
    ]) {
      assert.equal(await hasher.verify('', hash, client), false, hash)
    }

    const text = 'A stored password hash cannot be compared with'
    assert.deepEqual(lines, [
      [text, { scheme: 'argon2id' }],
      [text, { scheme: 'unknown' }],
    ])
  })

  it('rejects a password that is longer than the maximum', async () => {
    const hasher = new PasswordHasher(quickArgon2id(true))
    const empty = await hasher.hash('', client)

    assert.equal(await hasher.verify('', empty, client), true)
    assert.equal(await hasher.verify('x'.repeat(1001), empty, client), false)
  })

  it('does as much work for a cheaper hash as without an account', () => {
    for (const logN of [1, 10, 16, 17]) {
      const costs = [{ ...scryptCost, logN }, ...missingWork({ ...scryptCost, logN }, scryptCost)]

      const work = costs.reduce((sum, cost) => sum + 2 ** cost.logN * cost.r * cost.p, 0)
      assert.equal(work, 2 ** 17 * 8, `${logN}`)
    }
  })

  it('rejects hashes that would use too much memory', () => {
    for (const phc of [
      `$scrypt$ln=21,r=8,p=1$c2FsdA$${noKey}`,
      `$argon2id$v=19$m=4194304,t=1,p=1$c2FsdA$${noKey}`,
      `$scrypt$ln=17,r=8$c2FsdA$${noKey}`,
      `$scrypt$ln=17,r=8,p=x$c2FsdA$${noKey}`,
      `$argon2id$m=19456,t=2,p=1$c2FsdA$${noKey}`,
      `$scrypt$ln=17,r=8,p=1$c2FsdA$dG9vIHNob3J0`,
    ]) {
      assert.equal(parsePasswordHash(phc), undefined, phc)
    }
  })
})
