import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import { until } from '../support/waiting.js'
import type { TestPage } from './browser.js'
import { hasFocus, inList, withPages, writes } from './chat-pages.js'

withPages('the topics of a channel', (at) => {
  afterEach(() => at.closeWindows())

  const topicsOf = (page: TestPage): Promise<string[]> =>
    page.locator('parley-sidebar a.topic .name').allInnerTexts()
  const has = (page: TestPage, names: readonly string[]): Promise<true> =>
    until(names.join(), async () => (await topicsOf(page)).join() === names.join())
  const number = (index: number): string => `topic ${index}`

  it('are all reached, and those with old unread messages are not above newer ones', async () => {
    const { alice, bob } = at.cast.people
    const { design } = at.cast.channels
    for (let index = 1; index <= 140; index += 1) await bob.say(design, number(index), 'Tea')
    await alice.post('/mark_all_as_read')
    await alice.post('/messages/flags', {
      messages: [await bob.say(design, number(2), 'Unread')],
      op: 'remove',
      flag: 'read',
    })
    for (let index = 136; index <= 140; index += 1) await alice.say(design, number(index), 'New')
    const newest = Array.from({ length: 140 }, (_, index) => number(140 - index))
    const old = newest.filter((name) => name !== number(2))
    const first = [...old.slice(0, 5), number(2), ...old.slice(5, 29)]

    const page = await at.open('alice', `#narrow/channel/${design}/topic/topic.2070`)
    // That which is open is far below.
    await has(page, [...first, number(70)])
    const more = page.locator('parley-sidebar').getByRole('button', { name: '109 more topics' })
    await more.focus()
    await page.keyboard.press('Enter')
    const shown = [...old.slice(0, 5), number(2), ...old.slice(5)].slice(0, 130)
    await has(page, shown)
    const next = inList(page, old[29] ?? '')
    await until('the focus', () => hasFocus(next))
    await page.locator('parley-sidebar').getByRole('button', { name: '10 more topics' }).click()
    await until('all', async () => (await topicsOf(page)).length === 140)
    assert.equal(await page.getByText(/more topics?/).count(), 0)
    await page.keyboard.press('End')
    await inList(page, 'vault').waitFor()
    // Another channel begins with few.
    await inList(page, 'general').click()
    await inList(page, 'design').click()
    await page.getByRole('button', { name: /^1\d\d more topics$/ }).waitFor()
  })

  it('follow own messages, other windows, slow answers and lost connections', async () => {
    const { alice, bob } = at.cast.people
    const { vault } = at.cast.channels
    await bob.say(vault, 'tea', 'One')
    const cake = await bob.say(vault, 'cake', 'Two')
    // The first answer is that of before, and comes last.
    const page = await at.open('alice', '#feed')
    let answer = (): void => {}
    const isLast = new Promise<void>((resolve) => (answer = resolve))
    let count = 0
    await page.route(/users\/me\/\d+\/topics/, async (route) => {
      count += 1
      if (count > 1) return route.continue()
      const response = await route.fetch()
      await isLast
      return route.fulfill({ response })
    })
    const link = inList(page, 'vault')
    await link.click()
    await until('the request', () => Promise.resolve(count === 1))
    await page.getByPlaceholder('Topic').fill('milk')
    await writes(page, 'Three')
    await has(page, ['milk', 'cake', 'tea'])
    answer()
    await link.click()
    await page.getByRole('heading', { name: '#vault', exact: true }).waitFor()
    await has(page, ['milk', 'cake', 'tea'])
    await alice.say(vault, 'tea', 'Four')
    await until('order', async () => (await topicsOf(page)).join() === 'tea,milk,cake')
    const moved = { topic: 'pie', send_notification_to_new_thread: false }
    assert.equal((await alice.patch(`/messages/${cake}`, moved)).status, 200)
    await has(page, ['tea', 'milk', 'pie'])

    await page.context().setOffline(true)
    await inList(page, 'secret').click()
    await inList(page, 'vault').click()
    await page.context().setOffline(false)
    await has(page, ['tea', 'milk', 'pie'])
    page.problems.length = 0
  })
})
