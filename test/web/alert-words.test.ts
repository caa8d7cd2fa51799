import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import type { Locator } from 'playwright-core'

import { until } from '../support/waiting.js'
import { hasFocus, openSection, shows, withPages } from './chat-pages.js'

withPages('alert words', (at) => {
  afterEach(() => at.closeWindows())

  it('are added and removed by keyboard, in two windows', async () => {
    const { alice } = at.cast.people
    const page = await at.open('alice')
    const one = await openSection(page, 'Notifications')
    const two = await openSection(await at.open('alice'), 'Notifications')
    const list = (dialog: Locator): Locator => dialog.getByRole('list', { name: 'Alert words' })
    const field = one.getByLabel('New word or phrase')
    await field.focus()
    await page.keyboard.type('deploy <b>')
    await page.keyboard.press('Enter')
    await one.getByText('Added: deploy <b>').waitFor()
    assert.equal(await field.inputValue(), '')
    assert.ok(await hasFocus(field))
    await list(two).getByText('deploy <b>').waitFor()
    await page.keyboard.type('Deploy <B>')
    await page.keyboard.press('Enter')
    await one.getByText('Deploy <B> is an alert word already.').waitFor()
    // No answer: nothing typed is lost.
    await page.route('**/users/me/alert_words', (route) => route.abort())
    await field.fill('tea')
    await page.keyboard.press('Enter')
    await one.getByText('Not added: tea. The server cannot be reached.').waitFor()
    assert.equal(await field.inputValue(), 'tea')
    page.problems.length = 0
    await page.unroute('**/users/me/alert_words')
    await page.keyboard.press('Enter')
    await list(two).getByText('tea').waitFor()
    const remove = one.getByRole('button', { name: 'Remove the alert word “deploy <b>”' })
    await remove.focus()
    await page.keyboard.press('Enter')
    await one.getByText('Removed: deploy <b>').waitFor()
    const title = one.getByRole('heading', { name: 'Alert words' })
    await until('the focus', () => hasFocus(title))
    await list(two).getByText('deploy <b>').waitFor({ state: 'detached' })
    assert.deepEqual((await alice.get('/users/me/alert_words')).body.alert_words, ['tea'])
  })

  it('are marked in the messages that have them, also after an edit', async () => {
    const { bob, carol } = at.cast.people
    const { general } = at.cast.channels
    await bob.post('/users/me/alert_words', { alert_words: JSON.stringify(['tea', 'Tea pot']) })
    const text = 'A **tea**, a team, a TEA pot and [tea](https://example.com) `tea`'
    const id = await carol.say(general, 'words', text)
    const page = await at.open('bob', `#narrow/channel/${general}/topic/words`)
    await shows(page, 'A tea, a team')
    const marks = page.locator('.message .content mark')
    const texts = ['tea', 'TEA pot', 'tea', 'tea']
    await until('the marks', async () => {
      return (await marks.allTextContents()).join() === texts.join()
    })
    const content = page.locator('.message .content').first()
    assert.equal((await content.textContent())?.trim(), 'A tea, a team, a TEA pot and tea tea')
    await carol.patch(`/messages/${id}`, { content: 'Only (tea).' })
    await shows(page, 'Only (tea).')
    await until('one mark', async () => (await marks.count()) === 1)
    await bob.delete('/users/me/alert_words', { alert_words: JSON.stringify(['tea']) })
    await until('no mark', async () => (await marks.count()) === 0)
    assert.equal(await content.textContent(), 'Only (tea).')
    await carol.say(general, 'words', 'Another tea pot')
    await until('a mark', async () => (await marks.allTextContents()).join() === 'tea pot')
  })
})
