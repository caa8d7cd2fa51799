import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import type { Locator } from 'playwright-core'

import { until } from '../support/waiting.js'
import { shows, withPages } from './chat-pages.js'

const header = '| Service | Responsible | Environment | Availability | Description |'
const table = [
  header,
  '| --- | --- | --- | --- | --- |',
  '| Authentication | Operations | Production | Continuously | Sessions and permissions of everybody |',
].join('\n')

/** The words of a table that are on more than one line. */
function brokenWords(found: Locator): Promise<string[]> {
  return found.evaluate((element) => {
    const broken: string[] = []
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      for (const { index, 0: word } of (node.textContent ?? '').matchAll(/\S+/g)) {
        const range = document.createRange()
        range.setStart(node, index)
        range.setEnd(node, index + word.length)
        if (range.getClientRects().length > 1) broken.push(word)
      }
    }
    return broken
  })
}

withPages('tables', (at) => {
  afterEach(() => at.closeWindows())

  it('scroll instead of breaking words, and long words outside of them are broken', async () => {
    const { bob } = at.cast.people
    const { design } = at.cast.channels
    const id = await bob.say(design, 'tables', 'Nothing yet')
    const page = await at.open('alice', `#narrow/channel/${design}/topic/tables`)
    await shows(page, 'Nothing yet')
    // It comes with a change, and the window gets narrow later.
    const content = `${table}\n\n${'long'.repeat(80)}`
    assert.equal((await bob.patch(`/messages/${id}`, { content })).status, 200)
    const found = page.locator('.content table')
    await found.waitFor()
    assert.deepEqual(await brokenWords(found), [])
    const scrolls = (): Promise<boolean> =>
      found.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    assert.equal(await scrolls(), false)
    for (const width of [400, 320]) {
      await page.setViewportSize({ width, height: 700 })
      await until('scrolling', scrolls)
      assert.deepEqual(await brokenWords(found), [])
      // The long text is on three lines at most, not on one for each word.
      const row = found.locator('tr', { hasText: 'Sessions' })
      assert.ok((await row.evaluate(({ clientHeight }) => clientHeight)) < 90)
      const sizes = await page.locator('.scroller').evaluate((scroller) => {
        const [whole, shown] = [scroller.scrollWidth, scroller.clientWidth]
        return { whole, shown, page: document.documentElement.scrollWidth }
      })
      assert.equal(sizes.whole, sizes.shown)
      assert.equal(sizes.page, width)
    }
    await found.focus()
    await page.keyboard.press('ArrowRight')
    await until('the next column', () => found.evaluate(({ scrollLeft }) => scrollLeft > 0))
    // A search marks words in cells.
    await page.goto(`${at.address}#narrow/search/Availability`)
    await page.locator('table .highlight').waitFor()
    assert.deepEqual(await brokenWords(found), [])
  })
})
