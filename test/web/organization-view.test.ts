import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import type { Locator } from 'playwright-core'

import { editors } from '../support/profile-fields.js'
import { pngOf } from '../support/uploads.js'
import { until } from '../support/waiting.js'
import { violations } from './axe.js'
import type { TestPage } from './browser.js'
import { chooseInMenu, openOrganization, withPages } from './chat-pages.js'
import { tooWide } from './too-wide.js'

const longName = 'Wilhelmina Featherstonehaugh'

withPages('the look of people and the organization', (at) => {
  afterEach(() => at.closeWindows())

  /** An organization with items of every kind, some of them wide. */
  const prepare = async (): Promise<void> => {
    const { olga, bob } = at.cast.people
    if ((await olga.get('/realm/linkifiers')).body.linkifiers.length > 0) return
    const url_template = `https://example.com/${'long'.repeat(30)}/{id}`
    await olga.post('/realm/filters', { pattern: `${'x'.repeat(80)}(?P<id>[0-9]+)`, url_template })
    await olga.post('/realm/filters', { pattern: 'B(?P<id>[0-9]+)', url_template })
    await olga.post('/realm/profile_fields', {
      name: 'W'.repeat(40),
      hint: 'h'.repeat(80),
      field_type: 3,
      field_data: JSON.stringify(editors),
      required: true,
    })
    await olga.patch(`/users/${bob.id}`, { full_name: `${longName} ${'W'.repeat(60)}` })
    await bob.post('/users/me/status', { status_text: 'Under a tree' })
  }

  /** Leads through the states, with a look at each. */
  const visit = async (
    page: TestPage,
    name: string,
    look: (state: string) => Promise<void>,
  ): Promise<void> => {
    await chooseInMenu(page, 'People')
    const people = page.getByRole('dialog', { name: 'People' })
    await people.getByRole('button', { name: longName }).waitFor()
    await look('people')
    await people.getByRole('button', { name: longName }).click()
    await page.getByRole('button', { name: 'Send a direct message' }).waitFor()
    await look('card over people')
    await page.keyboard.press('Escape')
    await people.getByRole('searchbox').fill('nobodyofthem')
    await people.getByText('Nobody was found.').waitFor()
    await look('nobody')
    await people.getByRole('button', { name: 'Close' }).click()

    const dialog = await openOrganization(page, 'Users')
    const button = (text: string): Locator => dialog.getByRole('button', { name: text })
    await look('users')
    await button('Edit: Mona Test').click()
    await look('user form')
    await button('Cancel').click()
    await button('Deactivate: Mona Test').click()
    const question = page.getByRole('dialog', { name: 'Deactivate Mona Test?' })
    await question.waitFor()
    await look('question')
    await question.getByRole('button', { name: 'Cancel' }).click()

    await dialog.getByRole('tab', { name: 'Custom emoji' }).click()
    await button('Add an emoji').click()
    await dialog.getByLabel('Name').fill(name)
    await button('Save').click()
    await dialog.getByRole('alert').getByText('Choose a picture first.').waitFor()
    await look('emoji form')
    const buffer = Buffer.from(pngOf(64, 64))
    const file = { name: `${'long-name-'.repeat(8)}.png`, mimeType: 'image/png', buffer }
    await dialog.locator('input[type=file]').setInputFiles(file)
    await dialog.getByText('kB').waitFor()
    await look('emoji picture')
    await button('Save').click()
    await button(`Delete: ${name}`).waitFor()
    await look('emoji')

    await dialog.getByRole('tab', { name: 'Linkifiers' }).click()
    await button('Move up: B').waitFor()
    await look('linkifiers')
    await button('Add a linkifier').click()
    await dialog.getByLabel('Pattern').fill('(')
    await dialog.getByLabel('Address').fill('https://example.com')
    await button('Save').click()
    await dialog.getByRole('alert').getByText('Bad regular expression').waitFor()
    await look('linkifier form')

    await dialog.getByRole('tab', { name: 'Profile fields' }).click()
    await look('fields')
    await button('Edit: WWW').click()
    await dialog.getByLabel('Option 1', { exact: true }).waitFor()
    await look('options')
    await button('Cancel').click()
    await button('Add a field').click()
    await dialog.getByLabel('Type').selectOption('External account')
    await dialog.getByLabel('Address of an account').waitFor()
    await look('account')
    page.problems.length = 0
  }

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`has no violations that axe finds, in ${colorScheme} colors`, async () => {
      await prepare()
      const page = await at.open('adam', '', { colorScheme, bypassCSP: true })
      const found: Record<string, string[]> = {}
      await visit(page, `axe-${colorScheme}`, async (state) => {
        const problems = await violations(page)
        if (problems.length > 0) found[state] = problems
      })
      assert.deepEqual(found, {})
    })
  }

  it('needs no more than 320 pixels', async () => {
    await prepare()
    const page = await at.open('adam', '', { viewport: { width: 320, height: 600 } })
    const found: Record<string, string[]> = {}
    await visit(page, 'narrow', async (state) => {
      const problems = await page.getByRole('dialog').last().evaluate(tooWide)
      if (problems.length > 0) found[state] = problems
    })
    assert.deepEqual(found, {})
    await until('nothing beside the page', () =>
      page.evaluate(() => document.documentElement.scrollWidth <= 320),
    )
  })
})
