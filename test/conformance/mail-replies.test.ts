import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { ReceivedMail } from '@parley/core'
import type { ParsedMail } from 'mailparser'

import type { Client } from '../support/client.js'
import { everyDatabase, type HostCase } from '../support/host.js'
import { incomingMail, IncomingMails, newest } from '../support/incoming-mails.js'
import { MissedMails, pass } from '../support/missed-mails.js'

const missed = new MissedMails()

/** The address for replies in the next mail to a user. */
async function nextReplyTo(at: HostCase, client: Client, count: number): Promise<string> {
  await pass(at)
  return replyTo(await missed.server.arrived(client.email, count))
}

const replyTo = (mail: ParsedMail) => mail.replyTo?.value[0]?.address ?? ''

/** Passes a reply without an SMTP server. */
function receive(
  at: HostCase,
  recipient: string,
  { from, headers = '', text = 'reply' }: { from: string; headers?: string; text?: string },
): Promise<ReceivedMail> {
  const raw = `From: ${from}\r\nSubject: Re: anything\r\n${headers}\r\n${text}`
  return at.host.chat.receiveMail(raw, { recipient })
}

const reasonOf = (mail: ReceivedMail) => (mail.status === 'refused' ? mail.reason : mail.status)

everyDatabase(
  'replies to mails about missed messages',
  'express',
  (at) => {
    it('become direct messages of the user to all participants', async () => {
      const { adam, alice, bob } = at.people
      const mails = new IncomingMails(at)
      await mails.start()
      await alice.whisper([adam, bob], 'Lunch?')
      const to = await nextReplyTo(at, bob, 1)

      await mails.send({
        from: `Bob <${bob.email.toUpperCase()}>`,
        to,
        subject: 'Re: Direct messages',
        text: 'Yes, **please**\n\nOn Monday, chat@product.example wrote:\n> Lunch?',
        attachments: [{ filename: 'menu.txt', content: 'soup' }],
      })
      await mails.stop()

      const message = await newest(adam)
      assert.match(to, /^[a-z2-7]{30,60}@in\.chat\.example$/)
      assert.equal(message.sender_id, bob.id)
      assert.match(
        message.content,
        /^Yes, \*\*please\*\*\n\n\[menu\.txt\]\(\/chat\/user_uploads\/\S+\)$/,
      )
      assert.equal((await newest(alice)).id, message.id)
      const { text } = await missed.server.arrived(bob.email, 1)
      assert.match(text ?? '', /To answer, reply to this mail\./)
    })

    it('go where the missed message is by now', async () => {
      const { alice, olga } = at.people
      const id = await alice.say(at.channels.general, 'before', '@**Olga Test** hi')
      const to = await nextReplyTo(at, olga, 1)
      await olga.patch(`/messages/${id}`, { topic: 'after', propagate_mode: 'change_all' })

      const result = await receive(at, to, { from: olga.email })

      assert.equal(result.status, 'sent')
      const { subject, content, sender_id } = await newest(alice)
      assert.deepEqual([subject, content, sender_id], ['after', 'reply', olga.id])
    })

    it('are refused from other addresses, from programs, and without content', async () => {
      const { alice, olga } = at.people
      await alice.whisper([olga], 'hi')
      const to = await nextReplyTo(at, olga, 2)

      for (const [mail, reason] of [
        [{ from: alice.email }, 'wrong_sender'],
        [{ from: '' }, 'wrong_sender'],
        [{ from: olga.email, headers: 'Auto-Submitted: auto-generated\r\n' }, 'automatic'],
        [{ from: olga.email, headers: 'Precedence: bulk\r\n' }, 'automatic'],
        [{ from: olga.email, text: '> hi\r\n' }, 'empty'],
        [{ from: olga.email, headers: 'Message-ID: <1@x.example>\r\n' }, 'sent'],
      ] as const) {
        assert.equal(reasonOf(await receive(at, to, mail)), reason, JSON.stringify(mail))
      }
    })

    it('are refused when the user cannot see the message any more, or was deactivated', async () => {
      const { alice, mona, olga } = at.people
      const deleted = await alice.whisper([mona], 'deleted')
      const toDeleted = await nextReplyTo(at, mona, 1)
      await alice.whisper([mona], 'kept')
      const toKept = await nextReplyTo(at, mona, 2)
      assert.equal((await alice.delete(`/messages/${deleted}`)).status, 200)

      assert.equal(reasonOf(await receive(at, toDeleted, { from: mona.email })), 'not_allowed')
      assert.equal(reasonOf(await receive(at, toKept, { from: mona.email })), 'sent')
      await olga.delete(`/users/${mona.id}`)
      assert.equal(
        reasonOf(await receive(at, toKept, { from: mona.email, text: 'again' })),
        'unknown_address',
      )
    })
  },
  { ...missed.options, incomingMail },
)
