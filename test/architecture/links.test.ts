import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, it } from 'node:test'

import { anchorOf } from '../../scripts/markdown-page.js'
import { filesBelow, readText, root } from './source-files.js'

/** A page without its blocks of code, in which nothing is a link or a heading. */
function proseOf(text: string): string {
  return text.replaceAll(/^(`{3,})[^\n]*\n[^]*?^\1$/gm, '').replaceAll(/<!--[^]*?-->/g, '')
}

/** The anchors of a page's headings; a repeated heading gets a number. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>()
  for (const [, heading = ''] of proseOf(text).matchAll(/^#{1,6} (.+)$/gm)) {
    const anchor = anchorOf(heading)
    let unique = anchor
    for (let n = 1; anchors.has(unique); n += 1) unique = `${anchor}-${n}`
    anchors.add(unique)
  }
  return anchors
}

/** The relative links of a page, and what is wrong with each. */
function brokenLinks(
  path: string,
  text: string,
  pageAt: (path: string) => string | undefined,
): string[] {
  const prose = proseOf(text).replaceAll(/(`+).*?\1(?!\])/g, (code) =>
    code.replaceAll(/[[\]()]/g, ' '),
  )
  return [...prose.matchAll(/\]\(([^()\s]*)\)/g)].flatMap(([, target = '']) => {
    if (/^[a-z]+:/.test(target)) return []
    const [file = '', anchor] = target.split('#')
    const linked = file === '' ? path : posix.join(posix.dirname(path), file)
    const found = file === '' ? text : pageAt(linked)
    if (found === undefined) return [`${path}: ${target}: there is no ${linked}`]
    if (anchor === undefined || anchorsOf(found).has(anchor)) return []
    return [`${path}: ${target}: ${linked} has no such heading`]
  })
}

function readPage(path: string): string | undefined {
  if (!existsSync(join(root, path))) return undefined
  return path.endsWith('.md') ? readText(path) : ''
}

const markdownPages = (): string[] => filesBelow('.').filter((path) => path.endsWith('.md'))

describe('the links of the documentation', () => {
  it('lead to files and headings that exist', () => {
    const pages = markdownPages()

    assert.ok(pages.length >= 20)
    assert.deepEqual(
      pages.flatMap((path) => brokenLinks(path, readText(path), readPage)),
      [],
    )
  })

  it('reach every page of docs/ from its index, and every picture from a page', () => {
    const index = readText('docs/README.md')
    const all = markdownPages().map(readText).join('\n')

    const missing = filesBelow('docs')
      .map((path) => posix.relative('docs', path))
      .filter((path) => path !== 'README.md')
      .filter((path) => !(path.startsWith('images/') ? all : index).includes(`](${path})`))

    assert.deepEqual(missing, [])
  })

  it('are not references to pages that do not exist in code and comments', () => {
    const sources = ['packages', 'examples', 'scripts', 'test', 'bench']
      .flatMap(filesBelow)
      .filter((path) => /\.(?:ts|mjs|mts|json)$/.test(path))

    const found = sources.flatMap((path) =>
      [...readText(path).matchAll(/\bdocs\/[\w-]+\.(?:md|json)\b/g)]
        .filter(([page]) => !existsSync(join(root, page)))
        .map(([page]) => `${path}: there is no ${page}`),
    )

    assert.deepEqual(found, [])
  })
})

describe('the rule about links', () => {
  const pages = new Map([['pages/b.md', '# Two words\n\n## `GET /x`\n\n## Again\n\n## Again\n']])
  const broken = (text: string) => brokenLinks('pages/a.md', text, (path) => pages.get(path))

  it('notices a missing file and a missing heading', () => {
    assert.deepEqual(broken('[x](c.md)'), ['pages/a.md: c.md: there is no pages/c.md'])
    assert.deepEqual(broken('[`x`](b.md#none)'), [
      'pages/a.md: b.md#none: pages/b.md has no such heading',
    ])
    assert.deepEqual(broken('# A\n\n[x](#b)'), ['pages/a.md: #b: pages/a.md has no such heading'])
  })

  it('accepts headings, other servers, and what is only code', () => {
    const text =
      '# A\n[x](b.md#two-words) [x](b.md#get-x) [x](b.md#again-1) [x](#a) [x](https://a.b/c)'

    assert.deepEqual(broken(text), [])
    assert.deepEqual(broken('`[x](c.md)`\n\n```md\n[x](c.md)\n```\n'), [])
  })
})
