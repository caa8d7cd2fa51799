import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import type { Page } from 'playwright-core'

import { until } from '../support/waiting.js'
import {
  chooseInMenu,
  hasFocus,
  hasInMenu,
  inList,
  pressInMenu,
  shows,
  userMenu,
  withPages,
} from './chat-pages.js'

interface Box {
  readonly top: number
  readonly bottom: number
}

/** Where an element of the chat is in the window, in CSS pixels. */
function boxOf(page: Page, selector: string): Promise<Box> {
  return page
    .locator(selector)
    .last()
    .evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect()
      return { top, bottom }
    })
}

withPages('a small window', (at) => {
  afterEach(() => at.closeWindows())

  const fill = async (topic: string): Promise<string> => {
    const { bob } = at.cast.people
    const { design } = at.cast.channels
    for (let number = 1; number <= 20; number += 1) await bob.say(design, topic, `Line ${number}`)
    return `#narrow/channel/${design}/topic/${topic}`
  }

  it('shows as much of long names of channels as there is room for beside the buttons', async () => {
    const { olga, alice } = at.cast.people
    const name = 'A channel with quite a long name, and more'
    const subscriptions = JSON.stringify([{ name }])
    const principals = JSON.stringify([alice.id])
    await olga.post('/users/me/subscriptions', { subscriptions, principals })
    const page = await at.open('alice', '', { viewport: { width: 390, height: 700 } })
    await page.getByRole('button', { name: 'All channels' }).click()
    const dialog = page.getByRole('dialog')
    const link = dialog.getByRole('link', { name })
    const end = await link.evaluate((element) => element.getBoundingClientRect().right)
    const button = dialog.getByRole('button', { name: `About #${name}` })
    assert.ok(end <= (await button.evaluate((element) => element.getBoundingClientRect().left)))
  })

  it('of 1,280 by 1,024 pixels that is enlarged four times has all, a part at a time', async () => {
    const hash = await fill('enlarged')
    const page = await at.open('alice', '', { viewport: { width: 320, height: 256 } })
    await chooseInMenu(page, 'People')
    const dialog = page.getByRole('dialog', { name: 'People' })
    await dialog.getByRole('listitem').first().waitFor()
    const { top, bottom } = await boxOf(page, 'dialog[open]')
    assert.ok(top >= 0 && bottom <= 256, `${top} to ${bottom}`)
    await page.keyboard.press('Escape')
    await inList(page, 'vault').click()
    await page.getByRole('heading', { name: '#vault' }).waitFor()

    await page.goto(`${at.address}${hash}`)
    await shows(page, 'Line 20')
    const field = page.locator('parley-composer textarea')
    await field.fill('Enlarged')
    const list = await boxOf(page, '.scroller')
    const composer = await boxOf(page, '.composer')
    assert.ok(list.bottom - list.top >= 60, `${list.bottom - list.top} pixels for messages`)
    assert.ok(composer.top >= list.bottom - 1 && composer.bottom <= 256)
    await field.press('Enter')
    await shows(page, 'Enlarged')
    const widths = await page.evaluate(() => document.documentElement.scrollWidth)
    assert.equal(widths, 320)
  })

  it('that an on-screen keyboard makes smaller shows the composer and the newest message', async () => {
    const hash = await fill('keyboard')
    const page = await at.open('alice', hash, { viewport: { width: 390, height: 700 } })
    await shows(page, 'Line 20')
    const field = page.locator('parley-composer textarea')
    await field.focus()
    await page.setViewportSize({ width: 390, height: 330 })
    await until('the newest message above the composer', async () => {
      const row = await boxOf(page, '.row')
      const composer = await boxOf(page, '.composer')
      return row.bottom <= composer.top + 1 && composer.bottom <= 330
    })
    assert.ok(await field.evaluate((element) => element.matches(':focus')))
  })

  it('that an on-screen keyboard covers keeps the composer above it', async () => {
    const hash = await fill('covered')
    const page = await at.open('alice', '', { viewport: { width: 390, height: 700 } })
    // Chromium without a screen has no such keyboard: this is what Safari says of its own.
    await page.context().addInitScript(() => {
      const viewport = Object.assign(new EventTarget(), { height: 700, offsetTop: 0, scale: 1 })
      Object.defineProperty(window, 'visualViewport', { value: viewport })
    })
    await page.goto(`${at.address}${hash}`)
    await page.reload()
    await shows(page, 'Line 20')
    const cover = (height: number, scale = 1): Promise<void> =>
      page.evaluate(
        (change) => {
          const { visualViewport } = window
          if (visualViewport === null) throw new Error('There is none')
          Object.assign(visualViewport, change)
          visualViewport.dispatchEvent(new Event('resize'))
        },
        { height, scale },
      )
    const composerBottom = async (): Promise<number> => (await boxOf(page, '.composer')).bottom
    const field = page.locator('parley-composer textarea')
    await field.focus()
    await until('what is loaded later', () =>
      page.evaluate(() => customElements.get('parley-foot') !== undefined),
    )
    await cover(380)
    await until('a composer above it', async () => (await composerBottom()) <= 380)
    await until(
      'the newest message above that',
      async () => (await boxOf(page, '.row')).bottom <= (await boxOf(page, '.composer')).top + 1,
    )
    await cover(700)
    await until('the whole window', async () => (await composerBottom()) > 600)
    // Two fingers that enlarge the page are no keyboard.
    await cover(350, 2)
    assert.ok((await composerBottom()) > 600)
  })

  it('has room for wider text', async () => {
    const hash = await fill('spacing')
    for (const width of [1200, 390]) {
      const page = await at.open('alice', hash, { viewport: { width, height: 700 } })
      await shows(page, 'Line 20')
      // What readers may set, by WCAG 1.4.12.
      await page.evaluate(() => {
        const style = new CSSStyleSheet()
        style.replaceSync(
          '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }',
        )
        const chat = document.querySelector('parley-page')?.shadowRoot?.querySelector('parley-chat')
        chat?.shadowRoot?.adoptedStyleSheets.push(style)
      })
      const cut = await page.evaluate(() => {
        const chat = document.querySelector('parley-page')?.shadowRoot?.querySelector('parley-chat')
        const texts = chat?.shadowRoot?.querySelectorAll<HTMLElement>(
          'button, a, h2, p, time, label, .name, .count, .place-bar, .day, textarea',
        )
        const shown = [...(texts ?? [])].filter(
          (element) => element.textContent.trim() !== '' && element.offsetWidth > 1,
        )
        if (shown.length < 10) return [`only ${shown.length} texts`]
        return shown
          .filter((element) => {
            const { overflowX, overflowY, textOverflow } = getComputedStyle(element)
            const isHigh =
              overflowY !== 'visible' && element.scrollHeight > element.clientHeight + 1
            const isWide = overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1
            return isHigh || (isWide && textOverflow !== 'ellipsis')
          })
          .map((element) => element.outerHTML.slice(0, 200))
      })
      assert.deepEqual(cut, [])
      const { bottom } = await boxOf(page, '.composer')
      assert.ok(bottom <= 700)
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width)
    }
  })

  it('shows channels above one line of the user, who has the rest in a menu', async () => {
    const page = await at.open('adam', '', { viewport: { width: 400, height: 400 } })
    await userMenu(page).waitFor()
    const visible = async (): Promise<number> => {
      const list = await boxOf(page, '.sidebar')
      const links = page.locator('parley-sidebar a[href*="/channel/"]')
      const boxes = await links.evaluateAll((all) =>
        all.map((one) => one.getBoundingClientRect().bottom),
      )
      return boxes.filter((bottom) => bottom <= list.bottom).length
    }
    assert.ok((await visible()) > 0)
    // 1,280 by 720 pixels that are enlarged twice.
    await page.setViewportSize({ width: 640, height: 360 })
    await until('a channel', async () => (await visible()) > 0)
    for (const name of ['Settings', 'People', 'Organization', 'Keyboard shortcuts', 'Log out'])
      assert.ok(await hasInMenu(page, name), name)
    // What follows from a choice is there for a small window, too, and gives the focus back.
    await pressInMenu(page, 'Keyboard shortcuts')
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await until('the focus', () => hasFocus(userMenu(page)))
    // The network is away, and the rights are others.
    await page.context().setOffline(true)
    await page.getByText('You are offline.').waitFor()
    assert.ok(await hasInMenu(page, 'Organization'))
    const { olga, adam } = at.cast.people
    assert.equal((await olga.patch(`/users/${adam.id}`, { role: 600 })).status, 200)
    await page.context().setOffline(false)
    await until('fewer rights', async () => !(await hasInMenu(page, 'Organization')))
  })

  it('has times beside the text of messages, not in it', async () => {
    const { bob } = at.cast.people
    const { design } = at.cast.channels
    await bob.say(design, 'times', 'First')
    await bob.say(design, 'times', 'Second')
    const page = await at.open('alice', `#narrow/channel/${design}/topic/times`, {
      viewport: { width: 320, height: 600 },
      locale: 'en-US',
    })
    await shows(page, 'Second')
    await page.locator('.row').last().hover()
    const time = page.locator('.row.active .margin time')
    await time.waitFor()
    const gap = await time.evaluate((element) => {
      const range = document.createRange()
      range.selectNodeContents(element)
      const text = range.getBoundingClientRect()
      const body = element.closest('.row')?.querySelector('.body')?.getBoundingClientRect()
      return { gap: (body?.left ?? 0) - text.right, left: text.left, text: element.textContent }
    })
    assert.match(gap.text, /[AP]M/)
    assert.ok(gap.gap >= 8 && gap.left >= 0, JSON.stringify(gap))
  })

  it('goes back to where it was in the list without scrolling what is around the list', async () => {
    const { alice } = at.cast.people
    const names = Array.from({ length: 30 }, (_, index) => `a channel of many, number ${index}`)
    const subscriptions = names.map((name) => ({ name }))
    assert.equal((await alice.post('/users/me/subscriptions', { subscriptions })).status, 200)
    const page = await at.open('alice', '', { viewport: { width: 390, height: 500 } })
    await userMenu(page).waitFor()
    // The page around it can be scrolled.
    await page.evaluate(() => (document.body.style.paddingBottom = '400px'))
    const link = inList(page, 'window')
    assert.equal(await link.getAttribute('title'), 'window')
    await link.click()
    await page.getByRole('button', { name: 'Back to the list' }).click()
    await until('the focus', () => hasFocus(link))
    const list = await boxOf(page, '.sidebar')
    const box = await link.boundingBox()
    assert.ok(box !== null && box.y >= list.top && box.y + box.height <= list.bottom)
    assert.equal((await boxOf(page, '.side')).top, 0)
    assert.equal(await page.evaluate(() => window.scrollY), 0)
  })
})
