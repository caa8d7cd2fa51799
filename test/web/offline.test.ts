import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import { until } from '../support/waiting.js'
import { shows, withPages } from './chat-pages.js'

const offlineSeconds = 12 * 60

withPages('a window that was offline for twelve minutes', (at) => {
  afterEach(() => at.closeWindows())

  it('catches up without a new page, where the reader was, with what was written', async () => {
    const { alice, bob } = at.cast.people
    const { design, general } = at.cast.channels
    const ids: number[] = []
    for (let number = 1; number <= 80; number += 1) {
      ids.push(await alice.say(design, 'long', `Line ${number}`))
    }
    const page = await at.open('alice', `#narrow/channel/${design}/topic/long`)
    await page.clock.install()
    await page.reload()
    await shows(page, 'Line 80')
    const field = page.locator('parley-composer textarea')
    await field.fill('Half a thought')
    await page.evaluate(() => document.body.setAttribute('data-same', 'page'))
    // The reader is in the middle of the history.
    const row = page.locator(`.message[data-id="${ids[40]}"]`)
    const topOf = (): Promise<number> =>
      row.evaluate((element) => element.getBoundingClientRect().top)
    await row.evaluate((element) => element.scrollIntoView({ block: 'center' }))
    // The list may hold its place in the next frames.
    await page.evaluate(async () => {
      for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame)
    })
    const top = await topOf()

    const registrations: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/register')) registrations.push(request.url())
    })
    await page.context().setOffline(true)
    await page.getByText('You are offline.').waitFor()
    const change = { content: 'Changed meanwhile' }
    assert.equal((await alice.patch(`/messages/${ids[40]}`, change)).status, 200)
    assert.equal((await alice.delete(`/messages/${ids[78]}`)).status, 200)
    // Longer than a queue is kept.
    at.host.clock.advance(offlineSeconds)
    await page.clock.fastForward(offlineSeconds * 1000)
    await bob.say(design, 'long', 'Meanwhile')
    await bob.say(general, 'elsewhere', 'Also meanwhile')
    await page.context().setOffline(false)

    await shows(page, 'Changed meanwhile')
    await page.getByText('You are offline.').waitFor({ state: 'detached' })
    assert.equal(registrations.length, 1)
    assert.ok(Math.abs((await topOf()) - top) <= 1, `${top} became ${await topOf()}`)
    assert.equal(await field.inputValue(), 'Half a thought')
    assert.equal(await page.locator('body').getAttribute('data-same'), 'page')
    await field.press('Enter')
    await shows(page, 'Meanwhile')
    await shows(page, 'Half a thought')
    assert.equal(await page.locator('.message', { hasText: 'Line 79' }).count(), 0)
    page.problems.length = 0
  })
})

withPages('a window that is hidden', (at) => {
  afterEach(() => at.closeWindows())

  it('keeps its connection although its timers are called once a minute', async () => {
    const { bob } = at.cast.people
    const { general } = at.cast.channels
    const page = await at.window()
    let sockets = 0
    let frames = 0
    page.on('websocket', (socket) => {
      sockets += 1
      socket.on('framereceived', () => (frames += 1))
    })
    await page.clock.install()
    await at.login(page, 'alice', `#narrow/channel/${general}/topic/hidden`)
    await until('the connection', () => sockets === 1)
    await bob.say(general, 'hidden', 'Before')
    await until('the event', () => frames > 0)
    const show = (state: string): Promise<void> =>
      page.evaluate((visibilityState) => {
        Object.defineProperty(document, 'visibilityState', {
          get: () => visibilityState,
          configurable: true,
        })
        document.dispatchEvent(new Event('visibilitychange'))
      }, state)
    await show('hidden')
    for (let minute = 1; minute <= 4; minute += 1) {
      // Calls what is due once, as Chromium does for a page that has been hidden for minutes.
      await page.clock.fastForward(60_000)
      await bob.say(general, 'hidden', `Minute ${minute}`)
      await shows(page, `Minute ${minute}`)
    }
    await show('visible')
    await page.clock.fastForward(5_000)
    await bob.say(general, 'hidden', 'Welcome back')
    await shows(page, 'Welcome back')
    assert.equal(sockets, 1)
    // The computer sleeps.
    await page.clock.fastForward(30_000)
    await until('another connection', () => sockets === 2)
  })
})
