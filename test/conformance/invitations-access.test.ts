import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Client, Parameters } from '../support/client.js'
import { FakeMail } from '../support/fake-mail.js'
import { everyHost, type HostCase } from '../support/host.js'
import {
  assertUnusable,
  clientOf,
  invite,
  inviteLink,
  joinPathIn,
  mailTo,
  signUp,
  submit,
} from '../support/invitations.js'
import { makeGroup, systemGroupId } from '../support/groups.js'

const mail = new FakeMail()
let count = 0

/** How somebody accepts an invitation of each kind: with a link of their own, or a reusable one. */
const kinds = {
  'by e-mail': async (inviter: Client, params: Parameters) => {
    const email = `mailed${(count += 1)}@access.example`
    const path = await invite(mail, inviter, email, params)
    return { email, path: async () => path }
  },
  'by a reusable link': async (inviter: Client, params: Parameters) => {
    const email = `linked${(count += 1)}@access.example`
    const link = await inviteLink(inviter, params)
    return {
      email,
      path: async (at: HostCase) => {
        const sent = await submit(at.nobody, link, { email })
        if (sent.status !== 200) return link
        return joinPathIn((await mailTo(mail, email)).text)
      },
    }
  },
}

for (const [kind, prepare] of Object.entries(kinds)) {
  everyHost(
    'submit-join-page',
    (at) => {
      const nameOf = async (id: number): Promise<string> =>
        (await at.people.olga.get(`/streams/${id}`)).body.stream.name

      it(`gives what the inviter can still give, ${kind}`, async () => {
        const { olga, alice, bob } = at.people
        const { general, secret } = at.channels
        const [kept, lost, gone] = [
          await makeGroup(alice, `kept ${kind}`, { members: [alice.id] }),
          await makeGroup(bob, `lost ${kind}`, {
            members: [alice.id],
            can_add_members_group: { direct_members: [alice.id], direct_subgroups: [] },
          }),
          await makeGroup(alice, `gone ${kind}`, { members: [alice.id] }),
        ]
        const channelIds = [general, secret]
        const params = { stream_ids: channelIds, group_ids: [kept, lost, gone] }
        const invitation = await prepare(alice, params)

        await alice.delete('/users/me/subscriptions', { subscriptions: [await nameOf(secret)] })
        await bob.patch(`/user_groups/${lost}`, {
          can_add_members_group: { new: { direct_members: [bob.id], direct_subgroups: [] } },
        })
        await alice.post(`/user_groups/${gone}/deactivate`)

        await signUp(at.nobody, await invitation.path(at), { full_name: `New ${kind}` })
        const joined = await clientOf(at, invitation.email)
        const { subscriptions } = (await joined.get('/users/me/subscriptions')).body
        assert.deepEqual(
          subscriptions.map(({ stream_id }) => stream_id),
          [general],
        )
        for (const [id, isMember] of [
          [kept, true],
          [lost, false],
        ] as const) {
          const { members } = (await olga.get(`/user_groups/${id}/members`)).body
          assert.equal(members.includes(joined.id), isMember)
        }
      })

      it(`is not narrowed when the application invites, ${kind}`, async () => {
        const { secret } = at.channels
        const { api } = at.host.chat.asSystem({ organization: at.subdomain })
        const email = `system${(count += 1)}@access.example`
        let path: string
        if (kind === 'by e-mail') {
          await api.sendInvites({ invitee_emails: email, stream_ids: [secret] })
          path = joinPathIn((await mailTo(mail, email)).text)
        } else {
          const { invite_link } = await api.createInviteLink({ stream_ids: [secret] })
          await submit(at.nobody, joinPathIn(invite_link), { email })
          path = joinPathIn((await mailTo(mail, email)).text)
        }
        await signUp(at.nobody, path, { full_name: `Application ${kind}` })
        const joined = await clientOf(at, email)
        const { subscriptions } = (await joined.get('/users/me/subscriptions')).body
        assert.deepEqual(
          subscriptions.map(({ stream_id }) => stream_id),
          [secret],
        )
      })

      it(`is refused when the inviter may no longer invite, ${kind}`, async () => {
        const { olga, alice } = at.people
        const invitation = await prepare(alice, {})
        const name =
          kind === 'by e-mail' ? 'can_invite_users_group' : 'create_multiuse_invite_group'
        const path = await invitation.path(at)

        await olga.patch('/realm', {
          [name]: { new: await systemGroupId(olga, 'role:administrators') },
        })
        assertUnusable(await signUp(at.nobody, path, { full_name: `Late ${kind}` }))
        await olga.patch('/realm', { [name]: { new: await systemGroupId(olga, 'role:members') } })
        const done = await signUp(at.nobody, path, { full_name: `Late ${kind}` })
        assert.ok(done.status < 400, done.text)
      })
    },
    { settings: { create_multiuse_invite_group: 'role:members' } },
    { mail },
  )
}
