import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import type { Locator } from 'playwright-core'

import { until } from '../support/waiting.js'
import type { TestPage } from './browser.js'
import { inList, messagesOf, shows, withPages } from './chat-pages.js'
import { HeldCalls } from './held-calls.js'

const protectedHistory = 'Private, protected history'

/** The dialog with all channels, which is opened. */
async function browse(page: TestPage): Promise<Locator> {
  await page.getByRole('button', { name: 'All channels' }).click()
  const dialog = page.getByRole('dialog', { name: 'Channels' })
  await dialog.getByRole('listitem').first().waitFor()
  return dialog
}

withPages('the channels', (at) => {
  afterEach(() => at.closeWindows())

  it('are in one dialog, also if the button is pressed again before it is loaded', async () => {
    const page = await at.open('alice')
    const calls = await HeldCalls.of(page, /browse/)
    calls.hold('calls')
    const button = page.getByRole('button', { name: 'All channels' })
    await button.click()
    await button.click()
    await until('a call', () => calls.begun > 0)
    await calls.answer()
    const dialog = page.getByRole('dialog', { name: 'Channels' })
    await dialog.first().waitFor()
    await page.evaluate(() => new Promise(requestAnimationFrame))
    assert.equal(await dialog.count(), 1)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  it('are all found, joined and left', async () => {
    const { bob } = at.cast.people
    const page = await at.open('bob', '#narrow/is/mentioned')
    const dialog = await browse(page)
    const item = (name: string): Locator => dialog.getByRole('listitem').filter({ hasText: name })
    await item('design').waitFor()
    // Private ones of others, and archived ones.
    assert.equal(await item('secret').count(), 0)
    assert.equal(await item('attic').count(), 0)
    await item('empty').getByText('0 subscribers').waitFor()
    await dialog.getByRole('searchbox', { name: 'Find channels' }).fill('emp')
    await until('the filter', async () => (await dialog.getByRole('listitem').count()) === 1)

    await dialog.getByRole('button', { name: 'Join #empty' }).click()
    const leave = dialog.getByRole('button', { name: 'Leave #empty' })
    await leave.waitFor()
    await item('empty').getByText('1 subscriber').waitFor()
    await dialog.getByText('You have joined #empty.').waitFor()
    assert.ok(await leave.evaluate((element) => element.matches(':focus')))
    await inList(page, 'empty').waitFor()
    // Another client leaves it.
    await bob.delete('/users/me/subscriptions', { subscriptions: ['empty'] })
    await dialog.getByRole('button', { name: 'Join #empty' }).click()
    await leave.click()
    await dialog.getByRole('button', { name: 'Join #empty' }).waitFor()
    await inList(page, 'empty').waitFor({ state: 'detached' })

    await dialog.getByRole('link', { name: 'empty' }).click()
    await page.getByRole('heading', { name: '#empty' }).waitFor()
    await dialog.waitFor({ state: 'detached' })
  })

  it('are left after a question if nobody can come back', async () => {
    const page = await at.open('bob', '#narrow/is/mentioned')
    const dialog = await browse(page)
    const leave = dialog.getByRole('button', { name: 'Leave #vault' })
    await leave.click()
    const question = page.getByRole('dialog', { name: 'Leave #vault?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    assert.ok(await leave.evaluate((element) => element.matches(':focus')))
    await leave.click()
    await question.getByRole('button', { name: 'Leave' }).click()
    await leave.waitFor({ state: 'detached' })
    const field = dialog.getByRole('searchbox')
    await until('the focus', () => field.evaluate((element) => element.matches(':focus')))
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await inList(page, 'vault').waitFor({ state: 'detached' })
  })

  it('are created, public or private', async () => {
    const { bob, carol } = at.cast.people
    const page = await at.open('bob', '#narrow/is/mentioned')
    const dialog = await browse(page)
    const create = dialog.getByRole('button', { name: 'Create channel' })
    await create.click()
    const name = dialog.getByLabel('Name')
    await until('the focus', () => name.evaluate((element) => element.matches(':focus')))
    await page.keyboard.type('general')
    await page.keyboard.press('Enter')
    // The server says why not.
    await dialog.getByText(/^That did not work: .*already/).waitFor()
    page.problems.length = 0
    await name.fill('tea room')
    await dialog.getByLabel('Description').fill('Where tea is drunk')
    await dialog.getByLabel('Who can read it').selectOption({ label: protectedHistory })
    const people = dialog.getByRole('combobox', { name: 'People besides you' })
    await people.pressSequentially('carol')
    await dialog.getByRole('option', { name: 'Carol Test', selected: true }).waitFor()
    await people.press('Enter')
    await dialog.getByRole('button', { name: 'Remove Carol Test' }).waitFor()
    await create.click()
    await page.getByRole('heading', { name: '#tea room' }).waitFor()
    await inList(page, 'tea room').waitFor()
    const { body } = await bob.get('/users/me/subscriptions')
    const made = body.subscriptions.find((each: { name: string }) => each.name === 'tea room')
    assert.equal(made!.invite_only, true)
    assert.equal(made!.history_public_to_subscribers, false)
    const { body: members } = await bob.get(`/streams/${made!.stream_id}/members`)
    assert.deepEqual(members.subscribers, [bob.id, carol.id])
    assert.equal(made!.description, 'Where tea is drunk')
  })

  it('say so when they can no longer be seen, and lose nothing that was typed', async () => {
    const { alice, bob } = at.cast.people
    const subscribe = { subscriptions: [{ name: 'hideout' }], principals: [alice.id, bob.id] }
    await alice.post('/users/me/subscriptions', { ...subscribe, invite_only: true })
    const { body } = await alice.get('/get_stream_id', { stream: 'hideout' })
    await alice.say(body.stream_id, 'tea', 'Nobody finds us here')
    const hash = `#narrow/channel/${body.stream_id}/topic/tea`
    const page = await at.open('bob', hash)
    await shows(page, 'Nobody finds us here')
    const field = page.locator('parley-composer textarea')
    await field.fill('Half a sentence')
    const removed = { subscriptions: ['hideout'], principals: [bob.id] }
    assert.equal((await alice.delete('/users/me/subscriptions', removed)).status, 200)

    await page.getByText('You cannot see this channel').waitFor()
    assert.equal(await messagesOf(page).count(), 0)
    await inList(page, 'hideout').waitFor({ state: 'detached' })
    assert.equal(await field.count(), 0)
    await alice.post('/users/me/subscriptions', subscribe)
    await shows(page, 'Nobody finds us here')
    assert.equal(await field.inputValue(), 'Half a sentence')
    // Until bob was subscribed again, what his page sent about the channel was refused: the draft,
    // that he is typing, and what it was just reading.
    const refused = page.problems.filter((text) => text.includes('400 (Bad Request)'))
    assert.deepEqual(page.problems.splice(0), refused)
  })

  it('are not created by guests', async () => {
    const page = await at.open('gus', '#narrow/is/mentioned')
    const dialog = await browse(page)
    assert.equal(await dialog.getByRole('button', { name: 'Create channel' }).count(), 0)
  })

  it('show their topics also on a narrow page', async () => {
    const { alice } = at.cast.people
    const { general } = at.cast.channels
    await alice.say(general, 'first', 'One')
    await alice.say(general, 'second', 'Two')
    const narrow = { viewport: { width: 320, height: 600 } }
    const page = await at.open('bob', `#narrow/channel/${general}/topic/first`, narrow)
    await shows(page, 'One')
    await page.getByRole('button', { name: 'Topics' }).click()
    const first = inList(page, 'first')
    await until('the focus', () => first.evaluate((element) => element.matches(':focus')))
    await inList(page, 'second').click()
    await shows(page, 'Two')
    await page.getByRole('heading', { name: '#general › second' }).waitFor()
    // There are none elsewhere.
    await page.getByRole('button', { name: 'Back to the list' }).click()
    await inList(page, 'Mentions').click()
    await page.getByRole('heading', { name: 'Mentions' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Topics' }).count(), 0)
  })
})
