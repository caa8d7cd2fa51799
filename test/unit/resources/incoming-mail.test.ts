import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { markdownOfHtml } from '../../../packages/core/src/resources/notifications/incoming-mail/html-markdown.js'
import { parseMail } from '../../../packages/core/src/resources/notifications/incoming-mail/mail-parser.js'
import {
  ownText,
  topicOf,
} from '../../../packages/core/src/resources/notifications/incoming-mail/mail-text.js'
import {
  fromBase32,
  toBase32,
} from '../../../packages/core/src/resources/people/mail-addresses/base32.js'

const none = { quotes: false, footers: false }
const all = { quotes: true, footers: true }

describe('the topic of a mail', () => {
  it('is its subject without prefixes, on one line', () => {
    for (const [subject, topic] of [
      ['Re: AW:  Fwd: [x] Lunch', '[x] Lunch'],
      ['Re[12]: Lunch', 'Lunch'],
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
  it('ends where the quoted mail begins', () => {
    for (const quote of [
      'On Mon, Nov 2, 2026 at 9:00 AM Ada Byron\n<ada@x.example> wrote:\n\n> old',
      'Am 2. November schrieb Ada:\n> alt',
      'Le 2 novembre, Ada a écrit :\n\n> vieux',
      '-----Original Message-----\nFrom: Ada\nold',
      'Von: Ada\nGesendet: Montag\nAn: Eve\nalt',
      '> old\n> older',
    ]) {
      assert.equal(ownText(`New\n> answered\nline\n\n${quote}\n`, none), 'New\n> answered\nline')
    }
  })

  it('keeps lines that only look like the begin of a quote', () => {
    for (const text of [
      'On Monday she wrote:\nHello',
      'From: here\nto there',
      'Am I right?\n-- no signature',
      '-----\nrule',
    ]) {
      assert.equal(ownText(text, none), text)
    }
  })
})

describe('the HTML of a mail', () => {
  it('loses the quotes and signatures that mail programs mark, unless they are asked for', async () => {
    const quoted = '<div class="x Gmail_quote">old</div>'
    const signature = '<div class="gmail_signature">Eve</div>'
    const outlook = '<hr><div id="divRplyFwdMsg">From: Ada</div><div>old</div>'

    assert.equal(await markdownOfHtml(`<p>new</p>${signature}${quoted}`, none), 'new')
    assert.equal(await markdownOfHtml(`<p>new</p>${signature}${quoted}`, all), 'new\n\nEve\nold')
    assert.equal(await markdownOfHtml(`<p>new</p>${outlook}`, none), 'new\n\n---')
  })

  it('becomes nested lists, quotes and emphasis', async () => {
    for (const [html, markdown] of [
      ['<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>', '* a\n\n  * b\n* c'],
      ['<blockquote>a<br>b</blockquote>', '> a\n> b'],
      ['a<b> b </b>c <i></i><b>x<br>y</b>', 'a **b** c x\ny'],
      ['1 &lt; 2 &amp; &#x1F600;', '1 < 2 & 😀'],
      ['<a href="https://x.example/"><img alt="logo"></a>', '[logo](https://x.example/)'],
      ['<a href="javascript:x">text</a><script>x</script><style>y</style>', 'text'],
      ['<pre>```\n  x</pre>', '````\n```\n  x\n````'],
    ] as const) {
      assert.equal(await markdownOfHtml(html, none), markdown, html)
    }
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
