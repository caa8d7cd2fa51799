import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import type { Locator } from 'playwright-core'

import { FakeMail } from '../support/fake-mail.js'
import { mailTo } from '../support/invitations.js'
import { until } from '../support/waiting.js'
import { hasFocus, openOrganization, withPages } from './chat-pages.js'

const mail = new FakeMail()

function entry(dialog: Locator, name: string): Locator {
  return dialog.getByRole('listitem').filter({ hasText: name })
}

withPages(
  'invitations',
  (at) => {
    afterEach(() => at.closeWindows())

    it('are sent by keyboard, sent again and revoked, in two windows', async () => {
      const { alice } = at.cast.people
      const { design } = at.cast.channels
      const page = await at.open('alice')
      const one = await openOrganization(page, 'Invitations')
      const two = await openOrganization(await at.open('adam'), 'Invitations')
      await one.getByText('There are no invitations.').waitFor()
      const add = one.getByRole('button', { name: 'Invite people' })
      await add.focus()
      await page.keyboard.press('Enter')
      const addresses = one.getByLabel('E-mail addresses')
      await addresses.focus()
      await page.keyboard.type('nina@example.com, bob is not an address')
      // Only administrators make administrators.
      const roles = await one.getByLabel('Role').locator('option').allTextContents()
      assert.deepEqual(
        roles.map((role) => role.trim()),
        ['Member', 'Guest'],
      )
      await one.getByLabel('#design').press('Space')
      const send = one.getByRole('button', { name: 'Invite', exact: true })
      await send.press('Enter')
      await one
        .getByRole('alert')
        .getByText(/bob is not an address: ./)
        .waitFor()
      assert.equal(await addresses.inputValue(), 'nina@example.com, bob is not an address')
      page.problems.length = 0
      await addresses.fill('nina@example.com\nnoel@example.com')
      const request = page.waitForRequest(
        (each) => each.method() === 'POST' && each.url().endsWith('/invites'),
      )
      await send.press('Enter')
      const form = new URLSearchParams((await request).postData() ?? '')
      assert.equal(form.get('stream_ids'), JSON.stringify([design]))
      assert.equal(form.get('include_realm_default_subscriptions'), 'true')
      await one.getByText('2 invitations were sent.').waitFor()
      await until('the button', () => hasFocus(add))
      await mailTo(mail, 'nina@example.com')
      await entry(two, 'nina@example.com').getByText('Member · by Alice Test').waitFor()
      await two.getByRole('button', { name: 'Send again: nina@example.com' }).click()
      await two.getByText('Sent again: nina@example.com').waitFor()
      await mailTo(mail, 'nina@example.com', 2)
      await one.getByRole('button', { name: 'Revoke: noel@example.com' }).click()
      const question = page.getByRole('dialog', { name: /^Revoke the invitation/ })
      await question.getByRole('button', { name: 'Revoke' }).click()
      await one.getByText('Revoked: noel@example.com').waitFor()
      await entry(two, 'noel@example.com').waitFor({ state: 'detached' })
      assert.equal((await alice.get('/invites')).body.invites.length, 1)
    })

    it('are reusable links for those who may, which are copied', async () => {
      const page = await at.open('adam')
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      const dialog = await openOrganization(page, 'Invitations')
      await dialog.getByRole('button', { name: 'Invite people' }).click()
      await dialog.getByLabel('Kind').selectOption('A reusable link')
      assert.equal(await dialog.getByLabel('E-mail addresses').count(), 0)
      await dialog.getByLabel('Role').selectOption('Guest')
      await dialog.getByLabel('Expires').selectOption('Never')
      await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
      await dialog.getByText('The link is created. Copy it from the list.').waitFor()
      const link = entry(dialog, 'Reusable link')
      await link.getByText(/Guest · by Adam Test · .* · never expires/).waitFor()
      await link.getByRole('button', { name: /^Copy: Reusable link \d+$/ }).click()
      await dialog.getByText(/^Copied: Reusable link/).waitFor()
      const address = await page.evaluate(() => navigator.clipboard.readText())
      assert.match(address, /\/api\/v1\/accounts\/join\/[\w-]+$/)
      const answer = await fetch(address)
      assert.equal(answer.status, 200)
      await link.getByRole('button', { name: /^Revoke: / }).click()
      const question = page.getByRole('dialog', { name: /^Revoke the invitation/ })
      await question.getByRole('button', { name: 'Revoke' }).click()
      await link.waitFor({ state: 'detached' })
      assert.notEqual((await fetch(address)).status, 200)
    })
  },
  { host: { mail } },
)
