import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'

import { requireChromium } from '../support/chromium.js'

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

  /** @param isWhole see {@link requireChromium}. */
  static async start(isWhole = false): Promise<TestBrowser> {
    const args = ['--no-sandbox', '--disable-gpu']
    return new TestBrowser(
      await chromium.launch({ executablePath: requireChromium(isWhole), args }),
    )
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
