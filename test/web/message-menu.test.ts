import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import { until } from '../support/waiting.js'
import type { TestPage } from './browser.js'
import { inList, messagesOf, openSection, shows, withPages } from './chat-pages.js'

async function choose(page: TestPage, text: string, action: string): Promise<void> {
  const row = page.locator('.row').filter({ hasText: text }).first()
  await row.hover()
  await row.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click()
}

withPages('the actions for a message', (at) => {
  afterEach(() => at.closeWindows())

  const topic = (name: string): string =>
    `#narrow/channel/${at.cast.channels.general}/topic/${name}`

  it('quote it, also where nothing is written', async () => {
    const { bob } = at.cast.people
    const { general } = at.cast.channels
    const id = await bob.say(general, 'quoted', 'With `code`, and ```three``` ticks')
    const page = await at.open('alice', topic('quoted'))
    await shows(page, 'With code')
    const field = page.locator('parley-composer textarea')

    await choose(page, 'With code', 'Quote and reply')
    const link = `${at.address}${topic('quoted')}/near/${id}`
    const quote = `@_**Bob Test|${bob.id}** [said](${link}):\n\`\`\`\`quote\nWith \`code\`, and \`\`\`three\`\`\` ticks\n\`\`\`\``
    await until('the quote', async () => (await field.inputValue()).trim() === quote)
    await field.press('Enter')
    await messagesOf(page).locator('blockquote').getByText('With code').waitFor()

    await inList(page, 'All messages').click()
    await page.getByRole('heading', { name: 'All messages' }).waitFor()
    await choose(page, 'With code', 'Quote and reply')
    await page.getByRole('heading', { name: '#general › quoted' }).waitFor()
    await until('the quote', async () => (await field.inputValue()).includes('[said]('))
  })

  it('remind of it, at a usual or another time, with a note', async () => {
    const { alice, bob } = at.cast.people
    const { general } = at.cast.channels
    const id = await bob.say(general, 'later', 'Look at this tomorrow')
    const page = await at.open('alice', topic('later'))
    await shows(page, 'Look at this tomorrow')
    const reminders = async (): Promise<
      { reminder_target_message_id: number; scheduled_delivery_timestamp: number }[]
    > => (await alice.get('/reminders')).body.reminders

    await choose(page, 'Look at this tomorrow', 'Remind me of this message')
    const dialog = page.getByRole('dialog', { name: 'Remind me of this message' })
    await dialog.getByLabel('Note').fill('Bring tea')
    await dialog.getByRole('button', { name: /^In an hour/ }).click()
    await dialog.waitFor({ state: 'detached' })
    const [first] = await reminders()
    assert.equal(first?.reminder_target_message_id, id)
    const hour = (first?.scheduled_delivery_timestamp ?? 0) - Date.now() / 1000
    assert.ok(hour > 3500 && hour < 3700, `${hour} seconds`)

    await choose(page, 'Look at this tomorrow', 'Remind me of this message')
    await dialog.getByLabel('Another time').fill('2001-01-01T10:00')
    await dialog.getByRole('button', { name: 'Remind me', exact: true }).click()
    assert.equal((await reminders()).length, 1)
    await dialog.getByLabel('Another time').fill('2035-01-01T10:00')
    await dialog.getByRole('button', { name: 'Remind me', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal((await reminders()).length, 2)
    const settings = await openSection(page, 'Later')
    await settings.getByText('Bring tea').waitFor()
  })

  it('report it, if there are moderators who get reports', async () => {
    const { bob, olga } = at.cast.people
    const { general, secret } = at.cast.channels
    await bob.say(general, 'bad', 'Something bad')
    const page = await at.open('alice', topic('bad'))
    await shows(page, 'Something bad')
    const row = page.locator('.row').filter({ hasText: 'Something bad' })
    await row.hover()
    await row.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('button', { name: 'Star', exact: true }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Report' }).count(), 0)
    await page.keyboard.press('Escape')
    const set = { moderation_request_channel_id: secret }
    assert.equal((await olga.patch('/realm', set)).status, 200)
    await until('the setting', async () => {
      await row.hover()
      await row.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('button', { name: 'Star', exact: true }).waitFor()
      const isThere = (await page.getByRole('button', { name: 'Report' }).count()) > 0
      await page.keyboard.press('Escape')
      return isThere
    })

    await choose(page, 'Something bad', 'Report to the moderators')
    const dialog = page.getByRole('dialog', { name: 'Report to the moderators' })
    await dialog.getByLabel('Reason').selectOption('Another reason')
    await dialog.getByRole('button', { name: 'Report', exact: true }).click()
    await dialog.getByText('Write what the reason is.').waitFor()
    await dialog.getByLabel('What the moderators need to know').fill('It is bad')
    await dialog.getByRole('button', { name: 'Report', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await inList(page, 'secret').click()
    await shows(page, 'It is bad')
  })

  it('are there on a touch screen', async () => {
    await at.cast.people.bob.say(at.cast.channels.general, 'touched', 'Touch me')
    const viewport = { width: 390, height: 700 }
    const page = await at.open('alice', topic('touched'), { viewport, hasTouch: true })
    await shows(page, 'Touch me')

    await page.locator('.row').filter({ hasText: 'Touch me' }).tap()
    await page.getByRole('button', { name: 'More actions' }).tap()
    await page.getByRole('dialog').getByRole('button', { name: 'Star', exact: true }).tap()
    await page.locator('.row').getByText('starred').waitFor()
    await page.locator('.row').filter({ hasText: 'Touch me' }).tap()
    await page.getByRole('button', { name: 'Add a reaction' }).tap()
    await page.getByRole('grid').getByRole('button', { name: 'octopus' }).tap()
    await page.getByRole('button', { name: 'octopus, 1, you too' }).waitFor()
  })

  it('hide what a muted user writes, until it is asked for', async () => {
    const { alice, carol } = at.cast.people
    const { general } = at.cast.channels
    await alice.say(general, 'muted', 'Before')
    await carol.say(general, 'muted', 'Not worth reading')
    const page = await at.open('alice', topic('muted'))
    await shows(page, 'Not worth reading')

    await page.getByRole('button', { name: 'Carol Test' }).click()
    const card = page.getByRole('dialog', { name: 'About Carol Test' })
    await card.getByRole('button', { name: 'Mute this user' }).click()
    await page.getByRole('button', { name: 'Mute', exact: true }).click()
    await card.getByRole('button', { name: 'Unmute this user' }).waitFor()
    await page.keyboard.press('Escape')
    const hidden = page.getByText('A message of a user whom you have muted.')
    await hidden.waitFor()
    assert.equal(await page.getByText('Not worth reading').count(), 0)
    assert.equal(await page.locator('.row').getByText('Carol Test').count(), 0)
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await shows(page, 'Not worth reading')

    await page.getByRole('button', { name: 'Carol Test' }).click()
    await card.getByRole('button', { name: 'Unmute this user' }).click()
    await card.getByRole('button', { name: 'Mute this user' }).waitFor()
    await page.reload()
    await shows(page, 'Not worth reading')
  })
})
