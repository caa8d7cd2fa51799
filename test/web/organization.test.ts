import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import type { Locator } from 'playwright-core'

import type { Client } from '../support/client.js'
import { until } from '../support/waiting.js'
import {
  countCalls,
  hasFocus,
  hasInMenu,
  openOrganization,
  pressInMenu,
  userMenu,
  withPages,
} from './chat-pages.js'

function entry(dialog: Locator, name: string): Locator {
  return dialog.getByRole('listitem').filter({ hasText: name })
}

async function userOf(reader: Client, id: number): Promise<Record<string, unknown>> {
  const { body } = await reader.get(`/users/${id}`)
  return body.user as Record<string, unknown>
}

withPages(
  'the users of the organization',
  (at) => {
    afterEach(() => at.closeWindows())

    it('are not offered to those who may change nothing, and are when that changes', async () => {
      const { olga, alice } = at.cast.people
      const groups = (await olga.get('/user_groups')).body.user_groups as {
        readonly id: number
        readonly name: string
      }[]
      const setting = (name: string): string =>
        JSON.stringify({ new: groups.find((group) => group.name === name)?.id })
      const guest = await at.open('gus')
      const page = await at.open('alice')
      // Members may invite people and add emoji at first, and nothing else.
      const dialog = await openOrganization(page, 'Custom emoji')
      assert.deepEqual(await dialog.getByRole('tab').allInnerTexts(), [
        'Invitations',
        'Custom emoji',
      ])
      await page.keyboard.press('Escape')
      await olga.patch('/realm', { can_add_custom_emoji_group: setting('role:moderators') })
      await olga.patch('/realm', { can_invite_users_group: setting('role:moderators') })
      await until('nothing', async () => !(await hasInMenu(page, 'Organization')))
      await olga.patch(`/users/${alice.id}`, { role: 200 })
      await openOrganization(page, 'Users')
      assert.equal(await dialog.getByRole('tab').count(), 6)
      await olga.patch(`/users/${alice.id}`, { role: 400 })
      await until('one section', async () => (await dialog.getByRole('tab').count()) === 1)
      assert.equal(await dialog.getByRole('button', { name: 'Add an emoji' }).count(), 0)
      await olga.patch('/realm', { can_add_custom_emoji_group: setting('role:members') })
      await dialog.getByRole('button', { name: 'Add an emoji' }).waitFor()
      assert.ok(await hasInMenu(guest, 'People'))
      assert.equal(await hasInMenu(guest, 'Organization'), false)
    })

    it('get other names and roles, which another window shows', async () => {
      const { olga, carol } = at.cast.people
      const one = await openOrganization(await at.open('adam'), 'Users')
      const two = await openOrganization(await at.open('olga'), 'Users')
      // What is typed in another window stays there.
      await two.getByRole('button', { name: 'Edit: Carol Test' }).click()
      await two.getByLabel('Name', { exact: true }).fill('Carol Typed')
      await one.getByRole('button', { name: 'Edit: Carol Test' }).click()
      const roles = one.getByLabel('Role')
      // Only owners make owners.
      assert.deepEqual(
        (await roles.locator('option').allTextContents()).map((text) => text.trim()),
        ['Administrator', 'Moderator', 'Member', 'Guest'],
      )
      await one.getByLabel('Name', { exact: true }).fill('Caroline Test')
      await roles.selectOption('Moderator')
      await one.getByRole('button', { name: 'Save' }).click()
      await one.getByText('Saved: Caroline Test').waitFor()
      await entry(one, 'Caroline Test').getByText('Moderator').waitFor()
      await until('the button', () =>
        hasFocus(one.getByRole('button', { name: 'Edit: Caroline Test' })),
      )
      assert.equal(await two.getByLabel('Name', { exact: true }).inputValue(), 'Carol Typed')
      await two.getByRole('button', { name: 'Cancel' }).click()
      await entry(two, 'Caroline Test').getByText('Moderator').waitFor()
      const user = await userOf(olga, carol.id)
      assert.deepEqual([user['full_name'], user['role']], ['Caroline Test', 300])
      await olga.patch(`/users/${carol.id}`, { full_name: 'Carol Test', role: 400 })
      await entry(one, 'Carol Test').getByText('Member').waitFor()
    })

    it('are deactivated after a question, with their bots, and come back', async () => {
      const { olga, alice, bot } = at.cast.people
      const member = await at.open('alice')
      const page = await at.open('adam')
      const one = await openOrganization(page, 'Users')
      const two = await openOrganization(await at.open('olga'), 'Users')
      const show = one.getByLabel('Which users')
      await one.getByRole('button', { name: 'Deactivate: Alice Test' }).click()
      const question = page.getByRole('dialog', { name: 'Deactivate Alice Test?' })
      await question.getByText('Their bots are deactivated too: Bot Test.').waitFor()
      await question.getByRole('button', { name: 'Cancel' }).click()
      assert.equal((await userOf(olga, alice.id))['is_active'], true)
      await one.getByRole('button', { name: 'Deactivate: Alice Test' }).click()
      await question.getByRole('button', { name: 'Deactivate' }).click()
      await one.getByText('Alice Test is deactivated.').waitFor()
      await until('an empty place', async () => (await entry(two, 'Alice Test').count()) === 0)
      await member.getByText('Your account is deactivated.').first().waitFor()
      member.problems.length = 0
      await show.selectOption('Bots')
      await entry(one, 'Bot Test').getByText('Deactivated').waitFor()
      await entry(one, 'Bot Test').getByText('Bot of Alice Test').waitFor()
      assert.equal((await userOf(olga, bot.id))['is_active'], false)
      await show.selectOption('Deactivated users')
      await entry(one, 'Dora Test').waitFor()
      const sent = countCalls(page, 'POST', `/users/${alice.id}/reactivate`)
      await one.getByRole('button', { name: 'Reactivate: Alice Test' }).dblclick()
      await one.getByText('Alice Test is active again.').waitFor()
      assert.equal(sent(), 1)
      await entry(two, 'Alice Test').waitFor()
      await show.selectOption('Bots')
      await one.getByRole('button', { name: 'Reactivate: Bot Test' }).click()
      await one.getByRole('button', { name: 'Deactivate: Bot Test' }).click()
      const botQuestion = page.getByRole('dialog', { name: 'Deactivate the bot Bot Test?' })
      await botQuestion.getByRole('button', { name: 'Deactivate' }).click()
      await one.getByRole('button', { name: 'Reactivate: Bot Test' }).click()
      await one.getByText('Bot Test is active again.').waitFor()
      assert.equal((await userOf(olga, bot.id))['is_active'], true)
      assert.equal((await userOf(olga, alice.id))['is_active'], true)
    })

    it('stay as they are, with the reason, if the server refuses', async () => {
      const { olga, gus } = at.cast.people
      const page = await at.open('olga')
      const dialog = await openOrganization(page, 'Users')
      const alert = dialog.getByRole('alert')
      const save = dialog.getByRole('button', { name: 'Save' })
      // The only owner.
      await dialog.getByRole('button', { name: 'Edit: Olga Test' }).click()
      await dialog.getByLabel('Role').selectOption('Member')
      await save.click()
      await alert.getByText('cannot be removed from the only organization owner').waitFor()
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await dialog.getByRole('button', { name: 'Deactivate: Olga Test' }).click()
      const question = page.getByRole('dialog', { name: 'Deactivate your own account?' })
      await question.getByRole('button', { name: 'Deactivate' }).click()
      await dialog.getByText('Cannot deactivate the only organization owner').waitFor()
      // A guest does not become an administrator; what was typed stays.
      await dialog.getByRole('button', { name: 'Edit: Gus Test' }).click()
      await dialog.getByLabel('Name', { exact: true }).fill('Gustav Test')
      await dialog.getByLabel('Role').selectOption('Administrator')
      await save.click()
      await alert.getByText('Guests cannot be organization administrators').waitFor()
      assert.equal(await dialog.getByLabel('Name', { exact: true }).inputValue(), 'Gustav Test')
      assert.equal((await userOf(olga, gus.id))['full_name'], 'Gus Test')
      // No answer.
      await page.route(`**/api/v1/users/${gus.id}`, (route) => route.abort())
      await dialog.getByLabel('Role').selectOption('Guest')
      await save.click()
      await alert.getByText('The server cannot be reached.').waitFor()
      assert.equal(await dialog.getByLabel('Name', { exact: true }).inputValue(), 'Gustav Test')
      // The product decides the role of its users.
      await at.host.chat.users.sync([
        { externalId: 7, email: 'ada@product.example', fullName: 'Ada Product' },
      ])
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await dialog.getByRole('button', { name: 'Edit: Ada Product' }).click()
      await dialog.getByLabel('Role').selectOption('Moderator')
      await save.click()
      await alert.getByText("is managed by the organization's login").waitFor()
      // The browser reports each refusal.
      page.problems.length = 0
    })

    it('leave owners to owners', async () => {
      const dialog = await openOrganization(await at.open('adam'), 'Users')
      await dialog.getByRole('button', { name: 'Deactivate: Mona Test' }).waitFor()
      assert.equal(await dialog.getByRole('button', { name: 'Deactivate: Olga Test' }).count(), 0)
      await dialog.getByRole('button', { name: 'Edit: Olga Test' }).click()
      await dialog.getByText('Only owners change the role of an owner.').waitFor()
      assert.equal(await dialog.getByLabel('Role').count(), 0)
    })

    it('are changed by keyboard, and give the focus back', async () => {
      const { mona, olga } = at.cast.people
      const page = await at.open('adam', '#narrow/is/mentioned')
      const opener = userMenu(page)
      await pressInMenu(page, 'Organization')
      const dialog = page.getByRole('dialog', { name: 'Organization' })
      const tab = dialog.getByRole('tab', { name: 'Users', selected: true })
      await until('the section', () => hasFocus(tab))
      await page.keyboard.press('Tab')
      await page.keyboard.type('mona')
      await until('one user', async () => (await dialog.getByRole('listitem').count()) === 1)
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      const edit = dialog.getByRole('button', { name: 'Edit: Mona Test' })
      assert.ok(await hasFocus(edit))
      await page.keyboard.press('Enter')
      await until('the field', () => hasFocus(dialog.getByLabel('Name', { exact: true })))
      await page.keyboard.press('ControlOrMeta+A')
      await page.keyboard.type('Mona Keys')
      await page.keyboard.press('Enter')
      await dialog.getByText('Saved: Mona Keys').waitFor()
      await until('the button', () =>
        hasFocus(dialog.getByRole('button', { name: 'Edit: Mona Keys' })),
      )
      assert.equal((await userOf(olga, mona.id))['full_name'], 'Mona Keys')
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      assert.ok(await hasFocus(opener))
    })
  },
  { host: { ownedByApplication: ['role'] } },
)
