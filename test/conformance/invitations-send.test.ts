import assert from 'node:assert/strict'
import { before, it } from 'node:test'

import type { Answer, Client, Parameters } from '../support/client.js'
import { withoutIds } from '../support/event-feed.js'
import { FakeMail } from '../support/fake-mail.js'
import { everyHost } from '../support/host.js'
import { makeGroup } from '../support/groups.js'
import { inviteOf, invitesOf, mailTo } from '../support/invitations.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'
import { until } from '../support/waiting.js'

const mail = new FakeMail()
const mailing = { mail }
const types = { event_types: ['invites_changed'] }

const send = (client: Client, params: Parameters = {}): Promise<Answer> =>
  client.post('/invites', { invitee_emails: 'nina@new.example', stream_ids: [], ...params })

const notSent = {
  code: 'INVITATION_FAILED',
  sent_invitations: false,
  license_limit_reached: false,
  daily_limit_reached: false,
}

everyHost(
  'send-invites',
  (at) => {
    before(() => {
      mail.sent.length = 0
    })

    it('stores an invitation for each address, and sends the mails', async () => {
      const { alice } = at.people

      const answer = await send(alice, {
        invitee_emails: 'one@new.example, Two Persons <two@new.example>\n\nONE@new.example,',
      })

      assert.deepEqual(answer.body, bareSuccess)
      const invites = await invitesOf(alice)
      assert.deepEqual(
        invites.map(({ email }) => email),
        ['one@new.example', 'two@new.example'],
      )
      assert.deepEqual(invites[0], {
        id: invites[0].id,
        invited_by_user_id: alice.id,
        invited: at.clock.seconds,
        expiry_date: at.clock.seconds + 14_400 * 60,
        invited_as: 400,
        email: 'one@new.example',
        notify_referrer_on_join: true,
        is_multiuse: false,
      })
      const { subject, text } = await mailTo(mail, 'one@new.example')
      assert.equal(subject, 'Alice Test has invited you to join Test')
      assert.ok(text.includes(`${at.host.origin}/api/v1/accounts/join/`))
      assert.ok(text.includes(' UTC.'))
      await mailTo(mail, 'two@new.example')
      assert.equal(mail.to('one@new.example').length, 1)
    })

    it('sends an event to administrators and to the inviter only', async () => {
      const { olga, adam, mona, alice, bob, gus, bot } = at.people
      const receiving = [
        await olga.listen(types),
        await adam.listen(types),
        await alice.listen(types),
      ]
      const others = [
        await mona.listen(types),
        await bob.listen(types),
        await gus.listen(types),
        await bot.listen(types),
      ]

      await send(alice, { invitee_emails: 'a@event.example,b@event.example' })

      for (const feed of receiving) {
        assert.deepEqual(withoutIds(await feed.drain()), [{ type: 'invites_changed' }])
      }
      for (const feed of others) assert.deepEqual(await feed.drain(), [])
    })

    it('accepts every option', async () => {
      const { adam } = at.people
      const group = await makeGroup(at.people.olga, 'designers')

      const answer = await send(adam, {
        invitee_emails: 'all@options.example',
        invite_expires_in_minutes: null,
        invite_as: 300,
        stream_ids: [at.channels.design, at.channels.general],
        group_ids: [],
        include_realm_default_subscriptions: true,
        notify_referrer_on_join: false,
        welcome_message_custom_text: 'Hi!',
      })

      assert.equal(answer.status, 200, answer.text)
      const invite = await inviteOf(adam, 'all@options.example')
      assert.deepEqual(
        [invite.expiry_date, invite.invited_as, invite.notify_referrer_on_join],
        [null, 300, false],
      )
      const minutes = { invite_expires_in_minutes: 10, group_ids: [group] }
      await send(at.people.olga, { invitee_emails: 'ten@options.example', ...minutes })
      const short = await inviteOf(adam, 'ten@options.example')
      assert.equal(short.expiry_date, at.clock.seconds + 600)
    })

    it('rejects parameters outside of their bounds', async () => {
      const { olga } = at.people
      for (const [params, msg] of [
        [{ invite_expires_in_minutes: 0 }, 'invite_expires_in_minutes is too small'],
        [{ invite_expires_in_minutes: 5_256_001 }, 'invite_expires_in_minutes is too large'],
        [{ invite_as: 250 }, 'Invalid invite_as: Value error, Not in the list of possible values'],
        [
          { group_ids: Array.from({ length: 101 }, (_, index) => index) },
          'group_ids is too long (limit: 100 items)',
        ],
        [
          { welcome_message_custom_text: 'x'.repeat(8001) },
          'welcome_message_custom_text is too long (limit: 8000 characters)',
        ],
      ] as const) {
        const answer = await send(olga, params)
        assert.deepEqual([answer.status, answer.body.msg], [400, msg])
      }
      assert.equal(
        (await olga.post('/invites', { stream_ids: [] })).body.var_name,
        'invitee_emails',
      )
      assert.equal(
        (await olga.post('/invites', { invitee_emails: 'a@b.example' })).body.var_name,
        'stream_ids',
      )
    })

    it('requires the permission of the organization', async () => {
      const { olga, mona, alice } = at.people
      await olga.patch('/realm', {
        can_invite_users_group: { new: await olga.get('/user_groups').then(moderators) },
      })

      assertRefused(await send(alice), 'Insufficient permission')
      assert.equal((await send(mona, { invitee_emails: 'm@new.example' })).status, 200)
      await olga.patch('/realm', {
        can_invite_users_group: {
          new: await olga.get('/user_groups').then(members),
        },
      })
    })

    it('lets users invite to their own role and to roles with fewer permissions', async () => {
      const { olga, adam, mona, alice } = at.people
      const owner = { code: 'UNAUTHORIZED_PRINCIPAL', msg: 'Must be an organization owner' }
      const administrator = {
        code: 'UNAUTHORIZED_PRINCIPAL',
        msg: 'Must be an organization administrator',
      }
      const table = [
        [olga, 100, undefined],
        [adam, 100, owner],
        [adam, 200, undefined],
        [mona, 200, administrator],
        [mona, 300, undefined],
        [alice, 100, owner],
        [alice, 200, administrator],
        [alice, 300, administrator],
        [alice, 400, undefined],
        [alice, 600, undefined],
      ] as const
      for (const [index, [client, invite_as, refusal]] of table.entries()) {
        const invitee_emails = `role${index}@new.example`
        const answer = await send(client, { invite_as, invitee_emails })
        if (refusal === undefined) assert.equal(answer.status, 200, answer.text)
        else assertRefused(answer, refusal.msg, { code: refusal.code })
      }
    })

    it('requires at least one address', async () => {
      const text = 'You must specify at least one email address.'
      assertRefused(await send(at.people.alice, { invitee_emails: '' }), text)
      assertRefused(await send(at.people.alice, { invitee_emails: ' ,\n, ' }), text)
    })

    it('answers the same for a missing, an archived and a hidden channel', async () => {
      const { bob } = at.people
      const { secret, attic } = at.channels
      const before = (await invitesOf(bob)).length
      for (const id of [at.unknownId, secret, attic]) {
        assertRefused(
          await send(bob, { stream_ids: [at.channels.design, id] }),
          `Invalid channel ID ${id}. No invites were sent.`,
        )
      }
      assert.equal((await invitesOf(bob)).length, before)
    })

    it('requires the permission to subscribe others, except to default channels', async () => {
      const { olga, alice } = at.people
      const { general, design } = at.channels
      const groups = await olga.get('/user_groups')
      await olga.patch('/realm', { can_add_subscribers_group: { new: moderators(groups) } })

      assertRefused(
        await send(alice, { stream_ids: [design] }),
        'You do not have permission to subscribe other users to channels.',
      )
      const answer = await send(alice, {
        stream_ids: [general],
        invitee_emails: 'default@new.example',
      })
      assert.equal(answer.status, 200, answer.text)
      await olga.patch('/realm', { can_add_subscribers_group: { new: members(groups) } })
    })

    it('does not let administrators invite to private channels that they cannot read', async () => {
      assertRefused(
        await send(at.people.adam, { stream_ids: [at.channels.secret] }),
        'You do not have permission to subscribe other users to channels.',
      )
    })

    it('requires groups to which the caller may add members', async () => {
      const { olga, alice } = at.people
      const group = await makeGroup(olga, 'closed')
      const moderatorsId = moderators(await olga.get('/user_groups'))

      assertRefused(await send(alice, { group_ids: [group] }), 'Insufficient permission')
      assertRefused(await send(olga, { group_ids: [moderatorsId] }), 'Insufficient permission')
      assertRefused(await send(alice, { group_ids: [at.unknownId] }), 'Invalid user group')
      await olga.post(`/user_groups/${group}/deactivate`)
      assertRefused(await send(olga, { group_ids: [group] }), 'User group is deactivated.')
    })

    it('invites no address if one of them is not allowed', async () => {
      const { alice, bob } = at.people
      const before = (await invitesOf(alice)).length

      const answer = await send(alice, {
        invitee_emails: `fine@new.example, no address, x@mailinator.com, ${bob.email}`,
      })

      assertRefused(answer, "Some emails did not validate, so we didn't send any invitations.", {
        ...notSent,
        errors: [
          ['no address', 'Invalid address.', false],
          ['x@mailinator.com', 'Please use your real email address.', false],
          [bob.email, 'Already has an account.', false],
        ],
      })
      assert.equal((await invitesOf(alice)).length, before)
    })

    it('rejects addresses of domains that the organization does not allow', async () => {
      const { olga, alice } = at.people
      await olga.post('/realm/domains', { domain: 'acme.example', allow_subdomains: true })
      await olga.patch('/realm', { emails_restricted_to_domains: true })

      const { body } = await send(alice, {
        invitee_emails: 'a@foreign.example, a+b@acme.example, a@x.acme.example',
      })

      assert.deepEqual(body.errors, [
        ['a@foreign.example', 'Outside your domain.', false],
        ['a+b@acme.example', 'Email addresses containing + are not allowed.', false],
      ])
      await olga.patch('/realm', { emails_restricted_to_domains: false })
    })

    it('fails if all addresses have accounts', async () => {
      const { alice, bob, dora } = at.people

      assertRefused(
        await send(alice, { invitee_emails: `${bob.email.toUpperCase()}\n${dora.email}` }),
        "We weren't able to invite anyone.",
        {
          ...notSent,
          errors: [
            [bob.email.toUpperCase(), 'Already has an account.', false],
            [dora.email, 'Account has been deactivated.', true],
          ],
        },
      )
    })

    it('invites the others if some addresses have accounts', async () => {
      const { alice, bob } = at.people

      const answer = await send(alice, { invitee_emails: `${bob.email},other@new.example` })

      assertRefused(
        answer,
        "Some of those addresses are already using Zulip, so we didn't send them an invitation. We did send invitations to everyone else!",
        {
          ...notSent,
          sent_invitations: true,
          errors: [[bob.email, 'Already has an account.', false]],
        },
      )
      await mailTo(mail, 'other@new.example')
      await inviteOf(alice, 'other@new.example')
    })

    it('tries again until the sender accepts the mail', async () => {
      const { alice } = at.people
      mail.failure = new Error('the mail server is away')
      await send(alice, { invitee_emails: 'late@new.example' })
      await until('a failed attempt', () =>
        at.host.log.some((line) => line.includes('the mail server is away')),
      )
      mail.failure = undefined

      await until('the next attempt', () => {
        at.clock.advance(10)
        return mail.to('late@new.example').length > 0
      })
    })
  },
  {},
  mailing,
)

everyHost('send-invites', (at) => {
  it('returns an error if the server cannot send mail', async () => {
    assertRefused(
      await send(at.people.alice),
      'This server cannot send email, which invitations need.',
    )
    assert.deepEqual(await invitesOf(at.people.alice), [])
  })
})

everyHost(
  'send-invites',
  (at) => {
    it('limits the addresses of a request', async () => {
      const emails = Array.from({ length: 5 }, (_, index) => `p${index}@many.example`)
      assertRefused(
        await send(at.people.alice, { invitee_emails: emails.join(',') }),
        'Too many email addresses in one request (limit: 4)',
      )
    })

    it('limits the mails of a day, also those that are sent again', async () => {
      const { alice, olga } = at.people
      const limited = {
        ...notSent,
        errors: [],
        daily_limit_reached: true,
      }
      const text =
        'An organization can send 3 invitations a day. No invitations were sent, because there would be more.'
      await send(alice, { invitee_emails: 'a@day.example,b@day.example' })

      assertRefused(
        await send(olga, { invitee_emails: 'c@day.example,d@day.example' }),
        text,
        limited,
      )
      const { id } = await inviteOf(alice, 'a@day.example')
      assert.equal((await alice.post(`/invites/${id}/resend`)).status, 200)
      assertRefused(await send(olga, { invitee_emails: 'c@day.example' }), text, limited)
      await alice.delete(`/invites/${id}`)
      assertRefused(
        await alice.post(`/invites/${(await inviteOf(alice, 'b@day.example')).id}/resend`),
        text,
        limited,
      )
      at.clock.advance(86_400)
      assert.equal((await send(olga, { invitee_emails: 'c@day.example' })).status, 200)
    })
  },
  {},
  { mail, quotas: { invitationMailsPerDay: 3, inviteesPerRequest: 4 } },
)

function systemGroup(answer: Answer, name: string): number {
  const groups = answer.body.user_groups as { id: number; name: string }[]
  return groups.find((group) => group.name === name)?.id ?? 0
}

const moderators = (answer: Answer): number => systemGroup(answer, 'role:moderators')
const members = (answer: Answer): number => systemGroup(answer, 'role:members')
