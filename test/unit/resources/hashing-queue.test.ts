import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'

import { ChatError } from '../../../packages/core/src/errors/index.js'
import { textKey } from '../../../packages/core/src/kernel/limit-keys.js'
import {
  applicationClient,
  HashingQueue,
  type HashingClient,
} from '../../../packages/core/src/resources/people/credentials/hashing-queue.js'

const other = (key: string): HashingClient => ({ lane: 'other', key: textKey(key) })
const known = (key: string): HashingClient => ({ lane: 'known', key: textKey(key) })

/** A queue whose jobs end when the test ends them. */
class Controlled {
  readonly queue: HashingQueue
  /** The names of the jobs, in the order of their start. */
  readonly started: string[] = []
  readonly refused: string[] = []
  readonly #running: (() => void)[] = []
  readonly #settled: Promise<void>[] = []

  constructor(maxRunning: number, maxWaiting: number) {
    this.queue = new HashingQueue({ maxRunning, maxWaiting })
  }

  add(client: HashingClient | typeof applicationClient, name: string): void {
    const job = async (): Promise<void> => {
      this.started.push(name)
      await new Promise<void>((resolve) => this.#running.push(resolve))
    }
    const settled = this.queue.run(client, job).catch((error: unknown) => {
      assert.ok(error instanceof ChatError && error.kind === 'RATE_LIMIT_HIT', String(error))
      assert.equal(error.fields['retry-after'], 2)
      this.refused.push(name)
    })
    this.#settled.push(settled)
  }

  /** Ends one job after the other, in the order of their start. */
  async drain(): Promise<void> {
    const all = Promise.all(this.#settled).then(() => true)
    const isDone = (): Promise<boolean> => Promise.race([all, setImmediate(false)])
    while (!(await isDone())) this.#running.shift()?.()
  }
}

describe('HashingQueue', () => {
  it('runs up to the concurrency limit', async () => {
    const at = new Controlled(2, 10)
    for (const name of ['a', 'b', 'c']) at.add(other(name), name)
    await setImmediate()

    assert.deepEqual(at.started, ['a', 'b'])
    await at.drain()
    assert.deepEqual(at.started, ['a', 'b', 'c'])
  })

  it('starts one job of each address before a second one of any', async () => {
    const at = new Controlled(1, 60)
    for (let index = 0; index < 5; index += 1) at.add(other('flood'), `flood ${index}`)
    at.add(other('right'), 'right')
    at.add(other('third'), 'third')

    await at.drain()

    assert.deepEqual(at.started.slice(0, 4), ['flood 0', 'flood 1', 'right', 'third'])
  })

  it('prioritizes known addresses and the application over floods from many others', async () => {
    const at = new Controlled(1, 60)
    for (let index = 0; index < 60; index += 1) at.add(other(`bot ${index}`), `bot ${index}`)
    at.add(known('home'), 'home')
    at.add(applicationClient, 'file')

    await at.drain()

    assert.deepEqual(new Set(at.started.slice(1, 4)), new Set(['home', 'file', 'bot 1']))
    assert.deepEqual(at.refused, [])
  })

  it('rejects jobs beyond its bound, first those of the address with the most jobs', async () => {
    const at = new Controlled(1, 4)
    for (let index = 0; index < 6; index += 1) at.add(other('flood'), `flood ${index}`)
    at.add(other('right'), 'right')
    at.add(other('second'), 'second')
    at.add(other('third'), 'third')
    at.add(other('fourth'), 'fourth')

    await at.drain()

    assert.deepEqual(at.refused, ['flood 5', 'flood 4', 'flood 3', 'flood 2', 'fourth'])
    assert.deepEqual(at.started, ['flood 0', 'flood 1', 'right', 'second', 'third'])
  })

  it('never rejects the application, and frees the slot after a failure', async () => {
    const at = new Controlled(1, 0)
    at.add(other('a'), 'a')
    at.add(other('b'), 'b')
    for (let index = 0; index < 3; index += 1) at.add(applicationClient, `file ${index}`)
    await at.drain()

    assert.deepEqual(at.refused, ['b'])
    assert.deepEqual(at.started, ['a', 'file 0', 'file 1', 'file 2'])
    await assert.rejects(
      at.queue.run(other('c'), async () => {
        throw new Error('failed')
      }),
      /failed/,
    )
    assert.equal(await at.queue.run(other('d'), async () => 'done'), 'done')
  })
})
