import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import { until } from '../support/waiting.js'
import type { TestPage } from './browser.js'
import { hasFocus, inList, messagesOf, shows, withPages } from './chat-pages.js'

withPages('searches', (at) => {
  afterEach(() => at.closeWindows())

  const search = async (page: TestPage, query: string): Promise<void> => {
    await page.getByRole('searchbox', { name: 'Search messages' }).fill(query)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: `Search: ${query}`, exact: true }).waitFor()
  }
  const finds = (page: TestPage, texts: readonly string[]): Promise<true> =>
    until(`found: ${texts.join(', ')}`, async () => {
      const found = await messagesOf(page).allInnerTexts()
      return found.length === texts.length && texts.every((text, index) => found[index] === text)
    })

  it('are refused with the reason of the server, and operators are never taken for text', async () => {
    const { alice } = at.cast.people
    await alice.say(at.cast.channels.general, 'colons', 'in:general is a word with a colon')
    const page = await at.open('alice')
    const note = page.locator('.scroller [role=alert]')
    for (const [query, reason] of [
      ['in:general', "Invalid narrow operator: unknown 'in' operand general"],
      ['before:2026-01-01 tea', 'Invalid narrow operator: unknown operator before'],
      ['-Mentions:bob', 'Invalid narrow operator: unknown operator mentions'],
      ['from:nobody', 'Invalid narrow operator: unknown user nobody'],
      ['is:"a secret"', "Invalid narrow operator: unknown 'is' operand a secret"],
    ] as const) {
      await search(page, query)
      await note.getByText(reason).waitFor()
      await note.getByText('Text in quotes is searched for as it is').waitFor()
      assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0)
    }
    await search(page, 'near:tea')
    await note.getByText('near:tea needs the number of a message.').waitFor()
    await search(page, '"in:general"')
    await finds(page, ['in:general is a word with a colon'])
    await search(page, 'see http://tea.example std::vector')
    await page.getByText('No messages were found.').waitFor()
    page.problems.length = 0
  })

  it('name people as they are called, and ask which one of several', async () => {
    const { alice, bob, carol } = at.cast.people
    const { design } = at.cast.channels
    await alice.say(design, 'people', 'cinnamon of Alice')
    const id = await bob.say(design, 'people', 'cinnamon of Bob')
    await bob.say(design, 'people', 'cinnamon of Bob again')
    await bob.whisper([alice, carol], 'cinnamon for three')
    const page = await at.open('alice')
    for (const [query, texts] of [
      ['cinnamon from:bob -is:dm', ['cinnamon of Bob', 'cinnamon of Bob again']],
      ['cinnamon Sender:"bob test" topic:people', ['cinnamon of Bob', 'cinnamon of Bob again']],
      ['cinnamon from:me', ['cinnamon of Alice']],
      ['cinnamon -from:bob', ['cinnamon of Alice']],
      [`cinnamon from:${bob.email} dm:carol,bob`, ['cinnamon for three']],
      [`cinnamon dm:carol,${bob.email}`, ['cinnamon for three']],
      ['dm-including:carol cinnamon', ['cinnamon for three']],
    ] as const) {
      await search(page, query)
      await finds(page, texts)
    }
    await search(page, 'cinnamon from:test')
    const note = page.locator('.scroller [role=alert]')
    await note.getByText(/Several people are called test\./).waitFor()
    const name = /"Alice Test\|\d+"/.exec(await note.innerText())?.[0] ?? ''
    assert.equal(name, `"Alice Test|${alice.id}"`)
    // With a name, and a message to begin with, also by a link.
    await search(page, `cinnamon from:${name}`)
    await finds(page, ['cinnamon of Alice'])
    await search(page, `cinnamon near:${id}`)
    await page.locator('.row.marked').getByText('cinnamon of Bob', { exact: true }).waitFor()
    await page.reload()
    await page.locator('.row.marked').getByText('cinnamon of Bob', { exact: true }).waitFor()
    // In quotes it is a text.
    await bob.patch(`/messages/${id}`, { content: `paprika near:${id}` })
    await search(page, `"paprika near:${id}"`)
    await finds(page, [`paprika near:${id}`])
    assert.equal(await page.locator('.row.marked').count(), 0)
  })

  it('take `+` for a space in names, and as it is in addresses and in quotes', async () => {
    const { alice, bob, olga } = at.cast.people
    const { design } = at.cast.channels
    const email = `bob+tea@${bob.email.split('@')[1] ?? ''}`
    const created = await olga.post('/users', {
      email,
      full_name: 'Bob Plus',
      password: 'a password of its own',
    })
    await alice.whisper([{ ...bob, id: created.body.user_id } as typeof bob], 'Tea for Bob Plus')
    await bob.say(design, 'c++', 'Tea with plus')
    const page = await at.open('alice')
    for (const [query, texts] of [
      [`dm-including:${email}`, ['Tea for Bob Plus']],
      [`dm:${email}`, ['Tea for Bob Plus']],
      ['dm-including:Bob+Plus', ['Tea for Bob Plus']],
      ['topic:"c++"', ['Tea with plus']],
    ] as const) {
      await search(page, query)
      await finds(page, texts)
    }
  })

  it('show no messages of another place while what reads their words is loaded', async () => {
    const { alice } = at.cast.people
    const { general } = at.cast.channels
    await alice.say(general, 'words', 'turmeric')
    const page = await at.window()
    let answer = (): void => {}
    const isAnswered = new Promise<void>((resolve) => (answer = resolve))
    await page.route(/on-demand/, async (route) => {
      await isAnswered
      await route.continue()
    })
    await at.login(page, 'alice', `#narrow/channel/${general}/topic/words`)
    await shows(page, 'turmeric')
    await search(page, 'nothing at all')
    await page.locator('.scroller').getByText('Loading').waitFor()
    assert.equal(await messagesOf(page).count(), 0)
    answer()
    await page.getByText('No messages were found.').waitFor()
  })

  it('say so if what reads their words cannot be loaded', async () => {
    const page = await at.window()
    await page.route(/on-demand/, (route) => route.abort())
    await at.login(page, 'alice', '#narrow/search/turmeric')
    await page.getByText('That did not work: The server cannot be reached.').waitFor()
    page.problems.length = 0
  })

  it('show what was searched for last, and say when the server cannot be reached', async () => {
    const { alice } = at.cast.people
    await alice.say(at.cast.channels.general, 'slow', 'saffron')
    const page = await at.open('alice')
    // The answer that refuses the first search comes after that of the second one.
    let answer = (): void => {}
    const isSecond = new Promise<void>((resolve) => (answer = resolve))
    let isRefused = (): void => {}
    const refused = new Promise<void>((resolve) => (isRefused = resolve))
    await page.route(/messages\?.*beforehand/, async (route) => {
      await isSecond
      await route.continue().catch(() => {})
      isRefused()
    })
    await search(page, 'beforehand:1 saffron')
    await search(page, 'saffron')
    await finds(page, ['saffron'])
    answer()
    await refused
    await page.context().setOffline(true)
    await search(page, 'saffron -from:carol')
    await page
      .getByText('The messages could not be loaded. The server cannot be reached.')
      .waitFor()
    await page.context().setOffline(false)
    await shows(page, 'saffron')
    await finds(page, ['saffron'])
    page.problems.length = 0
  })

  it('have their words in the field while they are shown, and end with Escape', async () => {
    const { bob } = at.cast.people
    await bob.say(at.cast.channels.design, 'before', 'nutmeg')
    const hash = `#narrow/channel/${at.cast.channels.design}/topic/before`
    const page = await at.open('alice', hash)
    const field = page.getByRole('searchbox', { name: 'Search messages' })
    const heading = page.getByRole('heading', { name: '#design › before' })
    await shows(page, 'nutmeg')
    // What is not searched for yet is taken back, and the conversation stays.
    await field.fill('half a se')
    await field.press('Escape')
    assert.equal(await field.inputValue(), '')
    assert.ok(await heading.isVisible())
    await field.press('Enter')
    assert.ok(await heading.isVisible())
    await field.press('Escape')
    await until('the list', async () => hasFocus(page.locator('.row').first()))

    await search(page, 'nutmeg')
    await shows(page, 'nutmeg')
    // A message that comes in does not take away what is being written.
    await field.fill('nutmeg cinna')
    await bob.say(at.cast.channels.design, 'before', 'nutmeg again')
    await shows(page, 'nutmeg again')
    assert.equal(await field.inputValue(), 'nutmeg cinna')
    await field.press('Escape')
    assert.equal(await field.inputValue(), 'nutmeg')
    await field.press('Escape')
    await heading.waitFor()
    assert.equal(await field.inputValue(), '')
    await page.goBack()
    await until('the words', async () => (await field.inputValue()) === 'nutmeg')
    await inList(page, 'general').click()
    await until('no words', async () => (await field.inputValue()) === '')
    await page.goto(`${at.address}#narrow/search/nutmeg`)
    await page.reload()
    await until('the words', async () => (await field.inputValue()) === 'nutmeg')
  })
})
