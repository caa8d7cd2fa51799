import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'

import { everyDatabase } from '../support/host.js'
import {
  addressOf,
  incomingMail,
  IncomingMails,
  newest,
  withOptions,
} from '../support/incoming-mails.js'
import { readRoot } from '../support/uploads.js'

const gatewayId = 2_147_483_003

everyDatabase(
  'incoming mail',
  'express',
  (at) => {
    let mails: IncomingMails
    before(async () => {
      mails = new IncomingMails(at)
      await mails.start()
    })
    after(() => mails.stop())

    it('becomes a message of the e-mail gateway in the channel of its address', async () => {
      const { alice, bob } = at.people
      const to = await addressOf(alice, at.channels.general)

      await mails.send({ to, subject: 'Re: Fwd: Lunch plans', text: 'Pizza **today**?\n\nEve' })

      const { id: _, ...message } = await newest(bob)
      assert.match(to, /^general\.[a-z2-7]{30,60}\.show-sender@in\.chat\.example$/)
      assert.deepEqual(
        { ...message, client: undefined },
        {
          ...message,
          client: undefined,
          sender_id: gatewayId,
          subject: 'Lunch plans',
          content: 'From: Eve Outside (eve@outside.example)\n\nPizza **today**?\n\nEve',
        },
      )
      assert.equal(await addressOf(alice, at.channels.general), to)
    })

    it('has U+FFFD for U+0000 in plain texts and in HTML', async () => {
      const { alice, bob } = at.people
      const to = await addressOf(alice, at.channels.general, alice.id)

      for (const mail of [{ text: 'Piz\0za' }, { html: '<p>Piz\0za</p>' }]) {
        await mails.send({ to, subject: 'Lunch\0 plans', ...mail })
        const { subject, content } = await newest(bob)
        assert.deepEqual([subject, content.split('\n\n')[1]], ['Lunch plans', 'Piz\ufffdza'])
      }
    })

    it('is sent by the user or the bot for which the address was made', async () => {
      const { alice, bob, bot } = at.people

      for (const sender of [alice, bot]) {
        const to = await addressOf(alice, at.channels.general, sender.id)
        await mails.send({ to, subject: 'as a user', text: `as ${sender.id}` })
        const { sender_id, content } = await newest(bob)
        assert.deepEqual([sender_id, content.split('\n\n')[1]], [sender.id, `as ${sender.id}`])
      }
    })

    it('leaves out quotes and signatures unless the address asks for them', async () => {
      const { alice, bob } = at.people
      const address = await addressOf(alice, at.channels.general)
      const text = 'Yes.\n\nOn Monday, Bob wrote:\n> Really?\n\n-- \nEve, Outside Ltd.'
      const outlook = 'Fine\n\nFrom: Bob <b@x.example>\nSent: 9:00\nTo: Eve\nSubject: q\n\nold text'
      const between = 'On Monday, Bob wrote:\n> Really?\nYes.\n> When?\nAt 9.\n\n> Where?'
      const sent: string[] = []

      for (const [body, subject, ...options] of [
        [text, 'Re: q'],
        [text, 'Re: q', 'include-quotes'],
        [text, 'Re: q', 'include-quotes', 'include-footers'],
        [text, 'Fwd: q'],
        [text, 'q'],
        [outlook, 'Re: q'],
        [outlook, 'q'],
        [between, 'Re: q'],
      ] as const) {
        await mails.send({ to: withOptions(address, ...options), subject, text: body })
        sent.push((await newest(bob)).content)
      }

      assert.deepEqual(sent, [
        'Yes.',
        'Yes.\n\nOn Monday, Bob wrote:\n> Really?',
        text,
        text,
        'Yes.\n\nOn Monday, Bob wrote:\n> Really?',
        'Fine',
        outlook,
        'Yes.\n> When?\n\nAt 9.',
      ])
    })

    it('converts HTML without a text, or if the address prefers it', async () => {
      const { alice, bob } = at.people
      const to = withOptions(await addressOf(alice, at.channels.general))
      const html = [
        '<style>p { color: red }</style><h1>News</h1><p>All <b>good</b>, <i>really</i>.<br>See ',
        '<a href="https://a.example/x?(1)">the page</a> <a href="javascript:alert(1)">here</a></p>',
        '<ol><li>one<li>two</ol><pre>a  b\n  c</pre><img src="https://spy.example/1.gif">',
        '<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>',
        '<blockquote type="cite">old</blockquote>',
      ].join('')

      await mails.send({ to, subject: 'html', html })
      const only = (await newest(bob)).content
      await mails.send({ to, subject: 'both', html, text: 'plain' })
      const both = (await newest(bob)).content
      const preferring = to.replace('@', '+prefer-html@')
      await mails.send({ to: preferring, subject: 'both', html, text: 'plain' })
      const preferred = (await newest(bob)).content

      assert.equal(
        only,
        [
          '# News\n\nAll **good**, *really*.\nSee [the page](https://a.example/x?%281%29) here\n',
          '1. one\n2. two\n\n```\na  b\n  c\n```\n\na b\nc\n\n> old',
        ].join('\n'),
      )
      assert.equal(both, 'plain')
      assert.equal(preferred, only)
    })

    it('stores attachments as uploads', async () => {
      const { alice, bob } = at.people
      const to = withOptions(await addressOf(alice, at.channels.general))

      await mails.send({
        to,
        subject: 'files',
        text: 'see',
        attachments: [
          { filename: 'Übersicht [1].txt', content: 'the plan' },
          { filename: 'b.bin', content: Buffer.alloc(70_000, 7) },
        ],
      })

      const { content } = await newest(bob)
      assert.match(content, /^see\n\n\[Übersicht \(1\)\.txt\]\(\/user_uploads\/\S+\)\n\[b\.bin\]/)
      const [plan = '', binary = ''] = [...content.matchAll(/\]\(\/user_uploads(\S+?)\)/g)].map(
        ([, path]) => path,
      )
      assert.equal((await readRoot(bob, `/user_uploads${plan}`)).text, 'the plan', content)
      const file = await readRoot(bob, `/user_uploads${binary}`)
      assert.equal(file.headers['content-length'], '70000')
      const { people } = await at.host.organization()
      assert.equal((await readRoot(people.bob, `/user_uploads${plan}`)).status, 404)
    })

    it('decodes the charsets and encodings of mails', async () => {
      const { alice, bob } = at.people
      const recipient = withOptions(await addressOf(alice, at.channels.general))
      const head = `From: eve@outside.example\r\nTo: ${recipient}\r\n`
      const parts: [string | Buffer, string][] = [
        [
          Buffer.from(
            `${head}Subject: =?iso-8859-1?Q?Gr=FC=DFe?=\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\r\nfranz\xf6sisch`,
            'latin1',
          ),
          'Grüße: französisch',
        ],
        [
          `${head}Subject: =?utf-8?B?0J/RgNC40LLQtdGC?=\r\nContent-Type: text/plain; charset=windows-1251\r\nContent-Transfer-Encoding: base64\r\n\r\n7ejt4uXy`,
          'Привет: нинвет',
        ],
        [
          `${head}Subject: qp\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n=E2=82=AC 5 =\r\nonly`,
          'qp: € 5 only',
        ],
      ]

      for (const [raw, expected] of parts) {
        const result = await at.host.chat.receiveMail(raw)
        assert.equal(result.status, 'sent', JSON.stringify(result))
        const { subject, content } = await newest(bob)
        assert.equal(`${subject}: ${content}`, expected)
      }
    })
  },
  { incomingMail },
)
