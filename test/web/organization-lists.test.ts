import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import type { Locator } from 'playwright-core'

import type { Client } from '../support/client.js'
import { createdField } from '../support/profile-fields.js'
import { until } from '../support/waiting.js'
import {
  countCalls,
  hasFocus,
  openOrganization,
  openSection,
  shows,
  withPages,
} from './chat-pages.js'

interface StoredField {
  readonly id: number
  readonly name: string
  readonly type: number
  readonly hint: string
  readonly field_data: string
  readonly required: boolean
  readonly editable_by_user: boolean
  readonly display_in_profile_summary?: true
}

async function fieldsOf(reader: Client): Promise<StoredField[]> {
  return (await reader.get('/realm/profile_fields')).body.custom_fields as StoredField[]
}

async function patternsOf(reader: Client): Promise<string[]> {
  const { body } = await reader.get('/realm/linkifiers')
  return (body.linkifiers as { readonly pattern: string }[]).map(({ pattern }) => pattern)
}

const entry = (dialog: Locator, text: string): Locator =>
  dialog.getByRole('listitem').filter({ hasText: text })

/** Waits until a window shows items in this order. */
async function showsInOrder(dialog: Locator, names: readonly string[]): Promise<void> {
  const shown = dialog.locator('.entry .about > :first-child')
  await until(`the order ${names.join()}`, async () => {
    return String(await shown.allTextContents()) === String(names)
  })
}

withPages('the lists of the organization', (at) => {
  afterEach(() => at.closeWindows())

  it('have linkifiers: added, changed and deleted, with the reasons of refusals', async () => {
    const { adam, bob } = at.cast.people
    const { general } = at.cast.channels
    const page = await at.open('adam', `#narrow/channel/${general}/topic/links`)
    const one = await openOrganization(page, 'Linkifiers')
    const two = await openOrganization(await at.open('olga'), 'Linkifiers')
    await one.getByText('There are no linkifiers.').waitFor()
    await one.getByRole('button', { name: 'Add a linkifier' }).click()
    const pattern = one.getByLabel('Pattern')
    const address = one.getByLabel('Address')
    const save = one.getByRole('button', { name: 'Save' })
    await until('the field', () => hasFocus(pattern))
    await pattern.fill('#(?P<id>[0-9]+')
    await address.fill('https://example.com/{id}')
    await save.click()
    // Beside the field that it is about.
    const patternProblem = one.locator('#problem-pattern')
    await patternProblem.getByText('Bad regular expression').waitFor()
    assert.equal(await pattern.getAttribute('aria-invalid'), 'true')
    assert.equal(await pattern.getAttribute('aria-describedby'), 'problem-pattern')
    assert.equal(await address.getAttribute('aria-invalid'), null)
    await pattern.fill('#(?P<id>[0-9]+)')
    await address.fill('javascript:{id}')
    await save.click()
    await one.locator('#problem-url_template').getByText('Invalid URL template.').waitFor()
    assert.equal(await patternProblem.textContent(), '')
    await address.fill('https://example.com/{other}')
    await save.click()
    await one.getByRole('alert').getByText("Group 'other' in URL template").waitFor()
    assert.equal(await pattern.inputValue(), '#(?P<id>[0-9]+)')
    await address.fill('https://example.com/{id}')
    const sent = countCalls(page, 'POST', '/realm/filters')
    await save.dblclick()
    await one.getByText('Saved: #(?P<id>[0-9]+)').waitFor()
    assert.equal(sent(), 1)
    await entry(two, 'https://example.com/{id}').waitFor()
    assert.deepEqual(await patternsOf(adam), ['#(?P<id>[0-9]+)'])

    await two.getByRole('button', { name: 'Edit: #(?P<id>[0-9]+)' }).click()
    await two.getByLabel('Address').fill('https://example.com/orders/{id}')
    await two.getByRole('button', { name: 'Save' }).click()
    await entry(one, 'https://example.com/orders/{id}').waitFor()
    await bob.say(general, 'links', 'See #42')
    await shows(page, 'See #42')
    const link = page.locator('.message a').filter({ hasText: '#42' })
    assert.equal(await link.getAttribute('href'), 'https://example.com/orders/42')

    // What one window deletes stays in the form of another one, and is refused there.
    await two.getByRole('button', { name: 'Edit: #(?P<id>[0-9]+)' }).click()
    await one.getByRole('button', { name: 'Delete: #(?P<id>[0-9]+)' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).last().click()
    await one.getByText('There are no linkifiers.').waitFor()
    await two.getByLabel('Address').fill('https://example.com/kept/{id}')
    await two.getByRole('button', { name: 'Save' }).click()
    await two.getByRole('alert').getByText('Linkifier not found.').waitFor()
    assert.equal(await two.getByLabel('Address').inputValue(), 'https://example.com/kept/{id}')
    page.problems.length = 0
    for (const window of at.windows) window.problems.length = 0
  })

  it('are ordered by keyboard, as the other window shows', async () => {
    const { adam } = at.cast.people
    for (const letter of ['A', 'B', 'C']) {
      const url_template = `https://example.com/${letter}/{id}`
      await adam.post('/realm/filters', { pattern: `${letter}(?P<id>[0-9]+)`, url_template })
    }
    const [a = '', b = '', c = ''] = await patternsOf(adam)
    const page = await at.open('adam')
    const one = await openOrganization(page, 'Linkifiers')
    const two = await openOrganization(await at.open('olga'), 'Linkifiers')
    await showsInOrder(two, [a, b, c])
    const up = one.getByRole('button', { name: `Move up: ${c}` })
    await up.focus()
    await page.keyboard.press('Enter')
    await showsInOrder(one, [a, c, b])
    await one.getByText(`${c} is now 2 of 3.`).waitFor()
    await showsInOrder(two, [a, c, b])
    await until('the same button', () => hasFocus(up))
    await page.keyboard.press('Enter')
    await showsInOrder(two, [c, a, b])
    // The first one has no way up.
    await until('the other button', () =>
      hasFocus(one.getByRole('button', { name: `Move down: ${c}` })),
    )
    assert.ok(await up.isDisabled())
    assert.deepEqual(await patternsOf(adam), [c, a, b])
    // A refused order goes back.
    await page.route('**/api/v1/realm/linkifiers', (route) => route.abort())
    await page.keyboard.press('Enter')
    await one.getByText('Not saved: Order. The server cannot be reached.').waitFor()
    await showsInOrder(one, [c, a, b])
    page.problems.length = 0
  })

  it('have profile fields of each type', async () => {
    const { adam } = at.cast.people
    const one = await openOrganization(await at.open('adam'), 'Profile fields')
    const two = await openOrganization(await at.open('olga'), 'Profile fields')
    const add = async (type: string, name: string | undefined): Promise<void> => {
      await one.getByRole('button', { name: 'Add a field' }).click()
      await one.getByLabel('Type').selectOption(type)
      if (name !== undefined) await one.getByLabel('Name', { exact: true }).fill(name)
    }
    const save = async (name: string): Promise<void> => {
      await one.getByRole('button', { name: 'Save' }).click()
      await entry(two, name).waitFor()
      await one.getByRole('button', { name: 'Add a field' }).waitFor()
    }
    for (const type of ['Short text', 'Long text', 'Date', 'Link', 'Users', 'Pronouns']) {
      await add(type, `Our ${type}`)
      const inSummary = one.getByLabel('Show it in the short profile')
      const isPossible = type !== 'Long text' && type !== 'Users'
      assert.equal(await inSummary.count(), isPossible ? 1 : 0)
      if (type === 'Short text') {
        await one.getByLabel('Hint').fill('What you like')
        await inSummary.check()
        await one.getByLabel('Ask users to fill it in').check()
        await one.getByLabel('Users may change their own value').uncheck()
      }
      await save(`Our ${type}`)
    }
    await add('List of options', 'Our editor')
    await one.getByLabel('Option 1', { exact: true }).fill('Vim')
    await one.getByRole('button', { name: 'Add an option' }).click()
    await one.getByLabel('Option 2', { exact: true }).fill('Emacs')
    await save('Our editor')
    await add('External account', 'Our forge')
    await one.getByLabel('Address of an account').fill('https://forge.example/')
    await one.getByRole('button', { name: 'Save' }).click()
    await one.getByRole('alert').getByText("URL pattern must contain '%(username)s'.").waitFor()
    await one.getByLabel('Address of an account').fill('https://forge.example/%(username)s')
    await save('Our forge')
    await add('External account', undefined)
    await one.getByRole('combobox', { name: 'Account', exact: true }).selectOption('GitHub')
    await save('GitHub username')

    const stored = await fieldsOf(adam)
    assert.deepEqual(
      stored.map(({ type }) => type),
      [1, 2, 4, 5, 6, 8, 3, 7, 7],
    )
    const [first] = stored
    assert.deepEqual(
      [first?.hint, first?.display_in_profile_summary, first?.required, first?.editable_by_user],
      ['What you like', true, true, false],
    )
    await entry(two, 'Our Short text')
      .getByText('Short text · What you like · in the short profile · required')
      .waitFor()
    assert.equal(stored[7]?.field_data.includes('https://forge.example/%(username)s'), true)
    for (const window of at.windows) window.problems.length = 0
    for (const { id } of stored) await adam.delete(`/realm/profile_fields/${id}`)
    await one.getByText('There are no profile fields.').waitFor()
  })

  it('have profile fields that are changed, ordered and deleted with their values', async () => {
    const { adam, bob } = at.cast.people
    await createdField(adam, { name: 'City' })
    const options = { v: { text: 'Vim', order: '1' }, e: { text: 'Emacs', order: '2' } }
    const field_data = JSON.stringify(options)
    const id = await createdField(adam, { name: 'Editor', field_type: 3, field_data })
    const data = JSON.stringify([{ id, value: 'e' }])
    assert.equal((await bob.patch('/users/me/profile_data', { data })).status, 200)
    const page = await at.open('adam')
    const one = await openOrganization(page, 'Profile fields')
    const profile = await openSection(await at.open('bob'), 'Profile')
    await one.getByRole('button', { name: 'Edit: Editor' }).click()
    assert.equal(await one.getByLabel('Type').count(), 0)
    // Users keep what they have chosen, also under another name.
    await one.getByLabel('Option 2', { exact: true }).fill('GNU Emacs')
    await one.getByRole('button', { name: 'Remove: Vim' }).click()
    await until('one option', async () => (await one.getByLabel(/^Option/).count()) === 1)
    await one.getByRole('button', { name: 'Add an option' }).click()
    await one.getByLabel('Option 2', { exact: true }).fill('Ed')
    await one.getByLabel('Name', { exact: true }).fill('Favourite editor')
    await one.getByRole('button', { name: 'Save' }).click()
    const own = profile.getByLabel('Favourite editor')
    await until('the value', () =>
      own.evaluate((field: HTMLSelectElement) => field.selectedOptions[0]?.text === 'GNU Emacs'),
    )
    const texts = (await own.locator('option').allTextContents()).map((text) => text.trim())
    assert.deepEqual(texts, ['not set', 'GNU Emacs', 'Ed'])

    await one.getByRole('button', { name: 'Move up: Favourite editor' }).click()
    await showsInOrder(one, ['Favourite editor', 'City'])
    await until('the order', async () => (await fieldsOf(adam))[0]?.id === id)
    // Another field has the name.
    await one.getByRole('button', { name: 'Edit: City' }).click()
    await one.getByLabel('Name', { exact: true }).fill('Favourite editor')
    await one.getByRole('button', { name: 'Save' }).click()
    await one.getByRole('alert').getByText('A field with that label already exists.').waitFor()
    assert.equal(await one.getByLabel('Name', { exact: true }).inputValue(), 'Favourite editor')
    await one.getByRole('button', { name: 'Cancel' }).click()

    await one.getByRole('button', { name: 'Delete: Favourite editor' }).click()
    const question = page.getByRole('dialog', { name: 'Delete the field “Favourite editor”?' })
    await question.getByText('The values of all users are deleted with it.').waitFor()
    await question.getByRole('button', { name: 'Delete' }).click()
    await until('no field', async () => (await own.count()) === 0)
    await showsInOrder(one, ['City'])
    page.problems.length = 0
  })
})
