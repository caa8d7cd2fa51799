import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import fc from 'fast-check'
import type { Locator } from 'playwright-core'

import { until } from '../support/waiting.js'
import type { TestPage } from './browser.js'
import { withPages, type ChatPages } from './chat-pages.js'
import { HeldCalls } from './held-calls.js'

const seed = Number(process.env.CHAT_TEST_MODEL_SEED ?? 420)
const runs = Number(process.env.CHAT_TEST_MODEL_RUNS ?? 10)

type Name = 'phone' | 'desk'

interface Device {
  readonly page: TestPage
  readonly field: Locator
  readonly calls: HeldCalls
}

/** Two devices of a user with the same conversation, and what must become of its drafts. */
class Devices {
  readonly sent: string[] = []
  /** The newest text, unless it was sent. */
  #newest: string | undefined
  readonly #writers = new Set<Name>()
  #texts = 0

  constructor(
    readonly at: ChatPages,
    readonly of: Record<Name, Device>,
  ) {}

  async write(by: Name): Promise<void> {
    this.#texts += 1
    const { field } = this.of[by]
    await field.focus()
    const text = `${await field.inputValue()} ${by}${this.#texts}`.trim()
    await field.fill(text)
    this.#newest = text
    this.#writers.add(by)
  }

  async send(by: Name): Promise<void> {
    const { field } = this.of[by]
    const text = await field.inputValue()
    if (text === '') return
    this.sent.push(text)
    await field.press('Enter')
    this.#newest = undefined
    this.#writers.add(by)
  }

  async #stored(): Promise<string[]> {
    const { body } = await this.at.cast.people.alice.get('/drafts')
    return body.drafts.map(({ content }: { content: string }) => content)
  }

  /** @throws {AssertionError} if what was sent is a draft, or what was written is lost. */
  async settle(): Promise<void> {
    const devices = Object.values(this.of)
    for (const device of devices) {
      await device.page.context().setOffline(false)
      device.calls.isOffline = false
      await device.calls.answer()
    }
    const look = async (): Promise<string[]> => {
      const problems: string[] = []
      for (const { page, field } of devices) {
        await field.blur()
        // In small steps, in which answers can come.
        await page.clock.runFor(250)
        const kept = await page.evaluate(() =>
          Object.entries(localStorage)
            .filter(([key]) => key.startsWith('parley-draft'))
            .map(([, text]): string => JSON.parse(text).text),
        )
        for (const text of [...kept, await field.inputValue()]) {
          if (this.sent.includes(text)) problems.push(`in a browser: ${text}`)
        }
      }
      const stored = await this.#stored()
      for (const text of stored) if (this.sent.includes(text)) problems.push(`stored: ${text}`)
      // Of two devices that change a draft at the same moment, the later one has its way.
      const isOnly = this.#newest !== undefined && this.#writers.size === 1
      if (isOnly && !stored.includes(this.#newest ?? '')) problems.push(`lost: ${this.#newest}`)
      return problems
    }
    let problems: readonly string[] = []
    await until('the drafts', async () => (problems = await look()).length === 0, {
      instead: () => problems,
    })
  }
}

interface Step {
  readonly name: string
  run(devices: Devices): Promise<void>
}

const on = (by: Name): readonly Step[] => [
  { name: `${by} writes`, run: async (devices) => devices.write(by) },
  {
    name: `${by} writes and pauses`,
    async run(devices) {
      await devices.write(by)
      const { page, calls } = devices.of[by]
      const { begun } = calls
      await page.clock.runFor(2000)
      // Earlier calls may have to end before that.
      await until('a call', () => calls.begun > begun || calls.isHeld || calls.isOffline)
    },
  },
  { name: `${by} sends`, run: async (devices) => devices.send(by) },
  { name: `${by} gets no answers`, run: async ({ of }) => of[by].calls.hold('answers') },
  { name: `${by} sends slowly`, run: async ({ of }) => of[by].calls.hold('calls') },
  { name: `${by} gets answers`, run: async ({ of }) => of[by].calls.answer() },
  {
    name: `${by} reloads`,
    async run({ of }) {
      if (of[by].calls.isOffline) return
      await of[by].page.reload()
      await of[by].field.waitFor()
    },
  },
  {
    name: `${by} changes its network`,
    async run({ of }) {
      const { page, calls } = of[by]
      calls.isOffline = !calls.isOffline
      await page.context().setOffline(calls.isOffline)
    },
  },
]
const steps = [...on('phone'), ...on('phone').slice(0, 4), ...on('desk'), ...on('desk').slice(0, 2)]

withPages('drafts in any order', (at) => {
  afterEach(() => at.closeWindows())

  let topics = 0
  async function device(hash: string): Promise<Device> {
    const page = await at.open('alice', hash)
    await page.clock.install()
    await page.reload()
    const calls = await HeldCalls.of(page, /\/drafts/)
    const field = page.locator('parley-composer textarea')
    await field.waitFor()
    return { page, field, calls }
  }

  it('keep what is written, and never what is sent', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...steps.map(({ name }) => name)), {
          minLength: 4,
          maxLength: 20,
        }),
        async (order) => {
          topics += 1
          const hash = `#narrow/channel/${at.cast.channels.general}/topic/order${topics}`
          const devices = new Devices(at, { phone: await device(hash), desk: await device(hash) })
          for (const name of order) await steps.find((step) => step.name === name)?.run(devices)
          await devices.settle()
          for (const { page } of Object.values(devices.of)) page.problems.length = 0
          await at.closeWindows()
          const { alice } = at.cast.people
          for (const { id } of (await alice.get('/drafts')).body.drafts) {
            await alice.delete(`/drafts/${id}`)
          }
        },
      ),
      { seed, numRuns: runs, endOnFailure: true },
    )
    assert.ok(topics > 0)
  })
})
