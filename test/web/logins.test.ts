import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import { until } from '../support/waiting.js'
import type { TestPage } from './browser.js'
import {
  chooseInMenu,
  inList,
  shows,
  userMenu,
  withPages,
  writes,
  type ChatPages,
} from './chat-pages.js'
import { HeldCalls } from './held-calls.js'

async function logOut(page: TestPage, how: string): Promise<void> {
  await chooseInMenu(page, 'Log out')
  await page.getByRole('dialog').getByRole('button', { name: how }).click()
}

async function tabBeside(page: TestPage): Promise<TestPage> {
  return Object.assign(await page.context().newPage(), { problems: [] })
}

async function isUsedBy(page: TestPage, name: string): Promise<void> {
  await page.getByRole('button', { name: `${name}: Menu` }).waitFor()
}

const draftsIn = (page: TestPage): Promise<string> =>
  page.evaluate(() =>
    Object.entries(localStorage)
      .filter(([key]) => key.startsWith('parley-draft'))
      .join(),
  )

const savedLogin = (at: ChatPages, page: TestPage): Promise<string> =>
  page.evaluate(
    (url) => localStorage.getItem(`parley-login ${url}`) ?? '',
    new URL(at.address).origin,
  )

withPages('logins of a browser', (at) => {
  afterEach(() => at.closeWindows())

  const topic = (name: string): string =>
    `#narrow/channel/${at.cast.channels.general}/topic/${name}`

  it('stay when a tab notices late that its own key is no longer valid', async () => {
    const { mona, bob } = at.cast.people
    const page = await at.window()
    // As if the tab were asleep.
    await page.addInitScript(() =>
      window.addEventListener('storage', (event) => event.stopImmediatePropagation()),
    )
    await at.login(page, 'mona')
    const tab = await tabBeside(page)
    await at.login(tab, 'bob', topic('late'))
    await tab.locator('textarea').fill('Half a thought')
    await until('the draft', async () => (await draftsIn(tab)).includes('Half a thought'))
    await mona.post('/users/me/api_key/regenerate')
    await isUsedBy(page, 'Bob Test')
    assert.match(await draftsIn(tab), /Half a thought/)
    assert.ok((await savedLogin(at, tab)).includes(bob.email))
    page.problems.length = 0
  })

  it('are used with their new key at once', async () => {
    const { email } = at.cast.people.alice
    const page = await at.window()
    // Calls with the former key get no answer.
    const former = `Basic ${Buffer.from(`${email}:former`).toString('base64')}`
    await page.route(/\/api\//, async (route) => {
      if (route.request().headers()['authorization'] !== former) await route.continue()
    })
    await page.addInitScript(
      ([key = '', text = '']) => {
        if (localStorage.getItem(key) === null) localStorage.setItem(key, text)
      },
      [
        `parley-login ${at.host.origin}`,
        JSON.stringify({ type: 'apiKey', email, apiKey: 'former' }),
      ],
    )
    const isAsked = page.waitForRequest((request) => request.headers()['authorization'] === former)
    await page.goto(at.address)
    await isAsked
    await at.login(await tabBeside(page), 'alice')
    await inList(page, 'general').waitFor()
  })

  it('stay when another tab logs in while "Log out everywhere" waits for the server', async () => {
    const page = await at.open('carol')
    let fail = (): void => {}
    const hasFailed = new Promise<void>((resolve) => (fail = resolve))
    await page.route(/api_key\/regenerate/, async (route) => {
      await hasFailed
      await route.abort()
    })
    const isAsked = page.waitForRequest(/api_key\/regenerate/)
    const isRefused = page.waitForEvent('requestfailed', (request) =>
      request.url().includes('api_key/regenerate'),
    )
    await logOut(page, 'Log out everywhere')
    await isAsked
    const tab = await tabBeside(page)
    await at.login(tab, 'bob')
    await isUsedBy(page, 'Bob Test')
    fail()
    await isRefused
    await isUsedBy(page, 'Bob Test')
    assert.ok((await savedLogin(at, tab)).includes(at.cast.people.bob.email))
    page.problems.length = 0
  })

  it('end with a notice if the key stays valid, and not without a question', async () => {
    const page = await at.open('carol')
    await page.route(/log-out/, (route) => route.abort(), { times: 1 })
    await chooseInMenu(page, 'Log out')
    await page.getByText('That did not work: The server cannot be reached.').waitFor()
    assert.equal(await userMenu(page).count(), 1)
    await page.route(/api_key\/regenerate/, (route) => route.abort())
    await logOut(page, 'Log out everywhere')
    await page.getByLabel('Password').waitFor()
    await page.getByText('That did not work: The server cannot be reached.').waitFor()
    page.problems.length = 0
  })

  it('last as long as the page where the browser cannot keep them', async () => {
    const page = await at.window()
    await page.addInitScript(() => {
      Storage.prototype.setItem = function (this: Storage, key: string, text: string): void {
        if (this === localStorage) throw new DOMException('It is full', 'QuotaExceededError')
        this[key] = text
      }
      const isTold = new Promise((resolve) =>
        window.addEventListener('storage', resolve, { once: true }),
      )
      Object.assign(window, { isTold })
    })
    await page.goto(at.address)
    await page.getByRole('button', { name: at.cast.people.alice.email }).click()
    await isUsedBy(page, 'Alice Test')
    const tab = await tabBeside(page)
    await tab.goto(at.address)
    await tab.evaluate(() => localStorage.setItem('of-the-product', 'changed'))
    await page.evaluate('isTold.then(() => undefined)')
    assert.equal(await userMenu(page).count(), 1)
  })

  it('begin and end where the browser keeps nothing at all', async () => {
    const page = await at.window()
    await page.addInitScript(() => {
      for (const name of ['localStorage', 'sessionStorage']) {
        Object.defineProperty(window, name, {
          get: () => {
            throw new DOMException('The user has refused it', 'SecurityError')
          },
        })
      }
    })
    await page.goto(at.address + topic('refused'))
    await page.getByRole('button', { name: at.cast.people.alice.email }).click()
    await writes(page, 'Nothing is kept')
    await shows(page, 'Nothing is kept')
    await logOut(page, 'Log out of this browser')
    await page.getByLabel('Password').waitFor()
  })

  it('lose no message where the browser has no space left, and are no error of the page', async () => {
    const page = await at.open('alice', topic('full'))
    await page.evaluate(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('It is full', 'QuotaExceededError')
      }
    })
    await writes(page, 'There is no space')
    await shows(page, 'There is no space')
    await until('an empty outbox', async () => (await page.locator('.pending').count()) === 0)
    assert.deepEqual(page.problems, [])
  })

  it('leave no drafts behind, also of those that were being saved', async () => {
    const { alice } = at.cast.people
    const to = [at.cast.channels.general]
    const draft = {
      type: 'stream',
      to,
      topic: 'kept',
      content: 'A secret',
      timestamp: 1_700_000_000,
    }
    await alice.post('/drafts', { drafts: [draft] })
    const page = await at.open('alice', topic('kept'))
    const field = page.locator('parley-composer textarea')
    await until('the draft', async () => (await field.inputValue()) === 'A secret')
    await chooseInMenu(page, 'Log out')
    const choice = page.getByRole('button', { name: 'Log out of this browser' })
    await choice.waitFor()
    await field.evaluate((element: HTMLTextAreaElement) => {
      element.value = 'A longer secret'
      element.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }))
    })
    await choice.click()
    await page.getByLabel('Password').waitFor()
    assert.equal(await draftsIn(page), '')

    // The server answers after the log-out.
    const desk = await at.open('alice', topic('kept'))
    const calls = await HeldCalls.of(desk, /\/drafts/)
    const other = desk.locator('parley-composer textarea')
    await until('the draft', async () => (await other.inputValue()) === 'A secret')
    calls.hold('calls')
    await other.fill('Another secret')
    await until('a call', () => calls.begun > 0)
    await logOut(desk, 'Log out of this browser')
    await desk.getByLabel('Password').waitFor()
    await calls.answer()
    assert.equal(await draftsIn(desk), '')
    page.problems.length = desk.problems.length = 0
  })
})

withPages(
  'logins of a product',
  (at) => {
    afterEach(() => at.closeWindows())

    it('say what went wrong before the browser is sent to the page of the product', async () => {
      const page = await at.open('carol')
      await page.route(/api_key\/regenerate/, (route) => route.abort())
      await page.route(/\/product-login/, (route) => route.fulfill({ body: 'The product' }))
      await logOut(page, 'Log out everywhere')
      await page.getByText('That did not work: The server cannot be reached.').waitFor()
      assert.equal(await savedLogin(at, page), '')
      await page.getByRole('button', { name: 'Log in' }).click()
      await page.waitForURL(/\/product-login\?next=%2Fchat/)
      page.problems.length = 0
    })

    it('end at the page of the product', async () => {
      const page = await at.open('bob')
      await page.route(/\/product-login/, (route) => route.fulfill({ body: 'The product' }))
      await logOut(page, 'Log out of this browser')
      await page.waitForURL(/\/product-login\?next=%2Fchat/)
    })
  },
  { page: { loginUrl: '/product-login' } },
)
