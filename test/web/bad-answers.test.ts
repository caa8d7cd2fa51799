import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import type { Locator, Route } from 'playwright-core'

import { until } from '../support/waiting.js'
import type { TestPage } from './browser.js'
import { inList, messagesOf, shows, withPages, writes } from './chat-pages.js'

/** What a server or a proxy answers instead of the chat. */
const badAnswers: Readonly<Record<string, (route: Route) => Promise<void>>> = {
  'an error': (route) =>
    route.fulfill({ status: 500, json: { result: 'error', msg: 'It broke', code: 'INTERNAL' } }),
  'a page instead of JSON': (route) =>
    route.fulfill({ contentType: 'text/html', body: '<html><h1>Welcome to nginx</h1></html>' }),
  '503 from a proxy': (route) =>
    route.fulfill({ status: 503, contentType: 'text/html', body: '<h1>Unavailable</h1>' }),
  'too many requests': (route) =>
    route.fulfill({
      status: 429,
      headers: { 'retry-after': '1' },
      json: { result: 'error', msg: 'Too many', code: 'RATE_LIMIT_HIT', 'retry-after': 1 },
    }),
  'half a body': (route) =>
    route.fulfill({ contentType: 'application/json', body: '{"result":"success","id":' }),
  nothing: (route) => route.abort('connectionclosed'),
}

/** Clicks a button that goes away when the page tries again by itself. */
async function clickIfThere(button: Locator): Promise<void> {
  if (await button.isVisible()) await button.click({ timeout: 500 }).catch(() => {})
}

withPages('bad answers of a server', (at) => {
  afterEach(() => at.closeWindows())

  const topic = (name: string): string => `#narrow/channel/${at.cast.channels.design}/topic/${name}`
  const contentsOf = async (name: string): Promise<string[]> => {
    const narrow = [
      { operator: 'channel', operand: at.cast.channels.design },
      { operator: 'topic', operand: name },
    ]
    const query = { anchor: 'newest', num_before: 50, num_after: 0, apply_markdown: false, narrow }
    const { body } = await at.cast.people.bob.get('/messages', query)
    return body.messages.map(({ content }: { content: string }) => content)
  }
  /** Gives a bad answer to the next requests, after the server has done what they ask for. */
  const spoil = async (
    page: TestPage,
    [method, path]: readonly [method: string, path: RegExp],
    answer: (route: Route) => Promise<void>,
    { times, isDone = false }: { times: number; isDone?: boolean },
  ): Promise<() => number> => {
    let left = times
    await page.route(path, async (route) => {
      if (route.request().method() !== method || left === 0) return route.fallback()
      left -= 1
      if (isDone) await route.fetch()
      return answer(route)
    })
    return () => times - left
  }
  const messages = /\/api\/v1\/messages(\?|$)/

  let number = 0
  for (const [name, answer] of Object.entries(badAnswers)) {
    number += 1
    const place = `bad-${number}`
    it(`are said in words where messages should be, and tried again: ${name}`, async () => {
      await at.cast.people.bob.say(at.cast.channels.design, place, 'At last')
      const shown = await at.open('alice', '#narrow/is/starred')
      // Not the request for the list before.
      await shown.getByText('No messages here yet.').waitFor()
      const count = await spoil(shown, ['GET', messages], answer, { times: 1 })
      await shown.evaluate((hash) => (document.location.hash = hash), topic(place))
      await until('the request', async () => count() === 1)
      const again = shown.getByRole('button', { name: 'Try again' })
      await shown.getByText('The messages could not be loaded.').or(messagesOf(shown)).waitFor()
      await until('the message', async () => {
        await clickIfThere(again)
        return (await messagesOf(shown).filter({ hasText: 'At last' }).count()) > 0
      })
      shown.problems.length = 0
    })

    it(`lose no message, and send none twice: ${name}`, async () => {
      const page = await at.open('alice', topic(`${place}-sent`))
      await page.locator('parley-composer textarea').waitFor()
      // The first attempt does not reach the server, the second one does.
      const count = await spoil(page, ['POST', messages], answer, { times: 1 })
      await writes(page, 'Exactly once')
      await until('the first attempt', async () => count() === 1)
      const retry = page.getByRole('button', { name: 'Retry' })
      await until('the message', async () => {
        await clickIfThere(retry)
        return (await contentsOf(`${place}-sent`)).length > 0
      })
      const isAnswered = name === 'an error' || name === 'too many requests'
      const lost = await spoil(page, ['POST', messages], answer, { times: 1, isDone: !isAnswered })
      await writes(page, 'And once more')
      await until('the first attempt', async () => lost() === 1)
      await until('the message', async () => {
        await clickIfThere(retry)
        return (await contentsOf(`${place}-sent`)).length > 1
      })
      await until(
        'no pending row',
        async () => (await page.locator('parley-pending .row').count()) === 0,
      )
      assert.deepEqual(await contentsOf(`${place}-sent`), ['Exactly once', 'And once more'])
      assert.equal(await messagesOf(page).filter({ hasText: 'Exactly once' }).count(), 1)
      assert.equal(await messagesOf(page).filter({ hasText: 'And once more' }).count(), 1)
      page.problems.length = 0
    })

    it(`are said in words after a click: ${name}`, async () => {
      const id = await at.cast.people.bob.say(at.cast.channels.design, `${place}-click`, 'React')
      const page = await at.open('alice', topic(`${place}-click`))
      await shows(page, 'React')
      await page.locator('.row').hover()
      await page.getByRole('button', { name: 'Add a reaction' }).click()
      await page.getByRole('grid').waitFor()
      await spoil(page, ['POST', new RegExp(`/messages/${id}/reactions`)], answer, { times: 1 })
      await page.getByRole('grid').getByRole('button', { name: 'octopus' }).click()
      const alert = page.getByRole('alert').filter({ hasText: 'That did not work: ' })
      const reaction = page.getByRole('button', { name: 'octopus, 1, you too' })
      // The client waits as long as a server asks for, and then does it.
      await alert.or(reaction).first().waitFor()
      const text = (await alert.isVisible()) ? ((await alert.textContent()) ?? '') : ''
      assert.doesNotMatch(text, /nginx|JSON|SyntaxError|undefined|fetch/)
      page.problems.length = 0
    })

    it(`are said in words at the start, and end by themselves: ${name}`, async () => {
      const page = await at.window()
      const { email, credentials } = at.cast.people.alice
      const login = JSON.stringify({ type: 'apiKey', email, apiKey: credentials?.apiKey })
      await page.addInitScript(
        ([key, text]) => localStorage.setItem(key ?? '', text ?? ''),
        [`parley-login ${at.host.origin}`, login],
      )
      let isBad = true
      await page.route(/\/api\/v1\/register/, (route) => (isBad ? answer(route) : route.fallback()))
      await page.goto(at.address)
      await page.getByText(/The server cannot be reached|The server does not accept/).waitFor()
      isBad = false
      const now = page.getByRole('button', { name: 'Try now' })
      await clickIfThere(now)
      await inList(page, 'general').waitFor()
      page.problems.length = 0
    })
  }

  it('leave a way to try again if it is not known whether there is a session', async () => {
    const page = await at.window()
    let isBad = true
    await page.route(/\/api\/v1\/users\/me/, (route) =>
      isBad ? route.abort('connectionclosed') : route.fallback(),
    )
    await page.goto(at.address)
    await page.getByText('The server cannot be reached.').waitFor()
    isBad = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByLabel('Password').waitFor()
    page.problems.length = 0
  })

  it('are said in words when a user logs in, with what was typed', async () => {
    const page = await at.window()
    await page.route(/\/api\/v1\/fetch_api_key/, (route) =>
      route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
    )
    await page.goto(at.address)
    await page.getByLabel('E-mail address').fill('carol@example.com')
    await page.getByLabel('Password').fill('something')
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.getByText('The server cannot be reached.').waitFor()
    assert.equal(await page.getByLabel('E-mail address').inputValue(), 'carol@example.com')
    assert.equal(await page.getByLabel('Password').inputValue(), 'something')
    page.problems.length = 0
  })
})
