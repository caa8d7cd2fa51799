import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import type { Locator } from 'playwright-core'

import { until } from '../support/waiting.js'
import type { TestPage } from './browser.js'
import { inList, shows, chooseInMenu, userMenu, withPages } from './chat-pages.js'

withPages('shortcuts', (at) => {
  afterEach(() => at.closeWindows())

  const topic = (name: string): string => `#narrow/channel/${at.cast.channels.design}/topic/${name}`
  const isFocused = (locator: Locator): Promise<boolean> =>
    locator.evaluate((element) => element.matches(':focus'))
  const composer = (page: TestPage): Locator => page.locator('parley-composer textarea')

  /** Shows a topic; the list of conversations has its last part when the keys work. */
  const open = async (hash: string, options = {}): Promise<TestPage> => {
    const page = await at.open('alice', hash, options)
    await userMenu(page).waitFor()
    return page
  }

  it('lists them, and switches single keys off and on, also after a reload', async () => {
    const { bob } = at.cast.people
    await bob.say(at.cast.channels.design, 'help', 'Press a key')
    const page = await open(topic('help'))
    await shows(page, 'Press a key')
    const row = page.locator('.row').first()
    await row.focus()
    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    const keys = await dialog.locator('dt').allTextContents()
    for (const key of ['r', 'c', 'n', 'p', 's', '/', '?']) assert.ok(keys.includes(key), key)
    await dialog.getByRole('checkbox', { name: 'Use single keys as shortcuts' }).uncheck()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.ok(await isFocused(row))

    await page.reload()
    await shows(page, 'Press a key')
    const help = userMenu(page)
    await help.waitFor()
    await row.focus()
    for (const key of ['?', 'c', 'r', '/']) await page.keyboard.press(key)
    assert.ok(await isFocused(row))
    assert.equal(await dialog.count(), 0)
    // Keys with modifiers are no single ones.
    await page.keyboard.press('Control+/')
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await chooseInMenu(page, 'Keyboard shortcuts')
    await dialog.getByRole('checkbox').check()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.ok(await isFocused(help))
    await row.focus()
    await page.keyboard.press('c')
    assert.ok(await isFocused(composer(page)))
  })

  it('replies, writes, searches and stars', async () => {
    const { alice, bob } = at.cast.people
    const { design } = at.cast.channels
    const id = await bob.say(design, 'reply', 'Answer me')
    const page = await open('#feed')
    await shows(page, 'Answer me')
    const row = page.locator('.row').filter({ hasText: 'Answer me' })
    await row.focus()
    await page.keyboard.press('s')
    await page.getByText('★ starred').waitFor()
    const { body } = await alice.get(`/messages/${id}`)
    assert.ok(body.message.flags.includes('starred'))
    await page.keyboard.press('s')
    await page.getByText('★ starred').waitFor({ state: 'detached' })
    // This list has no composer.
    await page.keyboard.press('c')
    assert.ok(await isFocused(row))
    await page.keyboard.press('/')
    assert.ok(await isFocused(page.getByRole('searchbox')))

    await row.focus()
    await page.keyboard.press('r')
    await page.getByRole('heading', { name: '#design › reply' }).waitFor()
    await until('the focus', () => isFocused(composer(page)))
    // In a field they are letters.
    await page.keyboard.type('crnps/?')
    assert.equal(await composer(page).inputValue(), 'crnps/?')
    await composer(page).fill('')
    await inList(page, 'reply').focus()
    await page.keyboard.press('r')
    await until('the focus', () => isFocused(composer(page)))
  })

  it('goes from one unread conversation to another, and on from there', async () => {
    const { alice, bob } = at.cast.people
    const { design } = at.cast.channels
    await bob.say(design, 'start', 'Here it begins')
    assert.equal((await alice.post('/mark_all_as_read')).status, 200)
    const page = await open(topic('start'))
    await shows(page, 'Here it begins')
    await bob.say(design, 'unread 1', 'One')
    await bob.say(design, 'unread 2', 'Two')
    for (const name of ['unread 1', 'unread 2'])
      await inList(page, name).locator('.count').waitFor()
    await page.locator('.row').first().focus()
    const title = page.locator('header h2')
    const seen: string[] = []
    for (const key of ['n', 'n']) {
      const before = await title.textContent()
      await page.keyboard.press(key)
      await until('another title', async () => (await title.textContent()) !== before)
      const name = (await title.textContent()) ?? ''
      seen.push(name)
      await inList(page, name.replace('#design › ', ''))
        .locator('.count')
        .waitFor({ state: 'detached' })
    }
    assert.deepEqual(seen.sort(), ['#design › unread 1', '#design › unread 2'])
    // From the list of conversations, which keeps the focus.
    await bob.say(design, 'unread 3', 'Three')
    await inList(page, 'unread 3').locator('.count').waitFor()
    const link = inList(page, 'Mentions')
    await link.focus()
    await page.keyboard.press('p')
    await page.getByRole('heading', { name: '#design › unread 3' }).waitFor()
    assert.ok(await isFocused(link))
  })

  it('takes no key that the surrounding page may want, but those it uses', async () => {
    const { bob } = at.cast.people
    await bob.say(at.cast.channels.design, 'page', 'Whose key is it?')
    const page = await open(topic('page'))
    await shows(page, 'Whose key is it?')
    await page.evaluate(() => {
      const keys: string[] = []
      document.addEventListener('keydown', ({ key }) => keys.push(key))
      Object.assign(window, { keys })
    })
    await page.locator('.row').first().focus()
    for (const key of ['x', 'r']) await page.keyboard.press(key)
    await until('the focus', () => isFocused(composer(page)))
    const keys = await page.evaluate(() => {
      // The script above has added it.
      const { keys } = window as unknown as { readonly keys: string[] }
      return keys
    })
    assert.deepEqual(keys, ['x'])
  })
})
