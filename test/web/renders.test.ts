import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import type { TestPage } from './browser.js'
import { inList, shows, userMenu, withPages } from './chat-pages.js'

/** The elements of the chat whose updates are counted. */
const counted = ['parley-sidebar', 'parley-link', 'parley-conversation', 'parley-message'] as const

type Counts = Record<(typeof counted)[number], number>

withPages('what is rendered again', (at) => {
  afterEach(() => at.closeWindows())

  /** A conversation of some messages, without updates that are still to come. */
  async function openAtRest(topic: string): Promise<TestPage> {
    const { alice, bob } = at.cast.people
    const { general } = at.cast.channels
    await bob.post('/messages', { type: 'direct', to: [alice.id], content: 'Only for you' })
    for (let index = 0; index < 5; index += 1) await bob.say(general, topic, `Line ${index}`)
    await alice.post('/mark_all_as_read')
    const page = await at.open('alice', `#narrow/channel/${general}/topic/${topic}`)
    await shows(page, 'Line 4')
    await userMenu(page).waitFor()
    await inList(page, 'Bob Test').waitFor()
    // Messages that were requested before the state are requested once more.
    await page.locator('.scroller[aria-busy=false]').waitFor()
    return page
  }

  /** The updates while something happens, of which the page shows the end. */
  async function updatesWhile(page: TestPage, act: () => Promise<void>): Promise<Counts> {
    // Two frames without an update: what was loaded last is rendered.
    const counts = await page.evaluateHandle(async (names) => {
      const root = document.querySelector('parley-page')?.shadowRoot?.querySelector('parley-chat')
      const all: Record<string, number> = Object.fromEntries(names.map((name) => [name, 0]))
      for (const name of names) {
        for (const element of root?.shadowRoot?.querySelectorAll(name) ?? []) {
          const host = element as unknown as { addController(controller: object): void }
          host.addController({ hostUpdate: () => (all[name] = (all[name] ?? 0) + 1) })
        }
      }
      const sum = (): number => Object.values(all).reduce((one, other) => one + other)
      for (let before = -1, rest = 2; rest > 0; rest = sum() === before ? rest - 1 : 2) {
        before = sum()
        await new Promise(requestAnimationFrame)
      }
      for (const name of names) all[name] = 0
      return all
    }, counted)
    await act()
    return counts.evaluate(async (all) => {
      await new Promise(requestAnimationFrame)
      return all as Counts
    })
  }

  const rowOf = (page: TestPage, text: string): ReturnType<TestPage['locator']> =>
    page.locator('.message').filter({ hasText: text })

  it('is one message, not the list, under the pointer and with the focus', async () => {
    const page = await openAtRest('pointed')

    const pointed = await updatesWhile(page, async () => {
      for (const text of ['Line 1', 'Line 3', 'Line 2']) {
        await rowOf(page, text).locator('.content').hover()
        await rowOf(page, text).getByRole('toolbar').waitFor()
      }
      assert.equal(await page.getByRole('toolbar').count(), 1)
    })
    assert.equal(pointed['parley-conversation'], 0)
    assert.equal(pointed['parley-sidebar'], 0)
    // Each of the three, and the two that were left.
    assert.equal(pointed['parley-message'], 5)

    await page.mouse.move(0, 0)
    const focused = await updatesWhile(page, async () => {
      await rowOf(page, 'Line 4').getByRole('article').focus()
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('Enter')
      await page.locator('[role=toolbar] button:focus').waitFor()
    })
    assert.equal(focused['parley-conversation'], 0)
    assert.equal(await page.getByRole('article').and(page.locator('[tabindex="0"]')).count(), 1)
  })

  it('is the dot of a user who comes, and neither the sidebar nor the list', async () => {
    const { bob } = at.cast.people
    const page = await openAtRest('present')

    const counts = await updatesWhile(page, async () => {
      await bob.post('/users/me/presence', { status: 'active', ping_only: false })
      await inList(page, 'Bob Test').locator('.dot.active').waitFor()
    })

    assert.deepEqual(Object.values(counts), [0, 0, 0, 0])
  })

  it('is the line below the list while somebody types', async () => {
    const { bob } = at.cast.people
    const { general } = at.cast.channels
    const page = await openAtRest('typed')

    const counts = await updatesWhile(page, async () => {
      const where = { type: 'stream', stream_id: general, topic: 'typed' }
      await bob.post('/typing', { ...where, op: 'start' })
      await page.getByText('Bob Test is typing…').waitFor()
      await bob.post('/typing', { ...where, op: 'stop' })
      await page.getByText('Bob Test is typing…').waitFor({ state: 'detached' })
    })

    assert.deepEqual(Object.values(counts), [0, 0, 0, 0])
  })

  it('is what has changed: a message with a new reaction, a link with a new number', async () => {
    const { alice, bob } = at.cast.people
    const { design } = at.cast.channels
    // The channel is active already.
    await bob.say(design, 'elsewhere', 'Zero')
    const page = await openAtRest('changed')
    const { body } = await alice.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 })

    const reacted = await updatesWhile(page, async () => {
      await bob.post(`/messages/${body.messages[0]!.id}/reactions`, { emoji_name: 'tada' })
      await rowOf(page, 'Line 4').locator('.reaction').waitFor()
    })
    assert.equal(reacted['parley-message'], 1)
    assert.equal(reacted['parley-sidebar'], 0)

    const counts = await updatesWhile(page, async () => {
      await bob.say(design, 'elsewhere', 'One')
      await inList(page, 'design').locator('.count').waitFor()
    })
    // The channel, and all messages.
    assert.equal(counts['parley-link'], 2)
    assert.equal(counts['parley-conversation'], 0)
    assert.equal(counts['parley-message'], 0)

    await bob.post('/users/me/status', { status_text: 'Away', emoji_name: 'palm_tree' })
    await inList(page, 'Bob Test').getByRole('img', { name: 'Away' }).waitFor()
    await rowOf(page, 'Line 0').getByRole('img', { name: 'Away' }).waitFor()
  })
})
