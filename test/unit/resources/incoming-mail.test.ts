import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { renderMarkdown } from '../../../packages/core/src/markdown/index.js'
import { markdownOfHtml } from '../../../packages/core/src/resources/notifications/incoming-mail/html-markdown.js'
import {
  textOfMail,
  markdownOfText,
} from '../../../packages/core/src/resources/notifications/incoming-mail/mail-message.js'
import { parseMail } from '../../../packages/core/src/resources/notifications/incoming-mail/mail-parser.js'
import { topicOf } from '../../../packages/core/src/resources/notifications/incoming-mail/mail-text.js'
import {
  fromBase32,
  toBase32,
} from '../../../packages/core/src/resources/people/mail-addresses/incoming-addresses.js'
import { exampleContext } from '../markdown/example-context.js'

const none = { quotes: false, footers: false }
const all = { quotes: true, footers: true }
const rendered = (markdown: string) => renderMarkdown(markdown, exampleContext()).html

/** Elements and text, without the paragraphs that lists may or may not have. */
const structureOf = (html: string) => html.replaceAll(/<\/?p>|\s+/g, '')

describe('the topic of a mail', () => {
  it('is its subject without prefixes, on one line', () => {
    for (const [subject, topic] of [
      ['Re: AW:  Fwd: [x] Lunch', '[x] Lunch'],
      ['Re[12]: Lunch', 'Lunch'],
      ['回复：VS: 聚会', '聚会'],
      ['Ref: 12', 'Ref: 12'],
      ['RE : SV: a\r\n b\u0000\u0085c', 'a b c'],
      ['Regarding: Lunch', 'Regarding: Lunch'],
      ['(no topic)', ''],
      ['Re: ', ''],
      ['😀'.repeat(70), `${'😀'.repeat(57)}...`],
    ] as const) {
      assert.equal(topicOf(subject), topic)
    }
  })
})

describe('the text of a mail', () => {
  it('becomes Markdown that shows indented lines as text, and quotes apart from the rest', () => {
    for (const [text, markdown] of [
      ['    a\n\tb\n  c', '   a\n   b\n  c'],
      ['> q\nanswer\n>     x\n\nend', '> q\n\nanswer\n>    x\n\nend'],
      ['```\n    code\n> x\n```\n      text', '```\n    code\n> x\n```\n   text'],
    ] as const) {
      assert.equal(markdownOfText(text), markdown)
    }
    const html = rendered(markdownOfText('a\n\n    b\n\tc\n\n>      d\ne'))
    assert.equal(
      html,
      '<p>a</p>\n<p>b<br>\n   c</p>\n<blockquote>\n<p>d</p>\n</blockquote>\n<p>e</p>',
    )
  })
})

describe('a long text of a mail', () => {
  const head = 'From: a@b.example\nTo: c@d.example\nSubject: x\n'
  const mail = (type: string, text: string) =>
    Buffer.from(`${head}Content-Type: ${type}\n\n${text}`)

  it('is looked at up to a number of characters and of lines, in all of its forms', async () => {
    for (const beginning of ['> q\n'.repeat(20_000), `> ${'q'.repeat(300_000)}\n`]) {
      const { html = '', ...others } = await parseMail(mail('text/plain', `${beginning}end`))
      assert.ok(html.length < 500_000, `${html.length} characters`)
      assert.ok(!html.includes('end'))
      const text = await textOfMail({ ...others, html }, new Set())
      assert.ok(!text.includes('end'))
    }
  })

  it('may have an answer below a long quote', async () => {
    const text = `${'> q\n'.repeat(10_000)}\nend`
    const reply = await parseMail(
      Buffer.concat([Buffer.from('In-Reply-To: <a@b>\n'), mail('text/plain', text)]),
    )
    assert.equal((await textOfMail(reply, new Set())).slice(-3), 'end')
  })
})

describe('the HTML of a mail', () => {
  it('loses the signatures that mail programs mark, unless they are asked for', async () => {
    for (const mark of ['class="x Gmail_Signature"', 'id="Signature"', 'class="moz-signature"']) {
      const html = `<p>new</p><div ${mark}>Eve</div>`
      assert.equal(await markdownOfHtml(html, none), 'new')
      assert.equal(await markdownOfHtml(html, all), 'new\n\nEve')
    }
    const contract = '<p>Sign here:</p><div class="signature">Eve</div>'
    assert.equal(await markdownOfHtml(contract, none), 'Sign here:\n\nEve')
  })

  it('becomes nested lists, quotes and emphasis', async () => {
    for (const [html, markdown] of [
      ['<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>', '* a\n  * b\n* c'],
      ['<ol start="7"><li>a</li><li>b</li></ol>', '7. a\n8. b'],
      ['<ol start="-1"><li>a</li></ol><ol start="x"><li>b</li></ol>', '1. a\n\n1. b'],
      ['<blockquote>a<br>b</blockquote><blockquote> </blockquote>', '> a\n> b'],
      ['a<b> b </b>c <i></i><b>x<br>y</b>', 'a **b** c x\ny'],
      ['1 &lt; 2 &amp; &#x1F600; &mdash;', '1 < 2 & 😀 —'],
      ['<a href="https://x.example/"><img alt="logo"></a>', '[logo](https://x.example/)'],
      ['<a href="javascript:x">text</a><script>x</script><style>y</style>', 'text'],
      ['<pre>```\n  x</pre>', '````\n```\n  x\n````'],
      [
        '<a href="https://x.example/"><h2><b>Pay</b> <em>now</em></h2><ul><li>here</li></ul></a>',
        '[Pay now here](https://x.example/)',
      ],
      ['<b><a href="https://x.example/">Pay</a></b>', '**[Pay](https://x.example/)**'],
      ['<b>https://x.example/</b>', 'https://x.example/'],
    ] as const) {
      assert.equal(await markdownOfHtml(html, none), markdown, html)
    }
  })

  it('keeps the items of lists where they are when the Markdown is shown', async () => {
    for (const html of [
      '<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>',
      '<ul><li>a<ul><li>b<ul><li>c</li></ul></li><li>d</li></ul></li><li>e</li></ul>',
      '<ul><li>a<ol><li>b</li><li>c</li></ol></li><li>d</li></ul>',
      '<ol start="4"><li>a<ul><li>b</li></ul></li><li>c</li></ol>',
      '<ul><li><p>a</p><ul><li>b</li></ul></li><li><p>c</p></li></ul>',
      '<ul><li>a<ul><li>b</li></ul>more</li><li>c</li></ul>',
      '<ul><li><p>a</p><p>more</p></li><li>b</li></ul>',
      '<ol><li>a<blockquote>b</blockquote></li><li>c</li></ol>',
    ]) {
      const markdown = await markdownOfHtml(html, none)
      assert.equal(structureOf(rendered(markdown)), structureOf(html), markdown)
    }
  })

  it('is whole in elements that are longer than what is written', async () => {
    const html = `<div><p>first</p>${'<p>word</p>'.repeat(20_000)}</div>`
    assert.match(await markdownOfHtml(html, none), /^first\n\nword\n/)
  })

  it('is read up to a limit of nested elements, and written up to a length', async () => {
    for (const tag of ['<div>', '<ul><li>', '<table><tr><td>', '<a href="https://x.example">']) {
      const markdown = await markdownOfHtml(`<p>first</p>${`${tag}x`.repeat(100_000)}`, none)
      assert.match(markdown, /^first/)
      assert.ok(markdown.length < 50_000, tag)
    }
    assert.ok((await markdownOfHtml('word<br>'.repeat(100_000), none)).length < 50_000)
  })
})

describe('a mail', () => {
  it('is refused with too many lines, and parsed with as many as a file of 10 MB has', async () => {
    const head = 'From: eve@x.example\r\n\r\n'

    await assert.rejects(parseMail(Buffer.from(head + '\n'.repeat(300_001))), {
      reason: 'too_large',
    })
    const { text } = await parseMail(Buffer.from(head + `${'a'.repeat(76)}\n`.repeat(130_000)))
    assert.equal(text?.length, 130_000 * 77)
  })
})

describe('the sender of a mail', () => {
  const senderOf = async (head: string) => {
    const { from } = await parseMail(Buffer.from(`${head}\r\nSubject: a\r\n\r\ntext`))
    return from?.address
  }

  it('is the address of the header From, in all forms with one address', async () => {
    for (const head of [
      'From: bob@alpha.example',
      'From: "eve@x.example, \\"Eve\\"" <bob@alpha.example>',
      'From: bob@alpha.example <bob@alpha.example>',
      'From: =?utf-8?Q?B=C3=B6b_=3Ceve=40x.example=3E?= <bob@alpha.example>',
      'From: Bob (home) <bob@alpha.example>',
    ]) {
      assert.equal(await senderOf(head), 'bob@alpha.example', head)
    }
  })

  it('is unknown if there is more than one, of which others may read another one', async () => {
    for (const head of [
      'From: bob@alpha.example, evil@x.example',
      'From: bob@alpha.example\r\nFrom: evil@x.example',
      'From: "x" <bob@alpha.example> <evil@x.example>',
      'From: <@evil.example:bob@alpha.example>',
      'From: evil@x.example <bob@alpha.example>',
      'From: Friends: bob@alpha.example, evil@x.example;',
    ]) {
      assert.equal(await senderOf(head), undefined, head)
    }
  })
})

describe('the files of a mail', () => {
  const rawOf = (type: string, ...parts: readonly string[]) => {
    const body = parts.map((part) => `--x\r\n${part}\r\n`).join('')
    const head = `From: eve@x.example\r\nContent-Type: ${type}; boundary=x\r\n\r\n`
    return Buffer.from(`${head}${body}--x--`)
  }
  const namesOf = async (type: string, ...parts: readonly string[]) =>
    (await parseMail(rawOf(type, ...parts))).files.map(({ name }) => name)
  const part = (type: string, content: string) => `Content-Type: ${type}\r\n\r\n${content}`

  it('are named by their type where the mail does not name them', async () => {
    const message = 'From: a@x.example\r\nSubject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=\r\n\r\nHi'
    const attached = (type: string) => `Content-Disposition: attachment\r\n${part(type, message)}`

    assert.deepEqual(
      await namesOf(
        'multipart/mixed',
        part('text/plain', 'Hi'),
        part('text/calendar; method=REQUEST', 'BEGIN:VCALENDAR'),
        attached('message/rfc822'),
        part('image/jpeg', '1'),
        part('application/x-unknown', '2'),
        attached('text/plain'),
        part('application/pdf; name=a.pdf', '3'),
      ),
      ['invite.ics', 'Grüße.eml', 'attachment.jpeg', 'attachment', 'attachment.txt', 'a.pdf'],
    )
    const bare = 'Content-Disposition: attachment\r\nContent-Type: message/rfc822\r\n\r\n'
    assert.deepEqual(await namesOf('multipart/mixed', bare), ['message.eml'])
  })

  it('are no texts: those beside HTML are part of the message', async () => {
    const html = '<div>The <b>news</b> of the week, in full.</div>'
    const parts = [
      ['multipart/mixed', part('text/html', html), part('text/plain', '<a> & footer\nof the list')],
      ['multipart/mixed', part('text/plain', 'Short'), part('text/html', html)],
      ['multipart/alternative', part('text/plain', 'Short'), part('text/html', html)],
    ] as const
    const texts = parts.map(async ([type, ...of]) =>
      textOfMail(await parseMail(rawOf(type, ...of)), new Set()),
    )

    assert.deepEqual(await Promise.all(texts), [
      'The **news** of the week, in full.\n\n<a> & footer\nof the list',
      'Short\n\nThe **news** of the week, in full.',
      'Short',
    ])
  })

  it('are not the other forms of its text', async () => {
    const amp = part('text/x-amp-html', '<html amp4email></html>')
    const alternatives = [
      part('text/plain', 'Hi'),
      amp,
      part('text/x-other', 'Hi'),
      part('text/calendar', 'BEGIN:VCALENDAR'),
    ]
    const nested = `--y\r\n${alternatives.join('\r\n--y\r\n')}\r\n--y--`

    assert.deepEqual(await namesOf('multipart/alternative', ...alternatives), ['invite.ics'])
    assert.deepEqual(
      await namesOf(
        'multipart/mixed',
        part('multipart/alternative; boundary=y', nested),
        part('text/csv', 'a,b'),
        part('application/ics; name=meeting.ics', 'BEGIN:VCALENDAR'),
      ),
      ['attachment', 'attachment.csv', 'meeting.ics'],
    )
  })
})

describe('base 32', () => {
  it('restores what it encodes, and nothing else', () => {
    for (let length = 0; length < 40; length += 1) {
      const bytes = Buffer.from(Array.from({ length }, (_, index) => (index * 151 + length) & 255))
      assert.deepEqual(fromBase32(toBase32(bytes)), bytes)
    }
    assert.equal(toBase32(Buffer.from('foobar')), 'mzxw6ytboi')
    for (const wrong of ['mzxw6ytboj', 'm', '1', 'MZXW6', 'mzxw6===']) {
      assert.equal(fromBase32(wrong), undefined, wrong)
    }
  })
})
