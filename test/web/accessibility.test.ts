import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import { pngOf, upload } from '../support/uploads.js'
import { until } from '../support/waiting.js'
import { violations } from './axe.js'
import type { TestPage } from './browser.js'
import { chooseInMenu, inList, shows, withPages } from './chat-pages.js'

withPages('accessibility', (at) => {
  afterEach(() => at.closeWindows())

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`has no violations that axe finds, in ${colorScheme} colors`, async () => {
      const { alice, bob } = at.cast.people
      const { general } = at.cast.channels
      const topic = `axe-${colorScheme}`
      const text = `**Look** at [this](https://example.com), @**Alice Test**\n\n> quoted\n\n\`code\`\n\n\`\`\`js\nconst a = 'b' // c\n\`\`\``
      const id = await bob.say(general, topic, text)
      await alice.post(`/messages/${id}/reactions`, { emoji_name: 'octopus' })
      const poll = await alice.say(general, topic, '/poll Where?\n- Here\n- There')
      const vote = JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 })
      await alice.post('/submessage', { message_id: poll, msg_type: 'widget', content: vote })
      await bob.say(general, topic, '/todo Move\n- Pack: books')
      const edited = await bob.say(general, topic, 'Green tea')
      await bob.patch(`/messages/${edited}`, { content: 'Black tea' })
      const file = { name: 'tea.png', type: 'image/png', bytes: pngOf(300, 200) }
      await bob.say(general, topic, `[Tea](${await upload(bob, file)})`)
      await bob.say(general, topic, 'Another')
      const options = { colorScheme, bypassCSP: true }
      const found: Record<string, string[]> = {}
      const check = async (state: string, page: TestPage): Promise<void> => {
        const problems = await violations(page)
        if (problems.length > 0) found[state] = problems
      }

      const login = await at.window(options)
      await login.goto(at.address)
      await login.getByRole('button', { name: alice.email }).waitFor()
      await check('login', login)

      const hash = `#narrow/channel/${general}/topic/${topic}`
      const page = await at.open('alice', hash, options)
      await shows(page, 'Another')
      await check('conversation with unread messages', page)
      await page.locator('.row').first().hover()
      await page.getByRole('toolbar').waitFor()
      await check('toolbar', page)
      await page.getByRole('button', { name: 'Add a reaction' }).click()
      await page.getByRole('grid').waitFor()
      await check('picker', page)
      await page.keyboard.press('Escape')
      const dialog = page.getByRole('dialog')
      for (const name of ['Who has read it', 'Move to another topic', 'Remind me']) {
        await page.getByRole('button', { name: 'More actions' }).click()
        await dialog.getByRole('button', { name }).waitFor()
        await check('menu', page)
        await dialog.getByRole('button', { name }).click()
        await dialog.getByRole('heading').waitFor()
        await check(name, page)
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'detached' })
      }
      await page.getByRole('button', { name: 'Actions for this conversation' }).click()
      await dialog.getByRole('button', { name: 'Stop following the topic' }).waitFor()
      await check('actions for the conversation', page)
      await page.keyboard.press('Escape')
      await page.locator('.message_inline_image img').click()
      await dialog.getByRole('link', { name: 'Open the original' }).waitFor()
      await check('pictures', page)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'edited' }).click()
      await dialog.locator('.highlight_text_inserted').waitFor()
      await check('history', page)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Change the question' }).click()
      await check('question', page)
      const field = page.locator('parley-composer textarea')
      await field.pressSequentially('@b')
      await page.getByRole('option').first().waitFor()
      await check('completion', page)
      await field.fill('')
      await page.getByRole('button', { name: 'New direct message' }).click()
      await page.getByRole('combobox', { name: 'People' }).pressSequentially('test b')
      await page.getByRole('option', { selected: true }).waitFor()
      await page.keyboard.press('Enter')
      await page.keyboard.press('ArrowDown')
      await page.getByRole('option', { selected: true }).waitFor()
      await check('new direct message', page)
      await page.keyboard.press('Escape')
      await chooseInMenu(page, 'Keyboard shortcuts')
      await dialog.getByRole('checkbox').waitFor()
      await check('shortcuts', page)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'All channels' }).click()
      const channels = page.getByRole('dialog', { name: 'Channels' })
      await channels.getByRole('listitem').first().waitFor()
      await check('channels', page)
      await channels.getByRole('button', { name: 'Create channel' }).click()
      await channels.getByLabel('Description').waitFor()
      await check('new channel', page)
      await page.keyboard.press('Escape')
      await chooseInMenu(page, 'Settings')
      await page.getByRole('dialog', { name: 'Settings' }).getByLabel('Time zone').waitFor()
      await check('settings of the profile', page)
      await page.keyboard.press('ArrowRight')
      await page.getByRole('group', { name: 'One channel' }).waitFor()
      await check('settings of notifications', page)
      await page.keyboard.press('Escape')
      await page.locator('.row .avatar').first().click()
      await page.getByRole('button', { name: 'Send a direct message' }).waitFor()
      await check('user card', page)
      await page.keyboard.press('Escape')
      await inList(page, 'Mentions').click()
      await page.getByRole('heading', { name: 'Mentions' }).waitFor()
      await check('mentions', page)
      await page.getByRole('searchbox').fill('nothingofthekind')
      await page.keyboard.press('Enter')
      await page.getByText('No messages were found.').waitFor()
      await check('empty search', page)
      await page.context().setOffline(true)
      await page.getByText('You are offline.').waitFor()
      await check('offline', page)
      page.problems.length = 0

      const narrow = { ...options, viewport: { width: 320, height: 600 } }
      const small = await at.open('alice', hash, narrow)
      await shows(small, 'Another')
      await check('narrow conversation', small)
      await small.getByRole('button', { name: 'Back to the list' }).click()
      await small.locator('parley-sidebar a').first().waitFor()
      await check('narrow list', small)
      await page.goto(`${at.address}#narrow/channel/987654`)
      await page.getByText('You cannot see this channel').waitFor()
      await check('conversation that is not found', page)
      assert.deepEqual(found, {})
    })
  }

  it('needs no more than 320 pixels, and shows one column there', async () => {
    const { bob } = at.cast.people
    const { general } = at.cast.channels
    await bob.say(
      general,
      'narrow',
      `Wide: ${'m'.repeat(300)}\n\n\`\`\`\n${'code '.repeat(100)}\n\`\`\``,
    )
    const page = await at.open('alice', '', { viewport: { width: 320, height: 600 } })
    const overflow = (): Promise<number> =>
      page.evaluate(() => {
        const chat = document.querySelector('parley-page')?.shadowRoot?.querySelector('parley-chat')
        const all = [
          ...(chat?.shadowRoot?.querySelectorAll<HTMLElement>(
            '.scroller, .side, .main, .composer',
          ) ?? []),
        ]
        return Math.max(
          document.documentElement.scrollWidth,
          ...all.map((each) => each.scrollWidth),
        )
      })
    await inList(page, 'general').waitFor()
    assert.equal(await page.locator('.main').count(), 0)
    assert.ok((await overflow()) <= 320)
    await inList(page, 'general').click()
    await shows(page, 'Wide:')
    assert.equal(await page.locator('parley-sidebar').count(), 0)
    assert.ok((await overflow()) <= 320, String(await overflow()))
    await page.getByRole('button', { name: 'Back to the list' }).click()
    await inList(page, 'general').waitFor()
  })

  it('has one stop for Tab in the list of messages, whose messages are reached by arrows', async () => {
    const { bob } = at.cast.people
    const { general } = at.cast.channels
    for (const number of ['One', 'Two', 'Three'])
      await bob.say(general, 'keys', `${number} [link](https://example.com)`)
    const page = await at.open('alice', `#narrow/channel/${general}/topic/keys`)
    await shows(page, 'Three')
    const field = page.locator('parley-composer textarea')
    await field.focus()
    await page.keyboard.press('Escape')
    const focused = page.locator('.row:focus')
    await until(
      'the last message',
      async () => (await focused.textContent())?.includes('Three') === true,
    )
    await page.keyboard.press('ArrowUp')
    await until(
      'the one before',
      async () => (await focused.textContent())?.includes('Two') === true,
    )
    assert.equal(await page.locator('.row[tabindex="0"]').count(), 1)
    assert.equal(await page.locator('.content a[tabindex="0"]').count(), 1)
    await page.keyboard.press('Enter')
    const button = page.locator('[role=toolbar] button:focus')
    await until('the toolbar', async () => (await button.count()) === 1)
    await page.keyboard.press('Escape')
    await until(
      'the message again',
      async () => (await focused.textContent())?.includes('Two') === true,
    )
    // New messages take the focus from nothing.
    await bob.say(general, 'keys', 'Four')
    await shows(page, 'Four')
    assert.match((await focused.textContent()) ?? '', /Two/)
  })
})
