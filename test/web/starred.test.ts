import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import { until } from '../support/waiting.js'
import { inList, messagesOf, openSection, shows, withPages } from './chat-pages.js'

withPages('starred messages', (at) => {
  afterEach(() => at.closeWindows())

  it('have a list and a number, which follow other windows', async () => {
    const { alice, bob } = at.cast.people
    const { general, design } = at.cast.channels
    const first = await bob.say(general, 'one', 'First of the stars')
    await bob.say(general, 'one', 'Without a star')
    const second = await bob.say(design, 'two', 'Second of the stars')
    const star = async (op: string, ...messages: number[]): Promise<void> => {
      const { status } = await alice.post('/messages/flags', { messages, op, flag: 'starred' })
      assert.equal(status, 200)
    }
    const page = await at.open('alice')
    const link = inList(page, 'Starred messages')
    await link.waitFor()
    assert.equal(await link.locator('.count').count(), 0)
    await star('add', first)
    await link.getByText('1 message', { exact: true }).waitFor()
    await link.click()
    await shows(page, 'First of the stars')
    assert.equal(new URL(page.url()).hash, '#narrow/is/starred')
    // The view before has it, too, and others.
    await until('one message', async () => (await messagesOf(page).count()) === 1)
    assert.equal(await page.locator('parley-composer textarea').count(), 0)
    // It comes in from another window, and leads to its conversation.
    await star('add', second)
    await shows(page, 'Second of the stars')
    await link.getByText('2 messages', { exact: true }).waitFor()

    // The first one stays until another conversation is shown.
    await messagesOf(page).first().hover()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('button', { name: 'Remove the star' }).click()
    await link.getByText('1 message', { exact: true }).waitFor()
    await until('one star', async () => (await page.getByText('★ starred').count()) === 1)
    await page.reload()
    await shows(page, 'Second of the stars')
    await until('one message', async () => (await messagesOf(page).count()) === 1)
    await page.getByRole('link', { name: '#design › two' }).click()
    await page.getByRole('heading', { name: '#design › two' }).waitFor()
    await star('remove', second)
    await until('no number', async () => (await link.locator('.count').count()) === 0)
  })

  it('are not counted if the user does not want it', async () => {
    const { bob } = at.cast.people
    const id = await bob.say(at.cast.channels.general, 'one', 'Star of Bob')
    await bob.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
    const page = await at.open('bob')
    const link = inList(page, 'Starred messages')
    await link.getByText('1 message', { exact: true }).waitFor()
    const dialog = await openSection(page, 'Display')
    await dialog.getByLabel('Show the number of starred messages').uncheck()
    await page.keyboard.press('Escape')
    await until('no number', async () => (await link.locator('.count').count()) === 0)
  })
})
