import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import type { Locator } from 'playwright-core'

import { pngOf, upload } from '../support/uploads.js'
import { until } from '../support/waiting.js'
import type { TestPage } from './browser.js'
import { shows, withPages } from './chat-pages.js'

withPages('pictures and players', (at) => {
  afterEach(() => at.closeWindows())

  const topic = (name: string): string => `#narrow/channel/${at.cast.channels.design}/topic/${name}`

  /** A recording of silence. */
  const wav = (): Buffer => {
    const samples = Buffer.alloc(8000)
    const head = Buffer.alloc(44)
    head.write('RIFF', 0)
    head.writeUInt32LE(36 + samples.length, 4)
    head.write('WAVEfmt ', 8)
    head.writeUInt32LE(16, 16)
    head.writeUInt16LE(1, 20)
    head.writeUInt16LE(1, 22)
    head.writeUInt32LE(8000, 24)
    head.writeUInt32LE(8000, 28)
    head.writeUInt16LE(1, 32)
    head.writeUInt16LE(8, 34)
    head.write('data', 36)
    head.writeUInt32LE(samples.length, 40)
    return Buffer.concat([head, samples])
  }

  const topOf = async (locator: Locator): Promise<number> => (await locator.boundingBox())?.y ?? -1

  const isLoaded = (image: Locator): Promise<boolean> =>
    image.evaluate(
      (element) =>
        element instanceof HTMLImageElement && element.complete && element.naturalWidth > 1,
    )

  const isFocused = (locator: Locator): Promise<boolean> =>
    locator.evaluate((element) => element.matches(':focus'))

  it('keeps the place of a picture free until it is loaded', async () => {
    const { alice, bob } = at.cast.people
    const { design } = at.cast.channels
    const url = await upload(bob, {
      name: 'wide.png',
      bytes: pngOf(1600, 1000),
      type: 'image/png',
    })
    await bob.say(design, 'free', 'Above')
    await bob.say(design, 'free', `[wide](${url})`)
    await bob.say(design, 'free', 'Below')
    const page = await at.window()
    let release = (): void => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    let asked = 0
    await page.route(/user_uploads\/.*(thumbnail|temporary|wide)/, async (route) => {
      asked += 1
      await held
      await route.continue()
    })
    const { email, credentials } = alice
    const login = JSON.stringify({ type: 'apiKey', email, apiKey: credentials?.apiKey })
    await page.addInitScript(
      ([key, text]) => localStorage.setItem(key ?? '', text ?? ''),
      [`parley-login ${at.host.origin}`, login],
    )
    await page.goto(`${at.address}${topic('free')}`)
    await shows(page, 'Below')
    const image = page.locator('.message_inline_image img')
    await until('a request', () => asked > 0)
    const row = (text: string): Locator => page.locator('.row').filter({ hasText: text })
    const before = [await topOf(row('Above')), await topOf(row('Below'))]
    assert.equal(await isLoaded(image), false)
    release()
    await until('the picture', () => isLoaded(image))
    // Two frames later everything has its place.
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    )
    const after = [await topOf(row('Above')), await topOf(row('Below'))]
    for (const [index, y] of before.entries()) {
      assert.ok(Math.abs(y - (after[index] ?? 0)) <= 1, `${before.join()} became ${after.join()}`)
    }
    const box = await image.boundingBox()
    assert.ok(box !== null && Math.abs(box.width / box.height - 1.6) < 0.02, JSON.stringify(box))
    assert.ok(box.width > 300)
  })

  /** A topic with three pictures in two messages. */
  const threePictures = async (name: string): Promise<TestPage> => {
    const { bob } = at.cast.people
    const { design } = at.cast.channels
    const urls: string[] = []
    for (const file of ['one', 'two', 'three'])
      urls.push(
        await upload(bob, { name: `${file}.png`, bytes: pngOf(900, 700), type: 'image/png' }),
      )
    await bob.say(design, name, `[one](${urls[0]}) [two](${urls[1]})`)
    await bob.say(design, name, `[three](${urls[2]})`)
    await bob.say(design, name, 'The end')
    const page = await at.open('alice', topic(name))
    await shows(page, 'The end')
    return page
  }

  it('shows the full picture in a dialog, and the others of the messages', async () => {
    const page = await threePictures('viewer')
    const images = page.locator('.message_inline_image img')
    await until('three pictures', async () => (await images.count()) === 3)
    await images.nth(1).click()
    const dialog = page.getByRole('dialog', { name: 'Pictures' })
    await dialog.getByRole('heading', { name: 'two' }).waitFor()
    await dialog.getByText('two, 2 of 3').waitFor()
    const image = dialog.getByRole('img', { name: 'two' })
    await until('the picture', () => isLoaded(image))
    // The file itself, not its thumbnail.
    assert.equal(
      await image.evaluate((element) =>
        element instanceof HTMLImageElement ? element.naturalWidth : 0,
      ),
      900,
    )
    const original = await dialog
      .getByRole('link', { name: 'Open the original' })
      .getAttribute('href')
    assert.equal((await fetch(original ?? '')).headers.get('content-type'), 'image/png')

    await page.keyboard.press('ArrowRight')
    await dialog.getByText('three, 3 of 3').waitFor()
    await dialog.getByRole('button', { name: 'Next picture' }).click()
    await dialog.getByText('one, 1 of 3').waitFor()
    await dialog.getByRole('button', { name: 'Previous picture' }).click()
    await dialog.getByText('three, 3 of 3').waitFor()
    await page.keyboard.press('ArrowLeft')
    await until('the picture', () => isLoaded(dialog.getByRole('img', { name: 'two' })))
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  it('opens a picture by keyboard, and gives the focus back', async () => {
    const page = await threePictures('viewer by keys')
    const link = page.locator('.message_inline_image a').first()
    await page.locator('.row').first().focus()
    await until('the order of Tab', async () => (await link.getAttribute('tabindex')) === '0')
    await link.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Pictures' })
    await dialog.getByText('one, 1 of 3').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.ok(await isFocused(link))
    assert.equal(page.context().pages().length, 1)
  })

  it('plays recordings and videos in the message', async () => {
    const { bob } = at.cast.people
    const { design } = at.cast.channels
    const sound = await upload(bob, { name: 'sound.wav', bytes: wav(), type: 'audio/wav' })
    const film = await upload(bob, {
      name: 'film.mp4',
      bytes: Buffer.from('no film'),
      type: 'video/mp4',
    })
    await bob.say(design, 'players', `![Sound](${sound})`)
    await bob.say(design, 'players', `[Film](${film})`)
    await bob.say(design, 'players', 'Listen')
    const page = await at.open('alice', topic('players'))
    await shows(page, 'Listen')
    const audio = page.locator('.content audio')
    await until('its length', () =>
      audio.evaluate((element) => element instanceof HTMLMediaElement && element.duration === 1),
    )
    assert.equal(await audio.getAttribute('controls'), '')
    assert.equal(await audio.getAttribute('tabindex'), '-1')
    await page.locator('.row').first().focus()
    await until('the order of Tab', async () => (await audio.getAttribute('tabindex')) === '0')

    // A click on its buttons follows no link.
    const video = page.locator('.content video')
    assert.equal(await video.getAttribute('controls'), '')
    assert.equal(await video.evaluate((element) => element.closest('a')), null)
    await page.locator('.message_inline_video a').filter({ hasText: 'Film' }).waitFor()
  })
})
