import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import type { Locator } from 'playwright-core'

import { createdField, editors } from '../support/profile-fields.js'
import { until } from '../support/waiting.js'
import type { TestPage } from './browser.js'
import {
  chooseInMenu,
  hasFocus,
  inList,
  pressInMenu,
  shows,
  userMenu,
  withPages,
} from './chat-pages.js'

const crowdSize = 1000

async function openPeople(page: TestPage): Promise<Locator> {
  await chooseInMenu(page, 'People')
  const dialog = page.getByRole('dialog', { name: 'People' })
  await dialog.getByRole('listitem').first().waitFor()
  return dialog
}

withPages('the list of people', (at) => {
  afterEach(() => at.closeWindows())

  it('shows roles, presence and statuses, as they change', async () => {
    const { bob } = at.cast.people
    const page = await at.open('alice')
    const dialog = await openPeople(page)
    const person = (name: string): Locator => dialog.getByRole('listitem').filter({ hasText: name })
    await person('Olga Test').getByText('Owner').waitFor()
    await person('Gus Test').getByText('Guest').waitFor()
    await person('Alice Test').getByText('Member · You').waitFor()
    await person('Bot Test').getByText('Bot', { exact: true }).waitFor()
    // Deactivated users are not there.
    assert.equal(await person('Dora Test').count(), 0)
    assert.equal(await person('Bob Test').getByText('active').count(), 0)
    await at.open('bob')
    await person('Bob Test').getByText('active').waitFor()
    await bob.post('/users/me/status', { status_text: 'Under a tree' })
    await person('Bob Test').getByText('Member · Under a tree').waitFor()
    const { olga, carol } = at.cast.people
    await olga.patch(`/users/${carol.id}`, { full_name: 'Caroline Test', role: 300 })
    await person('Caroline Test').getByText('Moderator').waitFor()
    await olga.patch(`/users/${carol.id}`, { full_name: 'Carol Test', role: 400 })
    await person('Carol Test').getByText('Member').waitFor()
  })

  it('is searched by name, address and status, and filtered by presence and role', async () => {
    const { mona } = at.cast.people
    await mona.post('/users/me/status', { status_text: 'Smiling in Paris' })
    const page = await at.open('alice')
    const dialog = await openPeople(page)
    const names = dialog.locator('.person .name')
    const search = dialog.getByRole('searchbox', { name: 'Name, address or status' })
    const finds = async (text: string, expected: readonly string[]): Promise<void> => {
      await search.fill(text)
      await until(`the people found by ${text}`, async () => {
        const found = await names.allTextContents()
        return String(found.map((name) => name.trim())) === String(expected)
      })
    }
    await finds('test ada', ['Adam Test'])
    await finds('paris', ['Mona Test'])
    await finds('bob@', ['Bob Test'])
    await finds('nobodyofthem', [])
    await dialog.getByText('Nobody was found.').waitFor()
    await finds('', [
      'Adam Test',
      'Alice Test',
      'Bob Test',
      'Bot Test',
      'Carol Test',
      'Gus Test',
      'Mona Test',
      'Olga Test',
    ])
    const show = dialog.getByLabel('Show')
    for (const [filter, expected] of [
      ['Who is there now', ['Alice Test', 'Bob Test']],
      ['Owners and administrators', ['Adam Test', 'Olga Test']],
      ['Moderators', ['Mona Test']],
      ['Members', ['Alice Test', 'Bob Test', 'Carol Test']],
      ['Guests', ['Gus Test']],
      ['Bots', ['Bot Test']],
    ] as const) {
      if (filter === 'Who is there now') await at.open('bob')
      await show.selectOption(filter)
      await until(filter, async () => {
        const found = await names.allTextContents()
        return String(found.map((name) => name.trim())) === String(expected)
      })
    }
  })

  it('is used by keyboard: it opens the card of a user, which leads to a conversation', async () => {
    const page = await at.open('alice', '#narrow/is/mentioned')
    const opener = userMenu(page)
    await pressInMenu(page, 'People')
    const dialog = page.getByRole('dialog', { name: 'People' })
    const search = dialog.getByRole('searchbox')
    await until('the field', () => hasFocus(search))
    // The list is one stop.
    assert.equal(await dialog.locator('.person[tabindex="0"]').count(), 1)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    const person = (name: string): Locator => dialog.getByRole('button', { name })
    await until('the first user', () => hasFocus(person('Adam Test')))
    await page.keyboard.press('End')
    await until('the last user', () => hasFocus(person('Olga Test')))
    await page.keyboard.press('ArrowUp')
    await until('the one before', () => hasFocus(person('Mona Test')))
    await page.keyboard.press('Enter')
    const card = page.getByRole('dialog', { name: 'About Mona Test' })
    await card.getByText('Moderator').waitFor()
    await page.keyboard.press('Escape')
    await card.waitFor({ state: 'detached' })
    assert.ok(await hasFocus(person('Mona Test')))
    await page.keyboard.press('Enter')
    const write = card.getByRole('button', { name: 'Send a direct message' })
    await until('the card', () => hasFocus(write))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Mona Test' }).waitFor()
    await dialog.waitFor({ state: 'detached' })
    await pressInMenu(page, 'People')
    await until('the field', () => hasFocus(search))
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.ok(await hasFocus(opener))
  })

  it('leads to cards with what the organization shows in short profiles', async () => {
    const { adam, bob } = at.cast.people
    const inSummary = { display_in_profile_summary: 'true' }
    const field_data = JSON.stringify(editors)
    const editor = await createdField(adam, {
      name: 'Editor',
      field_type: 3,
      field_data,
      ...inSummary,
    })
    const birthday = await createdField(adam, { name: 'Birthday', field_type: 4, ...inSummary })
    const city = await createdField(adam, { name: 'City' })
    const data = [
      { id: editor, value: 'emacs' },
      { id: birthday, value: '1990-03-01' },
      { id: city, value: 'Oslo' },
    ]
    await bob.patch('/users/me/profile_data', { data: JSON.stringify(data) })
    const page = await at.open('alice')
    const dialog = await openPeople(page)
    await dialog.getByRole('button', { name: 'Bob Test' }).click()
    const card = page.getByRole('dialog', { name: 'About Bob Test' })
    await card.getByText('Editor: Emacs').waitFor()
    await card.getByText('Birthday: 1 March 1990').waitFor()
    assert.equal(await card.getByText('Oslo').count(), 0)
    await adam.patch(`/realm/profile_fields/${birthday}`, { display_in_profile_summary: 'false' })
    await until('one value', async () => (await card.getByText('Birthday').count()) === 0)
    await adam.patch(`/realm/profile_fields/${city}`, inSummary)
    await card.getByText('City: Oslo').waitFor()
  })

  it('has fifty of a thousand users in the page, and more when asked', async () => {
    const many = Array.from({ length: crowdSize }, (_, index) => {
      const number = String(index).padStart(4, '0')
      return {
        externalId: `crowd-${number}`,
        email: `crowd-${number}@example.com`,
        fullName: `Person ${number}`,
      }
    })
    await at.host.chat.users.sync(many)
    const page = await at.open('alice')
    const dialog = await openPeople(page)
    const people = dialog.locator('.person')
    assert.equal(await people.count(), 50)
    await dialog.getByText(`50 of ${crowdSize + 8}`).waitFor()
    await dialog.getByRole('button', { name: 'Show more' }).click()
    await dialog.getByText(`100 of ${crowdSize + 8}`).waitFor()
    assert.equal(await people.count(), 100)
    assert.ok(await hasFocus(people.nth(50)))
    // The last of them all is found.
    await dialog.getByRole('searchbox').fill('person 0999')
    await dialog.getByRole('button', { name: 'Person 0999' }).waitFor()
    assert.equal(await people.count(), 1)
    await dialog.getByRole('searchbox').fill('person 09')
    await until('a hundred people', async () => (await people.count()) === 50)
    await dialog.getByRole('button', { name: 'Show more' }).click()
    await until('all of them', async () => (await people.count()) === 100)
    assert.equal(await dialog.getByRole('button', { name: 'Show more' }).count(), 0)
  })

  it('shows the emoji of a status beside names, as it changes', async () => {
    const { alice, carol } = at.cast.people
    await carol.whisper([alice], 'Back soon')
    const page = await at.open('alice', `#narrow/dm/${carol.id}`)
    await shows(page, 'Back soon')
    const marks = (name: string): Locator => page.getByRole('img', { name, exact: true })
    const set = async (status: Record<string, string>): Promise<void> => {
      assert.equal((await carol.post('/users/me/status', status)).status, 200)
    }
    await set({ emoji_name: 'palm_tree' })
    const row = page.locator('.message')
    await row.locator(marks('palm tree')).waitFor()
    await inList(page, 'Carol Test').locator(marks('palm tree')).waitFor()
    await set({ status_text: 'On an island', emoji_name: 'palm_tree' })
    await row.locator(marks('On an island')).getByText('🌴').waitFor()
    assert.equal(await marks('palm tree').count(), 0)
    await row.getByRole('button', { name: 'Carol Test' }).click()
    const card = page.getByRole('dialog', { name: 'About Carol Test' })
    await card.locator(marks('On an island')).waitFor()
    await card.getByText('On an island').waitFor()
    await page.keyboard.press('Escape')
    await set({ status_text: '', emoji_name: '' })
    await marks('On an island').first().waitFor({ state: 'detached' })
    assert.equal(await marks('On an island').count(), 0)
  })
})
