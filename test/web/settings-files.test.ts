import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import type { Locator } from 'playwright-core'

import { upload } from '../support/uploads.js'
import { until } from '../support/waiting.js'
import { hasFocus, openSection, shows, withPages } from './chat-pages.js'

withPages('the own files', (at) => {
  afterEach(() => at.closeWindows())

  it('are listed with their messages, which are shown, and come in live', async () => {
    const { alice, bob } = at.cast.people
    const { general } = at.cast.channels
    const plan = await upload(alice, { name: 'plan.txt', bytes: 'x'.repeat(2500) })
    await upload(bob, { name: 'secret-of-bob.txt' })
    const page = await at.open('alice', '#narrow/is/mentioned')
    const dialog = await openSection(page, 'Files')
    const entry = (name: string): Locator => dialog.getByRole('listitem').filter({ hasText: name })
    await entry('plan.txt').getByText('2.5 kB').waitFor()
    await entry('plan.txt').getByText('No message links to it.').waitFor()
    assert.equal(await dialog.getByText('secret-of-bob').count(), 0)
    await dialog.getByText(/organization together: [\d.]+ kB of [\d.]+ GB/).waitFor()
    await alice.say(general, 'files', `See [the plan](${plan})`)
    await entry('plan.txt').getByText('In messages of:').waitFor()
    await upload(alice, { name: 'another.txt' })
    await entry('another.txt').waitFor()
    // The newest is the first, and the search finds the other.
    assert.match(await dialog.getByRole('listitem').first().innerText(), /another\.txt/)
    await dialog.getByRole('searchbox', { name: 'Name of a file' }).fill('PLAN')
    await until('one file', async () => (await dialog.getByRole('listitem').count()) === 1)
    const opened = page.context().waitForEvent('page')
    await entry('plan.txt').getByRole('link', { name: 'plan.txt' }).click()
    const file = await opened
    await file.waitForLoadState()
    assert.match(await file.innerText('body'), /^x{2500}$/)
    await entry('plan.txt')
      .getByRole('button', { name: /^Message with plan\.txt of / })
      .click()
    await dialog.waitFor({ state: 'detached' })
    await shows(page, 'See the plan')
  })

  it('are deleted after a question, by keyboard, in two windows', async () => {
    const { carol } = at.cast.people
    const { general } = at.cast.channels
    const tea = await upload(carol, { name: 'tea.txt' })
    await carol.say(general, 'files', `[Tea](${tea})`)
    const page = await at.open('carol')
    const one = await openSection(page, 'Files')
    const two = await openSection(await at.open('carol'), 'Files')
    await two.getByRole('link', { name: 'tea.txt' }).waitFor()
    const button = one.getByRole('button', { name: 'Delete: tea.txt' })
    await button.focus()
    await page.keyboard.press('Enter')
    const question = page.getByRole('dialog', { name: /^Delete “tea\.txt”\?/ })
    await question.getByText('The message that links to it stays').waitFor()
    await page.keyboard.press('Escape')
    await until('the focus', () => hasFocus(button))
    await page.route('**/attachments/*', (route) => route.abort())
    await page.keyboard.press('Enter')
    await question.getByRole('button', { name: 'Delete' }).press('Enter')
    await one.getByText('Not deleted. The server cannot be reached.').waitFor()
    page.problems.length = 0
    await page.unroute('**/attachments/*')
    await button.press('Enter')
    await question.getByRole('button', { name: 'Delete' }).press('Enter')
    await one.getByText('You have uploaded no files.').waitFor()
    await one.getByText('Deleted.', { exact: true }).waitFor()
    await two.getByText('You have uploaded no files.').waitFor()
    await until('the title', () => hasFocus(one.getByRole('heading', { name: 'Your files' })))
    assert.deepEqual((await carol.get('/attachments')).body.attachments, [])
  })
})
