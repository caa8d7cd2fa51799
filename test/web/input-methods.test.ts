import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import type { CDPSession, Locator } from 'playwright-core'

import { until } from '../support/waiting.js'
import type { TestPage } from './browser.js'
import { hasFocus, messagesOf, shows, withPages } from './chat-pages.js'

withPages('an input method', (at) => {
  afterEach(() => at.closeWindows())

  const open = async (topic: string): Promise<{ page: TestPage; cdp: CDPSession }> => {
    const page = await at.open('alice', `#narrow/channel/${at.cast.channels.design}/topic/${topic}`)
    return { page, cdp: await page.context().newCDPSession(page) }
  }
  /** Writes a word with an input method, and chooses it with a key, as Safari does. */
  const compose = async (cdp: CDPSession, text: string, key = 'Enter'): Promise<void> => {
    await cdp.send('Input.imeSetComposition', { text, selectionStart: 1, selectionEnd: 1 })
    const taken = { key, windowsVirtualKeyCode: 229 }
    await cdp.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...taken })
    await cdp.send('Input.insertText', { text })
    // The composition has ended before this one.
    await cdp.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...taken })
    await cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', ...taken })
  }
  const hasText = async (field: Locator, text: string): Promise<void> => {
    await until(text, async () => (await field.inputValue()) === text)
  }

  it('chooses words in the composer and in a change without sending them', async () => {
    const { page, cdp } = await open('composed')
    const keys: string[] = []
    await page.exposeFunction('pressed', (key: string) => keys.push(key))
    await page.evaluate(() =>
      document.addEventListener('keydown', ({ key }) => void Reflect.get(window, 'pressed')(key)),
    )
    const field = page.locator('parley-composer textarea')
    await field.focus()
    await compose(cdp, '日本')
    await hasText(field, '日本')
    await compose(cdp, '語', 'Escape')
    await hasText(field, '日本語')
    assert.ok(await hasFocus(field))
    // The list of suggestions is open meanwhile, and closed again.
    await page.keyboard.type(' @bo')
    await page.getByRole('option').first().waitFor()
    await compose(cdp, 'ま')
    await hasText(field, '日本語 @boま')
    await field.fill('日本語')
    await field.press('Enter')
    await shows(page, '日本語')
    assert.equal(await messagesOf(page).count(), 1)

    await page.locator('.row').hover()
    await page.getByRole('button', { name: 'Edit' }).click()
    const edit = page.locator('parley-edit textarea')
    await hasText(edit, '日本語')
    await compose(cdp, 'で')
    await compose(cdp, 'す', 'Escape')
    await hasText(edit, '日本語です')
    await edit.press('Enter')
    await shows(page, '日本語です')
    assert.deepEqual(keys, [])
  })

  it('chooses words in fields that search, find people and find emoji', async () => {
    const { page, cdp } = await open('found')
    const heading = page.getByRole('heading', { name: '#design › found' })
    await heading.waitFor()
    const search = page.getByRole('searchbox', { name: 'Search messages' })
    await search.focus()
    await compose(cdp, '茶')
    await compose(cdp, '室')
    await hasText(search, '茶室')
    // Chromium itself would empty the field.
    const escape = { key: 'Escape', keyCode: 229, bubbles: true, composed: true }
    await search.dispatchEvent('keydown', escape)
    await hasText(search, '茶室')
    assert.ok(await heading.isVisible())

    await page.getByRole('button', { name: 'New direct message' }).click()
    const people = page.getByRole('combobox', { name: 'People' })
    await people.fill('bob ')
    await page.getByRole('option', { name: 'Bob Test' }).waitFor()
    await compose(cdp, '茶')
    await hasText(people, 'bob 茶')
    assert.equal(await page.locator('.chip').count(), 0)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await people.waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Add an emoji' }).click()
    const emoji = page.getByRole('searchbox', { name: 'Search emoji' })
    await emoji.focus()
    await compose(cdp, '茶')
    await hasText(emoji, '茶')
    await emoji.fill('octopus')
    await emoji.press('Enter')
    await hasText(page.locator('parley-composer textarea'), ':octopus: ')
  })
})
