import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import { until } from '../support/waiting.js'
import type { TestPage } from './browser.js'
import { inList, messagesOf, shows, withPages, writes } from './chat-pages.js'

const maxMebibytes = 1

withPages(
  'what a user has written',
  (at) => {
    afterEach(() => at.closeWindows())

    const topic = (name: string): string =>
      `#narrow/channel/${at.cast.channels.design}/topic/${name}`
    const fieldOf = (page: TestPage) => page.locator('parley-composer textarea')
    const contentsOf = async (name: string): Promise<string[]> => {
      const narrow = [
        { operator: 'channel', operand: at.cast.channels.design },
        { operator: 'topic', operand: name },
      ]
      const query = {
        anchor: 'newest',
        num_before: 50,
        num_after: 0,
        apply_markdown: false,
        narrow,
      }
      const { body } = await at.cast.people.bob.get('/messages', query)
      return body.messages.map(({ content }: { content: string }) => content)
    }

    it('is not cut off if it is too long: the page says by how much', async () => {
      const page = await at.open('alice', topic('long'))
      const field = fieldOf(page)
      const text = `${'word '.repeat(2000)}end of it`

      await field.fill(text)
      await page
        .getByText('This is 9 characters longer than the 10000 that a message may have.')
        .waitFor()
      await field.press('Enter')
      assert.equal(await field.inputValue(), text)
      await page.reload()
      await until('the draft', async () => (await field.inputValue()) === text)
      await field.fill(text.slice(9))
      await field.press('Enter')
      await until('the message', async () => (await contentsOf('long')).length === 1)
    })

    it('is there again after a list in which nothing is written', async () => {
      const page = await at.open('alice', topic('list'))
      await fieldOf(page).fill('Half a thought')
      await inList(page, 'Mentions').click()
      await page.getByRole('heading', { name: 'Mentions' }).waitFor()
      assert.equal(await fieldOf(page).count(), 0)
      await page.goBack()
      await until('the draft', async () => (await fieldOf(page).inputValue()) === 'Half a thought')
    })

    it('keeps the name of a new topic, by channel', async () => {
      const page = await at.open('alice', `#narrow/channel/${at.cast.channels.design}`)
      const name = page.getByRole('textbox', { name: 'Topic' })
      await name.fill('A new topic')
      await inList(page, 'general').click()
      await until('an empty field', async () => (await name.inputValue()) === '')
      await page.goBack()
      await until('the name', async () => (await name.inputValue()) === 'A new topic')
      await page.reload()
      await until('the name', async () => (await name.inputValue()) === 'A new topic')
      await writes(page, 'First')
      await page.getByRole('heading', { name: '#design › A new topic' }).waitFor()
      await inList(page, 'design').click()
      await until('an empty field', async () => (await name.inputValue()) === '')
    })

    it('keeps a change of a message until it is saved or given up', async () => {
      await at.cast.people.alice.say(at.cast.channels.design, 'changed', 'Before')
      const page = await at.open('alice', topic('changed'))
      const edit = async (): Promise<void> => {
        await shows(page, 'Before')
        await page.locator('.row').hover()
        await page.getByRole('button', { name: 'Edit' }).click()
      }
      const field = page.locator('parley-edit textarea')
      await edit()
      await field.fill('Half a change')

      await field.press('Escape')
      await page.reload()
      await edit()
      await until('the change', async () => (await field.inputValue()) === 'Half a change')
      await page.locator('parley-edit').getByRole('button', { name: 'Cancel' }).click()
      await edit()
      await until('the message', async () => (await field.inputValue()) === 'Before')
      // The server's reason is shown, and the text stays.
      await page.route(/\/messages\/\d+$/, (route) =>
        route.request().method() === 'PATCH'
          ? route.fulfill({ status: 400, json: { result: 'error', msg: 'Too late', code: 'X' } })
          : route.fallback(),
      )
      await field.fill('Refused')
      await field.press('Enter')
      await page.getByText('Too late').waitFor()
      assert.equal(await field.inputValue(), 'Refused')
      page.problems.length = 0
    })

    it('has its files, in the conversation for which they were chosen', async () => {
      const page = await at.open('alice', topic('files'))
      let answer = (): void => {}
      const asked = new Promise<void>((resolve) => (answer = resolve))
      await page.route(/\/user_uploads$/, async (route) => {
        await asked
        return route.continue()
      })
      const file = { name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('tea') }
      await page.locator('parley-composer input[type=file]').setInputFiles(file)
      await page.getByRole('progressbar', { name: 'Uploading plan.txt' }).waitFor()
      await inList(page, 'general').click()
      await page.getByRole('progressbar').waitFor({ state: 'detached' })
      answer()
      await page.waitForResponse(/\/user_uploads$/)
      await page.goBack()
      await until('the file', async () =>
        (await fieldOf(page).inputValue()).includes('[plan.txt](/user_uploads/'),
      )
      await inList(page, 'general').click()
      await until('another draft', async () => (await fieldOf(page).inputValue()) === '')
    })

    it('says that a file is too large before it is sent, and lets an upload be ended', async () => {
      const page = await at.open('alice', topic('large'))
      let uploads = 0
      await page.route(/\/user_uploads$/, (route) => {
        uploads += 1
        // It takes as long as the user lets it.
        return route.request().method() === 'POST' ? undefined : route.continue()
      })
      const input = page.locator('parley-composer input[type=file]')
      await fieldOf(page).fill('With a file')
      const buffer = Buffer.alloc(maxMebibytes * 1024 * 1024 + 1)
      await input.setInputFiles({ name: 'huge.bin', mimeType: 'text/plain', buffer })
      await page.getByText('huge.bin is too large: files may have 1 MB at most.').waitFor()
      assert.equal(uploads, 0)
      const small = { name: 'small.txt', mimeType: 'text/plain', buffer: Buffer.from('tea') }
      await input.setInputFiles(small)
      await page.getByRole('button', { name: 'Cancel the upload of small.txt' }).click()
      await page.getByRole('progressbar').waitFor({ state: 'detached' })
      assert.equal(await fieldOf(page).inputValue(), 'With a file')
      page.problems.length = 0
    })

    it('is sent once by each of two tabs, which share a draft', async () => {
      const page = await at.open('alice', topic('tabs'))
      const other = await page.context().newPage()
      await other.goto(`${at.address}${topic('tabs')}`)
      await other.locator('parley-composer textarea').waitFor()
      await fieldOf(page).fill('Half a thought')
      await other.reload()
      await until(
        'the draft',
        async () =>
          (await other.locator('parley-composer textarea').inputValue()) === 'Half a thought',
      )
      await fieldOf(page).fill('')
      await other.locator('parley-composer textarea').fill('')
      await page.context().setOffline(true)
      await writes(page, 'From the first')
      await other.locator('parley-composer textarea').fill('From the second')
      await other.locator('parley-composer textarea').press('Enter')
      await page.context().setOffline(false)
      await until('both', async () => (await contentsOf('tabs')).length === 2)
      for (const text of ['From the first', 'From the second']) {
        for (const tab of [page, other]) {
          const rows = tab.locator('.message .content').filter({ hasText: text })
          await until(text, async () => (await rows.count()) === 1)
        }
      }
      assert.deepEqual((await contentsOf('tabs')).sort(), ['From the first', 'From the second'])
      page.problems.length = 0
    })

    it('is sent once although the clock is wrong', async () => {
      for (const days of [-400, 3]) {
        const page = await at.window()
        await page.addInitScript((milliseconds) => {
          const real = Date.now
          Date.now = () => real() + milliseconds
        }, days * 86_400_000)
        const { email, credentials } = at.cast.people.alice
        const login = JSON.stringify({ type: 'apiKey', email, apiKey: credentials?.apiKey })
        await page.addInitScript(
          ([key, text]) => localStorage.setItem(key ?? '', text ?? ''),
          [`parley-login ${at.host.origin}`, login],
        )
        const name = `clock${days}`
        await page.goto(`${at.address}${topic(name)}`)
        await fieldOf(page).waitFor()
        await writes(page, 'On time')
        await shows(page, 'On time')
        assert.deepEqual(await contentsOf(name), ['On time'])
        await page.reload()
        await shows(page, 'On time')
        assert.equal(await messagesOf(page).count(), 1)
      }
    })

    it('is found again if it was not sent, also from another conversation', async () => {
      const page = await at.open('alice', topic('failed'))
      await page.route(/\/api\/v1\/messages$/, (route) =>
        route.request().method() === 'POST'
          ? route.fulfill({
              status: 400,
              json: { result: 'error', msg: 'No', code: 'BAD_REQUEST' },
            })
          : route.fallback(),
      )
      await writes(page, 'Do not forget me')
      await page.getByText('Not sent: No').waitFor()
      assert.equal(await page.getByText('A message was not sent.').count(), 0)
      await inList(page, 'general').click()
      await page.getByText('A message was not sent.').waitFor()
      await page.getByRole('button', { name: 'Show', exact: true }).click()
      await page.locator('parley-pending').getByText('Do not forget me').waitFor()
      assert.equal(await messagesOf(page).count(), 0)
      page.problems.length = 0
    })
  },
  { host: { maxUploadMebibytes: maxMebibytes } },
)
