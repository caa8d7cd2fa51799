import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { renderMarkdown } from '../../../packages/core/src/markdown/index.js'
import { exampleContext, settings } from './example-context.js'

function html(source: string, changes: Parameters<typeof exampleContext>[0] = {}): string {
  return renderMarkdown(source, exampleContext(changes)).html
}

describe('whitespace', () => {
  it('returns nothing for blank text and for fences without a line', () => {
    for (const source of ['', '   \n\n', '```', '```\n```', '```quote\n```', '```math\n```']) {
      assert.equal(html(source), '')
    }
  })

  it('reads CRLF and CR as newlines and drops the markers it uses internally', () => {
    assert.equal(html('a\r\nb\rc\u0002d\u0003'), '<p>a<br>\nb<br>\ncd</p>')
  })

  it('expands tabs to columns of four', () => {
    assert.equal(html('a\tb\n \t \nc'), '<p>a   b</p>\n<p>c</p>')
  })
})

describe('headings and rules', () => {
  it('drops one closing run of hashes, unless spaces follow it', () => {
    assert.equal(html('# Title ## ##'), '<h1>Title ##</h1>')
    assert.equal(html('# Title # \n\nx'), '<h1>Title #</h1>\n<p>x</p>')
  })

  it('parses a rule before a list', () => {
    assert.equal(html('a\n- - -\nb'), '<p>a</p>\n<hr>\n<p>b</p>')
  })
})

describe('lists', () => {
  it('wrap all items in paragraphs that follow a blank line, and the one before it', () => {
    assert.equal(
      html('* a\n\n* b\n* c\n\n  more'),
      '<ul>\n<li>\n<p>a</p>\n</li>\n<li>\n<p>b</p>\n</li>\n<li>\n<p>c</p>\n<p>more</p>\n</li>\n</ul>',
    )
  })

  it('become loose when an item follows a lazy line', () => {
    assert.equal(
      html('* a\nlazy\n* b'),
      '<ul>\n<li>\n<p>a<br>\nlazy</p>\n</li>\n<li>\n<p>b</p>\n</li>\n</ul>',
    )
  })

  it('parse four spaces after a bullet as text of that bullet', () => {
    assert.equal(html('* a\n    * b'), '<ul>\n<li>a<br>\n    * b</li>\n</ul>')
  })

  it('does not continue a list of bullets with a number of two digits', () => {
    assert.equal(html('* a\n15. b'), '<ul>\n<li>a<br>\n15. b</li>\n</ul>')
  })

  it('continue a list that began on the line of its parent', () => {
    assert.equal(
      html('* * a\n  * b'),
      '<ul>\n<li>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n</li>\n</ul>',
    )
  })

  it('restart after a heading and after a fence', () => {
    assert.equal(
      html('* a\n# H\n* b'),
      '<ul>\n<li>a</li>\n</ul>\n<h1>H</h1>\n<ul>\n<li>b</li>\n</ul>',
    )
    assert.match(html('* a\n```\nx\n```\n* b'), /<\/ul>\n<div .*<\/div>\n<ul>/s)
  })

  it('start at zero if the first number is zero', () => {
    assert.equal(html('0. a'), '<ol start="0">\n<li>a</li>\n</ol>')
  })

  it('include an indented chunk of code in the item', () => {
    assert.match(html('* a\n\n      b'), /<li>\n<p>a<\/p>\n<div class="codehilite">/)
  })
})

describe('quotes', () => {
  it('show the last marker of a quote without text', () => {
    assert.equal(html('>\n>'), '<p>&gt;</p>')
  })

  it('do not start fences after a marker', () => {
    assert.equal(
      html('> ```\n> x\n> ```'),
      '<blockquote>\n<p><code>\nx\n</code></p>\n</blockquote>',
    )
  })

  it('nest fences of quotes with the same markers', () => {
    assert.equal(
      html('```quote\n```quote\nin\n```\nout\n```'),
      '<blockquote>\n<blockquote>\n<p>in</p>\n</blockquote>\n<p>out</p>\n</blockquote>',
    )
  })

  it('allow lists directly after text in a fence', () => {
    assert.match(html('```quote\nSteps\n* a\n```'), /<p>Steps<\/p>\n<ul>/)
  })

  it('silence mentions in lists and fences inside', () => {
    const { mentionedUserIds } = renderMarkdown(
      '```quote\n* @**Mira Okafor**\n\n~~~spoiler @**all**\n@*night crew*\n~~~\n```',
      exampleContext(),
    )

    assert.deepEqual(mentionedUserIds, [])
  })

  it('show content that is nested too deeply as text', () => {
    assert.equal(html(`${'>'.repeat(5_000)} x`).match(/<blockquote>/g)?.length, 100)
  })
})

describe('code', () => {
  it('drops spaces at line ends and blank lines at both ends', () => {
    assert.equal(
      html('```text\n\n\nx \n  y\n\n```'),
      '<div class="codehilite" data-code-language="Text only"><pre><span></span><code>x\n  y\n</code></pre></div>',
    )
  })

  it('keeps blank lines between indented lines', () => {
    assert.equal(
      html('    a\n\n\n    b'),
      '<div class="codehilite"><pre><span></span><code>a\n\n\nb\n</code></pre></div>',
    )
  })

  it('keeps indentation of texts from e-mail', () => {
    assert.equal(html('    a', { isFromEmail: true }), '<p>a</p>')
  })

  it('does not apply the default language inside spoilers', () => {
    const changes = { settings: { ...settings, defaultCodeBlockLanguage: 'js' } }

    assert.match(html('```\nx\n```', changes), /data-code-language="JavaScript"/)
    assert.match(html('~~~quote\n```\nx\n```\n~~~', changes), /data-code-language="JavaScript"/)
    assert.doesNotMatch(html('~~~spoiler S\n```\nx\n```\n~~~', changes), /data-code-language/)
  })

  it('does not highlight code that would be slow to highlight', () => {
    assert.doesNotMatch(html(`\`\`\`java\n${'a'.repeat(9_000)}\n\`\`\``), /<span class/)
  })

  it('highlights the language of the first line, without an attribute', () => {
    assert.match(
      html('```\n#!/usr/bin/env python\nx = 1\n```'),
      /<div class="codehilite"><pre><span><\/span><code><span class="c1">/,
    )
  })

  it('has no highlighting classes that clients do not support', () => {
    const highlight = (text: string) => [{ text, className: 'hll' }]

    assert.doesNotMatch(html('```py\nx\n```', { highlight }), /hll/)
  })
})

describe('tables', () => {
  it('pad short rows and cut long ones', () => {
    assert.match(
      html('a|b\n-|-\nc\nd|e|f'),
      /<td>c<\/td>\n<td><\/td>[^]*<td>e<\/td>\n<\/tr>\n<\/tbody>/,
    )
  })

  it('do not split in code or after a backslash', () => {
    assert.match(html('a|b\n-|-\n`x|y`|\\|'), /<td><code>x\|y<\/code><\/td>\n<td>\\\|<\/td>/)
  })

  it('give a header without rows one empty row', () => {
    assert.match(html('a|b\n-|-'), /<tbody>\n<tr>\n<td><\/td>\n<td><\/td>\n<\/tr>/)
  })
})
