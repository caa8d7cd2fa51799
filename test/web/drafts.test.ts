import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import type { Locator } from 'playwright-core'

import type { People } from '../support/cast.js'
import { until } from '../support/waiting.js'
import type { TestPage } from './browser.js'
import { HeldCalls } from './held-calls.js'
import { inList, openSection, shows, withPages } from './chat-pages.js'

withPages('drafts', (at) => {
  afterEach(() => at.closeWindows())

  const topic = (name: string): string =>
    `#narrow/channel/${at.cast.channels.general}/topic/${name}`
  const fieldOf = (page: TestPage): Locator => page.locator('parley-composer textarea')
  const stored = async (name: keyof People): Promise<Record<string, unknown>[]> =>
    (await at.cast.people[name].get('/drafts')).body.drafts ?? []
  const contents = async (name: keyof People): Promise<unknown[]> =>
    (await stored(name)).map(({ content }) => content)
  const has = (page: TestPage, text: string): Promise<boolean> =>
    until(`the text ${text}`, async () => (await fieldOf(page).inputValue()) === text)

  it('are on other devices, survive a reload, and are gone when they are sent', async () => {
    const phone = await at.open('alice', topic('tea'))
    const desk = await at.open('alice', topic('tea'))
    await fieldOf(phone).fill('Which tea')
    await has(desk, 'Which tea')
    assert.deepEqual(
      (await stored('alice')).map(({ type, to, topic: name }) => ({ type, to, name })),
      [{ type: 'stream', to: [at.cast.channels.general], name: 'tea' }],
    )
    await desk.reload()
    await has(desk, 'Which tea')
    await fieldOf(desk).fill('Which tea is it?')
    await inList(desk, 'All messages').focus()
    await fieldOf(phone).blur()
    await has(phone, 'Which tea is it?')
    // Each change is one of the same draft.
    assert.deepEqual(await contents('alice'), ['Which tea is it?'])
    await fieldOf(phone).press('Enter')
    await shows(desk, 'Which tea is it?')
    await has(desk, '')
    await until('no draft', async () => (await stored('alice')).length === 0)
    assert.equal(await fieldOf(phone).inputValue(), '')
  })

  it('are gone if the message is sent before the draft is saved', async () => {
    for (const [index, isReloaded] of [false, true].entries()) {
      const page = await at.open('carol', topic(`fast${index}`))
      const other = await at.open('carol', topic(`fast${index}`))
      const calls = await HeldCalls.of(page, /\/drafts/)
      calls.hold('answers')
      await fieldOf(page).fill('Sent at once')
      await until('the call', () => calls.arrived === 1)
      await has(other, 'Sent at once')
      await fieldOf(page).press('Enter')
      await shows(other, 'Sent at once')
      if (isReloaded) await page.reload()
      await calls.answer()
      await until('no draft', async () => (await stored('carol')).length === 0)
      await has(other, '')
      await page.reload()
      await shows(page, 'Sent at once')
      // A later draft arrives after what was before.
      await fieldOf(other).fill('Later')
      await has(page, 'Later')
      await fieldOf(other).fill('')
      await until('no draft', async () => (await stored('carol')).length === 0)
    }
  })

  it('of a channel without a topic and of direct messages are shared too', async () => {
    const { bob } = at.cast.people
    const one = await at.open('alice', `#narrow/dm/${bob.id}`)
    const other = await at.open('alice', `#narrow/dm/${bob.id}`)
    await fieldOf(one).fill('Dear Bob')
    await has(other, 'Dear Bob')
    for (const page of [one, other]) {
      await page.goto(`${at.address}#narrow/channel/${at.cast.channels.design}`)
      await page.locator('.topic-field').waitFor()
    }
    await has(other, '')
    await fieldOf(one).fill('Dear designers')
    await has(other, 'Dear designers')
    await fieldOf(other).fill('')
    await until('one draft', async () => (await contents('alice')).join() === 'Dear Bob')
    await fieldOf(one).blur()
    await has(one, '')
    await one.goto(`${at.address}#narrow/dm/${bob.id}`)
    await has(one, 'Dear Bob')
    await fieldOf(one).fill('')
    await until('no draft', async () => (await stored('alice')).length === 0)
  })

  it('are kept without a connection, and sent later', async () => {
    const page = await at.open('carol', topic('away'))
    const other = await at.open('carol', topic('away'))
    await fieldOf(page).waitFor()
    await page.context().setOffline(true)
    await page.getByText('You are offline.').waitFor()
    await fieldOf(page).fill('Written on the train')
    await page.context().setOffline(false)
    await has(other, 'Written on the train')
    assert.deepEqual(await contents('carol'), ['Written on the train'])
    page.problems.length = 0
  })

  it('are shared although the network was away when the page was loaded', async () => {
    const page = await at.window()
    const modules: string[] = []
    await page.route(/on-demand/, async (route) => {
      modules.push(route.request().url())
      await (modules.length === 1 ? route.abort() : route.continue())
    })
    await at.login(page, 'carol', topic('late'))
    await until('the first attempt', () => modules.length === 1)
    await fieldOf(page).fill('Written early')
    await page.context().setOffline(true)
    await page.getByText('You are offline.').waitFor()
    await page.context().setOffline(false)
    await until('the draft', async () => (await contents('carol')).includes('Written early'))
    page.problems.length = 0
  })

  it('never change under the cursor, and of two changes none is lost', async () => {
    const { mona, bob } = at.cast.people
    const page = await at.open('mona', topic('both'))
    const field = fieldOf(page)
    await field.fill('Mine')
    const [draft] = await until('the draft', async () => {
      const drafts = await stored('mona')
      return drafts.length > 0 && drafts
    })
    assert.ok(draft !== undefined)
    // Another client changes the same draft while the cursor is in the field.
    const { id, ...rest } = draft
    const timestamp = at.host.clock.seconds + 3600
    const changed = { ...rest, content: 'Of another client', timestamp }
    const { status } = await mona.patch(`/drafts/${String(id)}`, { draft: changed })
    assert.equal(status, 200)
    await bob.say(at.cast.channels.general, 'both', 'After the change')
    await shows(page, 'After the change')
    assert.equal(await field.inputValue(), 'Mine')
    await field.pressSequentially('!')
    await until('both drafts', async () => (await stored('mona')).length === 2)
    assert.deepEqual((await contents('mona')).sort(), ['Mine!', 'Of another client'])
    assert.equal(await field.inputValue(), 'Mine!')
    await field.blur()
    await has(page, 'Of another client')

    const dialog = await openSection(page, 'Later')
    const list = dialog.getByRole('list', { name: 'Drafts' })
    await list.getByRole('button', { name: 'Open: Of another client' }).waitFor()
    await list.getByRole('button', { name: 'Insert: Mine!' }).click()
    await has(page, 'Of another client Mine! ')
    await until('the text', async () => {
      return (await contents('mona')).some(
        (text: unknown) => String(text).trim() === 'Of another client Mine!',
      )
    })
  })

  it('are listed, opened and deleted', async () => {
    const page = await at.open('adam', topic('list'))
    await fieldOf(page).fill('A long story')
    await until('the draft', async () => (await stored('adam')).length === 1)
    const narrow = await at.open('adam', '', { viewport: { width: 320, height: 600 } })
    const dialog = await openSection(narrow, 'Later')
    const list = dialog.getByRole('list', { name: 'Drafts' })
    await list.getByText('#general › list').waitFor()
    await list.getByRole('button', { name: 'Open: A long story' }).click()
    await has(narrow, 'A long story')
    const other = await openSection(await at.open('adam'), 'Later')
    await other.getByRole('button', { name: 'Delete: A long story' }).click()
    const question = other.page().getByRole('dialog', { name: 'Delete “A long story”?' })
    await question.getByRole('button', { name: 'Delete' }).click()
    await other.getByText('There are no drafts.').waitFor()
    await has(narrow, '')
    // The cursor is in this one.
    await fieldOf(page).blur()
    await has(page, '')
  })

  it('stay in this browser if the user does not share them', async () => {
    const page = await at.open('bob', topic('private'))
    await fieldOf(page).fill('Only here')
    await until('the draft', async () => (await stored('bob')).length === 1)
    const dialog = await openSection(page, 'Display')
    const share = dialog.getByLabel('Share drafts with your other devices')
    await share.uncheck()
    await dialog.getByText('Saved: Share drafts').waitFor()
    const { body, status } = await at.cast.people.bob.get('/drafts')
    assert.deepEqual([status, body.msg], [400, 'User has disabled synchronizing drafts.'])
    const calls: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/drafts')) calls.push(request.method())
    })
    assert.equal(await fieldOf(page).inputValue(), 'Only here')
    await page.reload()
    await has(page, 'Only here')
    assert.deepEqual(calls, [])
    const again = await openSection(page, 'Display')
    await again.getByLabel('Share drafts with your other devices').check()
    await until('the draft', async () => (await contents('bob')).join() === 'Only here')
    assert.deepEqual(calls, ['POST'])
  })
})
