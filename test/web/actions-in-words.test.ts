import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import { until } from '../support/waiting.js'
import { messagesOf, shows, withPages, writes } from './chat-pages.js'

withPages('messages that begin with /me', (at) => {
  afterEach(() => at.closeWindows())

  it('show the name and what is done, also while they are sent and when they are changed', async () => {
    const { bob } = at.cast.people
    const { design } = at.cast.channels
    const hash = `#narrow/channel/${design}/topic/me`
    await bob.say(design, 'me', 'Hello')
    const id = await bob.say(design, 'me', '/me **waves**')
    const page = await at.open('alice', hash)
    const row = page.locator('.row.me').filter({ hasText: 'waves' })
    const line = (): Promise<string> => row.locator('.body').innerText()
    await until('the line', async () => /^Bob Test\s+\d+:\d\d [AP]M\s+waves$/.test(await line()))
    const heights = await row
      .locator('.sender, .content')
      .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().bottom))
    assert.ok(Math.abs((heights[0] ?? 0) - (heights[1] ?? 99)) < 8, heights.join())
    // A search marks the words that it has found, also in the command.
    await page.getByRole('searchbox', { name: 'Search messages' }).fill('me waves')
    await page.keyboard.press('Enter')
    await row.locator('.highlight').filter({ hasText: 'waves' }).waitFor()
    assert.doesNotMatch(await line(), /\/me/)
    await page.goto(at.address + hash)
    await shows(page, 'waves')

    let answer = (): void => {}
    const isSeen = new Promise<void>((resolve) => (answer = resolve))
    await page.route('**/api/v1/messages', async (route) => {
      if (route.request().method() === 'POST') await isSeen
      await route.continue()
    })
    await writes(page, '/me nods')
    const pending = page.locator('parley-pending .row.me')
    await until('it', async () =>
      /^Alice Test\s+nods$/.test(await pending.locator('.body').innerText()),
    )
    answer()
    await pending.waitFor({ state: 'detached' })
    await until(
      'both',
      async () => (await messagesOf(page).allInnerTexts()).join() === 'Hello,waves,nods',
    )

    const announced = page.locator('parley-announcer [role=status]')
    await bob.say(design, 'me', '/me ||is hidden||')
    await announced.filter({ hasText: 'is hidden' }).waitFor({ state: 'attached' })
    assert.doesNotMatch(await announced.innerText(), /\/me/)
    assert.equal((await bob.patch(`/messages/${id}`, { content: 'No /me now' })).status, 200)
    await shows(page, 'No /me now')
    assert.equal(await page.locator('.row.me').count(), 2)
    assert.equal((await bob.patch(`/messages/${id}`, { content: '/me is back' })).status, 200)
    await until('three', async () => (await page.locator('.row.me').count()) === 3)
  })

  it('are as others in naming system bots, as notices do', async () => {
    const { general } = at.cast.channels
    const page = await at.open('alice', `#narrow/channel/${general}/topic/mentions`)
    await writes(page, '@_**Notification Bot** and @_**Welcome Bot**')
    await shows(page, 'Notification Bot and Welcome Bot')
    assert.equal(await page.locator('.content .user-mention.silent').count(), 2)
  })
})
