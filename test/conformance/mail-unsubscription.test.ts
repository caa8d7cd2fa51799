import assert from 'node:assert/strict'
import { it } from 'node:test'

import { everyHost } from '../support/host.js'
import { MissedMails, pass } from '../support/missed-mails.js'
import { assertRefused } from '../support/refusal.js'

const missed = new MissedMails()

everyHost(
  'show-mail-unsubscription',
  (at) => {
    it('returns a page with a form, and changes nothing', async () => {
      const { alice, bob } = at.people
      await alice.whisper([bob], 'one')
      await pass(at)

      const page = await at.nobody.get(await missed.linkTo(bob, 1))

      assert.equal(page.status, 200)
      assert.match(page.text, /<form method="post">/)
      assert.equal(page.headers['referrer-policy'], 'no-referrer')
      const { body } = await bob.post('/register', { fetch_event_types: ['user_settings'] })
      assert.equal(body.user_settings.enable_offline_email_notifications, true)
    })
  },
  {},
  missed.options,
)

everyHost(
  'unsubscribe-from-mails',
  (at) => {
    it('turns off the kind of mails that the link is from, by a POST alone', async () => {
      const { alice, bob } = at.people
      await alice.whisper([bob], 'one')
      await pass(at)
      const link = await missed.linkTo(bob, 1)

      const settings = async () =>
        (await bob.post('/register', { fetch_event_types: ['user_settings'] })).body.user_settings
      const done = await at.nobody.send('POST', link, 'List-Unsubscribe=One-Click')
      assert.equal(done.status, 200, done.text)
      assert.match(done.text, /Mails stopped/)
      assert.equal((await settings()).enable_offline_email_notifications, false)
      await alice.whisper([bob], 'two')
      await missed.settled(at)
      assert.equal(missed.countOf(bob), 1)
      assert.equal((await at.nobody.post(link)).status, 200)
    })

    it('turns off the mails of a channel, and of followed topics', async () => {
      const { alice, adam, olga } = at.people
      const { general } = at.channels
      await adam.post('/users/me/subscriptions/properties', {
        subscription_data: [{ stream_id: general, property: 'email_notifications', value: true }],
      })
      await olga.post('/user_topics', { stream_id: general, topic: 'news', visibility_policy: 3 })
      await alice.say(general, 'news', 'one')
      await pass(at)

      for (const user of [adam, olga]) {
        assert.equal((await at.nobody.post(await missed.linkTo(user, 1))).status, 200)
      }
      await alice.say(general, 'news', 'two')
      await missed.settled(at)

      assert.deepEqual([missed.countOf(adam), missed.countOf(olga)], [1, 1])
    })

    it('refuses links that are wrong, of another organization, or of inactive users', async () => {
      const { alice, mona, olga } = at.people
      await alice.whisper([mona], 'one')
      await pass(at)
      const link = await missed.linkTo(mona, 1)
      const other = await at.host.organization()
      const invalid = { status: 404 } as const

      for (const wrong of [
        `${link}x`,
        link.replace('unsubscribe/', 'unsubscribe/x'),
        `${link}.x`,
      ]) {
        assertRefused(await at.nobody.post(wrong), 'The link is invalid.', invalid)
        assertRefused(await at.nobody.get(wrong), 'The link is invalid.', invalid)
      }
      assertRefused(await other.nobody.post(link), 'The link is invalid.', invalid)
      await olga.delete(`/users/${mona.id}`)
      assertRefused(await at.nobody.post(link), 'The link is invalid.', invalid)
    })
  },
  {},
  missed.options,
)
