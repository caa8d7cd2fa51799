import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import { build } from 'esbuild'

import { root } from '../architecture/source-files.js'
import { until } from '../support/waiting.js'
import { inList, shows, withPages, writes } from './chat-pages.js'

withPages('links', (at) => {
  afterEach(() => at.closeWindows())

  it('to direct conversations may name the user too', async () => {
    const { alice, bob } = at.cast.people
    await bob.whisper([alice], 'Between us')
    const page = await at.open('alice', `#narrow/dm/${alice.id},${bob.id},${bob.id}-direct`)
    await page.getByRole('heading', { name: 'Bob Test', exact: true }).waitFor()
    await shows(page, 'Between us')
    const link = inList(page, 'Bob Test')
    await until('the place', async () => (await link.getAttribute('aria-current')) === 'page')
    const field = page.locator('parley-composer textarea')
    await field.fill('One draft')
    // The draft of the same conversation, by its other link.
    await page.goto(`${at.address}#narrow/dm/${bob.id}`)
    await page.reload()
    await until('the draft', async () => (await field.inputValue()) === 'One draft')
    await page.goto(`${at.address}#narrow/dm/${alice.id},${bob.id}`)
    await field.press('Enter')
    await shows(page, 'One draft')
    await page.goto(`${at.address}#narrow/dm/${alice.id}`)
    await page.getByRole('heading', { name: 'Notes to yourself' }).waitFor()
    await writes(page, 'For me')
    await shows(page, 'For me')
    await page.goto(`${at.address}#narrow/dm/${bob.id},999999`)
    await page.getByText('You cannot see this conversation').waitFor()
    assert.equal(await field.count(), 0)
  })

  it('to channels in which nothing can be written have no place to write', async () => {
    const { olga, adam } = at.cast.people
    const { secret, design } = at.cast.channels
    const page = await at.open('bob', `#narrow/channel/${secret}/topic/hidden`)
    await page.getByText('You cannot see this channel').waitFor()
    const field = page.locator('parley-composer textarea')
    const actions = page.getByRole('button', { name: 'Actions for this conversation' })
    assert.equal((await field.count()) + (await actions.count()), 0)
    await page.goto(`${at.address}#narrow/channel/${secret}`)
    await page.getByText('You cannot see this channel').waitFor()
    assert.equal(await field.count(), 0)
    // It is archived while its text is written, and restored.
    await page.goto(`${at.address}#narrow/channel/${design}/topic/open`)
    await field.fill('Half a thought')
    assert.equal((await olga.delete(`/streams/${design}`)).status, 200)
    await field.waitFor({ state: 'detached' })
    assert.equal((await adam.patch(`/streams/${design}`, { is_archived: false })).status, 200)
    await until('the text', async () => (await field.inputValue()) === 'Half a thought')
    page.problems.length = 0
  })
})

withPages('a page', (at) => {
  afterEach(() => at.closeWindows())

  it('that is still to be connected does not say that a connection is lost', async () => {
    const page = await at.window()
    await page.clock.install()
    let answer = (): void => {}
    const isAsked = new Promise<void>((resolve) => (answer = resolve))
    await page.route(/ticket/, async (route) => {
      await isAsked
      await route.continue()
    })
    await page.goto(at.address)
    await page.getByRole('button', { name: at.cast.people.alice.email }).click()
    await inList(page, 'general').waitFor()
    const status = page.locator('parley-banner [role=status]')
    await page.clock.fastForward(5000)
    await status.getByText('Connecting…').waitFor()
    answer()
    await until('no words', async () => (await status.innerText()).trim() === '')
    await page.context().setOffline(true)
    await status.getByText('You are offline.').waitFor()
    await page.context().setOffline(false)
    await until('no words', async () => (await status.innerText()).trim() === '')
  })

  it('may have two copies of the package, and one policy for trusted HTML', async () => {
    const { outputFiles } = await build({
      absWorkingDir: root,
      entryPoints: ['packages/web/src/html/parse-html.ts'],
      bundle: true,
      format: 'iife',
      globalName: 'copy',
      write: false,
    })
    const copy = `${outputFiles[0]?.text ?? ''};copy.parseHtml('<b>1</b>').textContent`
    const page = await at.window()
    await page.goto(at.address)
    const texts = [await page.evaluate(copy), await page.evaluate(copy)]
    assert.deepEqual(texts, ['1', '1'])
  })
})
