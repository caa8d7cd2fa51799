import assert from 'node:assert/strict'
import { before, it } from 'node:test'

import type { Client } from '../support/client.js'
import { FakeMail } from '../support/fake-mail.js'
import { makeGroup, findGroup } from '../support/groups.js'
import { everyHost } from '../support/host.js'
import {
  assertUnusable,
  clientOf,
  invite,
  inviteLink,
  invitesOf,
  joinPathIn,
  mailTo,
  ownForm,
  signUp,
  strongPassword,
  submit,
} from '../support/invitations.js'
import { bots } from '../support/notification-messages.js'

const mail = new FakeMail()
const mailing = { mail }

/** The contents of the direct messages that a bot has sent to a user, oldest first. */
async function messagesOf(client: Client, botId: number): Promise<string[]> {
  const { body } = await client.get('/messages', {
    anchor: 'newest',
    num_before: 20,
    num_after: 0,
    narrow: [{ operator: 'dm', operand: [botId] }],
    apply_markdown: false,
  })
  return body.messages.map(({ content }) => content)
}

const subscribedTo = async (client: Client): Promise<number[]> => {
  const { body } = await client.get('/users/me/subscriptions')
  return body.subscriptions.map(({ stream_id }) => stream_id).sort()
}

everyHost(
  'submit-join-page',
  (at) => {
    before(() => {
      mail.sent.length = 0
    })

    it('creates an account with everything that the invitation gives', async () => {
      const { olga, adam } = at.people
      const { general, design } = at.channels
      const group = await makeGroup(olga, 'designers')
      await olga.patch('/realm', { welcome_message_custom_text: 'Hello everyone' })
      await adam.post('/users/me/subscriptions', { subscriptions: [{ name: 'late' }] })
      const late = (await adam.get('/get_stream_id', { stream: 'late' })).body.stream_id
      const path = await invite(mail, olga, 'Nina@join.example', {
        invite_as: 300,
        stream_ids: [design, late],
        group_ids: [group],
        include_realm_default_subscriptions: true,
        welcome_message_custom_text: 'Hello **Nina**',
      })
      await olga.delete(`/streams/${late}`)
      const types = { event_types: ['realm_user', 'user_group', 'subscription', 'invites_changed'] }
      const feed = await adam.listen(types)

      const answer = await signUp(at.nobody, path, { full_name: ' Nina New ' })

      assert.equal(answer.status, 200, answer.text)
      assert.ok(answer.text.includes('Your account was created.'))
      const nina = await clientOf(at, 'Nina@join.example')
      const own = (await nina.get('/users/me')).body
      assert.deepEqual(
        [own.full_name, own.role, own.delivery_email],
        ['Nina New', 300, 'Nina@join.example'],
      )
      assert.deepEqual(await subscribedTo(nina), [general, design].sort())
      assert.deepEqual((await findGroup(olga, 'designers')).members.includes(nina.id), true)
      const [welcome, custom] = await messagesOf(nina, bots.welcome)
      assert.ok(welcome?.startsWith('Hello, and welcome'))
      assert.equal(custom, 'Hello **Nina**')
      assert.equal(
        (await messagesOf(olga, bots.notification)).at(-1),
        `@_**Nina New|${nina.id}** accepted your invitation to join Zulip!`,
      )
      assert.deepEqual(
        (await feed.drain()).map(({ type, op }) => `${type} ${op ?? ''}`.trim()),
        [
          'realm_user add',
          'user_group add_members',
          'user_group add_members',
          'subscription peer_add',
          'subscription peer_add',
          'invites_changed',
        ],
      )
      assert.deepEqual(await invitesOf(olga), [])
      assertUnusable(await signUp(at.nobody, path))
      await olga.patch('/realm', { welcome_message_custom_text: '' })
    })

    it("uses the organization's welcome message unless the invitation has its own", async () => {
      const { olga, alice } = at.people
      await olga.patch('/realm', { welcome_message_custom_text: 'Lunch is at one.' })
      const usual = await invite(mail, alice, 'usual@join.example', {
        welcome_message_custom_text: 'Only of administrators',
        notify_referrer_on_join: false,
      })
      const none = await invite(mail, olga, 'none@join.example', {
        welcome_message_custom_text: '',
      })
      const before = (await messagesOf(alice, bots.notification)).length

      await signUp(at.nobody, usual)
      await signUp(at.nobody, none)

      const [, custom] = await messagesOf(await clientOf(at, 'usual@join.example'), bots.welcome)
      assert.equal(custom, 'Lunch is at one.')
      const messages = await messagesOf(await clientOf(at, 'none@join.example'), bots.welcome)
      assert.equal(messages.length, 1)
      assert.equal((await messagesOf(alice, bots.notification)).length, before)
      await olga.patch('/realm', { welcome_message_custom_text: '' })
    })

    it('subscribes to no channel if the invitation names none', async () => {
      await signUp(at.nobody, await invite(mail, at.people.alice, 'bare@join.example'))

      assert.deepEqual(await subscribedTo(await clientOf(at, 'bare@join.example')), [])
    })

    it('creates one account, if the same link is used twice at once', async () => {
      const path = await invite(mail, at.people.alice, 'twice@join.example')

      const answers = await Promise.all(
        ['One Twice', 'Two Twice', 'Three Twice'].map((full_name) =>
          signUp(at.nobody, path, { full_name }),
        ),
      )

      const statuses = answers.map(({ status }) => status)
      assert.equal(statuses.filter((status) => status === 200).length, 1, String(statuses))
      const { members } = (await at.people.olga.get('/users')).body
      const twice = members.filter(({ delivery_email }) => delivery_email === 'twice@join.example')
      assert.equal(twice.length, 1)
    })

    it('ends all invitations of an address when one is accepted', async () => {
      const { alice, bob } = at.people
      const first = await invite(mail, alice, 'both@join.example')
      await bob.post('/invites', { invitee_emails: 'BOTH@join.example', stream_ids: [] })
      const second = joinPathIn((await mailTo(mail, 'BOTH@join.example')).text)
      const feed = await bob.listen({ event_types: ['invites_changed'] })

      assert.equal((await signUp(at.nobody, first)).status, 200)

      assertUnusable(await at.nobody.get(second))
      assert.equal((await feed.drain()).length, 1)
      assert.deepEqual(await invitesOf(bob), [])
    })

    it('shows the form again with what is wrong, without the password', async () => {
      const { olga, bob } = at.people
      const path = await invite(mail, at.people.alice, 'wrong@join.example')
      const { full_name } = (await bob.get('/users/me')).body
      await olga.patch('/realm', { require_unique_names: true })

      for (const [form, problem] of [
        [{ full_name: 'x' }, 'Name too short!'],
        [{ full_name: 'a*b' }, 'Invalid characters in name!'],
        [{ full_name: undefined }, 'Name too short!'],
        [{ full_name }, 'Unique names required in this organization.'],
        [{ password: 'short' }, 'The password is too weak.'],
        [{ password: 'wrong@join.example' }, 'The password is too weak.'],
        [{ password: undefined }, 'The password is too weak.'],
      ] as const) {
        const answer = await signUp(at.nobody, path, { full_name: 'Nina Wrong', ...form })
        assert.equal(answer.status, 400)
        assert.ok(answer.text.includes(`<p role="alert">${problem}</p>`), answer.text)
        assert.ok(answer.text.includes('name="password"'))
        assert.ok(!answer.text.includes('value="short"'))
      }
      const kept = await signUp(at.nobody, path, { full_name: 'Nina "<New>', password: 'x' })
      assert.ok(kept.text.includes('value="Nina &#34;&#60;New&#62;"'))
      await olga.patch('/realm', { require_unique_names: false })
      assert.equal((await signUp(at.nobody, path)).status, 200)
    })

    it('rejects an address that has got an account, or is no longer allowed', async () => {
      const { olga, alice } = at.people
      const path = await invite(mail, alice, 'outside@join.example')
      await olga.post('/realm/domains', { domain: 'acme.example', allow_subdomains: false })
      await olga.patch('/realm', { emails_restricted_to_domains: true })

      const answer = await signUp(at.nobody, path)

      assert.equal(answer.status, 400)
      assert.ok(answer.text.includes('Outside your domain.'))
      await olga.patch('/realm', { emails_restricted_to_domains: false })
    })

    it('rejects forms of other sites', async () => {
      const path = await invite(mail, at.people.alice, 'cross@join.example')
      const form = new URLSearchParams({ full_name: 'Nina New', password: strongPassword })

      for (const headers of [
        { ...ownForm, 'sec-fetch-site': 'cross-site' },
        { ...ownForm, 'sec-fetch-site': 'same-site' },
        { referer: 'https://evil.example/' },
        {},
      ]) {
        const answer = await at.nobody.send('POST', path, form.toString(), headers)
        assert.equal(answer.status, 403)
        assert.ok(answer.text.includes('Open the link of your invitation again'))
      }
      const referer = { referer: `${at.host.origin}/api/v1${path}` }
      const answer = await at.nobody.send('POST', path, form.toString(), referer)
      assert.equal(answer.status, 200)
    })

    it('shows a page also for parameters that are too long', async () => {
      const path = await invite(mail, at.people.alice, 'long@join.example')

      const answer = await signUp(at.nobody, path, { full_name: 'x'.repeat(1001) })

      assert.equal(answer.status, 400)
      assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8')
    })

    it('confirms the address of a person who uses a reusable link', async () => {
      const { adam, olga } = at.people
      const link = await inviteLink(adam, { invite_as: 600, stream_ids: [at.channels.design] })

      const asked = await submit(at.nobody, link, { email: ' Lena@link.example ' })

      assert.equal(asked.status, 200)
      assert.ok(asked.text.includes('Lena@link.example'))
      const { subject, text } = await mailTo(mail, 'Lena@link.example')
      assert.equal(subject, 'Confirm your email address for Test')
      const path = joinPathIn(text)
      assert.ok(!(await at.nobody.get(path)).text.includes('Adam Test'))
      assert.equal((await signUp(at.nobody, path, { full_name: 'Lena Link' })).status, 200)
      const lena = await clientOf(at, 'Lena@link.example')
      assert.equal((await lena.get('/users/me')).body.role, 600)
      assert.deepEqual(await subscribedTo(lena), [at.channels.design])
      assert.equal(
        (await messagesOf(adam, bots.notification)).at(-1),
        `@_**Lena Link|${lena.id}** accepted your invitation to join Zulip!`,
      )
      assertUnusable(await signUp(at.nobody, path))
      const emails = (await invitesOf(olga)).map(({ email }) => email)
      assert.ok(!emails.includes('Lena@link.example'))
      assert.equal((await at.nobody.get(link)).status, 200)
    })

    it('creates no account with an address that was not confirmed', async () => {
      const link = await inviteLink(at.people.adam)
      const form = { email: 'unproven@link.example' }

      const answer = await signUp(at.nobody, link, form)

      assert.ok(answer.text.includes('Check your mail'))
      const { members } = (await at.people.olga.get('/users')).body
      assert.ok(!JSON.stringify(members).includes('unproven@link.example'))
    })

    it('does not reveal which addresses have an account', async () => {
      const { adam, bob } = at.people
      const link = await inviteLink(adam)

      const free = await submit(at.nobody, link, { email: 'free@link.example' })
      const taken = await submit(at.nobody, link, { email: bob.email })

      assert.equal(taken.status, free.status)
      assert.equal(taken.text.replace(bob.email, 'free@link.example'), free.text)
      const { subject, text } = await mailTo(mail, bob.email)
      assert.equal(subject, 'You already have an account in Test')
      assert.ok(!text.includes('/accounts/join/'))
    })

    it('rejects addresses that the organization does not allow', async () => {
      const link = await inviteLink(at.people.adam)
      for (const [email, problem] of [
        ['', 'Invalid address.'],
        ['no address', 'Invalid address.'],
        ['a@mailinator.com', 'Please use your real email address.'],
      ] as const) {
        const answer = await submit(at.nobody, link, { email })
        assert.equal(answer.status, 400)
        assert.ok(answer.text.includes(`<p role="alert">${problem}</p>`))
        assert.ok(answer.text.includes(`value="${email}"`))
      }
    })

    it('sends the mail again on request, with the same link', async () => {
      const link = await inviteLink(at.people.adam)
      await submit(at.nobody, link, { email: 'again@link.example' })
      const first = await mailTo(mail, 'again@link.example')

      await submit(at.nobody, link, { email: 'again@link.example' })

      const second = await mailTo(mail, 'again@link.example', 2)
      assert.equal(joinPathIn(second.text), joinPathIn(first.text))
    })

    it('ends the sign-ups through a link that is revoked or expires', async () => {
      const { adam } = at.people
      const link = await inviteLink(adam, { invite_expires_in_minutes: 5 })
      await submit(at.nobody, link, { email: 'ended@link.example' })
      const path = joinPathIn((await mailTo(mail, 'ended@link.example')).text)
      const short = await inviteLink(adam, { invite_expires_in_minutes: 1 })
      await submit(at.nobody, short, { email: 'short@link.example' })
      const shortPath = joinPathIn((await mailTo(mail, 'short@link.example')).text)
      const { id } = (await invitesOf(adam)).find(
        ({ expiry_date, invited }) => expiry_date - invited === 300,
      )

      await adam.delete(`/invites/multiuse/${id}`)
      at.clock.advance(60)

      assertUnusable(await signUp(at.nobody, path))
      assertUnusable(await signUp(at.nobody, shortPath))
    })
  },
  {},
  mailing,
)
