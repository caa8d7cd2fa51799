import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import type { Locator } from 'playwright-core'

import { FakeMail } from '../support/fake-mail.js'
import { makeGroup } from '../support/groups.js'
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

    it('give a role, groups, a welcome message and a time', async () => {
      const { adam } = at.cast.people
      const group = await makeGroup(adam, 'newcomers')
      const page = await at.open('adam')
      const dialog = await openOrganization(page, 'Invitations')
      await dialog.getByRole('button', { name: 'Invite people' }).click()
      await dialog.getByLabel('E-mail addresses').fill('rita@example.com')
      await dialog.getByLabel('Role').selectOption('Moderator')
      await dialog.getByLabel('Expires').selectOption('After three days')
      await dialog.getByLabel('newcomers').check()
      await dialog.getByLabel('Message of the Welcome Bot to new users').fill('Hello **Rita**')
      const requested = page.waitForRequest(
        (each) => each.method() === 'POST' && each.url().endsWith('/invites'),
      )
      await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
      const form = new URLSearchParams((await requested).postData() ?? '')
      assert.equal(form.get('invite_as'), '300')
      assert.equal(form.get('invite_expires_in_minutes'), '4320')
      assert.equal(form.get('group_ids'), JSON.stringify([group]))
      assert.equal(form.get('welcome_message_custom_text'), 'Hello **Rita**')
      await entry(dialog, 'rita@example.com')
        .getByText(/^Moderator · by Adam Test/)
        .waitFor()
      const { body } = await adam.get('/invites')
      const sent = body.invites.find(
        ({ email }: { email?: string }) => email === 'rita@example.com',
      )
      assert.equal(sent!.expiry_date - sent!.invited, 4320 * 60)
    })

    it('leave the list when they expire', async () => {
      const { adam } = at.cast.people
      const page = await at.open('adam')
      await page.clock.install()
      await page.reload()
      await adam.post('/invites', {
        invitee_emails: 'soon@example.com',
        stream_ids: '[]',
        invite_expires_in_minutes: 10,
      })
      const dialog = await openOrganization(page, 'Invitations')
      await entry(dialog, 'soon@example.com').waitFor()
      at.host.clock.advance(601)
      await page.clock.fastForward(601_000)
      await entry(dialog, 'soon@example.com').waitFor({ state: 'detached' })
      // A WebSocket that was being opened is refused once: its ticket has expired, too.
      page.problems.length = 0
    })

    it('keep what is written when too many are sent on a day', async () => {
      const page = await at.open('adam')
      const dialog = await openOrganization(page, 'Invitations')
      await dialog.getByRole('button', { name: 'Invite people' }).click()
      const addresses = dialog.getByLabel('E-mail addresses')
      const many = Array.from({ length: 21 }, (_, n) => `many${n}@example.com`).join('\n')
      await addresses.fill(many)
      await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
      await dialog.getByRole('alert').getByText(/20/).waitFor()
      assert.equal(await addresses.inputValue(), many)
      assert.deepEqual(mail.to('many0@example.com'), [])
      page.problems.length = 0
    })
  },
  { host: { mail, quotas: { invitationMailsPerDay: 20 } } },
)
