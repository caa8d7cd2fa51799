import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import { until } from '../support/waiting.js'
import { hasFocus, inList, openOrganization, withPages } from './chat-pages.js'

withPages('channel folders', (at) => {
  afterEach(() => at.closeWindows())

  it('are in the list of channels, closed by keyboard and remembered', async () => {
    const { adam, alice, bob } = at.cast.people
    const { design, general } = at.cast.channels
    const page = await at.open('alice', '#narrow/is/mentioned')
    await inList(page, 'design').waitFor()
    const folder = page.getByRole('button', { name: 'Projects' })
    assert.equal(await folder.count(), 0)
    // It comes in while the list is shown.
    const { channel_folder_id } = (await adam.post('/channel_folders/create', { name: 'Projects' }))
      .body
    await adam.patch(`/streams/${design}`, { folder_id: channel_folder_id })
    await folder.waitFor()
    await page.getByRole('heading', { name: 'Projects', level: 3 }).waitFor()
    const projects = page.getByRole('list', { name: 'Projects' })
    assert.equal((await projects.getByRole('link').allInnerTexts()).join().trim(), 'design')
    const others = page.getByRole('list', { name: 'Other channels' })
    await others.getByRole('link', { name: 'general' }).waitFor()
    // The list is one stop for Tab.
    await inList(page, 'design').focus()
    await page.keyboard.press('ArrowUp')
    assert.ok(await hasFocus(folder))
    await page.keyboard.press('Enter')
    assert.equal(await folder.getAttribute('aria-expanded'), 'false')
    assert.ok(await hasFocus(folder))
    assert.equal(await projects.count(), 0)
    await bob.say(design, 'tea', 'News')
    await page.getByRole('button', { name: 'Projects 1 unread' }).waitFor()
    await page.reload()
    await folder.waitFor()
    assert.equal(await folder.getAttribute('aria-expanded'), 'false')
    // What is open is shown.
    await page.goto(`${at.address}#narrow/channel/${design}`)
    await projects.getByRole('link', { name: 'design' }).waitFor()
    await page.goto(`${at.address}#narrow/channel/${general}`)
    await projects.waitFor({ state: 'detached' })
    await folder.click()
    await projects.getByRole('link', { name: 'design' }).waitFor()
    // The user may want none.
    await alice.patch('/settings', { web_left_sidebar_show_channel_folders: 'false' })
    await folder.waitFor({ state: 'detached' })
    await inList(page, 'design').waitFor()
    await adam.patch(`/streams/${design}`, { folder_id: 'null' })
  })

  it('are made, changed, ordered and archived by administrators, in two windows', async () => {
    const { adam } = at.cast.people
    const { design } = at.cast.channels
    const page = await at.open('adam')
    const one = await openOrganization(page, 'Channel folders')
    const two = await openOrganization(await at.open('olga'), 'Channel folders')
    const add = one.getByRole('button', { name: 'Add a folder' })
    await add.press('Enter')
    await until('the form', () => hasFocus(one.getByLabel('Name', { exact: true })))
    await page.keyboard.type('Customers')
    await page.keyboard.press('Enter')
    await one.getByText('Saved: Customers').waitFor()
    await until('the button', () => hasFocus(add))
    // The name is taken.
    await page.keyboard.press('Enter')
    await page.keyboard.type('customers')
    await page.keyboard.press('Enter')
    await one.getByRole('alert').filter({ hasText: /./ }).waitFor()
    assert.equal(await one.getByLabel('Name', { exact: true }).inputValue(), 'customers')
    page.problems.length = 0
    await one.getByLabel('Name', { exact: true }).fill('Teams')
    await one.getByLabel('Description').fill('Who works together')
    await page.keyboard.press('Enter')
    await two.getByText('0 channels · Who works together').waitFor()
    await one.getByRole('button', { name: 'Move up: Teams' }).click()
    await until('the order', async () => {
      const names = await two.locator('.entry strong').allInnerTexts()
      return names.indexOf('Teams') < names.indexOf('Customers')
    })
    await two.getByRole('button', { name: 'Edit: Teams' }).click()
    await two.getByLabel('Name', { exact: true }).fill('Crews')
    await two.getByRole('button', { name: 'Save' }).click()
    await one.getByText('Crews', { exact: true }).waitFor()
    const { channel_folders } = (await adam.get('/channel_folders')).body
    const { id } = channel_folders.find(({ name }) => name === 'Crews')!
    // A folder with channels stays.
    await adam.patch(`/streams/${design}`, { folder_id: id })
    await one.getByText('1 channel · Who works together').waitFor()
    const archive = one.getByRole('button', { name: 'Archive: Crews' })
    const question = page.getByRole('dialog', { name: /^Archive the folder “Crews”\?/ })
    await archive.click()
    await question.getByRole('button', { name: 'Archive' }).click()
    await one.getByText(/^That did not work: ./).waitFor()
    page.problems.length = 0
    await adam.patch(`/streams/${design}`, { folder_id: 'null' })
    await archive.click()
    await question.getByRole('button', { name: 'Archive' }).click()
    await one.getByText('Crews is archived.').waitFor()
    await two.getByRole('button', { name: 'Restore: Crews' }).click()
    await archive.waitFor()
  })
})
