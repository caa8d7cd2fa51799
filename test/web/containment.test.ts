import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { afterEach, it } from 'node:test'

import type { Page } from 'playwright-core'

import { Formulas } from '../../packages/core/src/markdown/math/formulas.js'
import { root } from '../architecture/source-files.js'
import { until } from '../support/waiting.js'
import { shows, withPages } from './chat-pages.js'

const styles = [
  'position: relative; top: -90px',
  'position: relative; top: 90px; left: -200px',
  'margin-top: -90px',
  'margin-left: -300px',
  'padding-left: 2000px',
]

/** What covers other messages wherever it is not clipped. */
const hostileHtml = styles
  .map(
    (style) =>
      `<span style="${style}; height: 4em; min-width: 40em; border-style: solid">` +
      `<a href="https://example.com" style="${style}">Log in again, here and now</a></span>`,
  )
  .join('')

/** Answers with the HTML in the place of a word, as of a server that lets it through. */
async function replaceWord(page: Page, word: string, html: string): Promise<void> {
  const text = JSON.stringify(html).slice(1, -1)
  await page.route(/\/api\/v1\/messages/, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replaceAll(word, text) })
  })
}

/** The elements of hostile content that are met outside of the box that contains it. */
function metOutside(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const met = new Set<string>()
    let seen = 0
    const visit = (from: Document | ShadowRoot): void => {
      for (const host of from.querySelectorAll('*')) {
        if (host.shadowRoot !== null) visit(host.shadowRoot)
      }
      const hostile = [...from.querySelectorAll('a[href="https://example.com/"]')]
      const boxes = new Set(hostile.map((link) => link.closest('.content')))
      if (from instanceof ShadowRoot && boxes.size > 0) {
        for (let x = 2; x < innerWidth; x += 7) {
          for (let y = 2; y < innerHeight; y += 3) {
            for (const element of from.elementsFromPoint(x, y)) {
              const box = element.closest('.content')
              if (!boxes.has(box) || box === null) continue
              seen += 1
              const { left, right, top, bottom } = box.getBoundingClientRect()
              const isInside = x >= left && x <= right && y >= top && y <= bottom
              if (!isInside) met.add(`${x},${y}: ${element.outerHTML.slice(0, 80)}`)
            }
          }
        }
      }
    }
    visit(document)
    if (seen === 0) met.add('no hostile content')
    return [...met]
  })
}

withPages('what a message paints', (at) => {
  afterEach(() => at.closeWindows())

  it('is within its own box, wherever HTML of messages is shown', async () => {
    const { alice, bob } = at.cast.people
    const { design } = at.cast.channels
    const place = `#narrow/channel/${design}/topic/paint`
    await alice.say(design, 'paint', 'Before, harmless words')
    const id = await bob.say(design, 'paint', 'XHOSTILEX words')
    await alice.say(design, 'paint', 'After, harmless words')
    assert.equal((await bob.patch(`/messages/${id}`, { content: 'words XHOSTILEX' })).status, 200)
    const poll = await bob.say(design, 'paint', 'XHOSTILEX words too')
    const content = '{"widget_type":"other","extra_data":{}}'
    await bob.post('/submessage', { message_id: poll, msg_type: 'widget', content })

    const page = await at.open('alice', '#narrow/is/mentioned')
    await replaceWord(page, 'XHOSTILEX', hostileHtml)
    await page.goto(`${at.address}${place}`)
    await page.reload()
    await shows(page, 'After, harmless')
    await page.locator('parley-widget').waitFor()
    assert.deepEqual(await metOutside(page), [])

    await page.getByRole('searchbox', { name: 'Search messages' }).fill('words')
    await page.keyboard.press('Enter')
    await until('found words', async () => (await page.locator('.highlight').count()) > 0)
    assert.deepEqual(await metOutside(page), [])

    await page.goto(`${at.address}${place}`)
    await page.getByRole('button', { name: 'edited' }).click()
    await page.getByRole('dialog').locator('.content a').first().waitFor()
    assert.deepEqual(await metOutside(page), [])
  })

  it('is near its own box if it is a formula, also in clients that do not clip', async () => {
    const html = formulas.map((tex) => new Formulas().toHtml(tex, false))
    // Others are refused.
    assert.ok(html.includes(undefined))
    const shown = html.flatMap((each, index) => (each === undefined ? [] : [{ each, index }]))
    assert.ok(shown.length > 30)
    const page = await at.window()
    const css = readFileSync(`${root}/packages/web/node_modules/katex/dist/katex.min.css`, 'utf8')
    const parts = shown.map(({ each, index }) => `<p data-index="${index}">${each}</p>`)
    await page.setContent(
      `<style>${css.replaceAll(/@font-face\{[^}]*\}/g, '')} p { margin: 900px; }</style>${parts.join('')}`,
    )
    const far = await page.evaluate(() => {
      const found: number[] = []
      for (const part of document.querySelectorAll<HTMLElement>('[data-index]')) {
        const em = Number.parseFloat(
          getComputedStyle(part.querySelector('.katex') ?? part).fontSize,
        )
        const boxes = [...part.querySelectorAll('.base')].map((box) => box.getBoundingClientRect())
        const top = Math.min(...boxes.map((box) => box.top))
        const bottom = Math.max(...boxes.map((box) => box.bottom))
        const left = part.getBoundingClientRect().left
        const right = Math.max(left, ...boxes.map((box) => box.right))
        for (const element of part.querySelectorAll('.katex-html *')) {
          const isText = element.childElementCount === 0 && element.textContent?.trim() !== ''
          if (!isText && !element.matches('.rule, svg')) continue
          const painted = element.getBoundingClientRect()
          if (painted.width === 0 || painted.height === 0) continue
          // Lines of text are higher than the letters in them.
          const vertical = Math.max(top - painted.top, painted.bottom - bottom) / em
          const horizontal = Math.max(left - painted.left, painted.right - right) / em
          if (vertical > 3.5 || horizontal > 9) found.push(Number(part.dataset['index']))
        }
      }
      return [...new Set(found)]
    })
    assert.deepEqual(
      far.map((index) => formulas[index]),
      [],
    )
  })
})

const { raw } = String

/** Commands that move or cover, with lengths as far as a formula may give them, in each other. */
const movers: readonly ((body: string) => string)[] = [
  (body) => raw`\raisebox{20em}{$${body}$}`,
  (body) => raw`\raisebox{-20em}{$${body}$}`,
  (body) => raw`\smash{${body}}`,
  (body) => raw`\smash[b]{${body}}`,
  (body) => raw`\kern-20em ${body}`,
  (body) => raw`\hspace{-20em}${body}`,
  (body) => raw`\hskip-20em${body}`,
  (body) => raw`\mkern-360mu ${body}`,
  (body) => raw`\mathllap{${body.repeat(30)}}`,
  (body) => raw`\mathrlap{${body.repeat(30)}}`,
  (body) => raw`\mathclap{${body.repeat(30)}}`,
  (body) => raw`a\\[-20em] ${body}`,
  (body) => raw`\rule[20em]{20em}{20em}${body}`,
  (body) => raw`\rule[-20em]{20em}{20em}${body}`,
  (body) => raw`\colorbox{white}{$${body}$}`,
  (body) => raw`\fcolorbox{red}{white}{$${body}$}`,
  (body) => raw`\Huge ${body}`,
  (body) => raw`x^{${body}}_{${body}}`,
  (body) => raw`\frac{${body}}{${body}}`,
  (body) => raw`\sqrt{${body}}`,
  (body) => raw`\overset{${body}}{x}`,
  (body) => raw`\vcenter{${body}}`,
  (body) => raw`\left(${body}\right)`,
  (body) => raw`\begin{array}{c}${raw`${body}\\[20em] `.repeat(3)}\end{array}`,
  (body) => raw`\genfrac(){20em}{0}{${body}}{x}`,
  (body) => raw`\overbrace{${body}}`,
  (body) => raw`\cancel{${body}}`,
  (body) => raw`\vphantom{${body}}`,
  (body) => raw`\hphantom{${body}}`,
]

const formulas = [
  ...movers.map((move) => move('W')),
  ...movers.flatMap((outer) => movers.map((inner) => outer(inner('W')))),
]
