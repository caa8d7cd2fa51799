import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import type { Client } from '../support/client.js'
import { makeChannel } from '../support/channels.js'
import { systemGroupId } from '../support/groups.js'
import type { UncheckedJson } from '../support/unchecked-json.js'
import { until } from '../support/waiting.js'
import { violations } from './axe.js'
import { isFocused, openAbout, pick } from './channel-pages.js'
import { withPages } from './chat-pages.js'

async function stored(user: Client, id: number): Promise<UncheckedJson> {
  return (await user.get(`/streams/${id}`)).body.stream
}

withPages('the settings of a channel', (at) => {
  afterEach(() => at.closeWindows())

  const hashOf = (id: number): string => `#narrow/channel/${id}/topic/news`

  it('are changed by one administrator, and another user sees it', async () => {
    const { olga, adam } = at.cast.people
    const id = await makeChannel(adam, 'plans', { subscribers: [adam.id, at.cast.people.bob.id] })
    const page = await at.open('adam', hashOf(id))
    const one = await openAbout(page, 'plans')
    const two = await openAbout(await at.open('bob', hashOf(id)), 'plans')
    await two.getByText('You may not change these settings.').waitFor()
    await one.getByRole('textbox', { name: 'Description' }).fill('What is planned')
    await one.getByRole('button', { name: 'Save: Description' }).click()
    await one.getByText('Saved: Description').waitFor()
    await two.getByText('What is planned').waitFor()

    const name = one.getByLabel('Name', { exact: true })
    await name.fill('general')
    await one.getByRole('button', { name: 'Save: Name' }).click()
    await one.getByText(/^Not saved: Name\. .*already exists/).waitFor()
    assert.equal(await name.inputValue(), 'general')
    page.problems.length = 0
    await name.fill('projects')
    await one.getByRole('button', { name: 'Save: Name' }).dblclick()
    await one.getByText('Saved: Name').waitFor()
    await two.getByRole('heading', { name: '#projects' }).waitFor()

    await one
      .getByRole('combobox', { name: 'Who can read it' })
      .selectOption('Private, shared history')
    await one.getByText('also what was written before they joined').waitFor()
    await one.getByRole('button', { name: 'Save: Who can read it' }).click()
    await two.getByText('Private, shared history').waitFor()
    await one.getByText('A private channel cannot be one for new users.').waitFor()
    await one.getByLabel('Topics').selectOption('messages must have a topic')
    await two.getByText('messages must have a topic').waitFor()
    // Only owners decide how long messages are kept.
    await one.getByText('as in the organization: forever').waitFor()
    assert.equal(await one.getByRole('combobox', { name: 'Messages are kept' }).count(), 0)
    await olga.patch(`/streams/${id}`, { message_retention_days: '9' })
    await two.getByText('9 days').waitFor()
    const channel = await stored(adam, id)
    assert.deepEqual(
      [channel.name, channel.invite_only, channel.history_public_to_subscribers],
      ['projects', true, true],
    )
    assert.equal(channel.topics_policy, 'disable_empty_topic')
  })

  it('are read only without a permission, and can be changed when it is given', async () => {
    const { adam, bob } = at.cast.people
    const { design } = at.cast.channels
    const page = await at.open('bob', hashOf(design))
    const dialog = await openAbout(page, 'design')
    await dialog.getByText('You may not change these settings.').waitFor()
    const controls = dialog.getByRole('tabpanel').locator('input, select, textarea, button')
    assert.equal(await controls.count(), 0)
    await adam.patch(`/streams/${design}`, {
      can_administer_channel_group: { new: { direct_members: [bob.id], direct_subgroups: [] } },
    })
    const description = dialog.getByRole('textbox', { name: 'Description' })
    await description.fill('Mine now')
    // Bob cannot know it yet: his window misses the event.
    await page.route('**/api/v1/streams/*', async (route) => {
      await adam.patch(`/streams/${design}`, {
        can_administer_channel_group: { new: { direct_members: [], direct_subgroups: [] } },
      })
      await route.continue()
    })
    await dialog.getByRole('button', { name: 'Save: Description' }).click()
    await dialog
      .getByText('Not saved: Description. You do not have permission to administer this channel.')
      .waitFor()
    await dialog.getByText('You may not change these settings.').waitFor()
    page.problems.length = 0
  })

  it('are not offered where the product shows one channel only', async () => {
    const { general } = at.cast.channels
    const page = await at.open('alice', hashOf(general))
    const about = page.getByRole('button', { name: 'About #general' })
    await about.waitFor()
    await page.locator('parley-chat').evaluate((each) => each.setAttribute('channel', 'general'))
    await about.waitFor({ state: 'detached' })
  })

  it('of owners include for how long messages are kept, and who is new in it', async () => {
    const { olga } = at.cast.people
    const { empty } = at.cast.channels
    const folder = await olga.post('/channel_folders/create', { name: 'Quiet ones' })
    assert.equal(folder.status, 200)
    const one = await openAbout(await at.open('olga', hashOf(empty)), 'empty')
    const two = await openAbout(await at.open('olga', hashOf(empty)), 'empty')
    await one
      .getByRole('combobox', { name: 'Messages are kept' })
      .selectOption('for a number of days')
    const days = one.getByRole('spinbutton', { name: 'Number of days' })
    await days.fill('12')
    await one.getByRole('button', { name: 'Save: Messages are kept' }).click()
    await until('the other window', async () => {
      const field = two.getByRole('spinbutton', { name: 'Number of days' })
      return (await field.count()) === 1 && (await field.inputValue()) === '12'
    })
    const isDefault = two.getByLabel('New users are subscribed')
    assert.equal(await isDefault.isChecked(), false)
    await one.getByLabel('New users are subscribed').check()
    await one.getByText('Saved: New users are subscribed').waitFor()
    await until('the default', () => isDefault.isChecked())
    await one.getByLabel('Folder').selectOption('Quiet ones')
    await one.getByText('Saved: Folder').waitFor()
    const channel = await stored(olga, empty)
    assert.equal(channel.message_retention_days, 12)
    assert.equal(channel.folder_id, folder.body.channel_folder_id)

    await two.getByRole('button', { name: 'Archive the channel' }).click()
    const question = two.page().getByRole('dialog', { name: 'Archive #empty?' })
    await question.getByRole('button', { name: 'Archive' }).click()
    await one.getByText('This channel is archived').waitFor()
    await one.page().keyboard.press('Escape')
    await one.page().getByRole('button', { name: 'All channels' }).click()
    const all = one.page().getByRole('dialog', { name: 'Channels' })
    assert.equal(await all.getByRole('link', { name: 'empty' }).count(), 0)
    await all.getByLabel('Archived channels').check()
    const opener = all.getByRole('button', { name: 'About #empty' })
    await opener.click()
    await one.getByRole('button', { name: 'Restore the channel' }).click()
    await one.getByText('The channel is active again.').waitFor()
    await two.getByRole('button', { name: 'Archive the channel' }).waitFor()
    assert.equal((await stored(olga, empty)).is_archived, false)
  })

  it('of permissions name groups and users, by keyboard only', async () => {
    const { adam, alice } = at.cast.people
    const { general } = at.cast.channels
    const page = await at.open('adam', hashOf(general))
    const two = await openAbout(await at.open('bob', hashOf(general)), 'general', 'Permissions')
    const row = two.locator('.pair').filter({ hasText: 'Remove people' })
    await row.getByText('Administrators', { exact: true }).waitFor()
    const opener = page.getByRole('button', { name: 'About #general' })
    await opener.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'About #general' })
    await until('the focus', () => isFocused(dialog.getByRole('tab', { name: 'General' })))
    await page.keyboard.press('ArrowRight')
    const field = dialog.getByRole('combobox', { name: 'Remove people' })
    const remove = dialog.getByRole('button', { name: 'Remove Administrators: Remove people' })
    await remove.waitFor()
    await until('the field', async () => {
      await page.keyboard.press('Tab')
      return isFocused(field)
    })
    await page.keyboard.type('mod')
    await dialog.getByRole('option', { name: 'Moderators', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await row.getByText('Administrators, Moderators').waitFor()
    await page.keyboard.type('ali')
    await dialog.getByRole('option', { name: 'Alice Test', selected: true }).waitFor()
    // Escape closes the list only.
    await page.keyboard.press('Escape')
    await dialog.getByRole('option').first().waitFor({ state: 'detached' })
    await page.keyboard.type('ali')
    await dialog.getByRole('option', { name: 'Alice Test', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await row.getByText('Administrators, Moderators, Alice Test').waitFor()
    const value = (await stored(adam, general)).can_remove_subscribers_group
    assert.deepEqual(value.direct_members, [alice.id])
    // The last one is removed by Backspace; two others one by one.
    await page.keyboard.press('Backspace')
    await row.getByText('Administrators, Moderators', { exact: true }).waitFor()
    await page.keyboard.press('Backspace')
    await row.getByText('Administrators', { exact: true }).waitFor()
    const administrators = await systemGroupId(adam, 'role:administrators')
    const setting = async (): Promise<unknown> =>
      (await stored(adam, general)).can_remove_subscribers_group
    assert.equal(await setting(), administrators)
    await page.keyboard.press('Backspace')
    await row.getByText('Nobody', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.ok(await isFocused(opener))
  })

  it('of permissions do not overwrite what another administrator has chosen meanwhile', async () => {
    const { olga, mona, carol } = at.cast.people
    const { window: id } = at.cast.channels
    const page = await at.open('adam', hashOf(id))
    const dialog = await openAbout(page, 'window', 'Permissions')
    const others = { direct_members: [mona.id], direct_subgroups: [] }
    await page.route(
      '**/api/v1/streams/*',
      async (route) => {
        await olga.patch(`/streams/${id}`, { can_add_subscribers_group: { new: others } })
        await route.continue()
      },
      { times: 1 },
    )
    await pick(dialog, 'Add people', 'car', 'Carol Test')
    await dialog.getByText(/^Not saved: Add people\. 'old' value does not match/).waitFor()
    page.problems.length = 0
    await dialog.getByRole('button', { name: 'Remove Mona Test: Add people' }).waitFor()
    assert.equal(await dialog.getByRole('button', { name: 'Remove Carol Test' }).count(), 0)
    assert.deepEqual((await stored(olga, id)).can_add_subscribers_group, others)
    await pick(dialog, 'Add people', 'car', 'Carol Test')
    await dialog.getByText('Saved: Add people').waitFor()
    const both = (await stored(olga, id)).can_add_subscribers_group.direct_members
    assert.deepEqual(both, [mona.id, carol.id])
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`have no violations that axe finds, in ${colorScheme} colors, and fit 320 pixels`, async () => {
      const { general } = at.cast.channels
      const viewport = { width: 320, height: 600 }
      const options = { colorScheme, bypassCSP: true, viewport }
      const page = await at.open('olga', hashOf(general), options)
      const dialog = await openAbout(page, 'general')
      const found: Record<string, string[]> = {}
      for (const name of ['General', 'Permissions', 'Members', 'For you']) {
        await dialog.getByRole('tab', { name }).click()
        await dialog.getByRole('tabpanel', { name }).waitFor()
        const body = dialog.locator('.settings-body')
        await body.locator('input').first().waitFor()
        if (name === 'Permissions') {
          await dialog.getByRole('combobox', { name: 'Send messages' }).click()
          await dialog.getByRole('option', { name: 'Moderators' }).waitFor()
        }
        const problems = await violations(page)
        if (problems.length > 0) found[name] = problems
        assert.equal(await body.evaluate((each) => each.scrollWidth - each.clientWidth), 0, name)
      }
      assert.deepEqual(found, {})
      const box = await dialog.boundingBox()
      assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 320)
    })
  }
})
