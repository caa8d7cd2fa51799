import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, it } from 'node:test'

import type { CDPSession, Locator } from 'playwright-core'

import { until } from '../support/waiting.js'
import type { TestPage } from './browser.js'
import { countCalls, openSection, shows, withPages } from './chat-pages.js'

withPages('files that are dropped on the chat', (at) => {
  let folder = ''
  let file = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-drop-'))
    file = join(folder, 'plan.txt')
    await writeFile(file, 'tea')
  })
  after(() => rm(folder, { recursive: true }))
  afterEach(() => at.closeWindows())

  /** Drags a file of the computer, as the browser itself sees it. */
  const drag = async (
    cdp: CDPSession,
    to: Locator,
    ...types: ('dragEnter' | 'dragOver' | 'drop')[]
  ): Promise<void> => {
    const { x, y, width, height } = (await to.boundingBox()) ?? assert.fail('It is not shown')
    const data = { items: [], files: [file], dragOperationsMask: 1 }
    const point = { x: x + width / 2, y: y + height / 2 }
    for (const type of types) await cdp.send('Input.dispatchDragEvent', { type, data, ...point })
  }
  const open = async (hash: string): Promise<{ page: TestPage; cdp: CDPSession }> => {
    const page = await at.open('alice', hash)
    return { page, cdp: await page.context().newCDPSession(page) }
  }

  it('are added to the message that is written, wherever they are dropped', async () => {
    const { alice } = at.cast.people
    await alice.say(at.cast.channels.design, 'drop', 'Drop it here')
    const hash = `#narrow/channel/${at.cast.channels.design}/topic/drop`
    const { page, cdp } = await open(hash)
    await shows(page, 'Drop it here')
    const field = page.locator('parley-composer textarea')
    const uploads = countCalls(page, 'POST', '/user_uploads')
    const hint = page.getByText('Drop files to attach them')
    const list = page.locator('.scroller')
    await drag(cdp, list, 'dragEnter', 'dragOver')
    await hint.waitFor()
    await list.evaluate((element) =>
      element.dispatchEvent(new DragEvent('dragleave', { bubbles: true, composed: true })),
    )
    await hint.waitFor({ state: 'detached' })
    const places = [list, page.locator('.sidebar'), page.locator('header.bar'), field]
    for (const [index, place] of places.entries()) {
      await drag(cdp, place, 'dragEnter', 'dragOver', 'drop')
      await until(
        'the file',
        async () => (await field.inputValue()).split('[plan.txt]').length === index + 2,
      )
      assert.equal(await hint.count(), 0)
    }
    // A picture of the chat itself that is dragged by chance is not added.
    const own = (type: string): Promise<void> =>
      list.dispatchEvent(type, { bubbles: true, composed: true })
    await own('dragstart')
    await drag(cdp, list, 'dragEnter', 'dragOver')
    assert.equal(await hint.count(), 0)
    await own('dragend')
    await drag(cdp, list, 'dragOver')
    await hint.waitFor()
    await drag(cdp, list, 'drop')
    await until('the upload', () => uploads() === 5)
    // Also if its message is removed meanwhile.
    const dragged = page.locator('.row').first()
    await dragged.evaluate((element) => {
      const picture = element.appendChild(document.createElement('img'))
      for (const type of ['dragstart', 'dragend']) {
        picture.dispatchEvent(new DragEvent(type, { bubbles: true, composed: true }))
        picture.remove()
      }
    })
    await drag(cdp, list, 'dragEnter', 'dragOver')
    await hint.waitFor()
    assert.equal(page.url(), at.address + hash)
  })

  it('do not make the browser leave a page that has no place for them', async () => {
    const { page, cdp } = await open('#feed')
    await page.evaluate(() => Object.assign(window, { isSame: true }))
    const dialog = await openSection(page, 'Display')
    await drag(cdp, dialog, 'dragEnter', 'dragOver', 'drop')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await drag(cdp, page.locator('.scroller'), 'dragEnter', 'dragOver', 'drop')
    // The composer of another conversation comes while a file is held above the chat.
    const header = page.locator('header.bar')
    await drag(cdp, header, 'dragEnter', 'dragOver')
    await page.evaluate((hash) => (location.hash = hash), `narrow/dm/${at.cast.people.bob.id}`)
    const field = page.locator('parley-composer textarea')
    await field.waitFor()
    await drag(cdp, header, 'dragOver', 'drop')
    await until('the file', async () => (await field.inputValue()).startsWith('[plan.txt]'))
    assert.ok(await page.evaluate(() => 'isSame' in window))
  })

  it('are left to a part of the product that takes them', async () => {
    const { page, cdp } = await open('#feed')
    await page.evaluate(() => {
      const chat = document.querySelector('parley-page')?.shadowRoot?.querySelector('parley-chat')
      const place = document.createElement('p')
      Object.assign(place, { slot: 'top', textContent: 'Drop a contract' })
      for (const type of ['dragover', 'drop'])
        place.addEventListener(type, (event) => event.preventDefault())
      place.addEventListener('drop', ({ dataTransfer }) => {
        place.textContent = `The contract is ${dataTransfer?.files[0]?.name}`
      })
      chat?.append(place)
    })
    const place = page.getByText('Drop a contract')
    await drag(cdp, place, 'dragEnter', 'dragOver', 'drop')
    await page.getByText('The contract is plan.txt').waitFor()
  })
})
