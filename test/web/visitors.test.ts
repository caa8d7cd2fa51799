import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import { violations } from './axe.js'
import { inList, shows, withPages } from './chat-pages.js'

withPages(
  'visitors without an account',
  (at) => {
    afterEach(() => at.closeWindows())

    it('read what the whole web may read, and can log in', async () => {
      const { alice } = at.cast.people
      const { window, general } = at.cast.channels
      const id = await alice.say(window, 'open', 'For **all**')
      await alice.post(`/messages/${id}/reactions`, { emoji_name: 'octopus' })
      await alice.say(window, 'open', '/poll Where?\n- Here')
      await alice.say(general, 'closed', 'For users')
      const page = await at.window({ bypassCSP: true })
      const refused: string[] = []
      page.on('response', (response) => {
        if (response.status() >= 400) refused.push(new URL(response.url()).pathname)
      })
      await page.goto(`${at.address}#narrow/channel/${window}/topic/open`)
      await shows(page, 'For all')
      // Whether there is a session.
      assert.deepEqual(refused, ['/api/v1/users/me'])
      const links = await page.locator('parley-sidebar a .name').allTextContents()
      assert.deepEqual(links, ['All messages', 'window', 'open'])
      assert.equal(await page.locator('parley-composer').count(), 0)
      assert.equal(await page.getByRole('button', { name: 'octopus, 1' }).isDisabled(), true)
      await page.locator('.row').first().hover()
      const tools = page.getByRole('toolbar').getByRole('button')
      assert.equal(await tools.count(), 1)
      assert.equal(await tools.getAttribute('aria-label'), 'Copy link')
      await page.locator('.sender').first().click()
      const card = page.getByRole('dialog')
      await card.getByRole('heading', { name: 'Alice Test' }).waitFor()
      assert.equal(await card.getByRole('button', { name: 'Send a direct message' }).count(), 0)
      await page.keyboard.press('Escape')
      assert.deepEqual(await violations(page), [])

      await alice.say(window, 'open', 'Later')
      await page.getByRole('button', { name: 'Refresh' }).click()
      await shows(page, 'Later')
      await inList(page, 'All messages').click()
      await shows(page, 'Later')
      assert.equal(await page.getByText('For users').count(), 0)
      // Links of users lead to what visitors may not read.
      for (const hash of [
        '#narrow/is/starred',
        `#narrow/dm/${alice.id}`,
        '#narrow/search/is:starred',
      ]) {
        await page.goto(`${at.address}${hash}`)
        await page.getByText('Log in to see these messages.').waitFor()
      }
      await page.goto(`${at.address}#narrow/channel/${general}`)
      await page.getByText('You cannot see this channel').waitFor()
      await page.goto(`${at.address}#narrow/search/later`)
      await page.locator('.highlight').getByText('Later').waitFor()
      assert.deepEqual(refused, ['/api/v1/users/me'])

      await page.getByRole('button', { name: 'Log in' }).click()
      await page.getByRole('button', { name: alice.email }).click()
      await inList(page, 'general').waitFor()
      await page.locator('parley-composer').waitFor({ state: 'attached' })
    })
  },
  { cast: { settings: { enable_spectator_access: true } } },
)
