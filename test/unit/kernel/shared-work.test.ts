import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'

import { addressKey } from '../../../packages/core/src/kernel/limit-keys.js'
import { SharedWork, TooMuchWorkError } from '../../../packages/core/src/kernel/shared-work.js'

/** Work that ends when the test ends it. */
class Controlled {
  readonly started: string[] = []
  readonly refused: string[] = []
  readonly #ends = new Map<string, () => void>()
  readonly #work = new SharedWork({ maxRunning: 3, maxRunningPerKey: 2, maxWaiting: 4 })

  add(name: string): void {
    const key = addressKey(`192.0.2.${name.charCodeAt(0)}`)
    const work = (): Promise<void> => {
      this.started.push(name)
      return new Promise((resolve) => this.#ends.set(name, resolve))
    }
    this.#work.run(key, work).catch((error: unknown) => {
      assert.ok(error instanceof TooMuchWorkError)
      this.refused.push(name)
    })
  }

  async end(name: string): Promise<void> {
    this.#ends.get(name)?.()
    await setImmediate()
  }
}

describe('SharedWork', () => {
  it('leaves slots to others, however much one client asks for', async () => {
    const work = new Controlled()
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1']) work.add(name)
    assert.deepEqual(work.started, ['a1', 'a2', 'b1'])

    await work.end('b1')
    assert.deepEqual(work.started, ['a1', 'a2', 'b1'])
    await work.end('a1')
    assert.deepEqual(work.started, ['a1', 'a2', 'b1', 'a3'])
  })

  it('takes turns between the clients that wait', async () => {
    const work = new Controlled()
    for (const name of ['a1', 'a2', 'b1', 'a3', 'a4', 'c1', 'b2']) work.add(name)

    for (const name of ['b1', 'a1', 'c1', 'a2']) await work.end(name)

    assert.deepEqual(work.started, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
  })

  it('refuses work of the client that has the most waiting, if too much waits', async () => {
    const work = new Controlled()
    for (const name of ['a1', 'a2', 'b1', 'a3', 'a4', 'a5', 'a6', 'c1', 'a7']) work.add(name)
    await setImmediate()

    assert.deepEqual(work.refused, ['a6', 'a7'])
  })
})
