import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { messageOfSlack } from '../../../packages/core/src/resources/notifications/incoming-webhooks/slack-message.js'
import { markdownOfSlack } from '../../../packages/core/src/resources/notifications/incoming-webhooks/slack-text.js'
import { searchedCharacters } from '../../support/searched-characters.js'

const texts: readonly (readonly [string, string])[] = [
  ['plain', 'plain'],
  ['*bold* _italic_ ~struck~', '**bold** *italic* ~~struck~~'],
  ['*bold _and italic_*', '**bold *and italic*\u2060**'],
  ['2*3*4 and a_b_c', '2&#42;3&#42;4 and a_b_c'],
  ['* item', '* item'],
  ['*not\nbold*', '&#42;not\nbold&#42;'],
  ['**', '&#42;&#42;'],
  ['*a _b* c_', '**a _b** c_'],
  ['`*code*` and *bold*', '`*code*` and **bold**'],
  ['`open *bold*', '&#96;open **bold**'],
  ['```\n*a*\n<b|c>\n```', '```\n*a*\n<b|c>\n```'],
  ['see ```x &lt; y``` there', 'see \n```\nx < y\n```\n there'],
  ['``` open *bold*', '&#96;&#96;&#96; open **bold**'],
  ['<https://a.example/x_y_z|a *label*>', '[a *label*](https://a.example/x_y_z)'],
  ['*<https://a.example|A>*', '**[A](https://a.example)**'],
  ['<https://a.example>', 'https://a.example'],
  ['<https://a.example/(x)|y]z>', '[y&#93;z](https://a.example/%28x%29)'],
  ['<javascript:alert(1)|click>', 'click'],
  ['<mailto:a@b.example|a@b.example>', '[a@b.example](mailto:a@b.example)'],
  [
    '<@U123|ada> <@U456> <#C1|general> <!here> <!subteam^S1|@team>',
    '@ada @U456 #general @here @team',
  ],
  ['<!date^1392734382^{date}|Feb 18>', 'Feb 18'],
  ['a < b > c', 'a < b > c'],
  ['&lt;b&gt; &amp;amp; &quot;', '<b> &amp;amp; &amp;quot;'],
  ['> quoted\n• item', '> quoted\n\n• item'],
  ['&gt; quoted\n>>> all\n> this', '> quoted\n```quote\nall\n&#62; this\n```'],
  ['- a\nb', '- a\n\nb'],
  ['<no value> and <https://a.example', '<no value> and <https://a.example'],
  ['<https://a.example|[A] b>', '[[A] b](https://a.example)'],
  ['*<https://a.example>*', '**[https://a.example](https://a.example)**'],
  ['<!date^1392734382^{date}^https://a.example|Feb 18>', '[Feb 18](https://a.example)'],
  ['<!date^1392734382^{date}>', '<time:2014-02-18T14:39:42Z>'],
  ['<@U1|**all**>', '@&#42;&#42;all&#42;&#42;'],
  ['@**all** and #**general**', '@**all** and #**general**'],
  [':wave::skin-tone-3:', ':wave:'],
  ['# a\n~~~ b', '&#35; a\n&#126;&#126;&#126; b'],
]

describe('mrkdwn', () => {
  for (const [slack, markdown] of texts) {
    it(`becomes Markdown: ${JSON.stringify(slack)}`, () => {
      assert.equal(markdownOfSlack(slack), markdown)
    })
  }

  for (const piece of ['*a ', '*a* ', '<', '`', '``` ', '<a|', '*_~', '&lt;', '\n', '*a', '`a']) {
    it(`is not searched again and again: ${JSON.stringify(piece)}`, () => {
      const text = piece.repeat(1_000_000 / piece.length)

      const searched = searchedCharacters(() => markdownOfSlack(text))

      // Of a longer text, 12,000 characters are read.
      assert.ok(searched < 5 * 12_000, `${searched} characters`)
    })
  }
})

describe('the payload of a Slack webhook', () => {
  it('has blocks', () => {
    const blocks = [
      { type: 'header', text: { type: 'plain_text', text: 'Build *7*' } },
      {
        type: 'section',
        text: { type: 'mrkdwn', text: '*State*: ok' },
        fields: [
          { type: 'mrkdwn', text: '_a_' },
          { type: 'plain_text', text: '_b_' },
        ],
        accessory: { type: 'button', url: 'https://a.example', text: { text: 'Open' } },
      },
      { type: 'divider' },
      { type: 'image', image_url: 'https://a.example/p.png', alt_text: 'Plot' },
      {
        type: 'context',
        elements: [
          { type: 'mrkdwn', text: 'by' },
          { type: 'plain_text', text: 'CI' },
        ],
      },
      {
        type: 'actions',
        elements: [
          { type: 'button', url: 'https://a.example/1', text: { text: 'One' } },
          { type: 'button', text: { text: 'Two' } },
        ],
      },
    ]

    assert.equal(
      messageOfSlack({ text: 'not shown', blocks }).content,
      [
        '## Build &#42;7&#42;',
        '**State**: ok\n*a*\n_b_\n[Open](https://a.example)',
        '---',
        '[Plot](https://a.example/p.png)',
        'by CI',
        '[One](https://a.example/1) | Two',
      ].join('\n\n'),
    )
  })

  it('has rich text', () => {
    const section = (...elements: object[]) => ({ type: 'rich_text_section', elements })
    const text = (value: string, style: object = {}) => ({ type: 'text', text: value, style })
    const blocks = [
      {
        type: 'rich_text',
        elements: [
          section(text('Hi '), text('all', { bold: true, italic: true }), {
            type: 'link',
            url: 'https://a.example',
            text: 'A',
          }),
          {
            type: 'rich_text_list',
            style: 'ordered',
            elements: [section(text('a')), section(text('b'))],
          },
          {
            type: 'rich_text_list',
            style: 'bullet',
            elements: [section(text('c', { code: true }))],
          },
          { type: 'rich_text_quote', elements: [text('x\ny')] },
          { type: 'rich_text_preformatted', elements: [text('code')] },
        ],
      },
    ]

    assert.equal(
      messageOfSlack({ blocks }).content,
      'Hi ***all***[A](https://a.example)\n1. a\n2. b\n* `c`\n\n> x\n> y\n\n```\ncode\n```',
    )
  })

  it('has attachments, after the text', () => {
    const attachments = [
      {
        pretext: '*New*',
        title: 'Ticket 1',
        title_link: 'https://a.example/1',
        text: 'It is _broken_',
        fields: [{ title: 'Priority', value: '*high*' }, { value: 'x' }],
        image_url: 'https://a.example/i.png',
        footer: 'Tracker',
      },
      { fallback: 'Only _this_' },
    ]

    assert.equal(
      messageOfSlack({ text: 'Hello', attachments }).content,
      [
        'Hello',
        '**New**\n## [Ticket 1](https://a.example/1)\nIt is *broken*\n**Priority**: **high**\nx\n[image](https://a.example/i.png)\nTracker',
        'Only *this*',
      ].join('\n\n'),
    )
  })
})
