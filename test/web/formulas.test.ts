import assert from 'node:assert/strict'
import { afterEach, it } from 'node:test'

import type { Locator } from 'playwright-core'

import { until } from '../support/waiting.js'
import type { TestPage } from './browser.js'
import { inList, messagesOf, shows, userMenu, withPages } from './chat-pages.js'

/** The fonts with which a browser has drawn an element's text. */
async function fontsOf(page: TestPage, element: Locator): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  await session.send('DOM.enable')
  await session.send('CSS.enable')
  const handle = await element.elementHandle()
  await handle?.evaluate((found) => Object.assign(globalThis, { found }))
  const { result } = await session.send('Runtime.evaluate', { expression: 'globalThis.found' })
  await session.send('DOM.getDocument', { depth: -1, pierce: true })
  const objectId = result.objectId ?? ''
  const { nodeId } = await session.send('DOM.requestNode', { objectId })
  const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId })
  await session.detach()
  return fonts.filter(({ isCustomFont }) => isCustomFont).map(({ familyName }) => familyName)
}

/** The names of the files with style sheet and fonts that a page has asked for. */
function formulaFiles(page: TestPage): string[] {
  const files: string[] = []
  page.on('request', (request) => {
    const [, name] = /\/(formulas|\w+-fonts)-\w+\.js$/.exec(request.url()) ?? []
    if (name !== undefined) files.push(name)
    assert.equal(new URL(request.url()).host, new URL(page.url()).host)
  })
  return files
}

withPages('formulas', (at) => {
  afterEach(() => at.closeWindows())

  const topic = (name: string): string =>
    `#narrow/channel/${at.cast.channels.general}/topic/${name}`

  it('are drawn with their fonts, which are loaded when they are needed', async () => {
    const { alice } = at.cast.people
    const { general } = at.cast.channels
    await alice.say(general, 'words', 'No formula here')
    const page = await at.open('bob', topic('words'))
    const files = formulaFiles(page)
    await page.reload()
    await shows(page, 'No formula here')
    await userMenu(page).waitFor()
    assert.deepEqual(files, [])

    await alice.say(
      general,
      'words',
      'It is $$x$$, and **then**\n```math\n\\frac{a+b}{\\sqrt{c}}\n```',
    )
    const formulas = messagesOf(page).last().locator('.katex-html')
    await formulas.last().waitFor()
    assert.deepEqual(files, ['formulas'])
    const x = formulas.first().locator('.mathnormal')
    assert.deepEqual(await fontsOf(page, x), ['KaTeX_Math'])
    assert.deepEqual(await fontsOf(page, formulas.last().locator('.mbin')), ['KaTeX_Main'])
    // Heights are styles of elements in the server's HTML.
    const strut = await formulas
      .last()
      .locator('.strut')
      .first()
      .evaluate((element) => {
        const { height, fontSize } = getComputedStyle(element)
        return Number.parseFloat(height) / Number.parseFloat(fontSize)
      })
    assert.ok(strut > 2 && strut < 3, `${strut} em`)
    const heights = await Promise.all(
      [formulas.first(), formulas.last()].map(async (each) => (await each.boundingBox())?.height),
    )
    assert.ok((heights[1] ?? 0) > 1.8 * (heights[0] ?? 0), heights.join())
    // Screen readers get the MathML, which has no place of its own.
    const math = messagesOf(page).last().locator('.katex-mathml').first()
    assert.equal((await math.boundingBox())?.height, 1)

    await alice.say(general, 'words', 'Numbers: $$\\mathbb{R}$$, vectors: $$\\mathbf{v}$$')
    await until('the rare fonts', () => files.length === 3)
    assert.deepEqual(files.toSorted(), ['alphabet-fonts', 'bold-fonts', 'formulas'])
    const rare = messagesOf(page).last()
    await until('the fonts', async () =>
      (await fontsOf(page, rare.locator('.mathbb'))).includes('KaTeX_AMS'),
    )
    await until('the bold font', async () =>
      (await fontsOf(page, rare.locator('.mathbf'))).includes('KaTeX_Main'),
    )
    await inList(page, 'All messages').click()
    await formulas.first().waitFor()
    assert.equal(files.length, 3)
  })

  it('that are wide scroll by themselves', async () => {
    const { alice } = at.cast.people
    const wide = Array.from({ length: 40 }, (_, index) => `x_{${index}}`).join('+')
    await alice.say(at.cast.channels.general, 'wide', `\`\`\`math\n${wide}\n\`\`\``)
    const viewport = { width: 320, height: 600 }
    const page = await at.open('bob', topic('wide'), { viewport })
    const formula = messagesOf(page).locator('.katex-display')
    await formula.locator('.katex-html').first().waitFor()
    const scrolls = await formula.evaluate((each) => each.scrollWidth > each.clientWidth)
    assert.ok(scrolls)
    const list = page.locator('[part=messages]')
    assert.ok(await list.evaluate((each) => each.scrollWidth <= each.clientWidth))
  })

  it('are MathML if the fonts cannot be loaded', async () => {
    const { alice } = at.cast.people
    await alice.say(at.cast.channels.general, 'mathml', 'It is $$y^2$$')
    const other = await at.open('carol', '#narrow/is/mentioned')
    await other.route(/\/formulas-\w+\.js$/, (route) => route.abort())
    const failed = other.waitForEvent('requestfailed')
    await other.goto(`${at.address}${topic('mathml')}`)
    await failed
    const message = messagesOf(other).filter({ hasText: 'It is' })
    await message.locator('math').first().waitFor()
    assert.ok(((await message.locator('math').boundingBox())?.height ?? 0) > 5)
    assert.equal(await message.locator('.katex-html').isVisible(), false)
    other.problems.length = 0
  })
})
