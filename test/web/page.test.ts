import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import { until } from '../support/waiting.js'
import type { TestPage } from './browser.js'
import { chooseInMenu, inList, messagesOf, shows, withPages, writes } from './chat-pages.js'

async function logOut(page: TestPage, how: string): Promise<void> {
  await chooseInMenu(page, 'Log out')
  await page.getByRole('dialog').getByRole('button', { name: how }).click()
}

withPages(
  'the page of a chat',
  (at) => {
    afterEach(() => at.closeWindows())

    it('lets a user log in, read and write, and another one read that', async () => {
      const { alice } = at.cast.people
      const { general } = at.cast.channels
      await alice.say(general, 'tea', 'The *first* message')

      const page = await at.window()
      await page.goto(at.address)
      await page.getByRole('button', { name: alice.email }).click()
      await inList(page, 'general').click()
      await inList(page, 'tea').click()
      await shows(page, 'The first message')
      assert.equal(await messagesOf(page).locator('em').textContent(), 'first')

      const other = await at.open('bob', `#narrow/channel/${general}/topic/tea`)
      await shows(other, 'The first message')
      await writes(page, 'Hello, *Bob*')
      await shows(other, 'Hello, Bob')
      await shows(page, 'Hello, Bob')
      assert.equal(await page.locator('parley-pending .row').count(), 0)
      assert.equal(await page.locator('parley-composer textarea').inputValue(), '')
    })

    it('lets a user log in with a password, and says if it is wrong', async () => {
      const page = await at.window()
      await page.goto(at.address)
      const fill = async (password: string): Promise<void> => {
        await page.getByLabel('E-mail address').fill(at.cast.people.carol.email)
        await page.getByLabel('Password').fill(password)
        await page.getByRole('button', { name: 'Log in', exact: true }).click()
      }
      await fill('wrong')
      await page.getByText('Address and password do not match.').waitFor()
      await fill('correct horse carol')
      await inList(page, 'general').waitFor()
      await page.reload()
      await inList(page, 'general').waitFor()
      await logOut(page, 'Log out of this browser')
      await page.getByLabel('Password').waitFor()
      // A user's other devices share the key.
      assert.equal((await at.cast.people.carol.get('/users/me')).status, 200)
    })

    it('logs all tabs out, of the same browser or everywhere', async () => {
      const { carol } = at.cast.people
      const page = await at.open('alice', '#narrow/is/mentioned')
      const tab = Object.assign(await page.context().newPage(), { problems: [] })
      const hash = `#narrow/channel/${at.cast.channels.general}/topic/tabs`
      await at.login(tab, 'alice', hash)
      await tab.locator('textarea').fill('Half a secret')
      await logOut(page, 'Log out of this browser')
      for (const each of [page, tab]) await each.getByLabel('Password').waitFor()
      const kept = await tab.evaluate(() =>
        [...Object.values(localStorage), ...Object.values(sessionStorage)].join(),
      )
      assert.doesNotMatch(kept, /secret|apiKey/)
      page.problems.length = 0

      const desk = await at.open('carol')
      const phone = await at.open('carol')
      await inList(phone, 'general').waitFor()
      await logOut(desk, 'Log out everywhere')
      await phone.getByLabel('Password').waitFor()
      await until('an invalid key', async () => (await carol.get('/users/me')).status === 401)
      desk.problems.length = phone.problems.length = 0
    })

    it('has links to channels, topics and messages, and goes back and forward', async () => {
      const { bob } = at.cast.people
      const { general } = at.cast.channels
      const id = await bob.say(general, 'linked', 'A message with a link')
      await bob.say(general, 'linked', 'A later one')
      const page = await at.open('alice', `#narrow/channel/${general}/topic/linked/near/${id}`)
      await page.locator('.row.marked').getByText('A message with a link').waitFor()

      await page.reload()
      await page.locator('.row.marked').getByText('A message with a link').waitFor()
      await inList(page, 'Mentions').click()
      await page.getByRole('heading', { name: 'Mentions' }).waitFor()
      await page.goBack()
      await page.getByRole('heading', { name: '#general › linked' }).waitFor()
      await shows(page, 'A later one')
      await page.goForward()
      await page.getByRole('heading', { name: 'Mentions' }).waitFor()
    })
  },
  { cast: { passwords: ['carol'] } },
)
