import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import { until } from '../support/waiting.js'
import type { TestPage } from './browser.js'
import { hasFocus, messagesOf, shows, withPages } from './chat-pages.js'

withPages('deleting messages in the page', (at) => {
  afterEach(() => at.closeWindows())

  it('is offered as the organization says, and leaves the focus on a neighbor', async () => {
    const { alice, bob, olga } = at.cast.people
    const { general } = at.cast.channels
    const ids: number[] = []
    for (const text of ['First', 'Second', 'Third', 'Fourth']) {
      ids.push(await alice.say(general, 'deletion', text))
    }
    await bob.say(general, 'deletion', 'Of another user')
    const groups = await olga.get('/user_groups')
    const groupOf = (name: string): number =>
      groups.body.user_groups.find((group: { name: string }) => group.name === name)!.id
    const allow = async (setting: string, name: string): Promise<void> => {
      const answer = await olga.patch('/realm', { [setting]: { new: groupOf(name) } })
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
    }
    const page = await at.open('alice', `#narrow/channel/${general}/topic/deletion`)
    await shows(page, 'Of another user')
    const row = (text: string) => page.locator('.row').filter({ hasText: text })
    const offers = async (text: string, isOffered: boolean): Promise<void> => {
      await row(text).hover()
      await row(text).getByRole('button', { name: 'Copy link' }).waitFor()
      const button = row(text).getByRole('button', { name: 'Delete' })
      await button.waitFor({ state: isOffered ? 'visible' : 'detached' })
    }
    await allow('can_delete_own_message_group', 'role:nobody')
    await offers('Second', false)
    await allow('can_delete_own_message_group', 'role:everyone')
    await offers('Second', true)
    await offers('Of another user', false)
    await allow('can_delete_any_message_group', 'role:members')
    await offers('Of another user', true)
    await allow('can_delete_any_message_group', 'role:nobody')
    await offers('Of another user', false)

    // The message that has the focus is deleted by another user.
    await row('Second').focus()
    await olga.patch('/realm', { can_delete_any_message_group: { new: groupOf('role:owners') } })
    assert.equal((await olga.delete(`/messages/${ids[1]}`)).status, 200)
    await messagesOf(page).filter({ hasText: 'Second' }).waitFor({ state: 'detached' })
    await until('the focus', () => hasFocus(row('Third')))
    // With the keyboard.
    await page.keyboard.press('Enter')
    await row('Third').getByRole('button', { name: 'Delete' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await messagesOf(page).filter({ hasText: 'Third' }).waitFor({ state: 'detached' })
    await until('the focus', () => hasFocus(row('Fourth')))

    // The page's clock says that the time is over.
    const past = await olga.patch('/realm', { message_content_delete_limit_seconds: 60 })
    assert.equal(past.status, 200)
    await page.clock.setFixedTime(Date.now() + 120_000)
    await offers('First', false)
  })

  it('and changing or moving them is not offered after the time for that', async () => {
    const { alice, olga } = at.cast.people
    const { general } = at.cast.channels
    const hash = `#narrow/channel/${general}/topic/times`
    for (const limit of ['within_stream', 'between_streams']) {
      const name = `move_messages_${limit}_limit_seconds`
      assert.equal((await olga.patch('/realm', { [name]: 3600 })).status, 200)
    }
    await alice.say(general, 'times', 'Mine')
    const [page, other] = [await at.open('alice', hash), await at.open('alice', hash)]
    const offered = async (on: TestPage, name: string): Promise<boolean> => {
      const row = on.locator('.row').filter({ hasText: 'Mine' })
      await on.mouse.move(0, 0)
      await row.hover()
      await row.getByRole('button', { name: 'More actions' }).click()
      const item = on.getByRole('dialog').getByRole('button')
      await item.filter({ hasText: 'Remind me' }).waitFor()
      const names = await item.allTextContents()
      await on.keyboard.press('Escape')
      const buttons = await row.getByRole('button', { name }).count()
      return buttons > 0 || names.some((text) => text.includes(name))
    }
    for (const name of ['Edit', 'Move to']) assert.ok(await offered(page, name), name)
    const row = other.locator('.row').filter({ hasText: 'Mine' })
    await row.hover()
    await row.getByRole('button', { name: 'Edit' }).click()
    const field = other.getByLabel('Message', { exact: true })
    await field.fill('Mine, but later')

    await page.clock.setFixedTime(Date.now() + 700_000)
    assert.deepEqual([await offered(page, 'Edit'), await offered(page, 'Move to')], [false, true])
    await page.clock.setFixedTime(Date.now() + 3_700_000)
    assert.deepEqual([await offered(page, 'Edit'), await offered(page, 'Move to')], [false, false])
    // The rule changes while the other window has a longer one.
    assert.equal((await olga.patch('/realm', { allow_message_editing: false })).status, 200)
    await other.getByRole('button', { name: 'Save' }).click()
    await other.locator('.edit [role=status]').filter({ hasText: /./ }).waitFor()
    assert.equal(await field.inputValue(), 'Mine, but later')
    other.problems.length = 0
    assert.equal((await olga.patch('/realm', { allow_message_editing: true })).status, 200)
    await other.getByRole('button', { name: 'Save' }).click()
    await shows(other, 'Mine, but later')
  })
})
