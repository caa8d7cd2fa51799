import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  compileLinkifiers,
  highlightCode,
  MarkdownRenderError,
  renderMarkdown,
  renderMarkdownAsync,
} from '../../../packages/core/src/markdown/index.js'
import { exampleContext, settings } from './example-context.js'

const secret = 'the leeks are buried here'

function failureOf(render: () => unknown): MarkdownRenderError {
  try {
    render()
  } catch (error) {
    assert.ok(error instanceof MarkdownRenderError)
    return error
  }
  return assert.fail('rendering did not fail')
}

describe('limits', () => {
  it('reject HTML a hundred times longer than the longest message', () => {
    const failure = failureOf(() =>
      renderMarkdown(
        '$$x$$ '.repeat(100),
        exampleContext({ settings: { ...settings, maxMessageLength: 100 } }),
      ),
    )

    assert.equal(failure.reason, 'output-too-long')
  })

  it('stop a render after its time limit', () => {
    let now = 0
    const failure = failureOf(() =>
      renderMarkdown('*a '.repeat(20_000), exampleContext({ clock: () => (now += 2_000) })),
    )

    assert.equal(failure.reason, 'out-of-time')
  })

  it('convert any exception to a failure without content', () => {
    const failure = failureOf(() =>
      renderMarkdown(
        `:a: ${secret}`,
        exampleContext({
          findCustomEmoji: () => {
            throw new TypeError(`cannot read ${secret}`)
          },
        }),
      ),
    )

    assert.equal(failure.reason, 'internal-error')
    assert.ok(failure.cause instanceof Error)
    assert.equal(failure.cause.name, 'TypeError')
    for (const error of [failure, failure.cause]) {
      assert.ok(!`${error.message}${error.stack}${String(error)}`.includes(secret))
    }
  })
})

function count(pattern: RegExp, html: string): number {
  return html.match(pattern)?.length ?? 0
}

const formula = /<span class="katex">/g
const source = /<span class="tex-error">/g

describe('formulas', () => {
  it('are shown as source if macros make them too long to read', () => {
    const double = String.raw`\def\a#1{#1#1#1#1#1#1#1#1#1}`
    const bombs = [
      String.raw`$$${double}\a{\a{\a{${'x'.repeat(4_000)}}}}$$`,
      String.raw`$$\def\a#1{\a{#1#1}}\a{x}$$`,
      String.raw`$$\def\a#1{\a{#1}}\a{${'x'.repeat(4_900)}}$$`,
      String.raw`$$\def\a{${'x'.repeat(400)}}${String.raw`\a`.repeat(900)}$$`,
    ]

    for (const bomb of bombs) {
      assert.match(renderMarkdown(bomb, exampleContext()).html, /^<p><span class="tex-error">\$\$/)
    }
  })

  it('are shown as source if they are nested too deeply, by any command', () => {
    const around = (before: string, depth: number, after: string) =>
      `${before.repeat(depth)}x${after.repeat(depth)}`
    const twice = String.raw`\def\a#1{\overline{\overline{#1}}}`
    const nests: Readonly<Record<string, (depth: number) => string>> = {
      overline: (depth) => around(String.raw`\overline{`, depth, '}'),
      sqrt: (depth) => around(String.raw`\sqrt{`, depth, '}'),
      fractions: (depth) => around(String.raw`\frac{1}{`, depth, '}'),
      exponents: (depth) => around('x^{', depth, '}'),
      braces: (depth) => around('{', depth, '}'),
      delimiters: (depth) => around(String.raw`\left(`, depth, String.raw`\right)`),
      matrices: (depth) => around(String.raw`\begin{matrix}`, depth, String.raw`\end{matrix}`),
      styles: (depth) => around(String.raw`\Large `, depth, ''),
      macros: (depth) => twice + around(String.raw`\a{`, depth / 2, '}'),
    }
    for (const [name, nest] of Object.entries(nests)) {
      const shownOf = (depth: number) =>
        count(formula, renderMarkdown(`$$${nest(depth)}$$`, exampleContext()).html)
      assert.deepEqual([shownOf(20), shownOf(110)], [1, 0], name)
    }
  })

  it('may define macros and use them', () => {
    const { html } = renderMarkdown(
      String.raw`$$\newcommand{\vect}[1]{\mathbf{#1}}\def\R{\mathbb{R}}${String.raw`\vect{a}+\R`.repeat(20)}$$`,
      exampleContext(),
    )
    assert.equal(count(formula, html), 1)
    assert.equal(count(source, html), 0)
  })

  it('are shown as source beyond the maximum per message, always the same ones', () => {
    const text = Array.from({ length: 900 }, (_, number) => `$$x_{${number}}$$`).join(' ')
    const context = exampleContext({ settings: { ...settings, maxMessageLength: 20_000 } })

    const { html } = renderMarkdown(text, context)

    const shown = count(formula, html)
    assert.ok(shown >= 200 && shown < 400, `${shown} of 900`)
    assert.equal(shown + count(source, html), 900)
    assert.ok(html.lastIndexOf('class="katex"') < html.indexOf('class="tex-error"'))
    assert.equal(renderMarkdown(text, context).html, html)
  })

  it('are laid out once however often they are repeated', () => {
    const { html } = renderMarkdown('$$x$$ '.repeat(500), exampleContext())
    assert.equal(count(formula, html), 500)
  })

  it('are shown as source beyond 200,000 characters of HTML', () => {
    const { html } = renderMarkdown('$$x$$ '.repeat(1_600), exampleContext())

    const shown = count(formula, html)
    assert.ok(shown >= 500 && shown < 550, `${shown} of 1600`)
    assert.equal(shown + count(source, html), 1_600)
    assert.ok(html.length < 300_000, `${html.length} characters`)
  })

  it('are laid out with yields to the event loop', async () => {
    const text =
      '```math\na\n\nb^2\n```\n\n```quote\n$$c$$ and $$c$$ `$$d$$` $$\\nope$$\n```\n\nPLOT-1\n\n' +
      '```js\nlet a = 1 // $$e$$\n```'
    let yields = 0
    const rendered = await renderMarkdownAsync(text, exampleContext(), {
      isDue: true,
      yield: async () => {
        yields += 1
      },
    })

    assert.deepEqual(rendered, renderMarkdown(text, exampleContext()))
    // At least once for each formula.
    assert.ok(yields > 5, `${yields} yields`)
  })
})

describe('code', () => {
  it('is highlighted up to a maximum length', () => {
    assert.equal(highlightCode('int a;\n'.repeat(720), 'c'), undefined)
    assert.equal(highlightCode('$ ls\n'.repeat(500), 'console'), undefined)
  })

  it('is not searched for multi-line constructs across many lines', () => {
    const classOf = (code: string, language: string, word: string): string | undefined =>
      highlightCode(code, language)?.find(({ text }) => text === word)?.className

    for (const language of ['c', 'cpp', 'csharp', 'java']) {
      assert.notEqual(classOf('static int add(int a) { return a; }', language, 'add'), 'nf')
    }
    assert.equal(classOf('a.b = 1', 'ini', 'a.b'), 'na')
    assert.equal(classOf('a.\nb = 1', 'ini', 'a'), 'n')
  })

  it('is limited by the total of all blocks of a message', () => {
    const block = `\`\`\`c\n${'int a;\n'.repeat(300)}\`\`\`\n`

    const blocks = renderMarkdown(block.repeat(4), exampleContext())
      .html.split('codehilite')
      .slice(1)

    assert.deepEqual(
      blocks.map((html) => html.includes('class="kt"')),
      [true, true, false, false],
    )
  })
})

describe('linkifiers', () => {
  const countLinks = (pattern: string, text: string): number => {
    const linkifiers = compileLinkifiers([{ pattern, urlTemplate: 'https://plots.example/{id}' }])
    return count(/<a /g, renderMarkdown(text, exampleContext({ linkifiers })).html)
  }

  it('leave text unchanged that would take too many steps', () => {
    for (const pattern of ['x(?P<id>[0-9]*)(?:.*END)?', '(?P<id>(?:a|x)+)(?:[^!]*!)?']) {
      const links = countLinks(pattern, 'x '.repeat(5_000))
      assert.ok(links >= 1 && links < 20, `${links} links`)
    }
  })

  it('count steps by the size of the compiled pattern, also of texts without a match', () => {
    const stepsOf = (pattern: string, text: string): number => {
      const linkifiers = compileLinkifiers([{ pattern, urlTemplate: 'https://plots.example/{id}' }])
      let total = 0
      const take = (steps: number): boolean => {
        total += steps
        return true
      }
      for (const _ of linkifiers.findMatches(0, text, 0, take)) continue
      return total
    }
    const patterns: readonly ((size: number) => string)[] = [
      (size) => `(?P<id>(?:[a-z]?){${size}})`,
      (size) => `(?P<id>[a-z]{1,${size}})`,
      (size) => `(?P<id>(?:\\pL{0,10}\\pN{0,10}){${size / 20}})`,
      (size) => `(?P<id>${'(?:a|b)?'.repeat(size)})`,
    ]
    for (const patternOf of patterns) {
      for (const text of ['a'.repeat(1_000), 'a '.repeat(400)]) {
        const [small = 0, large = 0] = [200, 800].map((size) => stepsOf(patternOf(size), text))
        assert.ok(large > 3 * small, `${patternOf(2)}: ${small}, ${large}`)
      }
    }
  })

  it('match typical texts', () => {
    for (const pattern of ['PLOT-(?P<id>[0-9]+)', String.raw`(?P<id>[A-Z]+-\d+[\w.-]*)`]) {
      assert.equal(countLinks(pattern, 'see PLOT-12, '.repeat(400)), 400)
    }
    assert.equal(countLinks('(?P<id>#[^ ]+)', 'see #12 and so on\n'.repeat(40)), 40)
  })
})
