import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import type { Locator } from 'playwright-core'

import { passwordOf } from '../support/cast.js'
import type { Client } from '../support/client.js'
import { until } from '../support/waiting.js'
import {
  chooseInMenu,
  inList,
  openSection,
  pressInMenu,
  userMenu,
  withPages,
} from './chat-pages.js'

/** One red pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
  'base64',
)

/** What the server has stored of a user. */
async function stored(user: Client): Promise<Record<string, unknown>> {
  const { body } = await user.post('/register', {
    fetch_event_types: JSON.stringify(['user_settings', 'realm_user']),
  })
  return { ...body.user_settings, full_name: body.full_name, avatar_source: body.avatar_source }
}

withPages(
  'the settings',
  (at) => {
    afterEach(() => at.closeWindows())

    it('are opened and used by keyboard, and give the focus back', async () => {
      const { alice } = at.cast.people
      const page = await at.open('alice', '#narrow/is/mentioned')
      const opener = userMenu(page)
      await pressInMenu(page, 'Settings')
      const dialog = page.getByRole('dialog', { name: 'Settings' })
      const tab = (name: string): Locator => dialog.getByRole('tab', { name, selected: true })
      await until('the focus', () =>
        tab('Profile').evaluate((element) => element.matches(':focus')),
      )
      await page.keyboard.press('ArrowRight')
      await until('the next tab', () =>
        tab('Notifications').evaluate((element) => element.matches(':focus')),
      )
      await page.keyboard.press('Tab')
      const first = dialog.getByRole('checkbox').first()
      await until('the first setting', () => first.evaluate((element) => element.matches(':focus')))
      const before = (await stored(alice))['enable_desktop_notifications']
      await page.keyboard.press('Space')
      await dialog.getByText('Saved: Notify on the desktop').waitFor()
      assert.equal((await stored(alice))['enable_desktop_notifications'], !before)
      assert.equal(await first.isChecked(), !before)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      assert.ok(await opener.evaluate((element) => element.matches(':focus')))
    })

    it('of notifications follow another window, in both directions', async () => {
      const { bob } = at.cast.people
      const one = await openSection(await at.open('bob'), 'Notifications')
      const two = await openSection(await at.open('bob'), 'Notifications')
      const label = 'Followed topics: by e-mail'
      const here = one.getByRole('checkbox', { name: label })
      const there = two.getByRole('checkbox', { name: label })
      const before = await here.isChecked()
      await here.click()
      await until('the other window', async () => (await there.isChecked()) === !before)
      await there.click()
      await until('this window', async () => (await here.isChecked()) === before)

      await one.getByRole('combobox', { name: 'Sound', exact: true }).selectOption('none')
      await one.getByText('Saved: Sound').waitFor()
      const sound = two.getByRole('combobox', { name: 'Sound', exact: true })
      await until('the sound', async () => {
        return (await sound.evaluate((each: HTMLSelectElement) => each.value)) === 'none'
      })
      await one.getByLabel('Wait before sending e-mail').selectOption('1 hour')
      await one.getByText('Saved: Wait before sending e-mail').waitFor()
      const settings = await stored(bob)
      assert.equal(settings['notification_sound'], 'none')
      assert.equal(settings['email_notifications_batching_period_seconds'], 3600)

      // Another client has a value of its own.
      await bob.patch('/settings', { email_notifications_batching_period_seconds: 77 })
      const period = two.getByLabel('Wait before sending e-mail')
      await until('the period', async () => {
        return (await period.evaluate((each: HTMLSelectElement) => each.value)) === '77 seconds'
      })
    })

    it('of one channel are shown as inherited, and differ', async () => {
      const { bob } = at.cast.people
      const { design } = at.cast.channels
      const one = await openSection(await at.open('bob'), 'Notifications')
      const two = await openSection(await at.open('bob'), 'Notifications')
      const group = one.getByRole('group', { name: 'One channel' })
      await group.getByRole('combobox', { name: 'Channel' }).selectOption('#design')
      const mail = group.getByRole('checkbox', { name: 'Send e-mail' })
      const all = one.getByRole('checkbox', { name: 'Channels: by e-mail' })
      assert.equal(await mail.isChecked(), await all.isChecked())
      const before = await all.isChecked()
      await all.click()
      await until('the inherited value', async () => (await mail.isChecked()) === !before)
      await group.getByRole('checkbox', { name: 'Muted' }).click()
      await one.getByText('Saved: #design, Muted').waitFor()
      await mail.click()
      await one.getByText('Saved: #design, Send e-mail').waitFor()
      const other = two.getByRole('group', { name: 'One channel' })
      await other.getByRole('combobox', { name: 'Channel' }).selectOption('#design')
      await until(
        'the other window',
        async () => await other.getByRole('checkbox', { name: 'Muted' }).isChecked(),
      )
      const { body } = await bob.get('/users/me/subscriptions')
      const found = body.subscriptions.find(
        (each: { stream_id: number }) => each.stream_id === design,
      )
      assert.equal(found!.is_muted, true)
      assert.equal(found!.email_notifications, before)
    })

    it('say what was not saved, and go back', async () => {
      const { carol } = at.cast.people
      const page = await at.open('carol')
      const dialog = await openSection(page, 'Notifications')
      const box = dialog.getByRole('checkbox', { name: 'Channels: with a sound' })
      const before = await box.isChecked()
      await page.route('**/api/v1/settings', (route) => route.abort())
      await box.click()
      await dialog
        .getByText('Not saved: Channels: with a sound. The server cannot be reached.')
        .waitFor()
      await until('the old value', async () => (await box.isChecked()) === before)
      await dialog.getByRole('tab', { name: 'Profile' }).click()
      const name = dialog.getByLabel('Name', { exact: true })
      await name.fill('Carol Nobody')
      await dialog.getByRole('button', { name: 'Save: Name' }).click()
      await dialog.getByText('Not saved: Name.').waitFor()
      assert.equal(await name.inputValue(), 'Carol Nobody')
      page.problems.length = 0
      await page.unroute('**/api/v1/settings')
      await dialog.getByRole('button', { name: 'Save: Name' }).click()
      await dialog.getByText('Saved: Name').waitFor()
      assert.equal((await stored(carol))['full_name'], 'Carol Nobody')
    })

    it('of the profile are name, status, time zone and picture', async () => {
      const { mona } = at.cast.people
      const page = await at.open('mona')
      const one = await openSection(page, 'Profile')
      const two = await openSection(await at.open('mona'), 'Profile')
      await one.getByLabel('Name', { exact: true }).fill('Mona Lisa')
      // What is typed in another window stays there.
      await two.getByLabel('What you are doing').fill('Painting')
      await one.getByLabel('Name', { exact: true }).press('Enter')
      await one.getByText('Saved: Name').waitFor()
      const name = two.getByLabel('Name', { exact: true })
      await until('the name', async () => (await name.inputValue()) === 'Mona Lisa')
      assert.equal(await two.getByLabel('What you are doing').inputValue(), 'Painting')

      await one.getByLabel('What you are doing').fill('Smiling')
      await one.getByRole('button', { name: 'Choose an emoji' }).click()
      const picker = page.getByRole('dialog', { name: 'Choose an emoji' })
      await picker.getByRole('searchbox').fill('octopus')
      await picker.getByRole('gridcell').first().waitFor()
      await page.keyboard.press('Enter')
      await one.getByRole('img', { name: 'Emoji: octopus' }).waitFor()
      await one.getByRole('button', { name: 'Save: Status' }).click()
      await one.getByText('Saved: Status').waitFor()
      await two.getByRole('img', { name: 'Emoji: octopus' }).waitFor()
      const status = await mona.get(`/users/${mona.id}/status`)
      assert.equal(status.body.status.status_text, 'Smiling')
      assert.equal(status.body.status.emoji_name, 'octopus')

      await one.getByLabel('Time zone').selectOption('Asia/Tokyo')
      await one.getByText('Saved: Time zone').waitFor()
      assert.equal((await stored(mona))['timezone'], 'Asia/Tokyo')

      const file = { name: 'red.png', mimeType: 'image/png', buffer: png }
      await one.locator('input[type=file]').setInputFiles(file)
      await one.getByText('Saved: Picture').waitFor()
      assert.equal((await stored(mona))['avatar_source'], 'U')
      await two.getByRole('button', { name: 'Delete the picture' }).click()
      await two.getByText('Deleted.').waitFor()
      const remove = one.getByRole('button', { name: 'Delete the picture' })
      await remove.waitFor({ state: 'detached' })
      assert.notEqual((await stored(mona))['avatar_source'], 'U')
    })

    it('of the profile are those that the organization asks for', async () => {
      const { adam, olga, gus } = at.cast.people
      const add = async (name: string, type: number, more: object = {}): Promise<number> => {
        const { body } = await olga.post('/realm/profile_fields', {
          name,
          field_type: type,
          ...more,
        })
        return body.id
      }
      const food = JSON.stringify({
        a: { text: 'Apples', order: '1' },
        b: { text: 'Bread', order: '2' },
      })
      const phone = await add('Phone', 1, { hint: 'With country' })
      const favourite = await add('Favourite food', 3, { field_data: food })
      const born = await add('Birthday', 4)
      const team = await add('Team', 1, { editable_by_user: false })
      await add('Mentor', 6)
      const one = await openSection(await at.open('gus'), 'Profile')
      await one.getByLabel(/^Phone/).fill('+49 123')
      await one.getByLabel(/^Phone/).press('Enter')
      await one.getByText('Saved: Phone').waitFor()
      await one.getByLabel('Favourite food').selectOption('Bread')
      await one.getByText('Saved: Favourite food').waitFor()
      await one.getByLabel(/^Birthday/).fill('1999-12-31')
      await one.getByRole('button', { name: 'Save: Birthday' }).click()
      await one.getByText('Saved: Birthday').waitFor()
      assert.ok(await one.getByLabel(/^Team/).isDisabled())
      assert.equal(await one.getByRole('button', { name: 'Save: Team' }).count(), 0)
      await one.getByText('It is changed with other clients.').waitFor()
      // An administrator sets it.
      await adam.patch(`/users/${gus.id}`, {
        profile_data: JSON.stringify([{ id: team, value: 'Red' }]),
      })
      await until('the team', async () => (await one.getByLabel(/^Team/).inputValue()) === 'Red')
      const { body } = await gus.get('/users/me')
      assert.equal(body.profile_data[phone]!.value, '+49 123')
      assert.equal(body.profile_data[favourite]!.value, 'b')
      assert.equal(body.profile_data[born]!.value, '1999-12-31')
    })

    it('of the profile are only those that the organization lets users change', async () => {
      const { olga } = at.cast.people
      await olga.patch('/realm', { name_changes_disabled: true, avatar_changes_disabled: true })
      const dialog = await openSection(await at.open('gus'), 'Profile')
      assert.ok(await dialog.getByLabel('Name', { exact: false }).first().isDisabled())
      await dialog.getByText('The picture cannot be changed here.').waitFor()
      assert.equal(await dialog.getByRole('button', { name: 'Save: Name' }).count(), 0)
      // It follows at once.
      await olga.patch('/realm', { name_changes_disabled: false, avatar_changes_disabled: false })
      await dialog.getByRole('button', { name: 'Upload a picture' }).waitFor()
      await dialog.getByRole('button', { name: 'Save: Name' }).waitFor()
    })

    it('of the display change the times and colors of every window', async () => {
      const { gus } = at.cast.people
      const { general } = at.cast.channels
      const hash = `#narrow/channel/${general}/topic/clock`
      await gus.say(general, 'clock', 'What time is it?')
      const first = await at.open('gus', hash)
      const second = await at.open('gus', hash)
      const time = second.locator('.row time').first()
      await time.filter({ hasText: /^\s*\d{1,2}:\d\d\s[AP]M\s*$/ }).waitFor()
      const dialog = await openSection(first, 'Display')
      await dialog.getByLabel('Show times with 24 hours').check()
      await time.filter({ hasText: /^\s*\d\d:\d\d\s*$/ }).waitFor()

      const chat = second.locator('parley-chat')
      const scheme = (): Promise<string> =>
        chat.evaluate((element) => getComputedStyle(element).colorScheme)
      const before = await scheme()
      await dialog.getByLabel('Colors').selectOption('dark')
      await until('dark colors', async () => (await scheme()) === 'dark')
      // What the product says goes first.
      await chat.evaluate((element) => element.setAttribute('theme', 'light'))
      await until('the theme', async () => (await scheme()) === 'light')
      await chat.evaluate((element) => element.removeAttribute('theme'))
      await until('dark colors again', async () => (await scheme()) === 'dark')
      await dialog.getByLabel('Colors').selectOption('as in the browser or the system')
      await until('the usual colors', async () => (await scheme()) === before)

      await dialog.getByLabel('Show others when you are active').uncheck()
      await dialog.getByText('Saved: Show others when you are active').waitFor()
      assert.equal((await stored(gus))['presence_enabled'], false)
    })

    it('fit 320 pixels', async () => {
      const page = await at.open('mona', '', { viewport: { width: 320, height: 600 } })
      await chooseInMenu(page, 'Settings')
      const dialog = page.getByRole('dialog', { name: 'Settings' })
      for (const name of ['Profile', 'Notifications', 'Later', 'Display']) {
        await dialog.getByRole('tab', { name }).click()
        await dialog.getByRole('tabpanel', { name }).waitFor()
        const body = dialog.locator('.settings-body')
        await body.waitFor()
        const hidden = await body.evaluate((each) => each.scrollWidth - each.clientWidth)
        assert.equal(hidden, 0, name)
      }
      const box = await dialog.boundingBox()
      assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 320)
    })

    it('are not offered where only one conversation is shown', async () => {
      const page = await at.open('alice')
      const settings = userMenu(page)
      await settings.waitFor()
      await page.locator('parley-chat').evaluate((each) => each.setAttribute('channel', 'general'))
      await settings.waitFor({ state: 'detached' })
    })

    it('change the password that the chat stores', async () => {
      const page = await at.open('adam')
      const dialog = await openSection(page, 'Profile')
      const old = dialog.getByLabel('Current password')
      await old.fill('wrong')
      await dialog.getByLabel('New password').fill('a much longer pass phrase 57')
      const change = dialog.getByRole('button', { name: 'Change the password' })
      await change.click()
      await dialog.getByText('Not saved: Password. Wrong password!').waitFor()
      page.problems.length = 0
      await old.fill(passwordOf('adam'))
      await change.click()
      // The password replaces the API key that the page has.
      await page.getByText('You are signed out.').waitFor()
      await page.getByLabel('E-mail address').fill(at.cast.people.adam.email)
      await page.getByLabel('Password').fill('a much longer pass phrase 57')
      await page.getByRole('button', { name: 'Log in', exact: true }).click()
      await inList(page, 'general').waitFor()
    })
  },
  { cast: { passwords: ['adam'] } },
)
