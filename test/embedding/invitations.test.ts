import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import { ChatError, type InvitationAnswer } from '@parley/core'
import createKnex, { type Knex } from 'knex'

import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import { FakeMail } from '../support/fake-mail.js'
import { TestHost, type HostCase } from '../support/host.js'
import {
  invite,
  inviteLink,
  invitesOf,
  joinPathIn,
  mailTo,
  signUp,
} from '../support/invitations.js'
import { until } from '../support/waiting.js'

const unusable = { kind: 'OBJECT_NOT_FOUND' }
const taken = { kind: 'BAD_REQUEST', message: 'Already has an account.' }

/** The parameter `invitation` of a link to the product's page. */
function tokenIn(text: string): string {
  const url = /https?:\/\/\S+\/join\?\S+/.exec(text)?.[0]
  assert.ok(url, text)
  return new URL(url).searchParams.get('invitation') ?? ''
}

reportSkippedColumns()
for (const database of databaseColumns()) {
  describe(`chat.invitations (${database.name})`, () => {
    const mail = new FakeMail()
    const host = new TestHost('express', database, {
      mail,
      invitations: { acceptUrl: '/join?from=chat' },
    })
    let at: HostCase
    let knex: Knex
    before(async () => {
      await host.start()
      at = { ...(await host.organization()), host, clock: host.clock }
      knex = createKnex(host.databaseConfig)
    })
    after(async () => {
      await knex.destroy()
      await host.stop()
    })

    const inviteBy = async (email: string, params: Record<string, unknown> = {}) => {
      const { alice } = at.people
      const answer = await alice.post('/invites', {
        invitee_emails: email,
        stream_ids: [],
        ...params,
      })
      assert.equal(answer.status, 200, answer.text)
      return tokenIn((await mailTo(mail, email)).text)
    }
    const person = (id: string) => ({
      externalId: id,
      email: `${id}@product.example`,
      fullName: `Person ${id}`,
      organization: at.subdomain,
    })

    it('leads to the page of the product, with the organization', async () => {
      await inviteBy('a@product.example')

      const { text } = await mailTo(mail, 'a@product.example')

      assert.match(
        text,
        new RegExp(
          `${host.origin}/join\\?from=chat&invitation=[\\w-]{32}&organization=${at.subdomain}`,
        ),
      )
    })

    it('finds an invitation until it is accepted', async () => {
      const { organization } = person('found')
      const token = await inviteBy('b@product.example', { invite_as: 600 })

      assert.deepEqual(await host.chat.invitations.find(token, { organization }), {
        email: 'b@product.example',
        role: 600,
        organizationName: 'Test',
        inviterName: 'Alice Test',
        expiresAtSeconds: at.clock.seconds + 14_400 * 60,
      })
      const userId = await host.chat.invitations.accept({ token, ...person('found') })

      assert.equal(await host.chat.invitations.find(token, { organization }), undefined)
      assert.equal(await host.chat.invitations.find('x', { organization }), undefined)
      const user = await host.chat.users.find('found', { organization })
      assert.deepEqual([user?.id, user?.role], [userId, 600])
      await assert.rejects(host.chat.invitations.accept({ token, ...person('late') }), unusable)
    })

    it('gives the account the channels, also within a transaction of the product', async () => {
      const stream_ids = [at.channels.design]
      const token = await inviteBy('c@product.example', { stream_ids })
      const { organization } = person('kept')

      const trx = await knex.transaction()
      await host.chat.invitations.accept({ token, ...person('undone') }, { within: trx })
      await trx.rollback()
      assert.equal(await host.chat.users.find('undone', { organization }), undefined)
      await knex.transaction((within) =>
        host.chat.invitations.accept({ token, ...person('kept') }, { within }),
      )

      const kept = host.chat.as({ externalId: 'kept', organization })
      const { subscriptions } = await kept.api.getSubscriptions()
      assert.deepEqual(
        subscriptions.map(({ stream_id }) => stream_id),
        stream_ids,
      )
    })

    it('refuses users and addresses that have an account, and keeps the invitation', async () => {
      const token = await inviteBy('d@product.example')
      const { invitations } = host.chat
      const first = person('first')
      await host.chat.as(first).id()

      await assert.rejects(invitations.accept({ ...first, token, email: 'e@x.example' }), taken)
      await assert.rejects(
        invitations.accept({ ...person('second'), token, email: first.email }),
        taken,
      )
      assert.ok(await invitations.accept({ ...person('third'), token }))
    })

    it('names every field of the wrong type', async () => {
      // As a product in plain JavaScript could call it
      const accept = async (answer: object): Promise<number> =>
        host.chat.invitations.accept(answer as InvitationAnswer)

      await assert.rejects(accept({ token: 'x', email: 7, organization: at.subdomain }), {
        name: 'TypeError',
        message: /chat.invitations.accept: externalId is missing; email must be/,
      })
      await assert.rejects(accept({ ...person('typed'), token: 7 }), {
        name: 'TypeError',
        message: /token must be a string/,
      })
    })

    it('redirects from the page of the chat to that of the product', async () => {
      const token = await inviteBy('f@product.example')

      const answer = await at.nobody.get(`/accounts/join/${token}`)

      assert.equal(answer.status, 302)
      assert.equal(tokenIn(String(answer.headers.location)), token)
      const refused = await signUp(at.nobody, `/accounts/join/${token}`)
      assert.equal(refused.status, 400)
      assert.ok(refused.text.includes('People cannot sign up here.'))
    })

    it('invites as the product itself, and sends no invitation in a failed call', async () => {
      const { bob } = at.people
      const { api } = host.chat.asSystem({ organization: at.subdomain })
      await api.sendInvites({ invitee_emails: 'system@product.example', stream_ids: [] })
      const { subject } = await mailTo(mail, 'system@product.example')
      assert.equal(subject, 'You are invited to join Test')

      const trx = await knex.transaction()
      await assert.rejects(
        api.sendInvites(
          { invitee_emails: `${bob.email},never@product.example`, stream_ids: [] },
          { within: trx },
        ),
        (error) => error instanceof ChatError && error.fields['sent_invitations'] === false,
      )
      await trx.commit()
      await api.sendInvites({ invitee_emails: 'next@product.example', stream_ids: [] })
      await mailTo(mail, 'next@product.example')
      assert.deepEqual(mail.to('never@product.example'), [])
    })

    it('deletes invitations a week after they have ended or expired', async () => {
      const { alice } = at.people
      await inviteBy('old@product.example')
      const short = { invite_expires_in_minutes: 1 }
      await inviteBy('short@product.example', short)
      await inviteBy('open@product.example', { invite_expires_in_minutes: null })
      const { id } = (await invitesOf(alice)).find(({ email }) => email === 'old@product.example')
      await alice.delete(`/invites/${id}`)
      const emails = async (): Promise<string[]> => {
        const rows = await knex('chat_invitations').select<{ email: string | null }[]>('email')
        return rows.map(({ email }) => email ?? 'none')
      }
      const ended = (await emails()).filter((email) => email === 'none').length
      assert.ok(ended > 0)

      at.clock.advance(8 * 86_400)
      await until('the upkeep', async () => {
        at.clock.advance(3600)
        return !(await emails()).includes('short@product.example')
      })

      const left = await emails()
      assert.ok(left.includes('open@product.example'))
      assert.ok(!left.includes('none'))
    })

    it('passes welcome messages to the hooks of content', async () => {
      const seen: string[] = []
      const remove = host.chat.before('content', ({ kind, text, operation }) => {
        seen.push(`${operation} ${kind} ${text}`)
      })
      const { api } = host.chat.as({ userId: at.people.olga.id, organization: at.subdomain })
      await api.createInviteLink({ welcome_message_custom_text: 'Hello' })
      remove()

      assert.deepEqual(seen, ['createInviteLink organization.welcome Hello'])
    })
  })

  describe(`invitations (${database.name})`, () => {
    it('sends the mails that a process has left behind', async () => {
      const mail = new FakeMail()
      // Never accepts a mail, as if the process had ended during the attempt.
      const hanging = { send: () => new Promise<void>(() => {}) }
      const host = new TestHost('koa', database, { mail: hanging })
      await host.start()
      const { people } = await host.organization()
      const params = { invitee_emails: 'left@behind.example', stream_ids: [] }
      assert.equal((await people.alice.post('/invites', params)).status, 200)
      await host.chat.close()

      const other = await host.another('koa', { mail })
      try {
        await until('the mail', () => {
          other.clock.advance(10)
          return mail.to('left@behind.example').length > 0
        })
      } finally {
        await other.stop()
        await host.stop()
      }
    })

    it('can be switched off, with the page', async () => {
      const mail = new FakeMail()
      const host = new TestHost('koa', database, {
        mail,
        operations: { disabled: ['invitations'] },
      })
      await host.start()
      try {
        const { people, nobody } = await host.organization()
        for (const answer of [
          await people.olga.post('/invites', { invitee_emails: 'a@b.example', stream_ids: [] }),
          await people.olga.get('/invites'),
          await nobody.get('/accounts/join/x'),
        ]) {
          assert.equal(answer.status, 400)
          assert.ok(answer.text.includes('This operation is not available on this server.'))
        }
      } finally {
        await host.stop()
      }
    })

    it('are encrypted again with another secret', async () => {
      const mail = new FakeMail()
      const [first, second] = ['first secret '.repeat(3), 'second secret '.repeat(3)]
      const host = new TestHost('koa', database, { mail, secret: first })
      await host.start()
      const { people } = await host.organization()
      const link = await inviteLink(people.olga)
      await invite(mail, people.olga, 'kept@secret.example')

      const other = await host.another('koa', {
        mail,
        secret: second,
        previousSecrets: [first],
      })
      try {
        const olga = other.clientOf(people.olga)
        assert.deepEqual((await other.chat.health()).oldSecretsInUse, ['previousSecrets[0]'])
        const [, reusable] = await invitesOf(olga)
        assert.equal(joinPathIn(reusable.link_url), link)
        await until('encrypted invitations', async () => {
          other.clock.advance(900)
          return (await other.chat.health()).oldSecretsInUse?.length === 0
        })
        const last = await host.another('koa', { mail, secret: second })
        const [, kept] = await invitesOf(last.clientOf(people.olga))
        await last.stop()
        assert.equal(joinPathIn(kept.link_url), link)
      } finally {
        await other.stop()
        await host.stop()
      }
    })
  })
}
