import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Answer, Client } from '../support/client.js'
import { FakeMail } from '../support/fake-mail.js'
import { everyHost } from '../support/host.js'
import { invitesOf } from '../support/invitations.js'

const daySeconds = 86_400
const settings = { create_multiuse_invite_group: 'role:members' }
const invite = (by: Client, ...emails: string[]): Promise<Answer> =>
  by.post('/invites', { invitee_emails: emails.join(), stream_ids: [] })
const refusal = ({ status, body }: Answer): unknown[] => [status, body.code]
const limited = [429, 'RATE_LIMIT_HIT']

everyHost(
  'send-invites',
  (at) => {
    it('limits the invitations of each user: mails, mails sent again, and links', async () => {
      const { adam, alice, bob } = at.people
      assert.equal((await invite(alice, 'a1@new.example')).status, 200)
      const [first] = await invitesOf(alice)
      assert.equal((await alice.post('/invites/multiuse')).status, 200)
      // Refused as a whole, and not counted.
      const more = ['a2@new.example', 'a3@new.example', 'a4@new.example']
      assert.deepEqual(refusal(await invite(alice, ...more)), limited)
      assert.equal((await invite(alice, 'a1@new.example', 'no address')).status, 400)
      assert.equal((await alice.post(`/invites/${first?.id}/resend`)).status, 200)
      assert.equal((await invite(alice, 'a2@new.example')).status, 200)

      const calls = [
        invite(alice, 'a3@new.example'),
        alice.post(`/invites/${first?.id}/resend`),
        alice.post('/invites/multiuse'),
      ]
      for (const answer of await Promise.all(calls)) assert.deepEqual(refusal(answer), limited)
      assert.equal((await adam.post(`/invites/${first?.id}/resend`)).status, 200)
      assert.equal((await invite(bob, 'b1@new.example')).status, 200)
      at.clock.jump(daySeconds)
      assert.equal((await invite(alice, 'a3@new.example')).status, 200)
    })
  },
  { settings },
  {
    mail: new FakeMail(),
    rateLimits: {
      invitationByUser: [{ windowSeconds: daySeconds, maxRequests: 4 }],
      invitationByEmail: [],
    },
  },
)

everyHost(
  'send-invites',
  (at) => {
    it('limits the mails to each address, by whomever they are sent', async () => {
      const { alice, bob, carol } = at.people
      const email = 'wanted@new.example'
      assert.equal((await invite(alice, email)).status, 200)
      assert.equal((await invite(bob, 'WANTED@new.example')).status, 200)

      assert.deepEqual(refusal(await invite(carol, 'other@new.example', email)), limited)
      const [invitation] = await invitesOf(alice)
      assert.deepEqual(refusal(await alice.post(`/invites/${invitation?.id}/resend`)), limited)
      assert.equal((await invite(carol, 'other@new.example')).status, 200)
      const { api } = at.host.chat.asSystem({ organization: at.subdomain })
      await api.sendInvites({ invitee_emails: email, stream_ids: [] })
    })
  },
  { settings },
  {
    mail: new FakeMail(),
    rateLimits: { invitationByEmail: [{ windowSeconds: daySeconds, maxRequests: 2 }] },
  },
)
