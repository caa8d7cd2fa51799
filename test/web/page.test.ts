import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import { inList, messagesOf, shows, withPages, writes } from './chat-pages.js'

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
      await page.getByRole('button', { name: 'Log out' }).click()
      await page.getByLabel('Password').waitFor()
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
