import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import { until } from '../support/waiting.js'
import type { TestPage } from './browser.js'
import { inList, shows, withPages } from './chat-pages.js'

withPages('what belongs to a message', (at) => {
  afterEach(() => at.closeWindows())

  const topic = (name: string): string => `#narrow/channel/${at.cast.channels.design}/topic/${name}`

  it('shows a poll, in which users vote and add options, and its author changes the question', async () => {
    const { alice, bob } = at.cast.people
    const { design } = at.cast.channels
    const id = await alice.say(design, 'poll', '/poll Where?\n- Here\n- <b>There</b>')
    const page = await at.open('alice', topic('poll'))
    const poll = page.locator('parley-widget')
    const here = poll.getByRole('button', { name: 'Here, 0 votes' })
    await here.waitFor()
    assert.equal(await here.getAttribute('aria-pressed'), 'false')
    await poll.getByText('<b>There</b>').waitFor()

    // By others, live.
    const other = await at.open('bob', topic('poll'))
    await other.getByRole('button', { name: 'Here, 0 votes' }).click()
    await poll.getByText('Bob Test').waitFor()
    assert.equal(await other.getByRole('button', { name: 'Change the question' }).count(), 0)

    // With the keyboard: from the message into the poll, and back.
    await page.locator('.row').first().focus()
    const one = poll.getByRole('button', { name: 'Here, 1 vote' })
    await one.focus()
    assert.equal(await one.getAttribute('tabindex'), '0')
    await page.keyboard.press('Space')
    const two = poll.getByRole('button', { name: 'Here, 2 votes' })
    await two.waitFor()
    assert.equal(await two.getAttribute('aria-pressed'), 'true')
    assert.ok(await two.evaluate((element) => element.matches(':focus')))
    await page.keyboard.press('Space')
    await one.waitFor()
    assert.equal(await one.getAttribute('aria-pressed'), 'false')

    const field = poll.getByRole('textbox', { name: 'Add an option' })
    await field.fill('Elsewhere')
    await field.press('Enter')
    await other.getByRole('button', { name: 'Elsewhere, 0 votes' }).click()
    await poll.getByRole('button', { name: 'Elsewhere, 1 vote' }).waitFor()
    await until('an empty field', async () => (await field.inputValue()) === '')
    await field.press('Escape')
    await page.locator('.row:focus').waitFor()

    await poll.getByRole('button', { name: 'Change the question' }).click()
    const question = poll.getByRole('textbox', { name: 'Change the question' })
    assert.equal(await question.inputValue(), 'Where?')
    await question.fill('Where to?')
    await question.press('Enter')
    await other.getByText('Where to?').waitFor()
    await poll.locator('strong + button:focus').waitFor()
    // Others cannot change it, nor can a message with a poll be edited.
    const forged = { type: 'question', question: 'Forged' }
    const content = JSON.stringify(forged)
    await bob.post('/submessage', { message_id: id, msg_type: 'widget', content })
    await other.getByRole('button', { name: 'Here, 1 vote', exact: true }).click()
    await poll.getByRole('button', { name: 'Here, 0 votes' }).waitFor()
    assert.equal(await page.getByText('Forged').count(), 0)
    assert.equal(await page.getByRole('button', { name: 'Edit', exact: true }).count(), 0)
  })

  it('shows a list of tasks, which users mark and add to', async () => {
    const { alice, bob } = at.cast.people
    const { design } = at.cast.channels
    const id = await bob.say(design, 'tasks', '/todo Move\n- Pack: books')
    // What other clients write may be anything.
    for (const change of [
      null,
      [],
      { type: 'strike', key: 'none' },
      { type: 'new_task', key: -1 },
    ]) {
      const content = JSON.stringify(change)
      await alice.post('/submessage', { message_id: id, msg_type: 'widget', content })
    }
    const page = await at.open('alice', topic('tasks'))
    const list = page.locator('parley-widget')
    await shows(page, 'Move')
    const task = list.getByRole('button', { name: 'Pack, done' })
    assert.equal(await task.getAttribute('aria-pressed'), 'false')
    await task.click()
    await list.locator('[aria-pressed=true]').waitFor()
    const field = list.getByRole('textbox', { name: 'Add a task' })
    await field.fill('Clean: all rooms')
    await field.press('Enter')
    const other = await at.open('bob', topic('tasks'))
    await other.getByText('all rooms').waitFor()
    const marks = other.locator('parley-widget li [aria-pressed]')
    assert.deepEqual(
      await marks.evaluateAll((all) => all.map((each) => each.getAttribute('aria-pressed'))),
      ['true', 'false'],
    )
  })

  const act = async (page: TestPage, text: string, name: string): Promise<void> => {
    const row = page.locator('.row').filter({ hasText: text }).first()
    await row.hover()
    await row.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('dialog').getByRole('button', { name }).click()
  }
  const isFocused = (page: TestPage, text: string): Promise<void> =>
    page.locator('.row:focus, .row:has(:focus)').filter({ hasText: text }).waitFor()

  it('shows what was changed in a message, when and by whom', async () => {
    const { alice, bob } = at.cast.people
    const { design } = at.cast.channels
    const id = await bob.say(design, 'history', 'Green tea')
    assert.equal((await bob.patch(`/messages/${id}`, { content: 'Black tea' })).status, 200)
    await alice.say(design, 'history', 'Untouched')
    assert.equal((await alice.patch(`/messages/${id}`, { topic: 'history 2' })).status, 200)
    const page = await at.open('alice', topic('history 2'))
    await page.getByRole('button', { name: 'edited' }).click()
    const dialog = page.getByRole('dialog')
    const items = dialog.getByRole('listitem')
    await items.first().waitFor()
    const changes = await items.allTextContents()
    assert.match(changes[0] ?? '', /Alice Test[^]*Moved from history to history 2/)
    assert.match(changes[1] ?? '', /Bob Test/)
    assert.equal(await dialog.locator('.highlight_text_deleted').textContent(), 'Green')
    assert.equal(await dialog.locator('.highlight_text_inserted').textContent(), 'Black')
    assert.match(changes[2] ?? '', /Bob Test[^]*Green tea/)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await isFocused(page, 'Black tea')
  })

  it('moves messages to another topic, and says why it cannot', async () => {
    const { bob } = at.cast.people
    const { design } = at.cast.channels
    for (const text of ['First', 'Second', 'Third']) await bob.say(design, 'from', text)
    const page = await at.open('alice', topic('from'))
    await shows(page, 'Second')
    await act(page, 'Second', 'Move to another topic')
    const dialog = page.getByRole('dialog')
    const field = dialog.getByRole('textbox', { name: 'Topic' })
    assert.equal(await field.inputValue(), 'from')
    await field.press('Enter')
    await dialog.getByText('That did not work: ').waitFor()
    await page.keyboard.press('Escape')
    await isFocused(page, 'Second')
    page.problems.length = 0

    await act(page, 'Second', 'Move to another topic')
    await field.fill('to')
    await dialog.getByLabel('Which messages').selectOption('This and later messages')
    await field.press('Enter')
    const first = page.locator('.content').getByText('First', { exact: true })
    await first.waitFor({ state: 'detached' })
    await shows(page, 'Third')
    assert.match(decodeURI(page.url()), /topic\/to\/near/)
    await page.getByRole('button', { name: 'moved' }).first().waitFor()
  })

  it('offers moves to those whom the rules allow', async () => {
    const { adam, bob } = at.cast.people
    const { design } = at.cast.channels
    await bob.say(design, 'rules', 'Stay here')
    const page = await at.open('bob', topic('rules'))
    await shows(page, 'Stay here')
    const open = page.getByRole('button', { name: 'More actions' })
    await page.locator('.row').first().hover()
    await open.click()
    const move = page.getByRole('dialog').getByRole('button', { name: 'Move to another topic' })
    await move.waitFor()
    await page.keyboard.press('Escape')
    const nobody = { new: { direct_members: [], direct_subgroups: [] } }
    const answer = await adam.patch('/realm', { can_move_messages_between_topics_group: nobody })
    assert.equal(answer.status, 200, answer.text)
    await until('the rule', async () => {
      await page.locator('.row').first().hover()
      await open.click()
      const count = await move.count()
      await page.keyboard.press('Escape')
      return count === 0
    })
  })

  it('shows who has read a message', async () => {
    const { alice, bob, carol } = at.cast.people
    const { general } = at.cast.channels
    const id = await alice.say(general, 'readers', 'Read me')
    for (const reader of [bob, carol])
      await reader.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' })
    const page = await at.open('alice', `#narrow/channel/${general}/topic/readers`)
    await shows(page, 'Read me')
    await act(page, 'Read me', 'Who has read it')
    await page.getByRole('dialog').getByText('Read by 2').waitFor()
    assert.deepEqual(await page.getByRole('dialog').getByRole('listitem').allTextContents(), [
      'Bob Test',
      'Carol Test',
    ])
    await page.getByRole('button', { name: 'Close' }).click()
    await isFocused(page, 'Read me')
  })

  it('marks messages as unread from one on, and keeps them so while they are visible', async () => {
    const { alice, bob } = at.cast.people
    const { general } = at.cast.channels
    for (const text of ['One', 'Two', 'Three']) await bob.say(general, 'again', text)
    const page = await at.open('alice', `#narrow/channel/${general}/topic/again`)
    const count = inList(page, 'again').locator('.count [aria-hidden]')
    await shows(page, 'Three')
    await count.waitFor({ state: 'detached' })
    await page.reload()
    await shows(page, 'Three')
    await act(page, 'Two', 'Mark as unread from here')
    await count.filter({ hasText: /^2$/ }).waitFor()
    await isFocused(page, 'Two')
    await page.locator('.scroller').dispatchEvent('scroll')
    await bob.say(general, 'again', 'Four')
    await count.filter({ hasText: /^3$/ }).waitFor()
    const { body } = await alice.get('/messages', { anchor: 'newest', num_before: 4, num_after: 0 })
    assert.deepEqual(
      body.messages.map(({ flags }: { flags: string[] }) => flags.includes('read')),
      [true, false, false, false],
    )
  })

  it('stars messages', async () => {
    const { alice, bob } = at.cast.people
    const id = await bob.say(at.cast.channels.design, 'stars', 'Remember')
    const page = await at.open('alice', topic('stars'))
    await shows(page, 'Remember')
    await act(page, 'Remember', 'Star')
    await page.getByText('★ starred').waitFor()
    const { body } = await alice.get(`/messages/${id}`)
    assert.ok(body.message.flags.includes('starred'))
    await act(page, 'Remember', 'Remove the star')
    await page.getByText('★ starred').waitFor({ state: 'detached' })
  })

  it('copies blocks of code, also with the keyboard, and says when it cannot', async () => {
    const code = 'if (a < b) {\n  go(`here`)\n}'
    const fenced = `Look:\n\`\`\`js\n${code}\n\`\`\`\nand \`inline\`\n\n\`\`\`\nsecond\n\`\`\``
    await at.cast.people.bob.say(at.cast.channels.design, 'code', fenced)
    const page = await at.open('alice', topic('code'))
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const buttons = page.getByRole('button', { name: 'Copy the code' })
    await buttons.nth(1).waitFor()
    assert.equal(await buttons.count(), 2)
    const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText())
    await page.locator('.codehilite').first().hover()
    await buttons.first().click()
    await page.getByRole('status').getByText('Copied').waitFor()
    assert.equal((await copied()).trimEnd(), code)
    // It is one of the stops within the message that has the focus.
    await page.locator('.row').first().focus()
    await until('a stop', async () => (await buttons.nth(1).getAttribute('tabindex')) === '0')
    await buttons.nth(1).focus()
    await page.keyboard.press('Enter')
    await until('the second block', async () => (await copied()).trimEnd() === 'second')

    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('No'))
    })
    await page.keyboard.press('Enter')
    await page.getByText('The browser did not allow copying.').waitFor()
  })
})
