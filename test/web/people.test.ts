import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import { until } from '../support/waiting.js'
import { inList, shows, withPages, writes } from './chat-pages.js'

withPages('people', (at) => {
  afterEach(() => at.closeWindows())

  it('begins a direct conversation with several people, by keyboard', async () => {
    const { alice, bob, carol } = at.cast.people
    const page = await at.open('alice', '#narrow/is/mentioned')
    const opener = page.getByRole('button', { name: 'New direct message' })
    await opener.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'New direct message' })
    const field = dialog.getByRole('combobox', { name: 'People' })
    const chips = dialog.locator('.chip')
    const open = dialog.getByRole('button', { name: 'Open' })
    await until('the focus', () => field.evaluate((element) => element.matches(':focus')))
    assert.ok(await open.isDisabled())

    // Found by a part of the name, and by address.
    await page.keyboard.type('test bo')
    await dialog.getByRole('option').filter({ hasText: 'Bob Test' }).waitFor()
    await page.keyboard.press('Enter')
    await chips.filter({ hasText: 'Bob Test' }).waitFor()
    await page.keyboard.type(carol.email.slice(0, 8))
    await dialog.getByRole('option').filter({ hasText: 'Carol Test' }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type('mona')
    await dialog.getByRole('option', { selected: true }).waitFor()
    await page.keyboard.press('Enter')
    assert.equal(await chips.count(), 3)
    await page.keyboard.press('Backspace')
    await until('two people', async () => (await chips.count()) === 2)
    // With the arrows, and without one who is chosen already.
    assert.equal(await dialog.getByRole('option').filter({ hasText: 'Bob Test' }).count(), 0)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    const selected = dialog.getByRole('option', { selected: true })
    const lastId = await dialog.getByRole('option').last().getAttribute('id')
    await until('the last one', async () => (await selected.getAttribute('id')) === lastId)
    assert.equal(await field.getAttribute('aria-activedescendant'), lastId)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await until('three people', async () => (await chips.count()) === 3)
    await chips.last().getByRole('button').click()
    await until('two people', async () => (await chips.count()) === 2)
    await page.keyboard.press('Enter')

    await page.getByRole('heading', { name: 'Bob Test, Carol Test' }).waitFor()
    const composer = page.locator('parley-composer textarea')
    await until('the focus', () => composer.evaluate((element) => element.matches(':focus')))
    await page.keyboard.type('Just the three of us')
    await page.keyboard.press('Enter')
    await shows(page, 'Just the three of us')
    const others = await at.open('bob', `#narrow/dm/${alice.id},${carol.id}`)
    await shows(others, 'Just the three of us')
    assert.equal(bob.name, 'bob')
  })

  it('offers nobody who is deactivated, and closes with Escape', async () => {
    const page = await at.open('alice')
    const opener = page.getByRole('button', { name: 'New direct message' })
    await opener.click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('option').first().waitFor()
    assert.equal(await dialog.getByRole('option').filter({ hasText: 'Dora' }).count(), 0)
    await page.keyboard.type('dora')
    await dialog.getByText('Nobody was found.').waitFor()
    // The first one clears the field.
    await page.keyboard.press('Escape')
    await dialog.getByRole('option').first().waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.ok(await opener.evaluate((element) => element.matches(':focus')))
  })

  it('shows who has written a message, and writes to them', async () => {
    const { carol } = at.cast.people
    const { general } = at.cast.channels
    assert.equal((await carol.patch('/settings', { timezone: 'Asia/Tokyo' })).status, 200)
    await carol.say(general, 'card', 'Who am I?')
    const page = await at.open('alice', `#narrow/channel/${general}/topic/card`)
    await shows(page, 'Who am I?')
    await page.locator('.row .avatar').click()
    const dialog = page.getByRole('dialog', { name: 'About Carol Test' })
    await dialog.getByText('Member').waitFor()
    await dialog.getByText(carol.email).waitFor()
    const hour = new Intl.DateTimeFormat('en', { hour: 'numeric', timeZone: 'Asia/Tokyo' })
    const [number, half] = hour.format(new Date()).split(/\s/)
    await dialog.getByText(new RegExp(`^${number}:\\d\\d\\s${half} local time$`)).waitFor()
    assert.equal(await dialog.getByText('active', { exact: true }).count(), 0)
    await at.open('carol')
    await dialog.getByText('active', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await dialog.waitFor({ state: 'detached' })

    // By keyboard: the message, then its sender.
    await page.locator('.row').first().focus()
    await page.keyboard.press('Tab')
    const sender = page.getByRole('button', { name: 'Carol Test' })
    assert.ok(await sender.evaluate((element) => element.matches(':focus')))
    await page.keyboard.press('Enter')
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.ok(await sender.evaluate((element) => element.matches(':focus')))
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Send a direct message' }).click()
    await page.getByRole('heading', { name: 'Carol Test' }).waitFor()
    const composer = page.locator('parley-composer textarea')
    await until('the focus', () => composer.evaluate((element) => element.matches(':focus')))
    await writes(page, 'Found you')
    await shows(page, 'Found you')
    await inList(page, 'Carol Test').waitFor()
  })
})
