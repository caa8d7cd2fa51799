import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import type { Locator } from 'playwright-core'

import type { Client } from '../support/client.js'
import { pngOf } from '../support/uploads.js'
import { until } from '../support/waiting.js'
import { chooseInMenu, countCalls, hasFocus, openOrganization, withPages } from './chat-pages.js'

const tooManyBytes = 5 * 1024 * 1024 + 1

interface StoredEmoji {
  readonly name: string
  readonly deactivated: boolean
  readonly author_id: number
}

async function emojiOf(reader: Client): Promise<StoredEmoji[]> {
  return Object.values((await reader.get('/realm/emoji')).body.emoji as Record<string, StoredEmoji>)
}

function entry(dialog: Locator, name: string): Locator {
  return dialog.getByRole('listitem').filter({ hasText: `:${name}:` })
}

const picture = { name: 'tea.png', mimeType: 'image/png', buffer: Buffer.from(pngOf(64, 64)) }

async function fill(dialog: Locator, name: string, file: typeof picture): Promise<void> {
  await dialog.getByRole('button', { name: 'Add an emoji' }).click()
  await dialog.getByLabel('Name').fill(name)
  await dialog.locator('input[type=file]').setInputFiles(file)
}

withPages('custom emoji', (at) => {
  afterEach(() => at.closeWindows())

  it('are added by a member, and are there in the picker of another window', async () => {
    const { alice } = at.cast.people
    const page = await at.open('alice')
    const dialog = await openOrganization(page, 'Custom emoji')
    const sent = countCalls(page, 'POST', '/realm/emoji/')
    const other = await at.open('bob')
    await chooseInMenu(other, 'Settings')
    await other.getByRole('button', { name: 'Choose an emoji' }).click()
    const picker = other.getByRole('dialog', { name: 'Choose an emoji' })
    await picker.getByRole('searchbox').fill('green-tea')
    await until('an empty list', async () => (await picker.getByRole('gridcell').count()) === 0)

    await dialog.getByRole('button', { name: 'Add an emoji' }).click()
    await until('the field', () => hasFocus(dialog.getByLabel('Name')))
    await dialog.getByLabel('Name').fill('Green-Tea')
    // The picture is missing.
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').getByText('Choose a picture first.').waitFor()
    const choosing = page.waitForEvent('filechooser')
    await dialog.getByRole('button', { name: 'Choose a picture' }).click()
    await (await choosing).setFiles(picture)
    // Its size is told before it is sent.
    await dialog.getByText(/^tea\.png, [\d.]+ kB$/).waitFor()
    assert.equal(sent(), 0)
    await dialog.getByRole('button', { name: 'Save' }).dblclick()
    await dialog.getByText('Saved: :green-tea:').waitFor()
    assert.equal(sent(), 1)
    await entry(dialog, 'green-tea').getByText('by Alice Test').waitFor()
    await until('the picture', () =>
      entry(dialog, 'green-tea')
        .locator('img')
        .evaluate((image: HTMLImageElement) => image.naturalWidth === 64),
    )
    await until('the button', () => hasFocus(dialog.getByRole('button', { name: 'Add an emoji' })))
    assert.deepEqual(
      (await emojiOf(alice)).map(({ name, author_id }) => [name, author_id]),
      [['green-tea', alice.id]],
    )
    await picker.getByRole('gridcell').getByRole('button', { name: 'green-tea' }).click()
    await other.getByRole('img', { name: 'Emoji: green-tea' }).waitFor()
  })

  it('are not sent if they are too large, and stay in the form if they are refused', async () => {
    const page = await at.open('bob')
    const dialog = await openOrganization(page, 'Custom emoji')
    const sent = countCalls(page, 'POST', '/realm/emoji/')
    await fill(dialog, 'huge', { ...picture, buffer: Buffer.alloc(tooManyBytes) })
    const alert = dialog.getByRole('alert')
    await alert.getByText('tea.png is too large: it has 5.2 MB').waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    assert.equal(sent(), 0)
    await dialog.locator('input[type=file]').setInputFiles(picture)
    await until('no problem', async () => (await alert.getByText('too large').count()) === 0)
    const name = dialog.getByLabel('Name')
    await name.fill('tea!')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await alert.getByText('Emoji names must contain only').waitFor()
    assert.equal(await name.inputValue(), 'tea!')
    // Those of Unicode are for administrators.
    await name.fill('octopus')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await alert.getByText('Only administrators can override default emoji.').waitFor()
    await dialog
      .locator('input[type=file]')
      .setInputFiles({ ...picture, name: 'text.png', buffer: Buffer.from('text') })
    await name.fill('text')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await alert.getByText('Invalid image format').waitFor()
    assert.equal(await dialog.getByText(/^text\.png/).count(), 1)
    await page.route('**/realm/emoji/**', (route) => route.abort())
    await dialog.getByRole('button', { name: 'Save' }).click()
    await alert.getByText('The server cannot be reached.').waitFor()
    await page.unroute('**/realm/emoji/**')
    await dialog.locator('input[type=file]').setInputFiles(picture)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await entry(dialog, 'text').getByText('by Bob Test').waitFor()
    // The browser reports each refusal.
    page.problems.length = 0
  })

  it('are deleted by their authors and by administrators, after a question', async () => {
    const { carol } = at.cast.people
    const carolPage = await at.open('carol')
    const one = await openOrganization(carolPage, 'Custom emoji')
    for (const name of ['mint', 'sage']) {
      await fill(one, name, picture)
      await one.getByRole('button', { name: 'Save' }).click()
      await entry(one, name).waitFor()
    }
    const mona = await openOrganization(await at.open('mona'), 'Custom emoji')
    await entry(mona, 'mint').getByText('by Carol Test').waitFor()
    assert.equal(await entry(mona, 'mint').getByRole('button').count(), 0)

    await one.getByRole('button', { name: 'Delete: mint' }).click()
    const question = carolPage.getByRole('dialog', { name: 'Delete :mint:?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await entry(one, 'mint').waitFor()
    await one.getByRole('button', { name: 'Delete: mint' }).click()
    await question.getByRole('button', { name: 'Delete' }).click()
    await until('an empty place', async () => (await entry(mona, 'mint').count()) === 0)
    await one.getByText('Deleted.').waitFor()
    assert.equal(await entry(one, 'mint').count(), 0)

    const page = await at.open('adam')
    const admin = await openOrganization(page, 'Custom emoji')
    await admin.getByRole('button', { name: 'Delete: sage' }).click()
    const asked = page.getByRole('dialog', { name: 'Delete :sage:?' })
    await asked.getByRole('button', { name: 'Delete' }).click()
    await until('an empty place', async () => (await entry(one, 'sage').count()) === 0)
    const mine = (await emojiOf(carol)).filter(({ author_id }) => author_id === carol.id)
    assert.deepEqual(
      mine.map(({ name, deactivated }) => [name, deactivated]),
      [
        ['mint', true],
        ['sage', true],
      ],
    )
  })
})
