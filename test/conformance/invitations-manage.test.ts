import assert from 'node:assert/strict'
import { before, it } from 'node:test'

import type { Answer, Client, Parameters } from '../support/client.js'
import { withoutIds } from '../support/event-feed.js'
import { FakeMail } from '../support/fake-mail.js'
import { everyHost, type HostCase } from '../support/host.js'
import {
  invite,
  inviteLink,
  inviteOf,
  invitesOf,
  joinPathIn,
  mailTo,
  signUp,
} from '../support/invitations.js'
import { reactivate } from '../support/reactivation.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'

const mail = new FakeMail()
const mailing = { mail }
const types = { event_types: ['invites_changed'] }
const unknown = 'No such invitation'
const noGuests = 'Not allowed for guest users'
const noBots = 'This endpoint does not accept bot requests.'

const linksOf = async (client: Client) =>
  (await invitesOf(client)).filter(({ is_multiuse }) => is_multiuse)

/** The only invitation of a user, which has just been created. */
async function linkOf(client: Client, params: Parameters = {}): Promise<{ id: number }> {
  await inviteLink(client, params)
  const link = (await linksOf(client)).at(-1)
  assert.ok(link)
  return link
}

/** Runs `act`, and asserts that exactly these users get one event about it. */
async function notifies(
  at: HostCase,
  names: readonly (keyof HostCase['people'])[],
  act: () => Promise<unknown>,
): Promise<void> {
  const all = ['olga', 'adam', 'mona', 'alice', 'bob', 'gus', 'bot'] as const
  const feeds = await Promise.all(
    all.map(async (name) => [name, await at.people[name].listen(types)] as const),
  )
  await act()
  for (const [name, feed] of feeds) {
    const expected = names.includes(name) ? [{ type: 'invites_changed' }] : []
    assert.deepEqual(withoutIds(await feed.drain()), expected, name)
  }
}

everyHost(
  'create-invite-link',
  (at) => {
    it('creates a link that administrators and its creator can see', async () => {
      const { olga, adam, alice } = at.people

      const { body } = await adam.post('/invites/multiuse', { invite_as: 600 })

      assert.deepEqual(Object.keys(body).sort(), ['invite_link', 'msg', 'result'])
      const [link] = await linksOf(olga)
      assert.deepEqual(link, {
        id: link.id,
        invited_by_user_id: adam.id,
        invited: at.clock.seconds,
        expiry_date: at.clock.seconds + 14_400 * 60,
        invited_as: 600,
        notify_referrer_on_join: true,
        link_url: body.invite_link,
        is_multiuse: true,
      })
      assert.deepEqual(await linksOf(adam), [link])
      assert.deepEqual(await linksOf(alice), [])
    })

    it('hides links for owners from administrators, who could use them', async () => {
      const { olga, adam } = at.people
      const count = (await linksOf(adam)).length

      await inviteLink(olga, { invite_as: 100 })

      assert.equal((await linksOf(adam)).length, count)
      assert.equal((await linksOf(olga)).length, count + 1)
    })

    it('requires the permission of the organization', async () => {
      const { olga, mona, alice, gus, bot } = at.people
      const create = (client: Client, params: Parameters = {}): Promise<Answer> =>
        client.post('/invites/multiuse', params)

      assertRefused(await create(mona), 'Insufficient permission')
      assertRefused(await create(alice), 'Insufficient permission')
      assertRefused(await create(gus), noGuests)
      assertRefused(await create(bot), noBots)
      const { user_groups } = (await olga.get('/user_groups')).body
      const everyone = user_groups.find(({ name }) => name === 'role:members')
      await olga.patch('/realm', { create_multiuse_invite_group: { new: everyone!.id } })
      assert.equal((await create(alice)).status, 200)
      assertRefused(
        await create(alice, { invite_as: 300 }),
        'Must be an organization administrator',
        {
          code: 'UNAUTHORIZED_PRINCIPAL',
        },
      )
      assertRefused(await create(alice, { invite_as: 100 }), 'Must be an organization owner', {
        code: 'UNAUTHORIZED_PRINCIPAL',
      })
      assertRefused(
        await create(alice, { stream_ids: [at.unknownId] }),
        `Invalid channel ID ${at.unknownId}. No invites were sent.`,
      )
    })

    it('sends an event to administrators and to the creator only', async () => {
      await notifies(at, ['olga', 'adam', 'alice'], () => inviteLink(at.people.alice))
    })
  },
  {},
  mailing,
)

everyHost('create-invite-link', (at) => {
  it('returns an error if nobody could confirm an address', async () => {
    assertRefused(
      await at.people.olga.post('/invites/multiuse'),
      'This server cannot send email, which invitations need.',
    )
  })
})

everyHost(
  'get-invites',
  (at) => {
    before(() => {
      mail.sent.length = 0
    })

    it('returns to users their own invitations, to administrators those of others', async () => {
      const { olga, adam, mona, alice, gus, bot } = at.people
      await invite(mail, alice, 'of-alice@new.example')
      await invite(mail, olga, 'of-olga@new.example')
      await invite(mail, olga, 'owner@new.example', { invite_as: 100 })

      const emailsOf = async (client: Client): Promise<string[]> =>
        (await invitesOf(client)).map(({ email }) => email)

      assert.deepEqual(await emailsOf(alice), ['of-alice@new.example'])
      assert.deepEqual(await emailsOf(mona), [])
      assert.deepEqual(await emailsOf(adam), ['of-alice@new.example', 'of-olga@new.example'])
      assert.deepEqual(await emailsOf(olga), [
        'of-alice@new.example',
        'of-olga@new.example',
        'owner@new.example',
      ])
      assertRefused(await gus.get('/invites'), noGuests)
      assertRefused(await bot.get('/invites'), noBots)
    })

    it('leaves out invitations that have expired', async () => {
      const { bob } = at.people
      await invite(mail, bob, 'short@new.example', { invite_expires_in_minutes: 1 })
      assert.equal((await invitesOf(bob)).length, 1)

      at.clock.advance(60)

      assert.deepEqual(await invitesOf(bob), [])
    })

    it('leaves out the invitations of users who are deactivated', async () => {
      const { olga, carol, adam } = at.people
      const path = await invite(mail, carol, 'of-carol@new.example')

      await olga.delete(`/users/${carol.id}`)

      const emails = (await invitesOf(adam)).map(({ email }) => email)
      assert.ok(!emails.includes('of-carol@new.example'))
      assert.equal((await at.nobody.get(path)).status, 404)
      await reactivate(at, olga, carol)
      assert.deepEqual(await invitesOf(carol), [])
    })

    it('leaves out the invitations of an inviter who has lost a role', async () => {
      const { olga, mona } = at.people
      await invite(mail, mona, 'moderator@new.example', { invite_as: 300 })
      await invite(mail, mona, 'member@new.example')

      await notifies(at, ['olga', 'adam', 'mona'], () =>
        olga.patch(`/users/${mona.id}`, { role: 400 }),
      )

      assert.deepEqual(await invitesOf(mona), [])
      await olga.patch(`/users/${mona.id}`, { role: 300 })
    })

    it('leaves out invitations whose addresses have got an account in another way', async () => {
      const { olga, alice } = at.people
      await invite(mail, alice, 'taken@new.example')

      await notifies(at, ['olga', 'adam', 'alice'], () =>
        olga.post('/users', {
          email: 'Taken@new.example',
          full_name: 'Tina Taken',
          password: 'correct horse battery',
        }),
      )

      const emails = (await invitesOf(alice)).map(({ email }) => email)
      assert.ok(!emails.includes('taken@new.example'))
    })
  },
  {},
  mailing,
)

everyHost(
  'revoke-email-invite',
  (at) => {
    it('ends an invitation, and sends the event', async () => {
      const { alice } = at.people
      const path = await invite(mail, alice, 'revoked@new.example')
      const { id } = await inviteOf(alice, 'revoked@new.example')

      await notifies(at, ['olga', 'adam', 'alice'], async () => {
        assert.deepEqual((await alice.delete(`/invites/${id}`)).body, bareSuccess)
      })

      assert.deepEqual(await invitesOf(alice), [])
      assert.equal((await at.nobody.get(path)).status, 404)
      assertRefused(await alice.delete(`/invites/${id}`), unknown)
    })

    it('lets administrators revoke those of others, but only owners those for owners', async () => {
      const { olga, adam, alice } = at.people
      await invite(mail, alice, 'of-alice@revoke.example')
      await invite(mail, olga, 'owner@revoke.example', { invite_as: 100 })
      const ofAlice = (await inviteOf(olga, 'of-alice@revoke.example')).id
      const forOwner = (await inviteOf(olga, 'owner@revoke.example')).id

      assertRefused(await adam.delete(`/invites/${forOwner}`), unknown)
      assert.equal((await olga.delete(`/invites/${forOwner}`)).status, 200)
      await notifies(at, ['olga', 'adam', 'alice'], () => adam.delete(`/invites/${ofAlice}`))
    })

    it('answers the same for a missing invitation, one of others and a link', async () => {
      const { olga, bob, alice, gus, bot } = at.people
      await invite(mail, alice, 'same@new.example')
      const { id } = await inviteOf(alice, 'same@new.example')
      const link = await linkOf(olga)
      const texts = [
        (await bob.delete(`/invites/${id}`)).text,
        (await bob.delete(`/invites/${at.unknownId}`)).text,
        (await olga.delete(`/invites/${link.id}`)).text,
        (await olga.delete('/invites/99999999999999999999')).text,
      ]

      assert.deepEqual(new Set(texts), new Set([texts[0]]))
      assertRefused(await bob.delete(`/invites/${id}`), unknown)
      assertRefused(await gus.delete(`/invites/${id}`), noGuests)
      assertRefused(await bot.delete(`/invites/${id}`), noBots)
    })
  },
  {},
  mailing,
)

everyHost(
  'revoke-invite-link',
  (at) => {
    it('ends a link, and sends the event', async () => {
      const { adam } = at.people
      const path = await inviteLink(adam)
      const [{ id }] = (await linksOf(adam)) as [{ id: number }]

      await notifies(at, ['olga', 'adam'], async () => {
        assert.deepEqual((await adam.delete(`/invites/multiuse/${id}`)).body, bareSuccess)
      })

      assert.deepEqual(await linksOf(adam), [])
      assert.equal((await at.nobody.get(path)).status, 404)
      assertRefused(
        await adam.delete(`/invites/multiuse/${id}`),
        'Invitation has already been revoked',
      )
    })

    it('answers the same for a missing link, one of others and an invitation', async () => {
      const { olga, adam, alice, bob, gus, bot } = at.people
      await invite(mail, bob, 'no-link@new.example')
      const { id } = await inviteOf(bob, 'no-link@new.example')
      const forOwner = await linkOf(olga, { invite_as: 100 })
      const link = await linkOf(adam)
      const revoke = (client: Client, linkId: number): Promise<Answer> =>
        client.delete(`/invites/multiuse/${linkId}`)

      for (const answer of [
        await revoke(alice, link.id),
        await revoke(alice, at.unknownId),
        await revoke(adam, forOwner.id),
        await revoke(bob, id),
      ]) {
        assertRefused(answer, unknown)
      }
      await olga.delete(`/invites/multiuse/${link.id}`)
      assertRefused(await revoke(alice, link.id), unknown)
      assertRefused(await revoke(gus, link.id), noGuests)
      assertRefused(await revoke(bot, link.id), noBots)
    })
  },
  {},
  mailing,
)

everyHost(
  'resend-email-invite',
  (at) => {
    before(() => {
      mail.sent.length = 0
    })

    it('sends the mail again; the invitation then lasts as long as at first', async () => {
      const { alice } = at.people
      const path = await invite(mail, alice, 'again@new.example', {
        invite_expires_in_minutes: 10,
      })
      const { id } = await inviteOf(alice, 'again@new.example')
      at.clock.advance(300)

      await notifies(at, ['olga', 'adam', 'alice'], async () => {
        assert.deepEqual((await alice.post(`/invites/${id}/resend`)).body, bareSuccess)
      })

      const second = await mailTo(mail, 'again@new.example', 2)
      assert.equal(joinPathIn(second.text), path)
      const invitation = await inviteOf(alice, 'again@new.example')
      assert.deepEqual(
        [invitation.invited, invitation.expiry_date],
        [at.clock.seconds, at.clock.seconds + 600],
      )
      assert.equal((await signUp(at.nobody, path)).status, 200)
      assertRefused(await alice.post(`/invites/${id}/resend`), unknown)
    })

    it('answers the same for a missing, an expired and a hidden invitation, and a link', async () => {
      const { olga, adam, alice, bob, gus, bot } = at.people
      await invite(mail, alice, 'hidden@new.example', { invite_expires_in_minutes: 1 })
      await invite(mail, olga, 'owner@new.example', { invite_as: 100 })
      const { id } = await inviteOf(alice, 'hidden@new.example')
      const forOwner = await inviteOf(olga, 'owner@new.example')
      const link = await linkOf(olga)
      const resend = (client: Client, inviteId: number): Promise<Answer> =>
        client.post(`/invites/${inviteId}/resend`)

      for (const answer of [
        await resend(bob, id),
        await resend(adam, forOwner.id),
        await resend(bob, at.unknownId),
        await resend(olga, link.id),
      ]) {
        assertRefused(answer, unknown)
      }
      assertRefused(await resend(gus, id), noGuests)
      assertRefused(await resend(bot, id), noBots)
      assert.equal((await resend(adam, id)).status, 200)
      at.clock.advance(60)
      assertRefused(await resend(alice, id), unknown)
    })
  },
  {},
  mailing,
)
