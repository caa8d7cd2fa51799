import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'

import { chatPage, type ChatPageOptions } from '@parley/web/page'
import type { Locator, Page } from 'playwright-core'

import { writePage } from '../../scripts/web-page.mjs'
import { root } from '../architecture/source-files.js'
import type { Cast, CastOptions, People } from '../support/cast.js'
import { databaseColumns } from '../support/databases.js'
import { TestHost, type HostOptions } from '../support/host.js'
import { TestBrowser, type TestPage } from './browser.js'

/** A chat with its page, and windows of users. */
export class ChatPages {
  readonly path = '/chat'
  host!: TestHost
  cast!: Cast
  browser!: TestBrowser
  #windows: TestPage[] = []

  get windows(): readonly TestPage[] {
    return this.#windows
  }

  get address(): string {
    return `${this.host.origin}${this.path}`
  }

  /** Opens the page as a user who is logged in. */
  async open(
    name: keyof People,
    hash = '',
    options: Parameters<TestBrowser['window']>[0] = {},
  ): Promise<TestPage> {
    const page = await this.window(options)
    await this.login(page, name, hash)
    return page
  }

  /** Opens the page in a window. */
  async login(page: TestPage, name: keyof People, hash = ''): Promise<void> {
    const { email, credentials } = this.cast.people[name]
    const login = JSON.stringify({ type: 'apiKey', email, apiKey: credentials?.apiKey })
    await page.addInitScript(
      ([key, text]) => localStorage.setItem(key ?? '', text ?? ''),
      [`parley-login ${this.host.origin}`, login],
    )
    await page.goto(`${this.address}${hash}`)
    await page.locator('parley-sidebar a, .single .composer, .narrow .composer').first().waitFor()
  }

  async window(options: Parameters<TestBrowser['window']>[0] = {}): Promise<TestPage> {
    const page = await this.browser.window(options)
    this.#windows.push(page)
    return page
  }

  /** Closes the windows. @throws {AssertionError} if something went wrong in one of them. */
  async closeWindows(): Promise<void> {
    const windows = this.#windows
    this.#windows = []
    for (const page of windows) await page.context().close()
    assert.deepEqual(
      windows.flatMap(({ problems }) => problems),
      [],
    )
  }
}

let page: Promise<void> | undefined
const browsers = new Map<boolean, Promise<TestBrowser>>()

/** The browser of all test files of this process; their windows share nothing. */
function sharedBrowser(isWhole: boolean): Promise<TestBrowser> {
  const browser = browsers.get(isWhole) ?? TestBrowser.start(isWhole)
  browsers.set(isWhole, browser)
  return browser
}

after(async () => {
  for (const browser of browsers.values()) await (await browser).stop()
})

interface PageOptions {
  readonly host?: HostOptions
  readonly cast?: CastOptions
  /** Of the page, which can be read only when it has been written. */
  readonly page?: ChatPageOptions
  /** Whether the browser needs its user interface, for notifications. @default false */
  readonly needsWholeBrowser?: boolean
}

/** Runs cases with a server that has a page, and a browser. */
export function withPages(
  title: string,
  cases: (at: ChatPages) => void,
  { host = {}, cast = {}, page: pageOptions, needsWholeBrowser = false }: PageOptions = {},
): void {
  describe(title, () => {
    const at = new ChatPages()
    let stop: () => Promise<void> = async () => {}
    before(async () => {
      page ??= writePage(root)
      await page
      const [database] = databaseColumns()
      assert.ok(database !== undefined)
      const started = new TestHost('express', database, {
        development: true,
        page: chatPage({ path: at.path, ...pageOptions }),
        ...host,
        // One organization, so that windows need no header of their own.
        ...({ resolveOrganization: undefined } as object),
      })
      // Browsers have a clock of their own.
      started.clock.jump(Math.floor(Date.now() / 1000) - started.clock.seconds)
      await started.start()
      stop = () => started.stop()
      at.host = started
      at.browser = await sharedBrowser(needsWholeBrowser)
      at.cast = await started.organization(cast)
    })
    after(() => stop())
    cases(at)
  })
}

/** The messages that a window shows, as texts. */
export function messagesOf(page: TestPage): Locator {
  return page.locator('.message .content')
}

/** A link in the list of conversations. */
export function inList(page: TestPage, name: string): Locator {
  return page.locator('parley-sidebar a').filter({ hasText: name }).first()
}

/** Waits until a window shows a message with this text. */
export async function shows(page: TestPage, text: string): Promise<void> {
  await messagesOf(page).filter({ hasText: text }).first().waitFor()
}

export async function writes(page: TestPage, text: string): Promise<void> {
  const field = page.locator('parley-composer textarea')
  await field.fill(text)
  await field.press('Enter')
}

/** The button with the menu of the user, which is loaded after the first view. */
export function userMenu(page: Page): Locator {
  return page.getByRole('button', { name: /: Menu$/ })
}

/** Chooses something in the menu of the user. */
export async function chooseInMenu(page: Page, name: string): Promise<void> {
  await userMenu(page).click()
  await page.getByRole('button', { name, exact: true }).click()
}

/** The same by keyboard. */
export async function pressInMenu(page: Page, name: string): Promise<void> {
  await userMenu(page).press('Enter')
  await page.getByRole('button', { name, exact: true }).press('Enter')
}

/** Whether the menu of the user has something. */
export async function hasInMenu(page: Page, name: string): Promise<boolean> {
  await userMenu(page).click()
  const menu = page.getByRole('dialog', { name: /: Menu$/ })
  const count = await menu.getByRole('button', { name, exact: true }).count()
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'detached' })
  return count > 0
}

/** Opens a section of the settings. */
export async function openSection(page: TestPage, name: string): Promise<Locator> {
  await chooseInMenu(page, 'Settings')
  const dialog = page.getByRole('dialog', { name: 'Settings' })
  await dialog.getByRole('tab', { name }).click()
  await dialog.getByRole('tabpanel', { name }).waitFor()
  return dialog
}

/** Opens a section of the organization. */
export async function openOrganization(page: TestPage, name: string): Promise<Locator> {
  await chooseInMenu(page, 'Organization')
  const dialog = page.getByRole('dialog', { name: 'Organization' })
  await dialog.getByRole('tab', { name }).click()
  await dialog.getByRole('tabpanel', { name }).waitFor()
  return dialog
}

/** Counts the calls of a window: what a second click sends too. */
export function countCalls(page: TestPage, method: string, path: string): () => number {
  let calls = 0
  page.on('request', (request) => {
    if (request.method() === method && request.url().includes(path)) calls += 1
  })
  return () => calls
}

/** Whether an element has the focus. */
export async function hasFocus(element: Locator): Promise<boolean> {
  return element.evaluate((each) => each.matches(':focus'))
}
