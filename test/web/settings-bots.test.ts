import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import type { Locator } from 'playwright-core'

import { pngOf } from '../support/uploads.js'
import { until } from '../support/waiting.js'
import { hasFocus, openSection, shows, withPages } from './chat-pages.js'

function entry(dialog: Locator, name: string): Locator {
  return dialog.getByRole('listitem').filter({ hasText: name })
}

withPages('the own bots', (at) => {
  afterEach(() => at.closeWindows())

  it('are created by keyboard, with an address that posts messages', async () => {
    const { bob } = at.cast.people
    const { general } = at.cast.channels
    const page = await at.open('bob', `#narrow/channel/${general}/topic/builds`)
    const one = await openSection(page, 'Bots')
    const two = await openSection(await at.open('bob'), 'Bots')
    await one.getByText('You have no bots.').waitFor()
    const add = one.getByRole('button', { name: 'Create a bot' })
    await add.focus()
    await page.keyboard.press('Enter')
    const type = one.getByLabel('Kind')
    await until('the form', () => hasFocus(type))
    await page.keyboard.type('Inc')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Builder')
    await page.keyboard.press('Tab')
    await page.keyboard.type('bad name')
    await page.keyboard.press('Enter')
    await one.getByRole('alert').filter({ hasText: /./ }).waitFor()
    assert.equal(await one.getByLabel('Name', { exact: true }).inputValue(), 'Builder')
    page.problems.length = 0
    await one.getByLabel('Short name').fill('builder')
    await page.keyboard.press('Enter')
    await one.getByText('Saved: Builder').waitFor()
    await until('the button', () => hasFocus(add))
    await entry(two, 'Builder').getByText('Incoming webhook').waitFor()
    const details = one.getByRole('button', { name: 'Key and addresses: Builder' })
    await details.press('Enter')
    assert.equal(await details.getAttribute('aria-expanded'), 'true')
    const address = await one
      .getByRole('textbox', { name: 'Address for any JSON: Builder' })
      .inputValue()
    const answer = await fetch(`${address}&stream=general&topic=builds`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ text: 'It is green.' }),
    })
    assert.equal(answer.status, 200)
    const key = one.getByRole('textbox', { name: 'API key: Builder' })
    const before = await key.inputValue()
    await one.getByRole('button', { name: 'Replace the key: Builder' }).press('Enter')
    const question = page.getByRole('dialog', { name: /^Replace the API key of Builder\?/ })
    await question.getByRole('button', { name: 'Replace', exact: true }).press('Enter')
    await one.getByText('Builder has a new API key.').waitFor()
    await until('another key', async () => (await key.inputValue()) !== before)
    assert.equal((await bob.get('/bots')).body.bots[0]!.api_key, await key.inputValue())
    await page.keyboard.press('Escape')
    await shows(page, 'It is green.')
  })

  it('are changed and deactivated, in two windows', async () => {
    const { adam, alice, bot } = at.cast.people
    const page = await at.open('alice')
    const one = await openSection(page, 'Bots')
    const two = await openSection(await at.open('alice'), 'Bots')
    await entry(one, 'Bot Test').getByText(bot.email).waitFor()
    await one.getByRole('button', { name: 'Edit: Bot Test' }).click()
    await one.getByLabel('Name', { exact: true }).fill('Robot Test')
    await one.getByLabel('Channel to which it sends by default').selectOption('#design')
    const file = (name: string, buffer: Buffer): Promise<void> =>
      one.getByLabel('Picture').setInputFiles({ name, mimeType: 'image/png', buffer })
    await file('large.png', Buffer.alloc(6 * 1024 * 1024))
    await one.getByRole('button', { name: 'Save' }).click()
    await one.getByText('large.png has 6.3 MB: pictures may have 5 MB at most.').waitFor()
    await file('small.png', Buffer.from(pngOf(64, 64)))
    await page.route('**/bots/*', (route) => route.abort())
    await one.getByRole('button', { name: 'Save' }).click()
    await one.getByRole('alert').getByText('The server cannot be reached.').waitFor()
    assert.equal(await one.getByLabel('Name', { exact: true }).inputValue(), 'Robot Test')
    page.problems.length = 0
    await page.unroute('**/bots/*')
    await one.getByRole('button', { name: 'Save' }).click()
    await one.getByText('Saved: Robot Test').waitFor()
    await entry(two, 'Robot Test').waitFor()
    const [stored] = (await alice.get('/bots')).body.bots
    assert.equal(stored!.default_sending_stream, 'design')
    assert.match(stored!.avatar_url, /user_avatars/)

    await one.getByRole('button', { name: 'Deactivate: Robot Test' }).click()
    const question = page.getByRole('dialog', { name: /^Deactivate the bot Robot Test\?/ })
    await question.getByRole('button', { name: 'Deactivate' }).click()
    await one.getByText('Robot Test is deactivated.').waitFor()
    await entry(two, 'Robot Test').getByText('Deactivated').waitFor()
    assert.equal(await two.getByRole('button', { name: 'Edit: Robot Test' }).count(), 0)
    assert.equal(await two.getByRole('button', { name: 'Reactivate: Robot Test' }).count(), 0)
    await adam.post(`/users/${bot.id}/reactivate`)
    await one.getByRole('button', { name: 'Edit: Robot Test' }).waitFor()
  })

  it('are reactivated by administrators', async () => {
    const { adam } = at.cast.people
    const page = await at.open('adam')
    const dialog = await openSection(page, 'Bots')
    await adam.post('/bots', { full_name: 'Adams Bot', short_name: 'adams' })
    await dialog.getByRole('button', { name: 'Deactivate: Adams Bot' }).click()
    const question = page.getByRole('dialog', { name: /^Deactivate the bot Adams Bot\?/ })
    await question.getByRole('button', { name: 'Deactivate' }).click()
    // Bots of others are not listed.
    assert.equal(await entry(dialog, 'Test').count(), 0)
    await dialog.getByRole('button', { name: 'Reactivate: Adams Bot' }).click()
    await dialog.getByText('Adams Bot is active again.').waitFor()
    assert.equal((await adam.get('/bots')).body.bots.length, 1)
  })

  it('have the address of a program if they are outgoing webhooks', async () => {
    const { carol } = at.cast.people
    const page = await at.open('carol')
    const dialog = await openSection(page, 'Bots')
    await dialog.getByRole('button', { name: 'Create a bot' }).click()
    await dialog.getByLabel('Kind').selectOption('Outgoing webhook')
    await dialog.getByLabel('Name', { exact: true }).fill('Helper')
    await dialog.getByLabel('Short name').fill('helper')
    await dialog.getByLabel('Address of your program').fill('https://helper.example/hook')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Saved: Helper').waitFor()
    await dialog.getByRole('button', { name: 'Edit: Helper' }).click()
    const url = dialog.getByLabel('Address of your program')
    assert.equal(await url.inputValue(), 'https://helper.example/hook')
    await dialog.getByLabel('Format of its calls').selectOption('That of Slack')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Saved: Helper').waitFor()
    await dialog.getByRole('button', { name: 'Key and addresses: Helper' }).click()
    assert.match(
      await dialog.getByRole('textbox', { name: 'Token of the calls: Helper' }).inputValue(),
      /^\w{20,}$/,
    )
    const { realm_bots } = (
      await carol.post('/register', { fetch_event_types: JSON.stringify(['realm_bot']) })
    ).body
    assert.deepEqual(
      realm_bots.map(({ services }: { services: { base_url: string; interface: number }[] }) =>
        services.map((each) => [each.base_url, each.interface]),
      ),
      [[['https://helper.example/hook', 2]]],
    )
  })

  it('of webhooks only are created by those who may create no others', async () => {
    const { olga } = at.cast.people
    const { user_groups: groups } = (await olga.get('/user_groups')).body
    const nobody = groups.find(({ name }: { name: string }) => name === 'role:nobody')!.id
    const setting = JSON.stringify({ new: nobody })
    const dialog = await openSection(await at.open('carol'), 'Bots')
    await olga.patch('/realm', { can_create_bots_group: setting })
    await dialog.getByRole('button', { name: 'Create a bot' }).click()
    const kinds = dialog.getByLabel('Kind').locator('option')
    await until('one kind', async () => (await kinds.count()) === 1)
    assert.equal((await kinds.allInnerTexts()).join().trim(), 'Incoming webhook')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await olga.patch('/realm', { can_create_write_only_bots_group: setting })
    await dialog.getByText('You may not create bots.').waitFor()
  })
})
