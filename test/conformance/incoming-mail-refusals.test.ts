import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'

import type { ReceivedMail } from '@parley/core'

import { makeBot } from '../support/bots.js'
import { makeGroup } from '../support/groups.js'
import { everyDatabase, type HostCase } from '../support/host.js'
import {
  addressOf,
  incomingMail,
  IncomingMails,
  newest,
  withOptions,
} from '../support/incoming-mails.js'

const head = 'From: Eve <eve@outside.example>\r\nSubject: refusals\r\n'

/** Passes a mail without an SMTP server. */
function receive(
  { host: { chat } }: HostCase,
  recipient: string | undefined,
  headers = '',
  body = 'text',
): Promise<ReceivedMail> {
  const raw = `${head}${headers}\r\n${body}`
  return chat.receiveMail(raw, recipient === undefined ? {} : { recipient })
}

const reasonOf = (mail: ReceivedMail) => (mail.status === 'refused' ? mail.reason : mail.status)

everyDatabase(
  'refused incoming mail',
  'koa',
  (at) => {
    let mails: IncomingMails
    before(async () => {
      mails = new IncomingMails(at)
      await mails.start()
    })
    after(() => mails.stop())

    it('is answered by the mail server with the reason', async () => {
      const to = 'general.abc@in.chat.example'

      await assert.rejects(
        mails.send({ to, subject: 's', text: 't' }),
        /550 There is no such mailbox/,
      )
      await assert.rejects(
        mails.send({ to: 'x@elsewhere.example', subject: 's', text: 't' }),
        /550 We do not relay mail/,
      )
    })

    it('is what a forged, changed or foreign address gets', async () => {
      const { alice } = at.people
      const address = withOptions(await addressOf(alice, at.channels.general))
      const [local = ''] = address.split('@')
      const token = local.split('.')[1] ?? ''
      const changed = token.endsWith('a') ? `${token.slice(0, -1)}b` : `${token.slice(0, -1)}a`
      const flipped = [...token]
      flipped[3] = flipped[3] === 'b' ? 'c' : 'b'

      assert.equal(reasonOf(await receive(at, address)), 'sent')
      assert.equal(reasonOf(await receive(at, address.toUpperCase())), 'sent')
      assert.equal(reasonOf(await receive(at, `${token}@in.chat.example`)), 'sent')
      for (const wrong of [
        `${changed}@in.chat.example`,
        `${flipped.join('')}@in.chat.example`,
        `${token}a@in.chat.example`,
        `${local}@other.example`,
        '@in.chat.example',
        `${'a.'.repeat(5000)}@in.chat.example`,
        '',
      ]) {
        assert.equal(reasonOf(await receive(at, wrong)), 'unknown_address', wrong)
      }
      assert.equal(reasonOf(await receive(at, undefined)), 'unknown_address')
      const others = `To: x@y.example, <${address}>\r\nDelivered-To: z@y.example\r\n`
      assert.equal(reasonOf(await receive(at, undefined, others, 'by its headers')), 'sent')
    })

    it('does not reach another organization', async () => {
      const address = await addressOf(at.people.alice, at.channels.general)
      const other = await at.host.organization()
      const theirs = await addressOf(other.people.alice, other.channels.general)

      assert.notEqual(theirs, address)
      assert.equal(reasonOf(await receive(at, theirs)), 'sent')
      assert.equal((await newest(other.people.bob)).subject, 'refusals')
      assert.equal((await newest(at.people.bob)).content, 'by its headers')
    })

    it('is what an address gets whose user lost a right, or whose channel is archived', async () => {
      const { alice, bob, olga } = at.people
      const made = await olga.post('/channels/create', {
        name: 'mailed',
        subscribers: [alice.id, bob.id],
      })
      const channelId = made.body.id
      const group = await makeGroup(olga, 'mailers', { members: [alice.id] })
      const bot = await makeBot(bob)
      const own = await addressOf(bob, channelId)
      const asBot = await addressOf(bob, channelId, bot.user_id)
      assert.equal(reasonOf(await receive(at, own, '', '1')), 'sent')
      assert.equal(reasonOf(await receive(at, asBot, '', '2')), 'sent')

      await olga.patch(`/streams/${channelId}`, { can_send_message_group: { new: group } })
      assert.equal(reasonOf(await receive(at, own, '', '3')), 'not_allowed')
      assert.equal(reasonOf(await receive(at, asBot, '', '4')), 'not_allowed')
      const ofAlice = await addressOf(alice, channelId)
      assert.equal(reasonOf(await receive(at, ofAlice, '', '5')), 'sent')
      await olga.delete(`/streams/${channelId}`)
      assert.equal(reasonOf(await receive(at, ofAlice, '', '6')), 'not_allowed')
    })

    it('is what an address gets after the API key was replaced, or the account deactivated', async () => {
      const { adam, bob, mona, olga } = at.people
      const { general } = at.channels
      const bot = await makeBot(bob)
      const [asBot, ofBob, ofMona] = [
        await addressOf(bob, general, bot.user_id),
        await addressOf(bob, general),
        await addressOf(mona, general),
      ]

      await bob.post(`/bots/${bot.user_id}/api_key/regenerate`)
      assert.equal(reasonOf(await receive(at, asBot, '', '1')), 'unknown_address')
      assert.equal(reasonOf(await receive(at, ofBob, '', '2')), 'sent')
      await olga.delete(`/users/${mona.id}`)
      assert.equal(reasonOf(await receive(at, ofMona, '', '3')), 'unknown_address')
      const ofAdam = await addressOf(adam, general)
      await adam.post('/users/me/api_key/regenerate')
      assert.equal(reasonOf(await receive(at, ofAdam, '', '4')), 'unknown_address')
    })

    it('is what automatic answers, bounces and mails of the chat get', async () => {
      const to = await addressOf(at.people.alice, at.channels.general)

      for (const headers of [
        'Auto-Submitted: auto-replied\r\n',
        'Auto-Submitted: Auto-Replied; owner="x"\r\n',
        'Precedence: auto_reply\r\n',
        'X-Autoreply: yes\r\n',
        'Return-Path: <>\r\n',
        'Content-Type: multipart/report; boundary=x\r\n',
        'Message-ID: <parley.1.2.3-4@chat.example>\r\n',
        'Message-ID: <a@b>\r\nResent-Message-ID: <parley.1.2.3-4@chat.example>\r\n',
      ]) {
        assert.equal(reasonOf(await receive(at, to, headers)), 'automatic', headers)
      }
      const monitoring = 'Auto-Submitted: auto-generated\r\nPrecedence: bulk\r\n'
      assert.equal(reasonOf(await receive(at, to, monitoring, 'monitoring')), 'sent')
    })

    it('is what malformed, empty and too large mails get', async () => {
      const to = withOptions(await addressOf(at.people.alice, at.channels.general))
      const { chat } = at.host
      const parts = `Content-Type: multipart/mixed; boundary=x\r\n\r\n${'--x\r\n\r\n\r\n'.repeat(500)}`
      let deep = ''
      for (let level = 0; level < 300; level += 1) {
        deep += `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\n`
      }
      const cases: [string | Uint8Array, string][] = [
        ['', 'malformed'],
        ['\r\n\r\nno headers', 'malformed'],
        [Buffer.alloc(5000, 0), 'malformed'],
        ['From: eve@outside.example\r\n\r\n\r\n', 'empty'],
        [`From: eve@outside.example\r\nX-A: ${'a'.repeat(70_000)}\r\n\r\ntext`, 'too_large'],
        [`From: e@x.example\r\n${parts}`, 'too_large'],
        [`From: e@x.example\r\n${deep}text`, 'too_large'],
        [Buffer.alloc(1024 * 1024 + 1, 'a'), 'too_large'],
      ]

      for (const [raw, reason] of cases) {
        const mail = await chat.receiveMail(raw, { recipient: to })
        assert.equal(reasonOf(mail), reason, String(raw).slice(0, 60))
      }
    })

    it('is not a mail that arrives again: it is the same message for a day', async () => {
      const { alice, bob } = at.people
      const to = await addressOf(alice, at.channels.general)
      const id = 'Message-ID: <once@outside.example>\r\n'

      const [first, again] = await Promise.all([receive(at, to, id), receive(at, to, id)])
      const design = await addressOf(alice, at.channels.design)
      const elsewhere = await receive(at, design, id)

      assert.equal(first.status, 'sent')
      assert.deepEqual(again, first)
      assert.notDeepEqual(elsewhere, first)
      assert.deepEqual(await receive(at, to, id), first)
      at.clock.jump(25 * 3600)
      assert.notDeepEqual(await receive(at, to, id), first)
      assert.equal((await newest(bob)).subject, 'refusals')
    })

    it('is reported as an error where the call is wrong', async () => {
      const { chat } = at.host
      await assert.rejects(chat.receiveMail(7 as never), TypeError)
      await assert.rejects(chat.receiveMail('', { recipient: 7 } as never), TypeError)
    })
  },
  { incomingMail: { ...incomingMail, maxMebibytes: 1 } },
)

everyDatabase(
  'limits of incoming mail',
  'express',
  (at) => {
    it('truncates long mails, and keeps the links to their files', async () => {
      const { alice, bob } = at.people
      const mails = new IncomingMails(at)
      await mails.start()
      const to = withOptions(await addressOf(alice, at.channels.general))

      await mails.send({
        to,
        subject: 'x'.repeat(200),
        text: 'word '.repeat(40_000),
        attachments: Array.from({ length: 25 }, (_, index) => ({
          filename: `file-${index}.txt`,
          content: index === 0 ? 'a'.repeat(1024 * 1024 + 1) : 'small',
        })),
      })
      await mails.stop()

      const { content, subject } = await newest(bob)
      assert.equal(subject, `${'x'.repeat(57)}...`)
      assert.ok(content.length <= 10_000)
      assert.match(content, /\n\[message truncated\]\n\n\[file-1\.txt\]/)
      assert.match(content, /\[file-19\.txt\]\(\/user_uploads\/\S+\)\n6 files of the mail were not/)
      assert.ok(!content.includes('file-20'))
    })

    it('refuses mails above the rate limit for now', async () => {
      const { alice } = at.people
      const to = await addressOf(alice, at.channels.general)
      await receive(at, to, '', 'second')

      await assert.rejects(receive(at, to, '', 'third'), { kind: 'RATE_LIMIT_HIT' })
    })

    it('keeps the policy of the channel about topics', async () => {
      const { bob, olga } = at.people
      const post = async (subject: string, topics_policy: string) => {
        at.clock.jump(61)
        const name = `topics ${topics_policy}`
        const made = await olga.post('/channels/create', {
          name,
          subscribers: [bob.id, olga.id],
          topics_policy,
        })
        const to = withOptions(await addressOf(olga, made.body.id))
        const raw = `From: e@x.example\r\nSubject: ${subject}\r\n\r\ntext of ${subject}`
        await at.host.chat.receiveMail(raw, { recipient: to })
        const message = await newest(bob)
        return [message.subject, message.content]
      }

      assert.deepEqual(await post('a *b*', 'empty_topic_only'), ['', '**a b**\n\ntext of a *b*'])
      assert.deepEqual(await post('', 'allow_empty_topic'), ['', 'text of'])
      assert.deepEqual(await post('Re: ', 'disable_empty_topic'), [
        'Mail without a subject',
        'text of Re:',
      ])
    })
  },
  {
    incomingMail,
    maxUploadMebibytes: 1,
    rateLimits: { incomingMailByUser: [{ windowSeconds: 60, maxRequests: 2 }], apiByUser: [] },
  },
)
