import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import { until } from '../support/waiting.js'
import { inList, messagesOf, shows, withPages, writes } from './chat-pages.js'

withPages('writing in the page', (at) => {
  afterEach(() => at.closeWindows())

  const topic = (name: string): string => `#narrow/channel/${at.cast.channels.design}/topic/${name}`
  const contentsOf = async (name: string): Promise<string[]> => {
    const { body } = await at.cast.people.bob.get('/messages', {
      anchor: 'newest',
      num_before: 50,
      num_after: 0,
      apply_markdown: false,
      narrow: [
        { operator: 'channel', operand: at.cast.channels.design },
        { operator: 'topic', operand: name },
      ],
    })
    return body.messages.map(({ content }: { content: string }) => content)
  }

  it('shows a message at once, and sends it once although the network is cut', async () => {
    const page = await at.open('alice', topic('cut'))
    await writes(page, 'Before the cut')
    await shows(page, 'Before the cut')
    // Answers are lost: the message is sent, and the page does not know.
    let lost = 0
    let show = (): void => {}
    const isShown = new Promise<void>((resolve) => (show = resolve))
    await page.route('**/api/v1/messages', async (route) => {
      if (route.request().method() !== 'POST' || lost >= 2) return route.continue()
      lost += 1
      // The row does not wait for an answer.
      await isShown
      if (lost === 2) await route.fetch()
      return route.abort('connectionreset')
    })
    const field = page.locator('parley-composer textarea')
    await field.fill('During the cut')
    await field.press('Enter')
    await page.locator('parley-pending .content').filter({ hasText: 'During the cut' }).waitFor()
    show()
    await until('the message', async () => (await contentsOf('cut')).includes('During the cut'))
    await until(
      'the row of the server',
      async () => (await page.locator('parley-pending .row').count()) === 0,
    )
    assert.deepEqual(await contentsOf('cut'), ['Before the cut', 'During the cut'])
    assert.equal(await messagesOf(page).filter({ hasText: 'During the cut' }).count(), 1)
    page.problems.length = 0
  })

  it('keeps a message that waits for the network when the page is loaded again', async () => {
    const page = await at.open('alice', topic('reload'))
    await page.locator('parley-composer textarea').waitFor()
    await page.route('**/api/v1/messages', (route) =>
      route.request().method() === 'POST' ? route.abort('connectionreset') : route.continue(),
    )
    await writes(page, 'Not lost')
    await page.locator('parley-pending').getByText('Not lost').waitFor()
    await page.unroute('**/api/v1/messages')
    await page.reload()
    await until('the message', async () => (await contentsOf('reload')).includes('Not lost'))
    await until(
      'its row',
      async () => (await messagesOf(page).filter({ hasText: 'Not lost' }).count()) === 1,
    )
    assert.deepEqual(await contentsOf('reload'), ['Not lost'])
    page.problems.length = 0
  })

  it('lets a message that is refused be sent again, changed or discarded', async () => {
    const page = await at.open('alice', topic('refused'))
    let refusals = 1
    await page.route('**/api/v1/messages', (route) => {
      if (route.request().method() !== 'POST' || refusals === 0) return route.continue()
      refusals -= 1
      const body = { result: 'error', msg: 'Not allowed here', code: 'BAD_REQUEST' }
      return route.fulfill({ status: 400, json: body })
    })
    await writes(page, 'Again')
    await page.getByText('Not sent: Not allowed here').waitFor()
    await page.getByRole('button', { name: 'Retry' }).click()
    await until('the message', async () => (await contentsOf('refused')).includes('Again'))

    refusals = 2
    await writes(page, 'Change me')
    await page.locator('.failure').getByRole('button', { name: 'Edit' }).click()
    const field = page.locator('parley-composer textarea')
    await until('the text', async () => (await field.inputValue()).trim() === 'Change me')
    await field.fill('')
    await writes(page, 'Away')
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.locator('.failure').waitFor({ state: 'detached' })
    assert.deepEqual(await contentsOf('refused'), ['Again'])
    page.problems.length = 0
  })

  it('keeps a draft per conversation, also when the page is loaded again', async () => {
    const page = await at.open('alice', topic('draft'))
    const field = page.locator('parley-composer textarea')
    await field.fill('Half a thought')
    await inList(page, 'general').click()
    await until('another draft', async () => (await field.inputValue()) === '')
    await page.goBack()
    await until('the draft', async () => (await field.inputValue()) === 'Half a thought')
    await page.reload()
    await until('the draft', async () => (await field.inputValue()) === 'Half a thought')
    await field.press('Shift+Enter')
    await field.press('x')
    assert.equal(await field.inputValue(), 'Half a thought\nx')
  })

  it('lets reactions be added and removed, and shows those of others', async () => {
    const { alice, bob } = at.cast.people
    const { design } = at.cast.channels
    const id = await alice.say(design, 'reactions', 'How is the tea?')
    const page = await at.open('alice', topic('reactions'))
    await shows(page, 'How is the tea?')
    await bob.post(`/messages/${id}/reactions`, { emoji_name: 'octopus' })
    const reaction = page.getByRole('button', { name: /^octopus/ })
    await reaction.waitFor()
    assert.equal(await reaction.getAttribute('aria-pressed'), 'false')
    assert.equal(await reaction.getAttribute('title'), 'Bob Test: octopus')
    await reaction.click()
    await page.getByRole('button', { name: 'octopus, 2, you too' }).waitFor()
    await reaction.click()
    await page.getByRole('button', { name: 'octopus, 1', exact: true }).waitFor()

    await page.locator('.row').first().hover()
    await page.getByRole('button', { name: 'Add a reaction' }).click()
    await page.getByRole('searchbox', { name: 'Search emoji' }).fill('heart')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'heart, 1, you too' }).waitFor()
  })

  it('lets a user change and delete own messages', async () => {
    const { alice, bob } = at.cast.people
    const { design } = at.cast.channels
    await alice.say(design, 'edits', 'Wrong')
    await bob.say(design, 'edits', 'Of another user')
    const page = await at.open('alice', topic('edits'))
    const row = page.locator('.row').filter({ hasText: 'Wrong' })
    await row.hover()
    await row.getByRole('button', { name: 'Edit' }).click()
    const field = page.locator('parley-edit textarea')
    await until('the text', async () => (await field.inputValue()) === 'Wrong')
    await field.fill('Right')
    await field.press('Enter')
    await shows(page, 'Right')
    await page.getByText('edited').waitFor()

    const other = page.locator('.row').filter({ hasText: 'Of another user' })
    await other.hover()
    assert.equal(await other.getByRole('button', { name: 'Edit' }).count(), 0)
    const own = page.locator('.row').filter({ hasText: 'Right' })
    await own.hover()
    await own.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await messagesOf(page).filter({ hasText: 'Right' }).waitFor({ state: 'detached' })
  })

  it('completes mentions, channels and emoji with the keyboard', async () => {
    const page = await at.open('alice', topic('completion'))
    const field = page.locator('parley-composer textarea')
    await field.pressSequentially('Hello @bo')
    await page.getByRole('option', { name: 'Bob Test' }).waitFor()
    assert.equal(await field.getAttribute('aria-expanded'), 'true')
    await field.press('Tab')
    await field.pressSequentially('#gen')
    await page.getByRole('option', { name: '#general' }).waitFor()
    await field.press('Enter')
    await field.pressSequentially(':octo')
    await page.getByRole('option', { name: 'octopus' }).waitFor()
    await field.press('Escape')
    assert.equal(await page.getByRole('option').count(), 0)
    assert.equal(await field.inputValue(), 'Hello @**Bob Test** #**general** :octo')

    // Topics of a channel, silent mentions and groups.
    const { alice } = at.cast.people
    await alice.say(at.cast.channels.general, 'Rooibos tea', 'No milk')
    await alice.post('/user_groups/create', {
      name: 'brewers',
      description: 'They make tea',
      members: [alice.id],
    })
    await field.fill('')
    await field.pressSequentially('#general>rooi')
    await page.getByRole('option', { name: '#general > Rooibos tea', selected: true }).waitFor()
    await field.press('Enter')
    await field.pressSequentially('@*brew')
    await page.getByRole('option', { name: 'brewers' }).waitFor()
    await field.press('Tab')
    await field.pressSequentially('@_bo')
    await page.getByRole('option', { name: 'Bob Test' }).waitFor()
    await field.press('Tab')
    const written = '#**general>Rooibos tea** @*brewers* @_**Bob Test** '
    assert.equal(await field.inputValue(), written)
  })

  it('uploads files by button, drop and paste', async () => {
    const page = await at.open('alice', topic('files'))
    const field = page.locator('parley-composer textarea')
    await field.waitFor()
    const file = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('tea') }
    await page.locator('parley-composer input[type=file]').setInputFiles(file)
    await until('the link', async () =>
      (await field.inputValue()).includes('[note.txt](/user_uploads/'),
    )
    for (const type of ['drop', 'paste'] as const) {
      await field.fill('')
      await field.evaluate((element, type) => {
        const data = new DataTransfer()
        data.items.add(new File(['tea'], `${type}.txt`, { type: 'text/plain' }))
        const init = { bubbles: true, cancelable: true, composed: true }
        element.dispatchEvent(
          type === 'drop'
            ? new DragEvent('drop', { ...init, dataTransfer: data })
            : new ClipboardEvent('paste', { ...init, clipboardData: data }),
        )
      }, type)
      await until(`the ${type}`, async () => (await field.inputValue()).includes(`[${type}.txt](`))
    }
  })

  it('shows who is typing', async () => {
    const page = await at.open('alice', topic('typing'))
    await page.locator('parley-composer textarea').waitFor()
    const other = await at.open('bob', topic('typing'))
    await other.locator('parley-composer textarea').pressSequentially('Hm')
    await page.getByText('Bob Test is typing…').waitFor()
    await other.locator('parley-composer textarea').press('Enter')
    await page.getByText('Bob Test is typing…').waitFor({ state: 'detached' })
  })
})
