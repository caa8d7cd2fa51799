import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import type { Locator } from 'playwright-core'

import { until } from '../support/waiting.js'
import type { TestPage } from './browser.js'
import { chooseInMenu, inList, shows, userMenu, withPages } from './chat-pages.js'

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

withPages('appearance', (at) => {
  afterEach(() => at.closeWindows())

  const topic = (name: string): string => `#narrow/channel/${at.cast.channels.design}/topic/${name}`

  const boxOf = async (locator: Locator): Promise<Box> => {
    const box = await locator.boundingBox()
    assert.ok(box !== null)
    return box
  }

  /** How many pixels of the page's parts are outside of them. */
  const overflow = (page: TestPage): Promise<number> =>
    page.evaluate(() => {
      const chat = document.querySelector('parley-page')?.shadowRoot?.querySelector('parley-chat')
      const parts = chat?.shadowRoot?.querySelectorAll<HTMLElement>(
        '.scroller, .side, parley-sidebar, .main, .composer, header',
      )
      return Math.max(
        document.documentElement.scrollWidth - document.documentElement.clientWidth,
        ...[...(parts ?? [])].map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
      )
    })

  const isInside = (inner: Box, outer: Box): boolean =>
    inner.x >= outer.x - 1 && inner.x + inner.width <= outer.x + outer.width + 1

  const toRight = async (page: TestPage): Promise<void> => {
    await page.addInitScript(() => {
      // The element of the document is there before its other parts.
      const turn = (): void => document.documentElement?.setAttribute('dir', 'rtl')
      turn()
      document.addEventListener('DOMContentLoaded', turn)
    })
    await page.reload()
  }

  it('is mirrored from right to left', async () => {
    const { alice, bob } = at.cast.people
    const { design } = at.cast.channels
    const id = await bob.say(design, 'mirrored', 'From the right')
    await alice.post(`/messages/${id}/reactions`, { emoji_name: 'octopus' })
    for (let index = 0; index < 30; index++) await bob.say(design, 'mirrored', `Message ${index}`)
    const page = await at.open('alice', topic('mirrored'))
    await toRight(page)
    await shows(page, 'Message 29')
    const side = await boxOf(page.locator('.side'))
    const main = await boxOf(page.locator('.main'))
    assert.ok(side.x >= main.x + main.width - 1, JSON.stringify({ side, main }))
    assert.ok((await overflow(page)) <= 0)
    const row = page.locator('.row').filter({ hasText: 'Message 29' })
    await row.hover()
    const toolbar = page.getByRole('toolbar')
    assert.ok(isInside(await boxOf(toolbar), await boxOf(row)))
    // At the end of the line, which is on the left.
    assert.ok((await boxOf(toolbar)).x < main.x + main.width / 2)
    const avatar = await boxOf(page.locator('.row .avatar').first())
    assert.ok(avatar.x > main.x + main.width / 2)
    const text = page.locator('.content p').filter({ hasText: 'Message 29' })
    assert.equal(await text.evaluate((element) => getComputedStyle(element).direction), 'ltr')
    // Names begin beside their icons.
    const name = inList(page, 'general').locator('.name')
    assert.equal(await name.evaluate((element) => getComputedStyle(element).textAlign), 'right')
    // The button in the middle is in the middle.
    const toEnd = page.locator('.to-end')
    await until('the button', async () => {
      await page.locator('.scroller').evaluate((element) => (element.scrollTop = 0))
      return (await toEnd.count()) === 1
    })
    const button = await boxOf(toEnd)
    const middle = main.x + main.width / 2
    assert.ok(Math.abs(button.x + button.width / 2 - middle) <= 2, JSON.stringify({ button, main }))
    await chooseInMenu(page, 'Keyboard shortcuts')
    const dialog = page.getByRole('dialog')
    const close = await boxOf(dialog.getByRole('button', { name: 'Close' }))
    const box = await boxOf(dialog)
    assert.ok(close.x < box.x + box.width / 2)
  })

  it('is mirrored on a narrow page, where it needs no more than 320 pixels', async () => {
    const { bob } = at.cast.people
    const { design } = at.cast.channels
    await bob.say(design, 'narrow', `Wide: ${'m'.repeat(300)}`)
    await bob.say(design, 'narrow', 'The last one')
    const page = await at.open('alice', topic('narrow'), { viewport: { width: 320, height: 600 } })
    await toRight(page)
    await shows(page, 'The last one')
    assert.ok((await overflow(page)) <= 0)
    const row = page.locator('.row').filter({ hasText: 'The last one' })
    await row.hover()
    const toolbar = page.getByRole('toolbar')
    assert.ok(isInside(await boxOf(toolbar), await boxOf(row)))
    const back = page.getByRole('button', { name: 'Back to the list' })
    assert.ok((await boxOf(back)).x > 160)
    // The arrow points to where one comes from.
    const arrow = back.locator('svg')
    assert.equal(await arrow.evaluate((element) => getComputedStyle(element).scale), '-1 1')
    await back.click()
    await page.locator('parley-sidebar a').first().waitFor()
    await userMenu(page).waitFor()
    assert.ok((await overflow(page)) <= 0)
  })

  it('shows with forced colors what colors say', async () => {
    const { alice, bob } = at.cast.people
    const { design } = at.cast.channels
    const id = await bob.say(design, 'forced', 'Look')
    await alice.post(`/messages/${id}/reactions`, { emoji_name: 'octopus' })
    const page = await at.open('alice', topic('forced'), { forcedColors: 'active' })
    await shows(page, 'Look')
    assert.ok(await page.evaluate(() => matchMedia('(forced-colors: active)').matches))
    const style = (locator: Locator, name: string): Promise<string> =>
      locator.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), name)
    const border = (locator: Locator): Promise<string> => style(locator, 'border-top-width')

    // Where one is, what one has chosen, and which message is meant.
    assert.equal(await border(page.locator('a.link[aria-current]')), '1px')
    assert.equal(await border(page.locator('.reaction[aria-pressed=true]')), '2px')
    // Chosen buttons and counts have an edge, since their backgrounds are gone.
    const send = page.getByRole('button', { name: 'Send', exact: true })
    await page.locator('parley-composer textarea').fill('text')
    assert.notEqual(await border(send), '0px')
    await bob.say(at.cast.channels.general, 'count', 'One')
    const count = page.locator('.count').first()
    assert.equal(await border(count), '1px')
    await bob.whisper([alice], 'Here I am')
    await at.open('bob')
    const dot = inList(page, 'Bob Test').locator('.dot.active')
    assert.notEqual(await style(dot, 'background-color'), await style(count, 'background-color'))
    const marked = await at.open('alice', `${topic('forced')}/near/${id}`, {
      forcedColors: 'active',
    })
    assert.equal(await style(marked.locator('.row.marked'), 'outline-style'), 'dashed')
  })

  it('is dense if the page says so', async () => {
    const { alice, bob } = at.cast.people
    const { design } = at.cast.channels
    for (const user of [alice, bob, alice, bob]) await user.say(design, 'dense', 'Close together')
    const page = await at.open('alice', topic('dense'))
    await shows(page, 'Close together')
    const height = async (): Promise<number> => {
      const first = await boxOf(page.locator('.row').first())
      const last = await boxOf(page.locator('.row').nth(3))
      return last.y + last.height - first.y
    }
    const before = await height()
    await page
      .locator('parley-chat')
      .evaluate((element) => element.setAttribute('density', 'compact'))
    await until('a smaller list', async () => (await height()) < before - 20)
    // What the page says itself comes first.
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync('html { --parley-row-gap: 40px }')
      document.adoptedStyleSheets = [sheet]
    })
    await until('a larger list', async () => (await height()) > before)
  })
})
