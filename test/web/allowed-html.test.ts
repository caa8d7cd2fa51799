import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { build } from 'esbuild'

import { allowedElements } from '../../packages/web/src/html/allowed-elements.js'
import { root } from '../architecture/source-files.js'
import { TestBrowser } from './browser.js'

const html = 'http://www.w3.org/1999/xhtml'
const mathMl = 'http://www.w3.org/1998/Math/MathML'
const svg = 'http://www.w3.org/2000/svg'

const names = [html, mathMl, svg].flatMap((space) => [...(allowedElements[space]?.keys() ?? [])])
const elements = [
  ...new Set(names.filter((name) => name !== '*')),
  ...'annotation-xml maction foreignObject use image animate set script button input form'.split(
    ' ',
  ),
  ...'iframe object embed area base link meta template slot'.split(' '),
]

const unsafe =
  'accesskey action actiontype autofocus contenteditable data-action formaction from id onclick ' +
  'onfocus onload part ping popovertarget slot srcdoc srcset tabindex to usemap values xlink:href'
const attributes = [
  ...new Set(
    [html, mathMl, svg].flatMap((space) =>
      [...(allowedElements[space]?.values() ?? [])].flatMap((allowed) => [...allowed]),
    ),
  ),
  ...unsafe.split(' '),
].filter((name) => name !== '')

/** Where an element may be: in each namespace, and where HTML is possible within the others. */
const places: readonly ((element: string) => string)[] = [
  (element) => `<div>${element}</div>`,
  (element) => `<svg>${element}</svg>`,
  (element) => `<svg><g>${element}</g></svg>`,
  (element) => `<svg><desc>${element}</desc></svg>`,
  (element) => `<math>${element}</math>`,
  (element) => `<math><mtext>${element}</mtext></math>`,
  (element) => `<math><mrow>${element}</mrow></math>`,
  (element) =>
    `<math><semantics><annotation encoding="text/html">${element}</annotation></semantics></math>`,
]

const values = ['javascript:parent.ran=1', 'https://example.com/']

function withAll(element: string, value: string): string {
  const all = attributes.map((name) => `${name}="${name === 'role' ? 'link' : value}"`).join(' ')
  return `<${element} ${all}>text</${element}>`
}

function withOne(element: string, name: string): string {
  return `<${element} ${name}="javascript:parent.ran=1">text</${element}>`
}

const table = places.flatMap((place) =>
  elements.flatMap((element) => [
    ...attributes.map((name) => place(withOne(element, name))),
    ...values.map((value) => place(withAll(element, value))),
  ]),
)

/** The filter, as a script of a page. */
async function filterScript(): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['packages/web/src/html/allowed-html.ts'],
    bundle: true,
    format: 'iife',
    globalName: 'filter',
    write: false,
  })
  return outputFiles[0]?.text ?? ''
}

describe('the filter of HTML', () => {
  it('allows each element its own attributes, and links in HTML only', async () => {
    const browser = await TestBrowser.start()
    try {
      const page = await browser.window()
      await page.setContent('<main></main>')
      await page.addScriptTag({ content: await filterScript() })
      const found = await page.evaluate(findIn, { table, ownNames: pageAttributes })
      assert.deepEqual(found.problems, [])
      const unlisted = found.pairs.filter((pair) => !allowedPairs.has(pair))
      assert.deepEqual(unlisted, [])
      assert.ok(found.pairs.length > 100)
      assert.ok(found.pairs.includes(`${html} a href`))
      assert.equal(await page.evaluate(() => 'ran' in globalThis), false)
      assert.deepEqual(page.problems, [])
    } finally {
      await browser.stop()
    }
  })

  it('lists nothing that acts in SVG and MathML, and addresses for few elements', () => {
    const pairsWith = (attribute: string): string[] =>
      [html, mathMl, svg].flatMap((space) =>
        [...(allowedElements[space] ?? [])].flatMap(([element, list]) =>
          list.has(attribute) ? [`${space} ${element}`] : [],
        ),
      )
    assert.deepEqual(pairsWith('href'), [`${html} a`])
    assert.deepEqual(pairsWith('src'), [`${html} audio`, `${html} img`, `${html} video`])
    for (const name of unsafe.split(' ')) assert.deepEqual(pairsWith(name), [])
  })
})

const allowedPairs = new Set(
  [html, mathMl, svg].flatMap((space) => {
    const lists = allowedElements[space]
    return [...(lists?.keys() ?? [])].flatMap((element) =>
      [...(lists?.get('*') ?? []), ...(lists?.get(element) ?? [])].map(
        (name) => `${space} ${element} ${name}`,
      ),
    )
  }),
)

/** Attributes that the page itself adds to elements of messages. */
const pageAttributes = ['decoding', 'loading', 'rel', 'style', 'tabindex', 'data-action']

interface Cases {
  readonly table: readonly string[]
  readonly ownNames: readonly string[]
}

/** Runs in the page. @returns what can be clicked or runs, and which attributes elements kept. */
function findIn({ table, ownNames }: Cases): { problems: string[]; pairs: string[] } {
  const { filter } = globalThis as unknown as { readonly filter: Filter }
  const session = {
    url: 'https://chat.example',
    state: { me: { user_id: 1 } },
    files: { show: () => {} },
  }
  const main = document.querySelector('main')
  const problems = new Set<string>()
  const pairs = new Set<string>()
  for (const text of table) {
    main?.replaceChildren(filter.allowedHtml(text, session))
    for (const element of main?.querySelectorAll('*') ?? []) {
      const { namespaceURI, localName } = element
      const isHtml = namespaceURI === 'http://www.w3.org/1999/xhtml'
      const key = `${namespaceURI} ${localName}`
      for (const { name, value } of element.attributes) {
        if (/^javascript:/i.test(value) && /href|src|action|^on/.test(name))
          problems.add(`${key} ${name}=${value}`)
        if (!isHtml || !ownNames.includes(name)) pairs.add(`${key} ${name.toLowerCase()}`)
      }
      const isForeign = !isHtml || element.parentElement?.closest('svg, math') != null
      const isLink = element.matches(':any-link')
      const canBeClicked = isLink || element.matches('a, audio, video, [tabindex], [class]')
      if (isForeign && canBeClicked) problems.add(`${key} can be clicked in ${text}`)
      if (isLink && localName !== 'a') problems.add(`${key} is a link`)
    }
  }
  main?.replaceChildren()
  return { problems: [...problems], pairs: [...pairs] }
}

interface Filter {
  allowedHtml(text: string, session: object): DocumentFragment
}
