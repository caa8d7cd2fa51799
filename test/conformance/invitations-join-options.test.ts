import assert from 'node:assert/strict'
import { before, it } from 'node:test'

import { FakeMail } from '../support/fake-mail.js'
import { everyHost } from '../support/host.js'
import {
  assertUnusable,
  clientOf,
  invite,
  inviteLink,
  invitesOf,
  signUp,
  submit,
} from '../support/invitations.js'

const mail = new FakeMail()
const mailing = { mail }

everyHost(
  'show-join-page',
  (at) => {
    before(() => {
      mail.sent.length = 0
    })

    it('shows a form that works without a script, and passes its address to no other site', async () => {
      const { olga, alice } = at.people
      await olga.patch('/realm', { name: 'A & <B>' })
      await alice.patch('/settings', { full_name: "Alice O'Neill" })
      const path = await invite(mail, alice, 'nina@page.example')

      const { status, headers, text } = await at.nobody.get(path)

      assert.equal(status, 200)
      assert.equal(headers['content-type'], 'text/html; charset=utf-8')
      assert.equal(headers['cache-control'], 'no-store')
      assert.equal(headers['referrer-policy'], 'same-origin')
      const csp = String(headers['content-security-policy'])
      for (const rule of ["default-src 'none'", "form-action 'self'", "frame-ancestors 'none'"]) {
        assert.ok(csp.includes(rule), csp)
      }
      assert.ok(text.includes('<form method="post">'))
      assert.ok(text.includes('Alice O&#39;Neill has invited you to join A &#38; &#60;B&#62;.'))
      assert.ok(text.includes('value="nina@page.example"'))
      assert.ok(!text.includes('<script'))
      assert.ok(!text.includes('https://'))
      await olga.patch('/realm', { name: 'Test' })
    })

    it('asks for the address only, if the link is reusable', async () => {
      const { text } = await at.nobody.get(await inviteLink(at.people.adam))

      assert.ok(text.includes('name="email"'))
      assert.ok(!text.includes('name="password"'))
      assert.ok(!text.includes('Adam Test'))
    })

    it('answers the same page for every link that cannot be used', async () => {
      const { alice, adam, olga } = at.people
      const expiring = { invite_expires_in_minutes: 1 }
      const expired = await invite(mail, alice, 'expired@page.example', expiring)
      const expiredLink = await inviteLink(adam, expiring)
      at.clock.advance(60)
      const revoked = await invite(mail, alice, 'revoked@page.example')
      const { id } = (await invitesOf(alice)).find(({ email }) => email === 'revoked@page.example')
      await alice.delete(`/invites/${id}`)
      const used = await invite(mail, alice, 'used@page.example')
      await signUp(at.nobody, used)
      const other = await at.host.organization()
      const elsewhere = await invite(mail, other.people.olga, 'elsewhere@page.example')

      const answers = await Promise.all(
        [expired, expiredLink, revoked, used, elsewhere, '/accounts/join/x'].map((path) =>
          at.nobody.get(path),
        ),
      )

      for (const answer of answers) assertUnusable(answer)
      assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
      assertUnusable(await signUp(at.nobody, expired))
      assertUnusable(await submit(at.nobody, expiredLink, { email: 'a@page.example' }))
      const open = await invite(mail, olga, 'open@page.example')
      await at.host.chat.organizations.deactivate(at.subdomain)
      assertUnusable(await at.nobody.get(open))
      assertUnusable(await signUp(at.nobody, open))
      await at.host.chat.organizations.reactivate(at.subdomain)
    })

    it('says that people cannot sign up if the organization allows no passwords', async () => {
      const other = await at.host.organization({ settings: { password_auth_enabled: false } })
      const path = await invite(mail, other.people.olga, 'no-password@page.example')

      for (const answer of [await other.nobody.get(path), await signUp(other.nobody, path)]) {
        assert.equal(answer.status, 400)
        assert.ok(answer.text.includes('People cannot sign up here.'))
      }
    })
  },
  {},
  mailing,
)

everyHost(
  'submit-join-page',
  (at) => {
    it('limits the mails to an address and for a client', async () => {
      const link = await inviteLink(at.people.adam)
      const ask = (email: string) => submit(at.nobody, link, { email })

      assert.equal((await ask('a@limit.example')).status, 200)
      assert.equal((await ask('a@limit.example')).status, 200)
      const refused = await ask('A@limit.example')
      assert.deepEqual(
        [refused.status, refused.text.includes('There were too many attempts.')],
        [429, true],
      )
      assert.ok(refused.headers['retry-after'])
      assert.equal((await ask('b@limit.example')).status, 200)
      assert.equal((await ask('c@limit.example')).status, 429)
    })
  },
  {},
  { mail, rateLimits: { signUpByAddress: [{ windowSeconds: 3600, maxRequests: 3 }] } },
)

everyHost(
  'submit-join-page',
  (at) => {
    it('limits the addresses that wait for their confirmation, for each link', async () => {
      const link = await inviteLink(at.people.adam)
      const other = await inviteLink(at.people.adam)
      await submit(at.nobody, link, { email: 'a@waiting.example' })
      await submit(at.nobody, link, { email: 'b@waiting.example' })

      const refused = await submit(at.nobody, link, { email: 'c@waiting.example' })

      assert.equal(refused.status, 400)
      assert.ok(refused.text.includes('Too many people who are signing up (limit: 2)'))
      assert.equal((await submit(at.nobody, link, { email: 'a@waiting.example' })).status, 200)
      assert.equal((await submit(at.nobody, other, { email: 'c@waiting.example' })).status, 200)
      at.clock.advance(86_400)
      assert.equal((await submit(at.nobody, link, { email: 'c@waiting.example' })).status, 200)
    })
  },
  {},
  { mail, quotas: { signUpsPerInvitationLink: 2 } },
)

everyHost(
  'submit-join-page',
  (at) => {
    it('requires the terms, and leads on', async () => {
      const path = await invite(mail, at.people.alice, `${at.subdomain}@terms.example`)

      const page = await at.nobody.get(path)
      const refused = await signUp(at.nobody, path)
      const answer = await signUp(at.nobody, path, { terms: 'accepted' })

      assert.ok(page.text.includes('href="https://product.example/terms?a=1&#38;b=2"'))
      assert.ok(refused.text.includes('You must accept the terms.'))
      assert.equal(answer.status, 200)
      assert.ok(answer.text.includes('<a class="button" href="/chat">Continue</a>'))
    })

    it('creates an account at once, if addresses need not be confirmed', async () => {
      const { adam, bob } = at.people
      const link = await inviteLink(adam)
      const email = `${at.subdomain}@at-once.example`

      const page = await at.nobody.get(link)
      const taken = await signUp(at.nobody, link, { email: bob.email, terms: 'accepted' })
      const answer = await signUp(at.nobody, link, { email, terms: 'accepted' })

      assert.ok(page.text.includes('name="email"') && page.text.includes('name="password"'))
      assert.ok(taken.text.includes('Already has an account.'))
      assert.equal(answer.status, 200)
      await clientOf(at, email)
      assert.equal((await at.nobody.get(link)).status, 200)
    })
  },
  {},
  {
    mail,
    invitations: {
      termsUrl: 'https://product.example/terms?a=1&b=2',
      continueUrl: '/chat',
      confirmAddresses: false,
    },
  },
)
