import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import { passwordOf } from '../support/cast.js'
import { FakeMail } from '../support/fake-mail.js'
import { upload } from '../support/uploads.js'
import { violations } from './axe.js'
import type { TestPage } from './browser.js'
import { openOrganization, openSection, withPages } from './chat-pages.js'
import { tooWide } from './too-wide.js'

withPages(
  'the look of what belongs to a user, of invitations and folders',
  (at) => {
    afterEach(() => at.closeWindows())

    /** Things of every kind, some of them wide. */
    const prepare = async (): Promise<void> => {
      const { adam } = at.cast.people
      const { design, general } = at.cast.channels
      if ((await adam.get('/bots')).body.bots.length > 0) return
      const long = 'W'.repeat(60)
      await adam.post('/users/me/alert_words', { alert_words: JSON.stringify(['tea', long]) })
      const file = await upload(adam, { name: `${long}.txt` })
      await adam.say(general, 'files', `The tea: [file](${file})`)
      await adam.post('/bots', { full_name: `Bot ${long}`, short_name: 'hook', bot_type: 2 })
      await adam.post('/invites/multiuse', {})
      await adam.post('/invites', { invitee_emails: `${long}@example.com`, stream_ids: '[]' })
      const { channel_folder_id } = (
        await adam.post('/channel_folders/create', { name: long, description: long })
      ).body
      await adam.patch(`/streams/${design}`, { folder_id: channel_folder_id })
      await adam.post('/users/me/subscriptions', {
        subscriptions: JSON.stringify([{ name: 'design' }]),
      })
      await adam.post('/channel_folders/create', { name: 'Empty' })
      await adam.patch('/realm', { video_chat_provider: 1 })
    }

    /** Leads through the states, with a look at each. */
    const visit = async (page: TestPage, look: (state: string) => Promise<void>): Promise<void> => {
      await page.getByRole('button', { name: /^W+$/ }).waitFor()
      await look('folders in the list')
      const settings = await openSection(page, 'Notifications')
      await settings.getByLabel('New word or phrase').scrollIntoViewIfNeeded()
      await look('alert words')
      await settings.getByRole('tab', { name: 'Files' }).click()
      await settings.getByRole('link', { name: /^W+\.txt$/ }).waitFor()
      await look('files')
      await settings.getByRole('tab', { name: 'Bots' }).click()
      await settings.getByRole('button', { name: /^Key and addresses: Bot/ }).click()
      await look('bot')
      await settings.getByRole('button', { name: 'Create a bot' }).click()
      await settings.getByLabel('Kind').selectOption('Outgoing webhook')
      await look('new bot')
      await settings.getByRole('button', { name: 'Cancel' }).click()
      await settings.getByRole('button', { name: /^Edit: Bot/ }).click()
      await look('bot form')
      await settings.getByRole('tab', { name: 'Account' }).click()
      await settings.getByRole('button', { name: 'Deactivate your account' }).waitFor()
      await look('account')
      await settings.getByLabel('Password').fill(passwordOf('adam'))
      await settings.getByRole('button', { name: 'Show the API key' }).click()
      await settings.getByRole('textbox', { name: 'API key' }).waitFor()
      await look('key')
      await settings.getByRole('button', { name: 'Replace the API key' }).click()
      await page.getByRole('dialog', { name: /^Replace your API key/ }).waitFor()
      await look('question')
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      await settings.waitFor({ state: 'detached' })

      const dialog = await openOrganization(page, 'Invitations')
      await dialog.getByRole('button', { name: /^Copy: Reusable link/ }).waitFor()
      await look('invitations')
      await dialog.getByRole('button', { name: 'Invite people' }).click()
      await dialog.getByLabel('E-mail addresses').waitFor()
      await look('new invitation')
      await dialog.getByRole('tab', { name: 'Channel folders' }).click()
      await dialog.getByRole('button', { name: 'Archive: Empty' }).waitFor()
      await look('folders')
      await dialog.getByRole('button', { name: 'Edit: Empty' }).click()
      await look('folder form')
      await page.keyboard.press('Escape')
    }

    for (const colorScheme of ['light', 'dark'] as const) {
      it(`has no violations that axe finds, in ${colorScheme} colors`, async () => {
        await prepare()
        const { general } = at.cast.channels
        const hash = `#narrow/channel/${general}/topic/files`
        const page = await at.open('adam', hash, { colorScheme, bypassCSP: true })
        await page.locator('.message mark').waitFor()
        await page.getByRole('button', { name: 'Add a video call' }).waitFor()
        const found: Record<string, string[]> = {}
        await visit(page, async (state) => {
          const problems = await violations(page)
          if (problems.length > 0) found[state] = problems
        })
        assert.deepEqual(found, {})
      })
    }

    it('needs no more than 320 pixels', async () => {
      await prepare()
      const page = await at.open('adam', '', { viewport: { width: 320, height: 600 } })
      const found: Record<string, string[]> = {}
      await visit(page, async (state) => {
        const dialogs = page.getByRole('dialog')
        const problems =
          (await dialogs.count()) === 0
            ? await page.locator('parley-sidebar').evaluate(tooWide)
            : await dialogs.last().evaluate(tooWide)
        if (problems.length > 0) found[state] = problems
      })
      assert.deepEqual(found, {})
    })
  },
  {
    cast: { passwords: ['adam'] },
    host: { mail: new FakeMail(), videoCalls: { jitsi: { url: 'https://jitsi.example.com' } } },
  },
)
