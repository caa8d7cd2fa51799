import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { renderMarkdown } from '../../../packages/core/src/markdown/index.js'
import { exampleContext, settings } from './example-context.js'

/** The content of the only paragraph of `source`. */
function inline(source: string, changes: Parameters<typeof exampleContext>[0] = {}): string {
  const { html } = renderMarkdown(source, exampleContext(changes))
  return html.replace(/^<p>/, '').replace(/<\/p>$/, '')
}

function cases(table: readonly (readonly [source: string, expected: string])[]): void {
  for (const [source, expected] of table) {
    it(JSON.stringify(source), () => {
      assert.equal(inline(source), expected)
    })
  }
}

describe('code spans', () => {
  cases([
    ['`a\nb`', '<code>a\nb</code>'],
    ['``a`b', '<code>`a</code>b'],
    ['\\`x`', '\\`x`'],
    ['```x``` y', '<code>x</code> y'],
    ['`x', '`x'],
  ])
})

describe('emphasis', () => {
  cases([
    ['*a*b*', '<em>a</em>b*'],
    ['***a** b*', '<strong>*a</strong> b*'],
    ['**#**garden****', '<strong>#</strong>garden****'],
    ['** a **', '<strong> a </strong>'],
    ['*a *', '*a *'],
    ['a ~~~x~~~', 'a ~~~x~~~'],
    ['~~ a ~~', '<del> a </del>'],
    ['a *\nb', 'a *\nb'],
    ['**`a` ~~b~~** *~~c~~*', '<strong><code>a</code> <del>b</del></strong> <em><del>c</del></em>'],
  ])
})

describe('links', () => {
  cases([
    ['[a](b "t\'x" )', '<a href="http://b" title="t\'x">a</a>'],
    ['[a](b.org "t)")', '<a href="http://b.org" title="t)">a</a>'],
    ['[a](<b c>)', '<a href="http://b%20c">a</a>'],
    ['[a](b(c)d)', '<a href="http://b(c)d">a</a>'],
    ['[a [b] c](d)', '<a href="http://d">a [b] c</a>'],
    ['[a](d', '[a](d'],
    ['[a] (b)', '[a] (b)'],
    ['[`x`](y)', '<a href="http://y"><code>x</code></a>'],
    ['[a](http://[::1)', '<a href="">a</a>'],
    ['[a]()', '<a href="http://">a</a>'],
    ['[a\nb](c)', '<a href="http://c">a\nb</a>'],
    ['[a](HTTPS://x.org)', '<a href="https://x.org">a</a>'],
    ['[a](\u0001javascript:x)', '[a](\u0001javascript:x)'],
    ['[a](x\u0001.org)', '<a href="http://x.org">a</a>'],
    ['[a](data:text/html,x)', '[a](data:text/html,x)'],
    ['[a](&#106;avascript:x)', '<a href="http://&#106;avascript:x">a</a>'],
    ['[a](soil.example:80/x)', '[a](soil.example:80/x)'],
  ])
})

describe('bare addresses', () => {
  const unlinked = [
    'https://h.example?x',
    'https://h.example;x',
    'https://h.example/a)b',
    'h.org:80/x',
    'ftp://h.org',
    '[h.org]',
    'xhttps://h.org',
    'H.ORG',
    'a..com',
    '.com',
    'a+b@c.org',
    'a@b',
    'https://h.org/"q',
    'bitcoin:xyz',
    'notes.md',
  ]
  for (const text of unlinked) {
    it(`leaves ${text} unchanged`, () => {
      assert.equal(inline(text), text)
    })
  }

  cases([
    ['(https://h.org/(x)),', '(<a href="https://h.org/(x)">https://h.org/(x)</a>),'],
    ['x.com/a_(b_(c)_d)_e)', '<a href="http://x.com/a_(b_(c)_d)_e">x.com/a_(b_(c)_d)_e</a>)'],
    ['пример.рф...', '<a href="http://пример.рф">пример.рф</a>...'],
    ['a.b@c.d.org!', '<a href="mailto:a.b@c.d.org">a.b@c.d.org</a>!'],
    ['http://localhost:3000', '<a href="http://localhost:3000">http://localhost:3000</a>'],
    ['<https://x.org>', '&lt;<a href="https://x.org">https://x.org</a>&gt;'],
  ])
})

describe('mentions and channels', () => {
  it('does not parse a mention right after another', () => {
    assert.match(inline('@**Mira Okafor**@**Mira Okafor**'), /<\/span>@<strong>Mira Okafor</)
  })

  it('shows the name of a system group', () => {
    assert.match(inline('@*role:administrators*'), />@Administrators</)
  })

  it('parses only digits at the end as a message id', () => {
    assert.match(inline('#**garden>x@12x**'), /topic\/x\.4012x">#garden &gt; x@12x</)
  })

  it('escapes texts and encodes addresses', () => {
    assert.match(
      inline('#**kitchen & tools>C# & <b>**'),
      /topic\/C\.23\.20\.26\.20\.3Cb\.3E">#kitchen &amp; tools &gt; C# &amp; &lt;b&gt;</,
    )
  })
})

describe('emoji', () => {
  it('parses flags, keycaps, joined and tagged sequences as a whole', () => {
    const names = [...inline('🇫🇷1️⃣👨‍👩‍👧🏴󠁧󠁢󠁥󠁮󠁧󠁿').matchAll(/class="emoji emoji-([^"]*)"/g)]

    assert.deepEqual(
      names.map(([, code]) => code),
      [
        '1f1eb-1f1f7',
        '0031-20e3',
        '1f468-200d-1f469-200d-1f467',
        '1f3f4-e0067-e0062-e0065-e006e-e0067-e007f',
      ],
    )
  })

  it('leaves sequences with a skin tone unchanged', () => {
    assert.equal(inline('👩🏽‍🚀 👍🏽'), '👩🏽‍🚀 👍🏽')
  })

  it('accepts names of every script, and shows the main name of a character', () => {
    const shown = inline(':piñata: :ココ: 🎫 🌆')

    assert.deepEqual(
      [...shown.matchAll(/emoji-([^"]*)" role="img" title="([^"]*)"/g)].map(
        ([, ...parts]) => parts,
      ),
      [
        ['1fa85', 'piñata'],
        ['1f201', 'ココ'],
        ['1f3ab', 'pass'],
        ['1f306', 'sunset'],
      ],
    )
  })

  it('includes the closing colon of an unknown name in the text', () => {
    assert.equal(inline(':not:octopus:'), ':not:octopus:')
    assert.equal(inline('10:30:45'), '10:30:45')
  })

  it('parses emoticons between punctuation only', () => {
    const translated = inline('(:D) a:) &lt;3', {
      settings: { ...settings, translatesEmoticons: true },
    })

    assert.equal(translated.match(/class="emoji/g)?.length, 1)
    assert.ok(translated.endsWith(' a:) &lt;3'))
  })
})

describe('times', () => {
  const readable: Readonly<Record<string, string>> = {
    '9 April 2031': '2031-04-09T00:00:00Z',
    'April 9th, 2031 at 6pm': '2031-04-09T18:00:00Z',
    '4/9/2031 18:30 CET': '2031-04-09T17:30:00Z',
    '13/4/2031': '2031-04-13T00:00:00Z',
    '6pm': '2031-04-09T18:00:00Z',
    '12:05 AM IST': '2031-04-08T18:35:00Z',
    '2031-04-09T18:30:00.5Z': '2031-04-09T18:30:00.500000Z',
    '20310409': '2031-04-09T00:00:00Z',
    '1.5': '1970-01-01T00:00:01.500000Z',
    '-5': '1969-12-31T23:59:55Z',
  }
  for (const [written, instant] of Object.entries(readable)) {
    it(`parses ${written}`, () => {
      assert.equal(inline(`<time:${written}>`), `<time datetime="${instant}">${written}</time>`)
    })
  }

  for (const written of ['2031-13-40', '99999999999999', 'soon', '13 pm', '2031-02-29']) {
    it(`rejects ${written}`, () => {
      assert.match(inline(`<time:${written}>`), /timestamp-error/)
    })
  }
})

describe('mathematics', () => {
  it('leaves prices and markers within words unchanged', () => {
    for (const text of ['$$_x$$', '$$a$b$$', '$$$x$$$', 'a $$x$$b']) {
      assert.equal(inline(text), text)
    }
  })

  it('neither links nor loads nor prints what a formula requests', (test) => {
    const printed = ['log', 'warn', 'error'].map((name) =>
      test.mock.method(console, name as 'log', () => {}),
    )

    const html = inline('$$\\href{javascript:x}{y}$$ $$\\message{secret}z$$ $$\\text{🐙}$$ $$é$$')

    assert.doesNotMatch(html, /<a |href=/)
    assert.deepEqual(
      printed.map(({ mock }) => mock.callCount()),
      [0, 0, 0],
    )
  })

  it('stops at a formula that expands without end', () => {
    assert.match(inline('$$\\def\\a{\\a\\a}\\a$$'), /^<span class="tex-error">/)
  })

  it('does not share macros between formulas', () => {
    assert.match(inline('$$\\gdef\\a{x}\\a$$ $$\\a$$'), /<span class="tex-error">\$\$\\a\$\$</)
  })
})

describe('linkifiers', () => {
  it('share the character between two matches', () => {
    assert.equal(inline('PLOT-1,PLOT-2').match(/<a /g)?.length, 2)
  })

  it('match neither right after a token nor across one', () => {
    assert.equal(inline('`x`PLOT-1 find:`x`'), '<code>x</code>PLOT-1 find:<code>x</code>')
  })
})
