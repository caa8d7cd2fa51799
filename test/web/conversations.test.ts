import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import type { Locator } from 'playwright-core'

import { until } from '../support/waiting.js'
import type { TestPage } from './browser.js'
import { inList, messagesOf, shows, withPages, writes } from './chat-pages.js'

withPages('the list of conversations', (at) => {
  afterEach(() => at.closeWindows())

  it('counts unread messages, and marks channels that are muted', async () => {
    const { alice, bob } = at.cast.people
    const { general, design } = at.cast.channels
    const page = await at.open('bob', '#narrow/is/mentioned')
    const count = inList(page, 'general').locator('.count [aria-hidden]')
    assert.equal(await count.count(), 0)
    await alice.say(general, 'counted', 'One')
    await count.filter({ hasText: /^1$/ }).waitFor()
    await alice.say(general, 'counted', 'Two')
    await count.filter({ hasText: /^2$/ }).waitFor()
    await bob.post('/mark_topic_as_read', { stream_id: general, topic_name: 'counted' })
    await count.waitFor({ state: 'detached' })

    const property = { stream_id: design, property: 'is_muted', value: true }
    const changed = await bob.post('/users/me/subscriptions/properties', {
      subscription_data: [property],
    })
    assert.equal(changed.status, 200)
    await inList(page, 'design').getByText('muted').waitFor()
    await alice.say(design, 'quiet', 'Not counted')
    await alice.say(general, 'counted', 'Three')
    await count.filter({ hasText: /^1$/ }).waitFor()
    assert.equal(await inList(page, 'design').locator('.count').count(), 0)
  })

  it('shows direct conversations and whether the other user is there', async () => {
    const { alice, carol } = at.cast.people
    const page = await at.open('alice', '#narrow/is/mentioned')
    await carol.post('/messages', { type: 'direct', to: [alice.id], content: 'Only for you' })
    const link = inList(page, 'Carol Test')
    await link.click()
    await shows(page, 'Only for you')
    await page.clock.install()
    await page.reload()
    await shows(page, 'Only for you')
    await link.locator('.dot.away').waitFor({ state: 'attached' })
    // What is loaded later is there, and rendered, and the message is read.
    await link.locator('.count').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /: Menu$/ }).waitFor()
    await page.evaluate(() => new Promise(requestAnimationFrame))
    await page.evaluate(() => {
      const prototype: { render: () => unknown } = customElements.get('parley-sidebar')?.prototype
      const { render } = prototype
      prototype.render = function counted(this: HTMLElement) {
        document.body.dataset['renders'] = String(Number(document.body.dataset['renders'] ?? 0) + 1)
        return render.call(this)
      }
    })
    const other = await at.open('carol')
    await link.locator('.dot.active').waitFor()
    assert.equal(await page.locator('body').getAttribute('data-renders'), null)
    // No event says that the user has gone.
    await other.context().setOffline(true)
    await page.clock.fastForward(600_000)
    await link.locator('.dot.away').waitFor({ state: 'attached' })
    page.problems.length = other.problems.length = 0
  })

  it('has a way to all direct conversations, by keyboard too', async () => {
    const { mona, alice, bob, carol, adam, olga } = at.cast.people
    const others = [alice, bob, carol, adam, olga]
    for (let set = 1; set < 24; set += 1) {
      const to = others.filter((_, index) => (set & (1 << index)) !== 0)
      await mona.whisper(to, `Number ${set}`)
    }
    await mona.post('/mark_all_as_read')
    const page = await at.open('mona', '#narrow/is/mentioned')
    const list = page.getByRole('list', { name: 'Direct messages' })
    const links = list.locator('a')
    await links.nth(19).waitFor()
    assert.equal(await links.count(), 20)
    const more = list.getByRole('button', { name: '3 more' })
    // The oldest one is beyond the first twenty until it has something new.
    await alice.whisper([mona], 'New')
    await list.locator('.count').waitFor()
    assert.match((await links.first().textContent()) ?? '', /Alice Test/)
    await more.press('Enter')
    await links.nth(22).waitFor()
    await more.waitFor({ state: 'detached' })
    assert.ok(await links.nth(20).evaluate((link) => link.matches(':focus')))
    await page.keyboard.press('Enter')
    await shows(page, 'Number 4')
  })

  it('is used with the keyboard: one stop for Tab, and arrows', async () => {
    const page = await at.open('alice', '#narrow/is/mentioned')
    const stops = page.locator('parley-sidebar a[tabindex="0"]')
    assert.equal(await stops.count(), 1)
    await inList(page, 'Mentions').focus()
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Home')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'All messages' }).waitFor()
    assert.equal(await stops.count(), 1)
  })

  it('finds messages', async () => {
    const { alice } = at.cast.people
    const { general } = at.cast.channels
    await alice.say(general, 'found', 'The word rhubarb is rare')
    const page = await at.open('alice')
    await page.getByRole('searchbox', { name: 'Search messages' }).fill('rhubarb')
    await page.keyboard.press('Enter')
    await page.locator('.content .highlight').filter({ hasText: 'rhubarb' }).waitFor()
    await page.locator('.place-bar a').first().click()
    await page.getByRole('heading', { name: '#general › found' }).waitFor()
    await page.getByRole('searchbox').fill('nothingofthekind')
    await page.keyboard.press('Enter')
    await page.getByText('No messages were found.').waitFor()
  })

  it('announces new messages once, and neither the history nor own ones', async () => {
    const { alice, bob } = at.cast.people
    const { general } = at.cast.channels
    await bob.say(general, 'announced', 'Before')
    const page = await at.open('alice', `#narrow/channel/${general}/topic/announced`)
    await shows(page, 'Before')
    const region = page.locator('parley-announcer [role=status]')
    const heard = await region.evaluateHandle((element) => {
      const texts: string[] = []
      new MutationObserver(() => texts.push(element.textContent.trim())).observe(element, {
        childList: true,
        characterData: true,
        subtree: true,
      })
      return texts
    })
    await alice.say(general, 'announced', 'My own')
    await bob.say(general, 'announced', 'After')
    await shows(page, 'After')
    await until('the announcement', async () => (await heard.jsonValue()).length > 0)
    assert.match((await heard.jsonValue()).join('|'), /Bob Test, #general › announced: After$/)
  })

  it('says that it is offline, and catches up without a new page', async () => {
    const { bob } = at.cast.people
    const { general } = at.cast.channels
    const page = await at.open('alice', `#narrow/channel/${general}/topic/offline`)
    const field = page.locator('parley-composer textarea')
    await field.fill('Half a thought')
    await page.evaluate(() => document.body.setAttribute('data-same', 'page'))
    await page.context().setOffline(true)
    await page.getByText('You are offline.').waitFor()
    await bob.say(general, 'offline', 'Meanwhile')
    await page.context().setOffline(false)
    await shows(page, 'Meanwhile')
    await page.getByText('You are offline.').waitFor({ state: 'detached' })
    assert.equal(await field.inputValue(), 'Half a thought')
    assert.equal(await page.locator('body').getAttribute('data-same'), 'page')
    page.problems.length = 0
  })

  it('says so when the user is signed out, and forgets what was written', async () => {
    const page = await at.open('mona', `#narrow/channel/${at.cast.channels.general}/topic/left`)
    await page.locator('parley-composer textarea').fill('Half a thought')
    await at.cast.people.olga.delete(`/users/${at.cast.people.mona.id}`)
    await page.getByText('Your account is deactivated.').waitFor()
    await page.getByLabel('Password').waitFor()
    const kept = await page.evaluate(() => Object.values(localStorage).join())
    assert.doesNotMatch(kept, /Half a thought/)
    page.problems.length = 0
  })

  it('never shows what the user has written as new, also in other windows and later', async () => {
    const { alice, bob } = at.cast.people
    const { general } = at.cast.channels
    const hash = `#narrow/channel/${general}/topic/own`
    await alice.post('/mark_all_as_read')
    const page = await at.open('alice', hash)
    const other = await at.open('alice', '#narrow/is/mentioned')
    const mark = (each: TestPage): Locator => each.locator('.unread-line')
    const count = inList(other, 'general').locator('.count [aria-hidden]')
    // Nothing is marked as read afterwards.
    await page.route('**/messages/flags', (route) => route.abort())
    await page.context().setOffline(true)
    await page.getByText('You are offline.').waitFor()
    await writes(page, 'The first of the topic')
    await page.context().setOffline(false)
    await page.locator('.message', { hasText: 'The first of the topic' }).waitFor()
    await writes(page, 'And one more')
    await page.locator('.message', { hasText: 'And one more' }).waitFor()
    await bob.say(general, 'elsewhere', 'An answer')
    // By then, what was sent before has been counted.
    await count.filter({ hasText: /^1$/ }).waitFor()
    assert.equal(await mark(page).count(), 0)
    await other.goto(`${at.address}${hash}`)
    await shows(other, 'And one more')
    assert.equal(await mark(other).count(), 0)
    page.problems.length = 0
  })

  it('says how many messages are unread in the title of the window', async () => {
    const { alice, carol } = at.cast.people
    const page = await at.open('carol', '#narrow/is/mentioned')
    await until('the title', async () => /^(\(\d+\) )?Chat$/.test(await page.title()))
    const count = async (): Promise<number> => Number(/\d+/.exec(await page.title())?.[0] ?? 0)
    const before = await count()
    await alice.post('/messages', { type: 'direct', to: [carol.id], content: 'Counted' })
    await until('the count', async () => (await count()) === before + 1)
  })

  it('shows what Markdown becomes, and nothing else', async () => {
    const { alice } = at.cast.people
    const { general } = at.cast.channels
    const page = await at.open('alice', `#narrow/channel/${general}/topic/markup`)
    await alice.say(
      general,
      'markup',
      [
        '**bold** `code` @**Alice Test** :octopus: <script>alert(1)</script>',
        '```spoiler Hidden\nunderneath\n```',
        '| a | b |\n|---|---|\n| 1 | 2 |',
        '```js\nconst a = 1\n```',
        '$$x^2$$',
      ].join('\n\n'),
    )
    const content = messagesOf(page).first()
    await content.locator('strong').filter({ hasText: 'bold' }).waitFor()
    assert.equal(await content.locator('.own-mention').textContent(), '@Alice Test')
    assert.equal(await content.locator('[aria-label=octopus]').textContent(), '🐙\ufe0f')
    assert.equal(await content.locator('script').count(), 0)
    assert.ok(await content.getByText('<script>alert(1)</script>').isVisible())
    const hidden = content.getByText('underneath')
    assert.equal(await hidden.isVisible(), false)
    await content.locator('.spoiler-header').click()
    assert.equal(await hidden.isVisible(), true)
    assert.equal(await content.locator('td').count(), 2)
    assert.equal(await content.locator('.katex math').count(), 1)
  })
})
