import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import { ServerProcess } from '../faults/server-process.js'
import { databaseColumns } from '../support/databases.js'
import { until } from '../support/waiting.js'
import { TestBrowser, type TestPage } from './browser.js'
import { messagesOf, shows, writes } from './chat-pages.js'

/** @returns the number of unread messages, when the page shows the one that the server knows. */
function countedUnread(page: TestPage): Promise<number> {
  return until('the number of unread messages', async () => {
    const count = await page.evaluate(async () => {
      const fetch_event_types = JSON.stringify(['message', 'update_message_flags'])
      const answer = await fetch('/chat/api/v1/register', {
        method: 'POST',
        body: new URLSearchParams({ event_types: '["message"]', fetch_event_types }),
      })
      const { unread_msgs } = (await answer.json()) as { unread_msgs: { count: number } }
      return unread_msgs.count
    })
    const shown = await page.locator('p[role=status]').textContent()
    return shown?.trim() === `Unread: ${count}` && count
  })
}

describe("examples/embedded-product's page, with each framework", () => {
  let server: ServerProcess
  let browser: TestBrowser
  let stop: () => Promise<void> = async () => {}

  before(async () => {
    const [column] = databaseColumns()
    assert.ok(column !== undefined)
    const database = await column.create()
    server = new ServerProcess('embedded-product', [
      '--database',
      database.url.replace(/^sqlite:/, ''),
    ])
    stop = async () => {
      await server.kill()
      await database.drop()
    }
    await server.start()
    browser = await TestBrowser.start()
  })
  after(async () => {
    await browser?.stop()
    await stop()
  })

  const open = async (name: string, path: string): Promise<TestPage> => {
    const page = await browser.window()
    await page.goto(`${server.origin}/login?next=${path}`)
    await page.getByLabel('Address').fill(`${name}@shop.example`)
    await page.getByLabel('Password').fill(`correct horse ${name}`)
    await page.getByRole('button', { name: 'Log in' }).click()
    return page
  }

  for (const [framework, customer, fullName] of [
    ['plain', 'ben', 'Ben Okri'],
    ['react', 'cora', 'Cora Lind'],
    ['vue', 'ben', 'Ben Okri'],
    ['angular', 'cora', 'Cora Lind'],
  ] as const) {
    it(`passes attributes and properties, and hears events and slots: ${framework}`, async () => {
      const page = await open(customer, `/pages/${framework}`)
      /** @returns the name of the new order, when its conversation is shown. */
      const orderBy = async (button: string): Promise<string> => {
        const answer = page.waitForResponse(
          (each) => each.request().method() === 'POST' && each.url().endsWith('/orders'),
        )
        await page.getByRole('button', { name: button }).click()
        const { orderId } = (await (await answer).json()) as { orderId: number }
        await page.getByRole('heading', { name: `#Order ${orderId} › order` }).waitFor()
        await shows(page, '1 × tea')
        return `Order ${orderId}: 1 × tea`
      }

      // An order is a channel of its own, which the page's attribute names.
      const first = await orderBy('Order tea')
      await writes(page, `Hot, please (${framework})`)
      await shows(page, 'Hot, please')

      // The page's own button is in the chat's header: the new order is shown instead.
      const second = await orderBy('Order again')
      assert.equal(await messagesOf(page).filter({ hasText: 'Hot, please' }).count(), 0)
      await page.getByRole('button', { name: first }).click()
      await shows(page, 'Hot, please')

      // The page's own action of a message.
      const row = page.locator('.message', { hasText: 'Hot, please' }).first()
      await row.hover()
      await row.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Note on the order' }).click()
      await page
        .getByRole('listitem')
        .filter({ hasText: new RegExp(`${fullName} wrote message \\d+`) })
        .waitFor()

      // Another person's message elsewhere is counted, and no longer when it has been shown.
      const staff = await open('ada', '/')
      await staff.getByRole('link', { name: second }).click()
      await writes(staff, `It is on the way (${framework})`)
      await shows(staff, 'It is on the way')
      const count = await countedUnread(page)
      assert.ok(count > 0)
      await page.getByRole('button', { name: second }).click()
      await shows(page, 'It is on the way')
      await until('fewer unread messages', async () => (await countedUnread(page)) < count)

      // The shop's own log-out.
      await page.evaluate(() => fetch('/logout', { method: 'POST' }))
      await page.getByRole('status').getByRole('link', { name: 'Log in' }).waitFor()

      assert.deepEqual(page.problems, [])
      assert.deepEqual(staff.problems, [])
      await page.context().close()
      await staff.context().close()
    })
  }
})
