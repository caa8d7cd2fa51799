import assert from 'node:assert/strict'
import { before, it } from 'node:test'

import { allOperations } from '../../packages/core/src/resources/index.js'
import type { Answer } from '../support/client.js'
import { FakeMail } from '../support/fake-mail.js'
import { everyHost, type HostCase } from '../support/host.js'
import { createdField } from '../support/profile-fields.js'

/** The id and the address with which a request names a user. */
interface Named {
  readonly id: number
  readonly email: string
}
type Call = (at: HostCase, named: Named) => Promise<Answer>

/** Operations that guests may not call in any case. */
const notForGuests = new Set(['anyone', 'nonGuest', 'humanNonGuest', 'administrator', 'owner'])
/** Parameters with users; for those of narrows, see `narrows-hidden-users.test.ts`. */
const namesUsers = /(^|_)user_ids?$|^(email|principals|to|data|drafts?|user_id_or_email)$/

const general = { subscriptions: ['general'] }
const direct = { type: 'direct', content: 'Hello' }
const later = (at: HostCase) => ({
  ...direct,
  scheduled_delivery_timestamp: at.clock.seconds + 600,
})
const draftTo = (id: number) => ({ type: 'private', to: [id], topic: '', content: 'Hello' })
let fieldId = 0
let scheduledId = 0
let draftId = 0

/** The requests of a guest that name a user, by operation. */
const calls: Readonly<Record<string, readonly Call[]>> = {
  'get-user': [(at, { id }) => at.people.gus.get(`/users/${id}`)],
  'get-user-by-email': [(at, { email }) => at.people.gus.get(`/users/${email}`)],
  'get-users': [(at, { id }) => at.people.gus.get('/users', { user_ids: [id] })],
  'get-user-presence': [
    (at, { id }) => at.people.gus.get(`/users/${id}/presence`),
    (at, { email }) => at.people.gus.get(`/users/${email}/presence`),
  ],
  'get-user-status': [(at, { id }) => at.people.gus.get(`/users/${id}/status`)],
  'update-status-for-user': [
    (at, { id }) => at.people.gus.post(`/users/${id}/status`, { status_text: 'Away' }),
  ],
  'get-subscription-status': [
    (at, { id }) => at.people.gus.get(`/users/${id}/subscriptions/${at.channels.general}`),
  ],
  'mute-user': [(at, { id }) => at.people.gus.post(`/users/me/muted_users/${id}`)],
  'unmute-user': [(at, { id }) => at.people.gus.delete(`/users/me/muted_users/${id}`)],
  'update-user': [(at, { id }) => at.people.gus.patch(`/users/${id}`, { full_name: 'X' })],
  'update-user-by-email': [
    (at, { email }) => at.people.gus.patch(`/users/${email}`, { full_name: 'X' }),
  ],
  'deactivate-user': [(at, { id }) => at.people.gus.delete(`/users/${id}`)],
  'reactivate-user': [(at, { id }) => at.people.gus.post(`/users/${id}/reactivate`)],
  unsubscribe: [
    (at, { id }) =>
      at.people.gus.delete('/users/me/subscriptions', { ...general, principals: [id] }),
    (at, { email }) =>
      at.people.gus.delete('/users/me/subscriptions', { ...general, principals: [email] }),
  ],
  'send-message': [
    (at, { id }) => at.people.gus.post('/messages', { ...direct, to: [id] }),
    (at, { email }) => at.people.gus.post('/messages', { ...direct, to: [email] }),
    (at, { id }) => at.people.gus.post('/messages', { ...direct, to: [at.people.bot.id, id] }),
  ],
  'set-typing-status': [
    (at, { id }) => at.people.gus.post('/typing', { op: 'start', type: 'direct', to: [id] }),
  ],
  'create-scheduled-message': [
    (at, { id }) => at.people.gus.post('/scheduled_messages', { ...later(at), to: [id] }),
  ],
  'update-scheduled-message': [
    (at, { id }) =>
      at.people.gus.patch(`/scheduled_messages/${scheduledId}`, { type: 'direct', to: [id] }),
  ],
  'create-drafts': [
    async (at, { id }) => {
      const answer = await at.people.gus.post('/drafts', { drafts: [draftTo(id)] })
      return { ...answer, text: answer.text.replace(/"ids":\[\d+\]/, '"ids":[]') }
    },
  ],
  'edit-draft': [(at, { id }) => at.people.gus.patch(`/drafts/${draftId}`, { draft: draftTo(id) })],
  'update-profile-data': [
    (at, { id }) =>
      at.people.gus.patch('/users/me/profile_data', { data: [{ id: fieldId, value: [id] }] }),
  ],
  ...Object.fromEntries(
    ['/settings', '/settings/display', '/settings/notifications'].map((path) => [
      { '/settings': 'update-settings', '/settings/display': 'update-display-settings' }[path] ??
        'update-notification-settings',
      [(at: HostCase, { email }: Named) => at.people.gus.patch(path, { email })],
    ]),
  ),
}

everyHost(
  'guests',
  (at) => {
    const hidden: Named[] = []
    before(async () => {
      const { olga, bob, carol, dora, gus, bot } = at.people
      await carol.patch('/settings', { email_address_visibility: 4 })
      await gus.delete('/users/me/subscriptions', general)
      fieldId = await createdField(olga, { name: 'Mentor', field_type: 6 })
      const scheduled = await gus.post('/scheduled_messages', { ...later(at), to: [bot.id] })
      scheduledId = scheduled.body.scheduled_message_id
      draftId = (await gus.post('/drafts', { drafts: [draftTo(bot.id)] })).body.ids[0]!
      const { user } = (await olga.get(`/users/${carol.id}`)).body
      hidden.push(
        bob,
        dora,
        { id: carol.id, email: carol.email },
        { id: carol.id, email: user.email },
      )
    })

    it('are tested with every operation that takes a user', () => {
      const taking = allOperations.filter(
        ({ id, access, params }) =>
          // Its data are ids of profile fields.
          id !== 'remove-profile-data' &&
          !notForGuests.has(access) &&
          Object.keys(params).some((name) => namesUsers.test(name)),
      )
      assert.deepEqual(Object.keys(calls).sort(), taking.map(({ id }) => id).sort())
    })

    for (const [operationId, variants] of Object.entries(calls)) {
      it(`get one answer about hidden and unknown users from ${operationId}`, async () => {
        for (const [index, call] of variants.entries()) {
          const answerTo = async (named: Named): Promise<string> => {
            const { status, text } = await call(at, named)
            return `${status} ${text.replaceAll(named.email, 'EMAIL').replaceAll(String(named.id), 'ID')}`
          }
          for (const one of hidden) {
            const [, domain] = one.email.split('@')
            const isStandIn = one.email.startsWith('user')
            const name = isStandIn ? `user${at.unknownId}` : 'unknown'
            const unknown = { id: at.unknownId, email: `${name}@${domain}` }
            const [ofHidden, ofUnknown] = [await answerTo(one), await answerTo(unknown)]
            assert.equal(ofHidden, ofUnknown, `${index}: ${one.email}`)
          }
        }
      })
    }
  },
  { settings: { can_access_all_users_group: 'role:members' } },
  { mail: new FakeMail() },
)
