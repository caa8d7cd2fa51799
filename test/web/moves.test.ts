import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import type { Locator } from 'playwright-core'

import { until } from '../support/waiting.js'
import type { TestPage } from './browser.js'
import { shows, withPages } from './chat-pages.js'

/** Opens the dialog that moves a message. */
async function openMove(page: TestPage, text: string, name: string): Promise<Locator> {
  const row = page.locator('.row').filter({ hasText: text }).first()
  await row.hover()
  await row.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
  const dialog = page.getByRole('dialog', { name, exact: true })
  await dialog.waitFor()
  return dialog
}

withPages('moves to other channels', (at) => {
  afterEach(() => at.closeWindows())

  const anywhere = 'Move to another topic or channel'
  const nobody = { new: { direct_members: [], direct_subgroups: [] } }
  const contents = async (channel: number, topic: string): Promise<string[]> => {
    const narrow = [
      { operator: 'channel', operand: channel },
      { operator: 'topic', operand: topic },
    ]
    const params = { anchor: 'newest', num_before: 20, num_after: 0, apply_markdown: false, narrow }
    const { body } = await at.cast.people.adam.get('/messages', params)
    return body.messages.map(({ content }: { content: string }) => content)
  }

  it('take messages along, and lead there', async () => {
    const { bob } = at.cast.people
    const { general, design } = at.cast.channels
    for (const text of ['Stays', 'Goes', 'Goes too']) await bob.say(general, 'mixed', text)
    const page = await at.open('alice', `#narrow/channel/${general}/topic/mixed`)
    await shows(page, 'Goes too')
    const dialog = await openMove(page, 'Goes', anywhere)
    const channel = dialog.getByRole('combobox', { name: 'Channel' })
    await dialog.locator('select:focus, input:focus').waitFor()
    // Nothing is lost if it fails, and a second click does not send it twice.
    await channel.selectOption('#design')
    await dialog.getByRole('textbox', { name: 'Topic' }).fill('together')
    await dialog.getByLabel('Which messages').selectOption('This and later messages')
    await dialog.getByLabel('Post a notice in the new topic').uncheck()
    await dialog.getByLabel('Post a notice in the old topic').check()
    await page.route('**/api/v1/messages/*', (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    )
    await dialog.getByRole('button', { name: 'Move', exact: true }).click()
    await dialog.getByText('That did not work: The server cannot be reached.').waitFor()
    page.problems.length = 0
    await page.unroute('**/api/v1/messages/*')
    assert.equal(await dialog.getByRole('textbox', { name: 'Topic' }).inputValue(), 'together')
    const calls: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'PATCH') calls.push(request.url())
    })
    await dialog.getByRole('button', { name: 'Move', exact: true }).dblclick()
    await page.getByRole('heading', { name: '#design › together' }).waitFor()
    await shows(page, 'Goes too')
    assert.equal(calls.length, 1)
    assert.deepEqual(await contents(design, 'together'), ['Goes', 'Goes too'])
    const [first, notice, ...more] = await contents(general, 'mixed')
    assert.deepEqual([first, more], ['Stays', []])
    assert.match(notice ?? '', /together/)
  })

  it('offer the channels to which the user may post and move', async () => {
    const { adam, bob } = at.cast.people
    const { design } = at.cast.channels
    await bob.say(design, 'rules', 'By the rules')
    const answer = await adam.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'read only' }, { name: 'open to all' }],
      principals: [adam.id, bob.id],
    })
    assert.equal(answer.status, 200, answer.text)
    const { body } = await adam.get('/get_stream_id', { stream: 'read only' })
    const closed = await adam.patch(`/streams/${body.stream_id}`, {
      can_send_message_group: { new: { direct_members: [adam.id], direct_subgroups: [] } },
    })
    assert.equal(closed.status, 200, closed.text)
    const page = await at.open('bob', `#narrow/channel/${design}/topic/rules`)
    await shows(page, 'By the rules')
    const dialog = await openMove(page, 'By the rules', anywhere)
    const channel = dialog.getByRole('combobox', { name: 'Channel' })
    const names = await channel.getByRole('option').allTextContents()
    const shown = names.map((name) => name.trim())
    assert.equal(shown[0], '#design')
    assert.ok(shown.includes('#general') && shown.includes('#open to all'), shown.join())
    assert.ok(!shown.includes('#read only'), shown.join())

    // The rules change while the dialog is shown.
    const topics = await adam.patch('/realm', { can_move_messages_between_topics_group: nobody })
    assert.equal(topics.status, 200, topics.text)
    await until('the rule', () => dialog.getByRole('textbox', { name: 'Topic' }).isDisabled())
    await channel.selectOption('#open to all')
    await dialog.getByRole('button', { name: 'Move', exact: true }).click()
    await page.getByRole('heading', { name: '#open to all › rules' }).waitFor()
    await shows(page, 'By the rules')
    const again = await openMove(page, 'By the rules', 'Move to another channel')
    const channels = await adam.patch('/realm', {
      can_move_messages_between_channels_group: nobody,
    })
    assert.equal(channels.status, 200, channels.text)
    await page.getByText('You may not move this message any more.').waitFor()
    await again.getByRole('button', { name: 'Close' }).click()
    await page.locator('.row').first().hover()
    await page.getByRole('button', { name: 'More actions' }).click()
    const menu = page.getByRole('dialog')
    await menu.getByRole('button', { name: 'Star' }).waitFor()
    assert.equal(await menu.getByRole('button', { name: /^Move/ }).count(), 0)
    await page.keyboard.press('Escape')
  })
})
