import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { plainTextOf, shortened } from '../../../packages/core/src/domain/texts/plain-text.js'

const cases: [what: string, html: string, text: string][] = [
  ['emphasis', '<p>a <strong>b</strong> &amp; &lt;c&gt;</p>', 'a b & <c>'],
  ['paragraphs and breaks', '<p>one<br>\ntwo</p>\n<p>three</p>', 'one\ntwo\nthree'],
  [
    'a standard emoji',
    '<p><span aria-label="tada" class="emoji emoji-1f389" role="img" title="tada">:tada:</span></p>',
    '🎉',
  ],
  [
    'a flag',
    '<p><span class="emoji emoji-1f1e9-1f1ea" role="img">:de:</span></p>',
    '\u{1f1e9}\u{1f1ea}',
  ],
  ['a custom emoji', '<p><img alt=":wave:" class="emoji" src="/w.png" title="wave"></p>', ':wave:'],
  ['a quote', '<blockquote>\n<p>one<br>two</p>\n</blockquote>\n<p>yes</p>', '> one\n> two\nyes'],
  ['a numbered list', '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>', '3. a\n4. b'],
  ['a list', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>', 'a\nb'],
  [
    'a spoiler',
    '<div class="spoiler-block"><div class="spoiler-header">\n<p>End</p>\n</div><div class="spoiler-content" aria-hidden="true">\n<p>Dead</p>\n</div></div>',
    'End\n(…)',
  ],
  [
    'a formula',
    '<p><span class="katex"><span class="katex-mathml"><math><semantics><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation></semantics></math></span><span class="katex-html"><svg><path d="M0"/></svg>x2</span></span></p>',
    'x^2',
  ],
  ['a mention', '<p><span class="user-mention" data-user-id="3">@Bob</span> hi</p>', '@Bob hi'],
  [
    'character references',
    '<p>&#39;&#x1F389;&quot; &copy;&mdash;&CounterClockwiseContourIntegral; &#xD800; &unknown; &amp;amp;</p>',
    '\'🎉" ©—∳ \uFFFD &unknown; &amp;',
  ],
  ['character references of attributes', '<p><img alt="&eacute;" class="emoji"></p>', 'é'],
  ['an image', '<p>see</p><div><a href="/x"><img src="/x"></a></div>', 'see'],
]

describe('the text of a rendered message', () => {
  for (const [what, html, text] of cases) {
    it(`shows ${what}`, () => assert.equal(plainTextOf(html), text))
  }

  it('is truncated between characters', () => {
    assert.equal(shortened('🎉🎉🎉', 2), '🎉🎉…')
    assert.equal(shortened('🎉🎉', 2), '🎉🎉')
  })
})
