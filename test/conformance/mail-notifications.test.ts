import assert from 'node:assert/strict'
import { it } from 'node:test'

import { everyHost } from '../support/host.js'
import { batchingSeconds, MissedMails, pass, set } from '../support/missed-mails.js'
import { until } from '../support/waiting.js'

const missed = new MissedMails()

everyHost(
  'mails about missed messages',
  (at) => {
    it('quote the direct messages of a user who is offline, with headers for mail programs', async () => {
      const { alice, bob } = at.people
      await alice.whisper([bob], 'Lunch **at** <noon> & later?\n\n> quoted')
      await alice.whisper([bob], 'Or not.')
      await pass(at)

      const mail = await missed.server.arrived(bob.email)

      assert.equal(mail.subject, 'Direct messages with Alice Test')
      assert.equal(mail.from?.text, 'chat@product.example')
      assert.match(mail.text ?? '', /You have missed 2 messages in Test\./)
      assert.match(mail.text ?? '', /> Lunch at <noon> & later\?/)
      assert.match(mail.text ?? '', /> Or not\./)
      assert.match(mail.text ?? '', /https:\/\/chat\.example\/chat\/#narrow\/dm\//)
      assert.ok(typeof mail.html === 'string' && !mail.html.includes('<noon>'))
      assert.match(mail.html, /Lunch at &#60;noon&#62; &#38; later\?/)
      assert.match(mail.messageId ?? '', /^<parley\.\d+\.\d+\.\d+-\d+@chat\.example>$/)
      assert.equal(mail.headers.get('auto-submitted'), 'auto-generated')
      const header = mail.headerLines.find(({ key }) => key === 'list-unsubscribe')?.line ?? ''
      assert.match(
        header.replaceAll(/\s+/g, ''),
        /<https:\/\/chat\.example\/chat\/api\/v1\/mail_notifications\/unsubscribe\/[\w.-]+>/,
      )
      const post = mail.headerLines.find(({ key }) => key === 'list-unsubscribe-post')?.line
      assert.match(post ?? '', /List-Unsubscribe=One-Click/)
    })

    it('are one for each conversation, in one thread', async () => {
      const { adam, alice, olga } = at.people
      const { general } = at.channels
      await set(olga, { realm_name_in_email_notifications_policy: 2 })
      const count = missed.countOf(olga)
      await alice.say(general, 'lunch', '@**Olga Test** one')
      await adam.say(general, 'lunch', '@**Olga Test** two')
      await alice.say(general, 'other', '@**Olga Test** three')
      await pass(at)
      await missed.server.arrived(olga.email, count + 2)
      await alice.say(general, 'lunch', '@**Olga Test** four')
      await pass(at)
      await missed.server.arrived(olga.email, count + 3)

      const own = missed.server.to(olga.email).slice(count)
      const lunch = own.filter(({ subject }) => subject === '[Test] #general > lunch')
      const [first, second] = lunch
      assert.equal(lunch.length, 2)
      assert.match(first?.text ?? '', /Alice Test, .*:\n> @Olga Test one/)
      assert.match(first?.text ?? '', /Adam Test, .*:\n> @Olga Test two/)
      assert.match(second?.text ?? '', /four/)
      assert.equal(first?.inReplyTo, second?.inReplyTo)
      assert.notEqual(first?.messageId, second?.messageId)
    })

    it('are not sent before the period that the user has set', async () => {
      const { alice, mona } = at.people
      await set(mona, { email_notifications_batching_period_seconds: 600 })
      await alice.whisper([mona], 'later')
      await missed.settled(at)
      assert.equal(missed.countOf(mona), 0)

      await pass(at, 400)

      assert.match((await missed.server.arrived(mona.email)).text ?? '', /later/)
    })

    it('leave out what was read, deleted or no longer mentions the user meanwhile', async () => {
      const { adam, alice, bob } = at.people
      const counts = [missed.countOf(adam), missed.countOf(bob)]
      const { general } = at.channels
      const read = await alice.whisper([adam], 'read')
      const deleted = await alice.whisper([adam], 'deleted')
      const edited = await alice.say(general, 'edits', '@**Bob Test** wait')
      await adam.post('/messages/flags', { messages: [read], op: 'add', flag: 'read' })
      assert.equal((await alice.delete(`/messages/${deleted}`)).status, 200)
      await alice.patch(`/messages/${edited}`, { content: 'nobody, wait' })

      await missed.settled(at)

      assert.deepEqual([missed.countOf(adam), missed.countOf(bob)], counts)
    })

    it('are sent to users whom an edit mentions', async () => {
      const { alice, bob } = at.people
      const count = missed.countOf(bob)
      const id = await alice.say(at.channels.general, 'edits', 'nothing')
      await alice.patch(`/messages/${id}`, { content: 'see @**Bob Test**' })
      await pass(at)

      const mail = await missed.server.arrived(bob.email, count + 1)

      assert.match(mail.text ?? '', /see @Bob Test/)
    })

    it('contain no messages if the user or the organization does not want it', async () => {
      const { adam, alice, bob } = at.people
      await set(bob, {
        message_content_in_email_notifications: false,
        realm_name_in_email_notifications_policy: 3,
      })
      const count = missed.countOf(bob)
      await alice.whisper([bob], 'private matter')
      await pass(at)
      const own = await missed.server.arrived(bob.email, count + 1)
      await set(bob, { message_content_in_email_notifications: true })
      await adam.patch('/realm', { message_content_allowed_in_email_notifications: false })
      await alice.whisper([bob], 'private matter')
      await pass(at)
      const ofAll = await missed.server.arrived(bob.email, count + 2)
      await adam.patch('/realm', { message_content_allowed_in_email_notifications: true })

      for (const mail of [own, ofAll]) {
        assert.equal(mail.subject, 'New messages')
        assert.ok(!/private matter|Alice/.test(`${mail.text}${String(mail.html)}`))
      }
    })

    it('are not sent to users who are online, have turned them off, or are deactivated', async () => {
      const { alice, adam, bob, olga } = at.people
      const counts = [missed.countOf(adam), missed.countOf(bob), missed.countOf(olga)]
      await set(bob, { enable_offline_email_notifications: false })
      await olga.listen({ event_types: ['message'] })
      await olga.post('/users/me/presence', { status: 'active' })
      await alice.whisper([bob], 'off')
      await alice.whisper([olga], 'online')
      await alice.whisper([adam], 'turned off later')
      await set(adam, { enable_offline_email_notifications: false })

      await missed.settled(at)

      assert.deepEqual([missed.countOf(adam), missed.countOf(bob), missed.countOf(olga)], counts)
      await set(bob, { enable_offline_email_notifications: true })
      await set(adam, { enable_offline_email_notifications: true })
    })
  },
  {},
  missed.options,
)

everyHost(
  'mails about missed messages',
  (at) => {
    it('are sent for all messages of a channel, or of followed topics, if the user wants it', async () => {
      const { alice, bob, adam } = at.people
      const { general } = at.channels
      await bob.post('/users/me/subscriptions/properties', {
        subscription_data: [{ stream_id: general, property: 'email_notifications', value: true }],
      })
      await adam.post('/user_topics', { stream_id: general, topic: 'news', visibility_policy: 3 })
      await alice.say(general, 'news', 'to all')
      await pass(at)

      const toBob = await missed.server.arrived(bob.email)
      const toAdam = await missed.server.arrived(adam.email)

      assert.match(toBob.text ?? '', /mails for the messages of this channel/)
      assert.match(toAdam.text ?? '', /because you follow the topic/)
    })

    it('are not sent for muted topics and wildcards of muted channels', async () => {
      const { alice, bob, olga } = at.people
      const { general } = at.channels
      const counts = [missed.countOf(bob), missed.countOf(olga)]
      await bob.post('/user_topics', { stream_id: general, topic: 'noise', visibility_policy: 1 })
      await olga.post('/users/me/subscriptions/properties', {
        subscription_data: [{ stream_id: general, property: 'is_muted', value: true }],
      })
      await alice.say(general, 'noise', '@**all** hello')

      await missed.settled(at)

      assert.deepEqual([missed.countOf(bob), missed.countOf(olga)], counts)
    })

    it('are tried again if they are refused', async () => {
      const { alice, mona } = at.people
      const { refused } = missed.server
      const count = missed.countOf(mona)
      missed.server.isRefusing = true
      await alice.whisper([mona], 'again')
      await pass(at)
      await until('the refusal', () => (missed.server.refused > refused ? true : undefined))
      missed.server.isRefusing = false
      await missed.settled(at)

      await missed.server.arrived(mona.email, count + 1)

      assert.equal(missed.countOf(mona), count + 1)
    })

    it('have the same Message-ID if they are sent again', async () => {
      const { alice, adam } = at.people
      const [count, copies] = [missed.countOf(adam), missed.server.copies(adam.email).length]
      missed.server.isForgetful = true
      await alice.whisper([adam], 'twice')
      await pass(at)
      await until('the lost answer', () => missed.server.forgotten.includes(adam.email))
      missed.server.isForgetful = false
      await missed.postponed(at, adam)
      await missed.settled(at)

      await until('the copy', () => missed.server.copies(adam.email).length >= copies + 2)
      assert.equal(missed.countOf(adam), count + 1)
    })

    it('are sent of messages that the last client of a user did not fetch, once', async () => {
      const { alice, olga } = at.people
      const count = missed.countOf(olga)
      const { body } = await olga.post('/register', { event_types: ['message'] })
      await olga.post('/users/me/presence', { status: 'active' })
      await alice.whisper([olga], 'not fetched')
      await missed.settled(at)
      assert.equal(missed.countOf(olga), count)

      await olga.delete('/events', { queue_id: body.queue_id })
      await pass(at)

      assert.match((await missed.server.arrived(olga.email, count + 1)).text ?? '', /not fetched/)
      await missed.settled(at)
      assert.equal(missed.countOf(olga), count + 1)
    })
  },
  {},
  missed.options,
)

everyHost(
  'mails about missed messages',
  (at) => {
    it('have the texts of the product, and are limited by the hour', async () => {
      const { alice, bob } = at.people
      for (const text of ['one', 'two', 'three']) {
        await alice.whisper([bob], text)
        await pass(at, batchingSeconds + 1)
        if (text !== 'three') await missed.server.arrived(bob.email, text === 'one' ? 1 : 2)
      }
      await missed.settled(at)

      const own = missed.server.to(bob.email)
      assert.deepEqual(
        own.map(({ subject, text }) => [subject, text?.trim()]),
        [
          ['Alice Test wrote', 'one'],
          ['Alice Test wrote', 'two'],
        ],
      )
      await pass(at, 3600)
      assert.match((await missed.server.arrived(bob.email, 3)).text ?? '', /three/)
    })
  },
  {},
  {
    get mail() {
      return missed.server.sender
    },
    baseUrl: 'https://chat.example',
    notificationMails: {
      maxPerUserAndHour: 2,
      template: ({ messages = [] }) => ({
        subject: `${messages[0]?.sender} wrote`,
        text: messages.map(({ text }) => text).join('\n'),
      }),
    },
  },
)
