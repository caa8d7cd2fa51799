import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import type { Locator } from 'playwright-core'

import { findGroup, makeGroup } from '../support/groups.js'
import { until } from '../support/waiting.js'
import { violations } from './axe.js'
import type { TestPage } from './browser.js'
import { isFocused, pick } from './channel-pages.js'
import { openSection, pressInMenu, withPages } from './chat-pages.js'

/** The page of a group in the settings. */
async function openGroup(page: TestPage, name: string): Promise<Locator> {
  const dialog = await openSection(page, 'Groups')
  await dialog.getByRole('button', { name: `Open ${name}` }).click()
  await dialog.getByRole('heading', { name }).waitFor()
  return dialog
}

/** A permission for these users. */
function only(...ids: readonly number[]) {
  return { direct_members: ids, direct_subgroups: [] }
}

withPages('user groups', (at) => {
  afterEach(() => at.closeWindows())

  it('are created and changed in one window, and shown in another', async () => {
    const { alice, bob, carol } = at.cast.people
    await makeGroup(alice, 'kettles')
    const page = await at.open('alice')
    const one = await openSection(page, 'Groups')
    const two = await openSection(await at.open('bob'), 'Groups')
    await one.getByRole('button', { name: 'New group' }).click()
    const name = one.getByRole('textbox', { name: 'Name' })
    await until('the focus', () => isFocused(name))
    await name.fill('kettles')
    await one.getByRole('textbox', { name: 'Description' }).fill('Who drinks tea')
    await pick(one, 'Members', 'bob', 'Bob Test')
    await one.getByRole('button', { name: 'Create group' }).click()
    await one.getByText("The group was not created. User group 'kettles' already exists.").waitFor()
    page.problems.length = 0
    await one.getByRole('button', { name: 'Remove Bob Test: Members' }).waitFor()
    assert.equal(await name.inputValue(), 'kettles')
    await name.fill('tea drinkers')
    await one.getByRole('button', { name: 'Create group' }).dblclick()
    await one.getByRole('heading', { name: 'tea drinkers' }).waitFor()

    const item = two.getByRole('listitem').filter({ hasText: 'tea drinkers' })
    await item.getByText('2 members · You are a member · Who drinks tea').waitFor()
    await two.getByRole('searchbox', { name: 'Find groups' }).fill('tea')
    await until('the search', async () => (await two.getByRole('listitem').count()) === 1)
    await two.getByRole('button', { name: 'Open tea drinkers' }).click()
    await two.getByText('Who drinks tea').waitFor()

    await one.getByRole('textbox', { name: 'Description' }).fill('Who drinks green tea')
    await one.getByRole('button', { name: 'Save: Description' }).click()
    await two.getByText('Who drinks green tea').waitFor()
    await pick(one, 'Add people or groups', 'car', 'Carol Test')
    await pick(one, 'Add people or groups', 'ket', 'kettles')
    await one.getByRole('button', { name: 'Add', exact: true }).dblclick()
    await one.getByText('Added: kettles, Carol Test').waitFor()
    const members = two.getByRole('list', { name: 'Members' })
    await members.getByText('kettles').waitFor()
    await members.getByText('Carol Test').waitFor()
    await one.getByRole('button', { name: 'Remove kettles' }).click()
    await members.getByText('kettles').waitFor({ state: 'detached' })
    await one.getByRole('button', { name: 'Remove Bob Test', exact: true }).dblclick()
    await one.getByText('Removed: Bob Test').waitFor()
    await members.getByText('Bob Test').waitFor({ state: 'detached' })
    const group = await findGroup(alice, 'tea drinkers')
    assert.deepEqual(group.members, [alice.id, carol.id])
    assert.ok(!group.members.includes(bob.id))
    assert.deepEqual(group.direct_subgroup_ids, [])
  })

  it('are joined and left by those who may', async () => {
    const { alice, bob, carol } = at.cast.people
    const group = await makeGroup(alice, 'runners', { can_join_group: only(bob.id) })
    const page = await at.open('bob')
    const dialog = await openGroup(page, 'runners')
    const second = await at.open('carol')
    const other = await openGroup(second, 'runners')
    await dialog.getByRole('button', { name: 'Join the group' }).dblclick()
    await dialog.getByText('You have joined the group.').waitFor()
    await other.getByRole('list', { name: 'Members' }).getByText('Bob Test').waitFor()
    // Carol may do nothing.
    const controls = other.getByRole('tabpanel').locator('input:not([type=search]), button')
    assert.deepEqual(
      await controls.allTextContents().then((all) => all.map((each) => each.trim())),
      ['All groups'],
    )
    await dialog.getByRole('button', { name: 'Leave the group' }).click()
    await dialog.getByText('You have left the group.').waitFor()
    await alice.patch(`/user_groups/${group}`, { can_join_group: { new: only(carol.id) } })
    await dialog.getByRole('button', { name: 'Join the group' }).waitFor({ state: 'detached' })
    await other.getByRole('button', { name: 'Join the group' }).waitFor()
    // The server refuses it before the window knows.
    await second.route(
      '**/user_groups/*/members',
      async (route) => {
        await alice.patch(`/user_groups/${group}`, { can_join_group: { new: only(bob.id) } })
        await route.continue()
      },
      { times: 1 },
    )
    await other.getByRole('button', { name: 'Join the group' }).click()
    await other.getByText('That did not work: Insufficient permission').waitFor()
    second.problems.length = 0
  })

  it('have permissions, which are changed by keyboard only', async () => {
    const { alice, bob } = at.cast.people
    await makeGroup(alice, 'walkers')
    const page = await at.open('alice')
    const two = await openGroup(await at.open('bob'), 'walkers')
    await pressInMenu(page, 'Settings')
    const dialog = page.getByRole('dialog', { name: 'Settings' })
    await until('the tabs', () => isFocused(dialog.getByRole('tab', { name: 'Profile' })))
    await until('the tab', async () => {
      await page.keyboard.press('ArrowRight')
      return isFocused(dialog.getByRole('tab', { name: 'Groups' }))
    })
    const open = dialog.getByRole('button', { name: 'Open walkers' })
    await until('the group', async () => {
      await page.keyboard.press('Tab')
      return isFocused(open)
    })
    await page.keyboard.press('Enter')
    await until('its heading', () => isFocused(dialog.getByRole('heading', { name: 'walkers' })))
    const field = dialog.getByRole('combobox', { name: 'Remove members' })
    await until('the field', async () => {
      await page.keyboard.press('Tab')
      return isFocused(field)
    })
    await page.keyboard.type('every')
    // Guests cannot have this permission.
    await dialog.getByText('Nothing was found.').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.type('bob')
    await dialog.getByRole('option', { name: 'Bob Test', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await dialog.getByText('Saved: Remove members').waitFor()
    const group = await findGroup(alice, 'walkers')
    assert.deepEqual(group.can_remove_members_group, only(bob.id))
    await two.locator('.pair').filter({ hasText: 'Remove members' }).getByText('Bob Test').waitFor()
    const back = dialog.getByRole('button', { name: 'All groups' })
    await until('the way back', async () => {
      await page.keyboard.press('Shift+Tab')
      return isFocused(back)
    })
    await page.keyboard.press('Enter')
    await until('the group in the list', () => isFocused(open))
  })

  it('are deactivated and reactivated, unless they are in use', async () => {
    const { adam, alice } = at.cast.people
    const group = await makeGroup(alice, 'rowers')
    const { design } = at.cast.channels
    const use = async (value: unknown): Promise<void> => {
      const params = { can_subscribe_group: { new: value } }
      assert.equal((await adam.patch(`/streams/${design}`, params)).status, 200)
    }
    await use(group)
    const page = await at.open('alice')
    const one = await openGroup(page, 'rowers')
    const two = await openSection(await at.open('carol'), 'Groups')
    const button = one.getByRole('button', { name: 'Deactivate the group' })
    const confirm = async (): Promise<void> => {
      await button.click()
      const question = page.getByRole('dialog', { name: 'Deactivate the group rowers?' })
      await question.getByRole('button', { name: 'Deactivate' }).click()
    }
    await confirm()
    await one.getByText('Cannot deactivate user group in use. It is used by: #design.').waitFor()
    page.problems.length = 0
    await use(only())
    await two.getByRole('button', { name: 'Open rowers' }).waitFor()
    await confirm()
    await one.getByText('The group is deactivated.').waitFor()
    await two.getByRole('button', { name: 'Open rowers' }).waitFor({ state: 'detached' })
    await two.getByLabel('Also deactivated groups').check()
    await two.getByRole('button', { name: 'Open rowers' }).waitFor()
    await one.getByRole('button', { name: 'Reactivate the group' }).click()
    await one.getByText('The group is active again.').waitFor()
    await two
      .getByRole('listitem')
      .filter({ hasText: 'rowers' })
      .getByText(/^0 members/)
      .waitFor()
    assert.equal((await findGroup(alice, 'rowers')).deactivated, false)
  })

  it('are only shown to guests', async () => {
    const { alice } = at.cast.people
    await makeGroup(alice, 'hosts')
    const dialog = await openSection(await at.open('gus'), 'Groups')
    await dialog.getByRole('button', { name: 'Open hosts' }).waitFor()
    assert.equal(await dialog.getByRole('button', { name: 'New group' }).count(), 0)
    await dialog.getByRole('button', { name: 'Open hosts' }).click()
    await dialog.getByRole('heading', { name: 'hosts' }).waitFor()
    assert.equal(await dialog.getByRole('button', { name: 'Join the group' }).count(), 0)
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`have no violations that axe finds, in ${colorScheme} colors, and fit 320 pixels`, async () => {
      const { alice, bob } = at.cast.people
      const name = `cooks-${colorScheme}`
      await makeGroup(alice, name, { members: [alice.id, bob.id] })
      const viewport = { width: 320, height: 600 }
      const page = await at.open('alice', '', { colorScheme, bypassCSP: true, viewport })
      const found: Record<string, string[]> = {}
      const check = async (state: string): Promise<void> => {
        const problems = await violations(page)
        if (problems.length > 0) found[state] = problems
        const body = dialog.locator('.settings-body')
        assert.equal(await body.evaluate((each) => each.scrollWidth - each.clientWidth), 0, state)
      }
      const dialog = await openSection(page, 'Groups')
      await dialog.getByRole('button', { name: `Open ${name}` }).waitFor()
      await check('list')
      await dialog.getByRole('button', { name: `Open ${name}` }).click()
      await dialog.getByRole('combobox', { name: 'Mention the group' }).waitFor()
      await check('group')
      await dialog.getByRole('button', { name: 'All groups' }).click()
      await dialog.getByRole('button', { name: 'New group' }).click()
      await dialog.getByRole('combobox', { name: 'Members' }).click()
      await dialog.getByRole('option', { name: 'Moderators' }).waitFor()
      await check('new group')
      assert.deepEqual(found, {})
    })
  }
})
