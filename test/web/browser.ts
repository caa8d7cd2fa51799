import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'

/**
 * The Chromium of the system: on Debian, `apt-get install chromium fonts-dejavu-core`.
 *
 * @throws {Error} if there is none: a test without it would check nothing.
 */
function chromiumPath(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  for (const path of folders.map((folder) => join(folder, 'chromium'))) {
    try {
      accessSync(path, constants.X_OK)
      return path
    } catch {
      // It may be in another folder.
    }
  }
  throw new Error('There is no Chromium: install it, on Debian with apt-get install chromium')
}

/** A page, with what went wrong in it. */
export interface TestPage extends Page {
  readonly problems: string[]
}

/** A browser with pages of separate users. */
export class TestBrowser {
  readonly #browser: Browser

  private constructor(browser: Browser) {
    this.#browser = browser
  }

  static async start(): Promise<TestBrowser> {
    const executablePath = chromiumPath()
    return new TestBrowser(await chromium.launch({ executablePath, args: ['--no-sandbox'] }))
  }

  /** Opens a window that shares nothing with others. */
  async window(options: BrowserContextOptions = {}): Promise<TestPage> {
    const context = await this.#browser.newContext({
      viewport: { width: 1200, height: 700 },
      locale: 'en-GB',
      reducedMotion: 'reduce',
      ...options,
    })
    // The compiler of the tests gives functions their names by this one.
    await context.addInitScript({ content: 'globalThis.__name = (named) => named' })
    const page = await context.newPage()
    page.setDefaultTimeout(20_000)
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(String(error)))
    page.on('console', (message) => {
      const text = message.text()
      // A page that asks whether there is a session is told by an error that there is none.
      if (
        message.type() === 'error' &&
        !/401 \(Unauthorized\)|ERR_INTERNET_DISCONNECTED/.test(text)
      )
        problems.push(text)
    })
    return Object.assign(page, { problems })
  }

  async stop(): Promise<void> {
    await this.#browser.close()
  }
}
