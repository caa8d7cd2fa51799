import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import type { HostIdentity } from '@parley/core'

import type { HostOptions } from '../support/host.js'
import { until } from '../support/waiting.js'
import type { TestPage } from './browser.js'
import { withPages, type ChatPages } from './chat-pages.js'

const ada: HostIdentity = {
  externalId: '7',
  email: 'ada@product.example',
  fullName: 'Ada Product',
  role: 400,
}
const sessions = new Set<string>()
const host: HostOptions = {
  identify: ({ headers }) => (sessions.has(headers.cookie ?? '') ? ada : null),
}

const logIn = (page: TestPage): Promise<void> =>
  page.getByRole('button', { name: 'Log in' }).click()

/** Opens the page in a window of a user who is logged in to the product. */
async function openPage(at: ChatPages, path = at.address): Promise<TestPage> {
  sessions.add('session=1')
  const page = await at.window()
  await page.context().addCookies([{ name: 'session', value: '1', url: at.address }])
  await page.goto(path)
  return page
}

withPages(
  'sessions of a product with a login page',
  (at) => {
    afterEach(async () => {
      await at.closeWindows()
      await at.host.chat.users.reactivate(ada.externalId)
    })

    const topic = (): string =>
      `${at.address}#narrow/channel/${at.cast.channels.general}/topic/sessions`

    it('lead to it after they have ended, and keep what was written', async () => {
      const page = await openPage(at, topic())
      await page.route(/\/product-login/, (route) => route.fulfill({ body: 'The product' }))
      await page.locator('textarea').fill('Half a thought')
      sessions.clear()
      await at.host.chat.users.endSessions(ada.externalId)
      await page.getByText('You are signed out.').waitFor()
      await logIn(page)
      await page.waitForURL(/\/product-login\?next=%2Fchat%23narrow/)
      sessions.add('session=1')
      await page.goto(topic())
      const field = page.locator('textarea')
      await until('the text', async () => (await field.inputValue()) === 'Half a thought')
      // The browser reports the refused request.
      page.problems.length = 0
    })

    it('lead to it at the start without a word', async () => {
      const page = await at.window()
      await page.route(/\/product-login/, (route) => route.fulfill({ body: 'The product' }))
      await page.goto(at.address)
      await page.waitForURL(/\/product-login\?next=%2Fchat/)
    })

    it('of a deactivated user do not lead to it', async () => {
      await (await openPage(at)).getByRole('button', { name: 'Ada Product: Menu' }).waitFor()
      await at.host.chat.users.deactivate(ada.externalId)
      const page = await openPage(at)
      await page.getByText('Your account is deactivated.').waitFor()
      for (const window of at.windows) window.problems.length = 0
    })

    it('that the chat does not know do not lead to it again and again', async () => {
      let logins = 0
      const page = await at.window()
      // The product knows its user, and sends the browser back at once.
      await page.route(/\/product-login/, (route) => {
        logins += 1
        return route.fulfill({ status: 302, headers: { location: '/chat' } })
      })
      await page.goto(at.address)
      await page.getByText('You are signed out.').waitFor()
      assert.equal(logins, 1)
    })
  },
  { host, page: { loginUrl: '/product-login' } },
)

withPages(
  'sessions of a product without a login page',
  (at) => {
    afterEach(() => at.closeWindows())

    it('end with the form for passwords', async () => {
      const page = await openPage(at)
      await page.getByRole('button', { name: 'Ada Product: Menu' }).waitFor()
      sessions.clear()
      await at.host.chat.users.endSessions(ada.externalId)
      await page.getByText('You are signed out.').waitFor()
      await page.locator('parley-login').waitFor()
      page.problems.length = 0
    })
  },
  { host },
)
