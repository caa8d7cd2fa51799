import assert from 'node:assert/strict'
import { afterEach, before, it } from 'node:test'

import { until } from '../support/waiting.js'
import type { TestPage } from './browser.js'
import { countCalls, shows, withPages, writes } from './chat-pages.js'

const historyLength = 700

/** The top of the message with an id, in pixels; undefined if it is not in the page. */
async function topOf(page: TestPage, id: number): Promise<number | undefined> {
  const row = page.locator(`.message[data-id="${id}"]`)
  return (await row.count()) === 0
    ? undefined
    : row.evaluate((element) => element.getBoundingClientRect().top)
}

/** The ids of the rows in the page. */
async function idsOf(page: TestPage): Promise<number[]> {
  return page
    .locator('.message')
    .evaluateAll((rows) => rows.map((row) => Number(row.getAttribute('data-id'))))
}

const scroller = (page: TestPage) => page.locator('.scroller')
const distanceFromEnd = (page: TestPage): Promise<number> =>
  scroller(page).evaluate((list) => list.scrollHeight - list.clientHeight - list.scrollTop)

/** Before there are messages, the list is empty, and its end is in view too. */
async function showsTheEnd(page: TestPage): Promise<void> {
  await page.locator('.message').first().waitFor()
  await until('the end', async () => (await distanceFromEnd(page)) < 2)
}

withPages('the list of messages', (at) => {
  const ids: number[] = []
  let hash = ''
  before(async () => {
    const { alice, bob } = at.cast.people
    const { general } = at.cast.channels
    hash = `#narrow/channel/${general}/topic/long`
    for (let index = 0; index < historyLength; index += 50) {
      const texts = Array.from({ length: 50 }, (_, offset) => {
        const number = index + offset
        return `Message ${number}\n${'with more lines\n'.repeat(number % 5)}`
      })
      for (const text of texts) ids.push(await alice.say(general, 'long', text))
    }
    for (const user of [alice, bob]) {
      await user.post('/mark_topic_as_read', { stream_id: general, topic_name: 'long' })
    }
    // Alice sees 40 of her messages as unread.
    const unread = { messages: ids.slice(-40), op: 'remove', flag: 'read' }
    assert.equal((await alice.post('/messages/flags', unread)).status, 200)
  })
  afterEach(() => at.closeWindows())

  it('opens at the end if everything is read, and loads older messages without a jump', async () => {
    const page = await at.open('bob', hash)
    await shows(page, `Message ${historyLength - 1}`)
    await showsTheEnd(page)

    // At the very top there is nothing that a browser could hold on to.
    for (let round = 0; round < 4; round += 1) {
      const [first = 0] = await idsOf(page)
      await scroller(page).evaluate((list) => (list.scrollTop = 0))
      const before = await topOf(page, first)
      await until('older messages', async () => ((await idsOf(page))[0] ?? 0) < first, {
        instead: () => first,
      })
      assert.ok(before !== undefined)
      const after = await topOf(page, first)
      assert.ok(Math.abs((after ?? NaN) - before) <= 1, `moved from ${before} to ${after}`)
    }
    assert.ok((await idsOf(page)).length <= 300)
  })

  it('offers the way to the end also if something changes while the reader scrolls', async () => {
    const page = await at.open('bob', hash)
    await showsTheEnd(page)

    await page.locator('parley-conversation').evaluate((conversation) => {
      const list = conversation.querySelector('.scroller')
      if (list !== null) list.scrollTop -= 800
      // It is shown anew before the event of scrolling comes: the element has this method.
      ;(conversation as HTMLElement & { requestUpdate(): void }).requestUpdate()
    })

    await page.locator('.to-end').waitFor()
  })

  it('lets the reader scroll while the pointer comes over other messages', async () => {
    const page = await at.open('bob', hash)
    await showsTheEnd(page)

    const moved = await scroller(page).evaluate(async (list) => {
      const before = list.scrollTop
      list.scrollTop = before - 500
      // The event of scrolling comes later than what the pointer changes.
      const row = list.querySelector('.message')
      row?.dispatchEvent(new PointerEvent('pointerover', { bubbles: true, composed: true }))
      await Promise.resolve()
      const now = list.scrollTop
      return before - now
    })
    assert.equal(moved, 500)
  })

  it('holds what is read in its place when rows above it grow', async () => {
    const page = await at.open('bob', hash)
    await showsTheEnd(page)
    await scroller(page).evaluate((list) => list.scrollBy(0, -1500))
    const seen = ids.at(-30) ?? 0
    const row = page.locator(`.message[data-id="${seen}"]`)
    await row.evaluate((element) => element.scrollIntoView())
    const above = page.locator(`.message[data-id="${ids.at(-32)}"] .content`)
    const before = await topOf(page, seen)
    await above.evaluate((element) => (element.style.height = '500px'))
    // The next frame but one has the new size.
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    )
    const after = await topOf(page, seen)
    assert.ok(Math.abs((after ?? NaN) - (before ?? NaN)) <= 1, `from ${before} to ${after}`)
  })

  it('opens at the first unread message, with a line that stays', async () => {
    const page = await at.open('alice', hash)
    const line = page.locator('.unread-line')
    await line.waitFor()
    const first = page.locator(`.message[data-id="${ids.at(-40)}"]`)
    assert.equal(await first.locator('.unread-line').count(), 1)
    await until('the line in view', async () => {
      const [line, list] = await Promise.all([first.boundingBox(), scroller(page).boundingBox()])
      return line !== null && list !== null && line.y > list.y && line.y < list.y + list.height
    })
    assert.ok((await distanceFromEnd(page)) > 500)
    await page.getByRole('button', { name: 'To the newest messages' }).click()
    await showsTheEnd(page)
    assert.equal(await line.count(), 1)
  })

  it('marks as read what was seen, but not while the page is hidden', async () => {
    const { alice, bob } = at.cast.people
    const { design } = at.cast.channels
    const page = await at.open('bob', `#narrow/channel/${design}/topic/read`)
    const isRead = async (id: number): Promise<boolean> => {
      const { body } = await bob.get(`/messages/${id}`)
      return body.message.flags.includes('read')
    }
    const hide = (isHidden: boolean): Promise<void> =>
      page.evaluate(
        (state) => {
          Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
          document.dispatchEvent(new Event('visibilitychange'))
        },
        isHidden ? 'hidden' : 'visible',
      )
    const marks = countCalls(page, 'POST', '/messages/flags')
    await page.clock.install()
    await hide(true)
    const id = await alice.say(design, 'read', 'Who reads this?')
    await shows(page, 'Who reads this?')
    // As long as a reader looks at a message before it is read, and more.
    await page.clock.runFor(1000)
    assert.equal(marks(), 0)
    await hide(false)
    await until('the mark', () => isRead(id))
  })

  it('follows new messages at the end only, and otherwise says how many there are', async () => {
    const { alice } = at.cast.people
    const { general } = at.cast.channels
    const page = await at.open('bob', hash)
    await showsTheEnd(page)
    await alice.say(general, 'long', 'A follower sees this')
    await shows(page, 'A follower sees this')
    await until('the end again', async () => (await distanceFromEnd(page)) < 2)

    await scroller(page).evaluate((list) => list.scrollBy(0, -1200))
    await until('the place', async () => (await distanceFromEnd(page)) > 1000)
    const seen = (await idsOf(page)).at(-12) ?? 0
    const before = await topOf(page, seen)
    await alice.say(general, 'long', 'Not yet seen')
    const button = page.getByRole('button', { name: '1 new message' })
    await button.waitFor()
    assert.ok(Math.abs(((await topOf(page, seen)) ?? NaN) - (before ?? NaN)) <= 1)
    await button.click()
    await showsTheEnd(page)

    await scroller(page).evaluate((list) => list.scrollBy(0, -1200))
    await writes(page, 'My own message')
    await showsTheEnd(page)
    await shows(page, 'My own message')
  })
})
