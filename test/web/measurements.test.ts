import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'

import { chatPage } from '@parley/web/page'
import knexPackage from 'knex'

import { apiKeyOf, emailOf, numbers, organizationFile } from '../../bench/harness/organization.js'
import { addHistory } from '../../bench/harness/seed.js'
import { writePage } from '../../scripts/web-page.mjs'
import { root } from '../architecture/source-files.js'
import type { Client } from '../support/client.js'
import { databaseColumns } from '../support/databases.js'
import { TestHost } from '../support/host.js'
import { TestBrowser, type TestPage } from './browser.js'
import { shows } from './chat-pages.js'

const userCount = 1000
const channelCount = 100
const messageCount = 10_000
const hash = '#narrow/channel/1/topic/long'
const scrolledFrames = 400
const pixelsPerFrame = 150
const burstLength = 200

interface Measured {
  readonly what: string
  readonly result: string
  readonly aim: string
}

/** What a page measures itself; see {@link watch}. */
interface Watch {
  /** Milliseconds after the navigation. */
  firstMessage: number | undefined
  /** Milliseconds of tasks above 50. */
  longTasks: number[]
}

/** Runs in the page before its scripts. */
function watch(): void {
  const measured: Watch = { firstMessage: undefined, longTasks: [] }
  Object.assign(globalThis, { measured })
  new PerformanceObserver((list) => {
    measured.longTasks.push(...list.getEntries().map(({ duration }) => Math.round(duration)))
  }).observe({ type: 'longtask' })
  const look = (): void => {
    const page = document.querySelector('parley-page')?.shadowRoot
    const chat = page?.querySelector('parley-chat')?.shadowRoot
    if (chat?.querySelector('.message .content')) measured.firstMessage = performance.now()
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

function measuredBy(page: TestPage): Promise<Watch> {
  // The script before has set it.
  return page.evaluate(() => (globalThis as unknown as { measured: Watch }).measured)
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return Math.round((sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN) * 10) / 10
}

/** Prints how quick the page is. It fails if something does not work, never because it is slow. */
describe('the page with 1,000 users, 100 channels and 10,000 messages', () => {
  let host: TestHost
  let browser: TestBrowser
  let writer: Client
  const rows: Measured[] = []

  before(async () => {
    await writePage(root)
    const [database] = databaseColumns()
    assert.ok(database !== undefined)
    host = new TestHost('express', database, {
      page: chatPage({ path: '/chat' }),
      ...({ resolveOrganization: undefined } as object),
    })
    host.clock.jump(Math.floor(Date.now() / 1000) - host.clock.seconds)
    await host.start()
    const subscribers = numbers(channelCount).map((number) => (number === 1 ? userCount : 20))
    await host.chat.organizations.load(organizationFile({ users: userCount, subscribers }))
    const [first, second] = [1, 2].map((id) =>
      host.client('', { email: emailOf(id), apiKey: apiKeyOf(id) }, id, `User ${id}`),
    )
    assert.ok(first !== undefined && second !== undefined)
    writer = first
    await writer.say(1, 'long', 'A message with `code`, **bold** words and\nanother line')
    for (const user of [first, second]) {
      await user.post('/mark_topic_as_read', { stream_id: 1, topic_name: 'long' })
    }
    const knex = knexPackage(host.databaseConfig)
    await addHistory(knex, 2, messageCount - 1)
    await knex.destroy()
    browser = await TestBrowser.start()
  })
  after(async () => {
    await browser.stop()
    await host.stop()
  })

  async function open(userId: number): Promise<TestPage> {
    const page = await browser.window()
    const login = { type: 'apiKey', email: emailOf(userId), apiKey: apiKeyOf(userId) }
    await page.addInitScript(
      ([key, text]) => localStorage.setItem(key ?? '', text ?? ''),
      [`parley-login ${host.origin}`, JSON.stringify(login)],
    )
    await page.addInitScript(watch)
    await page.goto(`${host.origin}/chat${hash}`)
    await shows(page, 'A message')
    return page
  }

  it('shows the first message', async () => {
    const page = await open(2)
    const times: number[] = []
    for (let round = 0; round < 5; round += 1) {
      await page.reload()
      await shows(page, 'A message')
      times.push((await measuredBy(page)).firstMessage ?? Number.NaN)
    }
    note(
      'first message, warm',
      `${percentile(times, 0.5)} ms, at most ${percentile(times, 1)}`,
      '500 ms',
    )
    await page.context().close()
  })

  it('scrolls, writes and receives', async (t) => {
    const page = await open(2)
    const frames = await page.locator('.scroller').evaluate(
      async (list, [count, pixels]) => {
        const durations: number[] = []
        let last = performance.now()
        for (let frame = 0; frame < (count ?? 0); frame += 1) {
          list.scrollTop -= pixels ?? 0
          await new Promise((resolve) => requestAnimationFrame(resolve))
          const now = performance.now()
          durations.push(now - last)
          last = now
        }
        return durations
      },
      [scrolledFrames, pixelsPerFrame],
    )
    const { longTasks } = await measuredBy(page)
    note(
      'frame while scrolling, p50, p95',
      `${percentile(frames, 0.5)}, ${percentile(frames, 0.95)} ms`,
      '16.7, 25 ms',
    )
    note('tasks above 50 ms until then', longTasks.join(', ') || 'none', 'none')
    const shown = await page.locator('.message').count()
    const nodes = await page
      .locator('.scroller')
      .evaluate((list) => list.querySelectorAll('*').length)
    note('rows and elements in the page', `${shown}, ${nodes}`, '400, 10,000')
    assert.ok(shown <= 400 && nodes <= 10_000, `${shown} rows, ${nodes} elements`)

    await page.locator('.to-end').click()
    const other = await open(1)
    const field = page.locator('parley-composer textarea')
    await field.focus()
    const keys: number[] = []
    for (const key of 'measured') {
      const pressed = field.evaluate(
        (element) =>
          new Promise<number>((resolve) => {
            const begin = (event: Event): void => {
              requestAnimationFrame(() =>
                setTimeout(() => resolve(performance.now() - event.timeStamp)),
              )
            }
            element.addEventListener('keydown', begin, { once: true })
          }),
      )
      // The listener is there when the page answers this.
      await field.evaluate(() => {})
      await page.keyboard.press(key)
      keys.push(await pressed)
    }
    note('keystroke, p50, at most', `${percentile(keys, 0.5)}, ${percentile(keys, 1)} ms`, '50 ms')

    const sentAt = Date.now()
    await page.keyboard.press('Enter')
    await shows(page, 'measured')
    const own = Date.now() - sentAt
    await shows(other, 'measured')
    note(
      'a sent message, here and in the other window',
      `${own}, ${Date.now() - sentAt} ms`,
      '100, 300 ms',
    )

    const tasksBefore = (await measuredBy(page)).longTasks.length
    await Promise.all(
      numbers(burstLength).map((number) => writer.say(1, 'long', `burst ${number}`)),
    )
    await shows(page, `burst ${burstLength}`)
    const tasks = (await measuredBy(page)).longTasks.slice(tasksBefore)
    note('tasks above 50 ms in a burst of 200 messages', tasks.join(', ') || 'none', 'none')

    const devTools = await page.context().newCDPSession(page)
    await devTools.send('HeapProfiler.collectGarbage')
    const { usedSize } = await devTools.send('Runtime.getHeapUsage')
    note('memory of scripts', `${(usedSize / 1e6).toFixed(1)} MB`, '60 MB')

    await page.context().setOffline(true)
    await page.locator('.banner').waitFor()
    await page.context().setOffline(false)
    const onlineAt = Date.now()
    await page.locator('.banner').waitFor({ state: 'detached' })
    note('after the network is back', `${Date.now() - onlineAt} ms`, '1,000 ms')
    print(t)
    assert.deepEqual([...page.problems, ...other.problems], [])
    await page.context().close()
    await other.context().close()
  })

  function note(what: string, result: string, aim: string): void {
    rows.push({ what, result, aim })
  }

  function print(t: TestContext): void {
    for (const { what, result, aim } of rows) t.diagnostic(`${what}: ${result} (aim: ${aim})`)
  }
})
