import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Answer, Client } from '../support/client.js'
import { withoutIds } from '../support/event-feed.js'
import { FakeMail } from '../support/fake-mail.js'
import { everyHost } from '../support/host.js'
import { reactivate } from '../support/reactivation.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'

const listenOptions = { event_types: ['realm_user'] }
const day = 86_400
const unusable = 'The confirmation link has expired or was used already.'

const mail = new FakeMail()
const mailing = { mail }

const change = (client: Client, email: string): Promise<Answer> =>
  client.patch('/settings', { email })

/** The path of the link in the newest mail to an address. */
function linkIn(address: string): string {
  const text = mail.to(address).at(-1)?.text ?? ''
  const path = /https?:\/\/[^/]+\/api\/v1(\/accounts\/confirm_new_email\/[\w-]+)/.exec(text)?.[1]
  assert.ok(path, `no link in ${text}`)
  return path
}

everyHost(
  'update-settings',
  (at) => {
    it('sends a mail with a link to the new address and changes nothing yet', async () => {
      const { alice } = at.people
      const feed = await alice.listen(listenOptions)

      const answer = await change(alice, ' fresh@elsewhere.example ')

      assert.deepEqual(answer.body, bareSuccess)
      assert.deepEqual(await feed.drain(), [])
      assert.equal((await alice.get('/users/me')).body.delivery_email, alice.email)
      const sent = mail.to('fresh@elsewhere.example').at(-1)
      assert.equal(sent?.subject, 'Confirm your new email address for Test')
      assert.ok(sent.text.includes(`${at.host.origin}/api/v1/accounts/confirm_new_email/`))
    })

    it('does nothing if the address is the current one', async () => {
      const { alice } = at.people
      const count = mail.sent.length

      assert.deepEqual((await change(alice, ` ${alice.email}`)).body, bareSuccess)

      assert.equal(mail.sent.length, count)
    })

    it('rejects invalid addresses', async () => {
      const { alice, bob, dora } = at.people
      for (const [email, text] of [
        ['no address', 'Invalid address.'],
        ['', 'Invalid address.'],
        ['a\u202E@acme.example', 'Invalid address.'],
        ['a@mailinator.com', 'Please use your real email address.'],
        [bob.email.toUpperCase(), 'Already has an account.'],
        [dora.email, 'Account has been deactivated.'],
        ['notification-bot@zulip.com', 'Reserved for system bots.'],
      ] as const) {
        assertRefused(await change(alice, email), text)
      }
    })

    it('rejects addresses of domains that the organization does not allow', async () => {
      const { olga, alice } = at.people
      await olga.post('/realm/domains', { domain: 'acme.example', allow_subdomains: true })
      await olga.patch('/realm', { emails_restricted_to_domains: true })

      assertRefused(await change(alice, 'a@foreign.example'), 'Outside your domain.')
      assertRefused(
        await change(alice, 'a+b@acme.example'),
        'Email addresses containing + are not allowed.',
      )
      assert.equal((await change(alice, 'a@x.acme.example')).status, 200)
      await olga.patch('/realm', { emails_restricted_to_domains: false })
    })

    it('lets only administrators change their addresses if the organization has disabled changes', async () => {
      const { olga, adam, alice } = at.people
      await olga.patch('/realm', { email_changes_disabled: true })

      assertRefused(
        await change(alice, 'other@elsewhere.example'),
        'Email address changes are disabled in this organization.',
      )
      assert.equal((await change(adam, 'boss@elsewhere.example')).status, 200)
      await olga.patch('/realm', { email_changes_disabled: false })
    })

    it('changes nothing else if the address is rejected', async () => {
      const { alice } = at.people

      await alice.patch('/settings', { email: 'no address', full_name: 'Alicia' })

      assert.equal((await alice.get('/users/me')).body.full_name, 'Alice Test')
    })

    it('returns an error to bots', async () => {
      assertRefused(
        await change(at.people.bot, 'bot@elsewhere.example'),
        'This endpoint does not accept bot requests.',
      )
    })

    it('returns an error if the mail cannot be sent, and keeps the other changes', async () => {
      const { carol } = at.people
      mail.failure = new Error('the relay is gone')

      const answer = await carol.patch('/settings', {
        email: 'carol@elsewhere.example',
        full_name: 'Carola Test',
      })

      mail.failure = undefined
      assert.equal(answer.status, 503)
      assert.equal((await carol.get('/users/me')).body.full_name, 'Carola Test')
      assert.ok(at.host.log.some((line) => line.includes('the relay is gone')))
    })
  },
  {},
  mailing,
)

everyHost(
  'update-settings',
  (at) => {
    it('limits how often a user can change the address', async () => {
      const { alice, bob } = at.people
      assert.equal((await change(alice, 'one@elsewhere.example')).status, 200)
      assert.equal((await change(alice, 'two@elsewhere.example')).status, 200)

      const answer = await change(alice, 'three@elsewhere.example')

      assert.deepEqual([answer.status, answer.body.code], [429, 'RATE_LIMIT_HIT'])
      assert.equal(answer.headers['x-ratelimit-limit'], '2')
      assert.equal(answer.headers['x-ratelimit-remaining'], '0')
      assert.equal((await change(bob, 'four@elsewhere.example')).status, 200)
      at.clock.advance(3600)
      assert.equal((await change(alice, 'three@elsewhere.example')).status, 200)
    })
  },
  {},
  { mail, rateLimits: { apiByUser: [], apiByAddress: [] } },
)

everyHost('update-settings', (at) => {
  it('rejects a new address if the server cannot send mail', async () => {
    assertRefused(
      await change(at.people.olga, 'fresh@elsewhere.example'),
      'Email address changes are disabled in this organization.',
    )
  })
})

everyHost(
  'show-email-change',
  (at) => {
    it('shows a page that asks for confirmation', async () => {
      const { alice } = at.people
      await change(alice, "o'neill&co@elsewhere.example")
      const path = linkIn("o'neill&co@elsewhere.example")

      const answer = await at.nobody.get(path)

      assert.equal(answer.status, 200)
      assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8')
      assert.equal(answer.headers['cache-control'], 'no-store')
      assert.equal(answer.headers['referrer-policy'], 'no-referrer')
      assert.ok(answer.text.includes('o&#39;neill&#38;co@elsewhere.example'))
      assert.ok(answer.text.includes('<form method="post">'))
      assert.equal((await alice.get('/users/me')).body.delivery_email, alice.email)
    })

    it('rejects unknown links', async () => {
      assertRefused(await at.nobody.get('/accounts/confirm_new_email/x'), unusable, { status: 404 })
    })
  },
  {},
  mailing,
)

everyHost(
  'confirm-email-change',
  (at) => {
    const me = async (client: Client, email: string): Promise<Answer> => {
      const credentials = { email, apiKey: client.credentials?.apiKey ?? '' }
      return at.host.client(at.subdomain, credentials, client.id, client.name).get('/users/me')
    }

    it('changes the address, sends events to all users and a mail to the old address', async () => {
      const { alice, bob, gus } = at.people
      const [before] = [alice.email]
      await change(alice, 'Alice.New@elsewhere.example')
      const feeds = [await bob.listen(listenOptions), await gus.listen(listenOptions)]

      const answer = await at.nobody.post(linkIn('Alice.New@elsewhere.example'))

      assert.equal(answer.status, 200)
      assert.ok(answer.text.includes('Alice.New@elsewhere.example'))
      for (const feed of feeds) {
        const events = withoutIds(await feed.drain()) as { person: Record<string, unknown> }[]
        assert.deepEqual(
          events.map(({ person }) => Object.keys(person).sort()),
          [
            ['delivery_email', 'user_id'],
            ['new_email', 'user_id'],
          ],
        )
        assert.equal(events[0]?.person['delivery_email'], 'Alice.New@elsewhere.example')
        assert.equal(events[1]?.person['new_email'], 'Alice.New@elsewhere.example')
      }
      assert.equal((await alice.get('/users/me')).body.code, 'INVALID_API_KEY')
      const own = await me(alice, 'alice.new@elsewhere.example')
      assert.equal(own.body.delivery_email, 'Alice.New@elsewhere.example')
      const [notice] = mail.to(before)
      assert.ok(notice?.text.includes('is now Alice.New@elsewhere.example.'))
    })

    it('sends events only to users who have access to the address', async () => {
      const { bob, carol, adam, mona } = at.people
      await carol.patch('/settings', { email_address_visibility: 3 })
      await change(carol, 'carol.new@elsewhere.example')
      const [sees, own] = [await adam.listen(listenOptions), await bob.listen(listenOptions)]
      const moderator = await mona.listen(listenOptions)

      await at.nobody.post(linkIn('carol.new@elsewhere.example'))

      const person = { user_id: carol.id, delivery_email: 'carol.new@elsewhere.example' }
      assert.deepEqual((await sees.drain())[0]?.['person'], person)
      for (const feed of [own, moderator]) {
        assert.deepEqual(await feed.drain(), [])
      }
    })

    it('accepts a link once, also of concurrent requests', async () => {
      const { bob } = at.people
      await change(bob, 'bob.new@elsewhere.example')
      const link = linkIn('bob.new@elsewhere.example')

      const answers = await Promise.all([at.nobody.post(link), at.nobody.post(link)])

      assert.deepEqual(
        answers.map(({ status }) => status).sort((a, b) => a - b),
        [200, 404],
      )
      assertRefused(await at.nobody.post(link), unusable, { status: 404 })
      assertRefused(await at.nobody.get(link), unusable, { status: 404 })
    })

    it('accepts a link for one day', async () => {
      const { mona } = at.people
      await change(mona, 'late@elsewhere.example')
      at.clock.advance(day - 1)
      assert.equal((await at.nobody.get(linkIn('late@elsewhere.example'))).status, 200)
      at.clock.advance(1)

      const answer = await at.nobody.post(linkIn('late@elsewhere.example'))

      assertRefused(answer, unusable, { status: 404 })
    })

    it('accepts only the link of the latest request', async () => {
      const { mona } = at.people
      await change(mona, 'first@elsewhere.example')
      await change(mona, 'second@elsewhere.example')

      assertRefused(await at.nobody.post(linkIn('first@elsewhere.example')), unusable, {
        status: 404,
      })
    })

    it('rejects an address that another user has meanwhile', async () => {
      const { adam, olga } = at.people
      await change(adam, 'wanted@elsewhere.example')
      const params = { full_name: 'Quick One', password: 'a rather long staple 12' }
      await olga.post('/users', { ...params, email: 'wanted@elsewhere.example' })

      assertRefused(
        await at.nobody.post(linkIn('wanted@elsewhere.example')),
        'Already has an account.',
      )
    })

    it('rejects the link of a deactivated user', async () => {
      const { olga, mona } = at.people
      await change(mona, 'gone@elsewhere.example')
      const link = linkIn('gone@elsewhere.example')
      await olga.delete(`/users/${mona.id}`)
      await reactivate(at, olga, mona)

      assertRefused(await at.nobody.post(link), unusable, { status: 404 })
    })

    it('rejects a link of another organization', async () => {
      const other = await at.host.organization()
      await change(other.people.alice, 'far@elsewhere.example')

      const answer = await at.nobody.post(linkIn('far@elsewhere.example'))

      assertRefused(answer, unusable, { status: 404 })
    })
  },
  {},
  mailing,
)
