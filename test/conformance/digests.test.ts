import assert from 'node:assert/strict'
import { it } from 'node:test'

import { DigestMails } from '../support/digest-mails.js'
import type { Client } from '../support/client.js'
import { everyHost, type HostCase } from '../support/host.js'
import { set } from '../support/missed-mails.js'

const mails = new DigestMails()
const cast = { settings: mails.organization }
const bodies = ({ text, html }: { text?: string | undefined; html?: string | false }): string =>
  `${text ?? ''}${String(html)}`

/** A user's presence, which is written within 5 seconds. */
async function isActive(at: HostCase, user: Client): Promise<void> {
  const isWritten = at.clock.next('set', 5)
  await user.post('/users/me/presence', { status: 'active' })
  at.clock.fire(5)
  await isWritten
}

everyHost(
  'digests',
  (at) => {
    it('show the topics that a user has missed, those that matter most first, and new channels', async () => {
      const { adam, alice, bob, mona } = at.people
      const { general } = at.channels
      mails.start(at)
      await bob.post('/user_topics', { stream_id: general, topic: 'mine', visibility_policy: 3 })
      for (const text of ['1', '2', '3', '4']) await alice.say(general, 'alone', text)
      await alice.say(general, 'pair', 'Who has <b>time</b> & a *pen*?')
      await adam.say(general, 'pair', 'I have.')
      await alice.say(general, 'mine', 'followed')
      for (const topic of ['one', 'more']) await alice.say(general, topic, 'single')
      await adam.post('/users/me/subscriptions', { subscriptions: [{ name: 'brand new' }] })

      await mails.morning(at)
      const mail = await mails.server.arrived(bob.email)

      assert.equal(mail.subject, 'What you have missed in Test')
      const text = mail.text ?? ''
      assert.match(text, /Unread messages in your channels in Test: 9\./)
      const places = [...text.matchAll(/^#general > (\w+)$/gm)].map(([, topic]) => topic)
      assert.deepEqual(places, ['mine', 'pair', 'alone', 'more'])
      assert.match(text, /Unread messages: 2, from Alice Test, Adam Test\n/)
      assert.match(text, /> Who has <b>time<\/b> & a pen\?/)
      assert.match(
        text,
        /https:\/\/chat\.example\/chat\/#narrow\/channel\/\d+-general\/topic\/pair\/near\/\d+/,
      )
      assert.match(
        text,
        /#brand new: https:\/\/chat\.example\/chat\/#narrow\/channel\/\d+-brand-new/,
      )
      // Three of the four messages of the topic.
      assert.match(text, /> 3\n/)
      assert.doesNotMatch(text, /> 4\n/)
      assert.ok(typeof mail.html === 'string' && !mail.html.includes('<b>time'))
      assert.match(mail.messageId ?? '', /^<parley\.\d+\.\d+\.digest-\d+@chat\.example>$/)
      assert.equal(mail.headers.get('auto-submitted'), 'auto-generated')
      assert.ok(mail.headerLines.some(({ key }) => key === 'list-unsubscribe-post'))

      await mails.rounds(at)
      await mails.morning(at, 3)
      assert.equal(mails.countOf(bob), 1)
      assert.equal(mails.countOf(mona), 1)
    })

    it('are sent once a week, while there is something new', async () => {
      const { alice, bob } = at.people
      mails.start(at)
      const count = mails.countOf(bob)
      await alice.say(at.channels.general, 'weeks', 'first')
      await mails.morning(at)
      assert.equal(mails.countOf(bob), count + 1)

      await mails.morning(at)
      assert.equal(mails.countOf(bob), count + 1)

      await alice.say(at.channels.general, 'weeks', 'third')
      await mails.morning(at)
      assert.equal(mails.countOf(bob), count + 2)
      const last = await mails.server.arrived(bob.email, count + 2)
      assert.match(last.text ?? '', /> third/)
      assert.doesNotMatch(last.text ?? '', /> first/)
    })

    it('leave out what was read, muted, or is not for the user', async () => {
      const { adam, alice, bob, gus } = at.people
      const { general, design, secret } = at.channels
      mails.start(at)
      const counts = [mails.countOf(bob), mails.countOf(gus)]
      const read = await alice.say(general, 'read', 'read text')
      await bob.post('/messages/flags', { messages: [read], op: 'add', flag: 'read' })
      await bob.post('/user_topics', { stream_id: general, topic: 'muted', visibility_policy: 1 })
      await alice.say(general, 'muted', 'muted text')
      await bob.post('/users/me/subscriptions/properties', {
        subscription_data: [{ stream_id: design, property: 'is_muted', value: true }],
      })
      await alice.say(design, 'channel', 'quiet text')
      await alice.say(secret, 'secret', 'secret text')
      await alice.whisper([bob], 'direct text')
      await adam.say(general, 'shown', 'shown text')
      await adam.post('/users/me/subscriptions', { subscriptions: [{ name: 'not for guests' }] })

      await mails.morning(at)

      const own = (await mails.server.arrived(bob.email, (counts[0] ?? 0) + 1)).text ?? ''
      assert.match(own, /shown text/)
      assert.doesNotMatch(own, /read text|muted text|quiet text|secret text|direct text/)
      const ofGuest = (await mails.server.arrived(gus.email, (counts[1] ?? 0) + 1)).text ?? ''
      assert.match(ofGuest, /shown text/)
      assert.doesNotMatch(ofGuest, /not for guests/)
      await bob.post('/users/me/subscriptions/properties', {
        subscription_data: [{ stream_id: design, property: 'is_muted', value: false }],
      })
    })

    it('are not sent to users who were active, do not want them, or are bots or deactivated', async () => {
      const { adam, alice, bob, bot, carol, dora, mona } = at.people
      mails.start(at)
      await set(bob, { enable_digest_emails: false })
      await alice.say(at.channels.general, 'nobody', 'news')
      at.clock.jump(86_400)
      await isActive(at, mona)
      // Queued before the user is active or turns digests off.
      await mails.morning(at, -18)
      const counts = [adam, bob, bot, carol, dora, mona].map((one) => mails.countOf(one))
      await set(carol, { enable_digest_emails: false })
      await isActive(at, adam)
      await mails.morning(at)

      assert.deepEqual(
        [adam, bob, bot, carol, dora, mona].map((one) => mails.countOf(one)),
        counts,
      )
      for (const one of [bob, carol]) await set(one, { enable_digest_emails: true })
    })

    it('come at 8 in the morning of the user', async () => {
      const { alice, bob, carol } = at.people
      mails.start(at)
      await bob.patch('/settings', { timezone: 'Asia/Tokyo' })
      await carol.patch('/settings', { timezone: 'America/Bogota' })
      const counts = [mails.countOf(bob), mails.countOf(carol)]
      const now = () => [
        mails.countOf(bob) - (counts[0] ?? 0),
        mails.countOf(carol) - (counts[1] ?? 0),
      ]
      await alice.say(at.channels.general, 'hours', 'news')

      await mails.morning(at, -10)
      assert.deepEqual(now(), [0, 0])
      await mails.morning(at, -9)
      assert.deepEqual(now(), [1, 0])
      await mails.morning(at, 4)
      assert.deepEqual(now(), [1, 0])
      await mails.morning(at, 5)
      assert.deepEqual(now(), [1, 1])
      for (const one of [bob, carol]) await one.patch('/settings', { timezone: '' })
    })

    it('contain no texts and names if the user or the organization does not want it', async () => {
      const { adam, alice, bob } = at.people
      mails.start(at)
      const count = mails.countOf(bob)
      await set(bob, { message_content_in_email_notifications: false })
      await alice.say(at.channels.general, 'private', 'private matter')
      await mails.morning(at)
      const own = await mails.server.arrived(bob.email, count + 1)
      await set(bob, { message_content_in_email_notifications: true })

      mails.start(at)
      await adam.patch('/realm', { message_content_allowed_in_email_notifications: false })
      await alice.say(at.channels.general, 'private', 'private matter')
      await mails.morning(at)
      const ofAll = await mails.server.arrived(bob.email, count + 2)
      // Without messages, there is nothing to say: new channels have names.
      await adam.post('/users/me/subscriptions', { subscriptions: [{ name: 'unnamed' }] })
      await mails.morning(at)
      assert.equal(mails.countOf(bob), count + 2)
      await adam.patch('/realm', { message_content_allowed_in_email_notifications: true })

      for (const mail of [own, ofAll]) {
        assert.match(mail.text ?? '', /Unread messages in your channels in Test: \d+\./)
        assert.ok(!/private|Alice|general/.test(bodies(mail)))
      }
    })

    it('are turned off by the link in them', async () => {
      const { alice, bob } = at.people
      mails.start(at)
      const count = mails.countOf(bob)
      await alice.say(at.channels.general, 'links', 'news')
      await mails.morning(at)
      const link = await mails.linkTo(bob, count + 1)

      assert.match((await at.nobody.get(link)).text, /Get no more digests/)
      const done = await at.nobody.send('POST', link, 'List-Unsubscribe=One-Click')
      assert.equal(done.status, 200, done.text)
      assert.match(done.text, /You get no more digests/)
      const { body } = await bob.post('/register', { fetch_event_types: ['user_settings'] })
      assert.equal(body.user_settings.enable_digest_emails, false)
      await alice.say(at.channels.general, 'links', 'more news')
      await mails.morning(at)
      assert.equal(mails.countOf(bob), count + 1)
      await set(bob, { enable_digest_emails: true })
    })

    it('are tried again if sending fails, as the same mail', async () => {
      const { alice, bob } = at.people
      mails.start(at)
      const count = mails.countOf(bob)
      await alice.say(at.channels.general, 'again', 'news')
      mails.server.isForgetful = true
      await mails.morning(at)
      mails.server.isForgetful = false
      const before = mails.server.copies(bob.email).length
      await mails.rounds(at)
      assert.equal(mails.server.copies(bob.email).length, before)

      at.clock.jump(601)
      await mails.rounds(at)

      assert.equal(mails.server.copies(bob.email).length, before + 1)
      assert.equal(mails.countOf(bob), count + 1)
    })

    it('are left out if the day is over, or was changed, when they could be sent', async () => {
      const { alice, bob, olga } = at.people
      mails.start(at)
      const count = mails.countOf(bob)
      await alice.say(at.channels.general, 'late', 'news')
      await mails.morning(at, -16)
      at.clock.jump(3 * 86_400)
      await mails.rounds(at)
      assert.equal(mails.countOf(bob), count)

      mails.start(at)
      await alice.say(at.channels.general, 'late', 'news')
      await mails.morning(at, -16)
      await olga.patch('/realm', { digest_weekday: 3 })
      await mails.morning(at)
      assert.equal(mails.countOf(bob), count)
      await olga.patch('/realm', { digest_weekday: 0 })
    })

    it('are not sent if the organization has turned them off, or on another day', async () => {
      const { alice, bob, olga } = at.people
      mails.start(at)
      const count = mails.countOf(bob)
      await alice.say(at.channels.general, 'off', 'news')
      await olga.patch('/realm', { digest_weekday: 1 })
      await mails.morning(at)
      await olga.patch('/realm', { digest_weekday: 0, digest_emails_enabled: false })
      await mails.morning(at)
      assert.equal(mails.countOf(bob), count)

      await olga.patch('/realm', { digest_emails_enabled: true })
      const { body } = await bob.post('/register', { fetch_event_types: ['realm'] })
      assert.equal(body.settings_send_digest_emails, true)
      assert.equal(body.realm_digest_emails_enabled, true)
      assert.equal(body.realm_digest_weekday, 0)
    })
  },
  cast,
  mails.options,
)

const own = new DigestMails()

everyHost(
  'digests with texts of the product',
  (at) => {
    it('are what the template returns', async () => {
      const { adam, alice, bob } = at.people
      own.start(at)
      await alice.say(at.channels.general, 'template', 'news')
      await adam.post('/users/me/subscriptions', { subscriptions: [{ name: 'fresh' }] })
      await own.morning(at)

      const mail = await own.server.arrived(bob.email)

      assert.equal(mail.subject, 'Digest for Bob Test')
      const digest = JSON.parse(mail.text ?? '')
      assert.equal(digest.language, 'en')
      assert.equal(digest.messageCount, 1)
      assert.deepEqual(digest.topics[0].participants, ['Alice Test'])
      assert.deepEqual(digest.topics[0].messages[0].text, 'news')
      assert.deepEqual(digest.newChannels[0].name, 'fresh')
    })
  },
  cast,
  {
    ...own.options,
    get mail() {
      return own.server.sender
    },
    notificationMails: {
      digestTemplate: (digest) => ({
        subject: `Digest for ${digest.recipient}`,
        text: JSON.stringify(digest),
      }),
    },
  },
)
