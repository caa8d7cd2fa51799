import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import type { Locator } from 'playwright-core'

import { until } from '../support/waiting.js'
import { openSection, withPages } from './chat-pages.js'

withPages('what the user sends later', (at) => {
  afterEach(() => at.closeWindows())

  it('have scheduled messages, which are changed and deleted', async () => {
    const { alice } = at.cast.people
    const { general } = at.cast.channels
    const inAnHour = at.host.clock.seconds + 3600
    const schedule = async (content: string, later: number): Promise<void> => {
      const { status } = await alice.post('/scheduled_messages', {
        type: 'stream',
        to: general,
        topic: 'tomorrow',
        content,
        scheduled_delivery_timestamp: inAnHour + later,
      })
      assert.equal(status, 200)
    }
    await schedule('First plan', 0)
    const first = await at.open('alice')
    const one = await openSection(first, 'Later')
    const two = await openSection(await at.open('alice'), 'Later')
    const list = (dialog: Locator): Locator =>
      dialog.getByRole('list', { name: 'Scheduled messages' })
    await list(one).getByText('#general › tomorrow').waitFor()
    // It comes in while the settings are shown.
    await schedule('Second plan', 60)
    await list(one).getByText('Second plan').waitFor()
    await list(one).getByRole('button', { name: 'Edit: First plan' }).click()
    const text = list(one).getByRole('textbox', { name: 'Text' })
    await until('the focus', () => text.evaluate((element) => element.matches(':focus')))
    await text.fill('A better plan')
    await list(one).getByLabel('Time').fill('2001-01-01T10:00')
    await list(one).getByRole('button', { name: 'Save' }).click()
    await one.getByText(/^Not saved: A better plan\. .+/).waitFor()
    assert.equal(await text.inputValue(), 'A better plan')
    first.problems.length = 0
    await list(one).getByLabel('Time').fill('2040-01-02T10:30')
    await list(one).getByRole('button', { name: 'Save' }).click()
    await one.getByText('Saved: A better plan').waitFor()
    await list(two).getByText('A better plan').waitFor()
    await list(two)
      .getByText(/2040.* 10:30/)
      .waitFor()
    await list(two).getByRole('button', { name: 'Delete: Second plan' }).click()
    const question = two.page().getByRole('dialog', { name: 'Delete “Second plan”?' })
    await question.getByRole('button', { name: 'Delete' }).click()
    await list(one).getByText('Second plan').waitFor({ state: 'detached' })
    await two.getByText('Deleted.').waitFor()
    const title = two.getByRole('heading', { name: 'Scheduled messages' })
    await until('the focus', () => title.evaluate((element) => element.matches(':focus')))
    const { body } = await alice.get('/scheduled_messages')
    assert.deepEqual(
      body.scheduled_messages.map((each: { content: string }) => each.content),
      ['A better plan'],
    )
    assert.equal(
      body.scheduled_messages[0]!.scheduled_delivery_timestamp,
      new Date('2040-01-02T10:30').getTime() / 1000,
    )
  })

  it('schedule the text that is being written, by keyboard', async () => {
    const { bob } = at.cast.people
    const { general } = at.cast.channels
    const page = await at.open('bob', `#narrow/channel/${general}/topic/later`)
    const field = page.locator('parley-composer textarea')
    const later = page.getByRole('button', { name: 'Send later' })
    await field.waitFor()
    assert.ok(await later.isDisabled())
    await field.fill('See you in the morning')
    await later.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Send later' })
    await dialog.getByText('To #general › later').waitFor()
    const time = dialog.getByLabel('Time')
    assert.match(await time.inputValue(), /^\d{4}-\d\d-\d\dT09:00$/)
    // Nothing is lost if the user does not want it.
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await field.inputValue(), 'See you in the morning')
    await page.keyboard.press('Enter')
    await time.fill('2040-03-04T08:15')
    await page.route('**/api/v1/scheduled_messages', (route) => route.abort())
    await time.press('Enter')
    await dialog.getByText('That did not work: The server cannot be reached.').waitFor()
    page.problems.length = 0
    await page.unroute('**/api/v1/scheduled_messages')
    await time.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await until('the focus', () => field.evaluate((element) => element.matches(':focus')))
    assert.equal(await field.inputValue(), '')
    const { body } = await bob.get('/scheduled_messages')
    const [message] = body.scheduled_messages
    assert.equal(message!.content, 'See you in the morning')
    assert.equal(message!.topic, 'later')
    assert.equal(
      message!.scheduled_delivery_timestamp,
      new Date('2040-03-04T08:15').getTime() / 1000,
    )
  })

  it('have reminders, which are deleted', async () => {
    const { carol } = at.cast.people
    const { general } = at.cast.channels
    const message = await carol.say(general, 'reminders', 'Water the plants')
    const { status } = await carol.post('/reminders', {
      message_id: message,
      scheduled_delivery_timestamp: at.host.clock.seconds + 3600,
      note: 'Both of them',
    })
    assert.equal(status, 200)
    const dialog = await openSection(await at.open('carol'), 'Later')
    const list = dialog.getByRole('list', { name: 'Reminders' })
    await list.getByText('Both of them').waitFor()
    await list.getByRole('button', { name: /^Delete: / }).click()
    const question = dialog.page().getByRole('dialog', { name: /^Delete “/ })
    await question.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByText('There are no reminders.').waitFor()
    assert.deepEqual((await carol.get('/reminders')).body.reminders, [])
  })

  it('have snippets, which are written, changed, inserted and deleted', async () => {
    const { bob } = at.cast.people
    const { general } = at.cast.channels
    const hash = `#narrow/channel/${general}/topic/snippets`
    const page = await at.open('bob', hash)
    const composer = page.locator('parley-composer textarea')
    await composer.fill('Dear all,')
    const one = await openSection(page, 'Later')
    const two = await openSection(await at.open('bob'), 'Later')
    await one.getByRole('button', { name: 'New snippet' }).click()
    await page.keyboard.type('Greeting')
    await one.getByRole('textbox', { name: 'Text' }).fill('good morning to **everyone**')
    await one.getByRole('button', { name: 'Save' }).click()
    await one.getByText('Saved: Greeting').waitFor()
    await two.getByText('good morning to **everyone**').waitFor()
    await two.getByRole('button', { name: 'Edit: Greeting' }).click()
    await two.getByRole('textbox', { name: 'Text' }).fill('good evening')
    await two.getByRole('button', { name: 'Save' }).click()
    await one.getByText('good evening').waitFor()
    await one.getByRole('button', { name: 'Insert: Greeting' }).click()
    await one.waitFor({ state: 'detached' })
    await until('the text', async () =>
      /^Dear all, good evening\s$/.test(await composer.inputValue()),
    )
    await until('the focus', () => composer.evaluate((element) => element.matches(':focus')))
    await two.getByRole('button', { name: 'Delete: Greeting' }).click()
    const question = two.page().getByRole('dialog', { name: 'Delete “Greeting”?' })
    await question.getByRole('button', { name: 'Delete' }).click()
    await two.getByText('There are no saved snippets.').waitFor()
    assert.deepEqual((await bob.get('/saved_snippets')).body.saved_snippets, [])
  })
})
