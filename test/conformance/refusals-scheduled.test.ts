import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Answer, Client, Parameters } from '../support/client.js'
import { everyHost, type HostCase } from '../support/host.js'
import { assertRefused } from '../support/refusal.js'
import { pixel } from '../support/rich-organization.js'
import { unrenderableIn } from '../support/unrenderable.js'

/** Creates or updates a scheduled message of `owner`, depending on the operation. */
async function attempting(
  at: HostCase,
  operationId: string,
  owner: Client,
): Promise<(params: Parameters) => Promise<Answer>> {
  const kept = {
    type: 'direct',
    to: [owner.id],
    content: 'c',
    scheduled_delivery_timestamp: at.clock.seconds + 86_400,
  }
  if (operationId === 'create-scheduled-message') {
    return (params) => owner.post('/scheduled_messages', { ...kept, ...params })
  }
  const { body, text } = await owner.post('/scheduled_messages', kept)
  assert.equal(body.result, 'success', text)
  return (params) => owner.patch(`/scheduled_messages/${body.scheduled_message_id}`, params)
}

for (const operationId of ['create-scheduled-message', 'update-scheduled-message']) {
  everyHost(
    operationId,
    (at) => {
      it('rejects users to whom a guest has no access, and content that cannot be rendered', async () => {
        const { adam, alice, gus } = at.people
        const content = await unrenderableIn(adam)
        await gus.delete('/users/me/subscriptions', { subscriptions: ['general'] })
        const byGuest = await attempting(at, operationId, gus)
        const byMember = await attempting(at, operationId, alice)
        const feed = await alice.listen({ event_types: ['scheduled_messages'] })

        assertRefused(
          await byGuest({ type: 'direct', to: [alice.id] }),
          'You do not have permission to access some of the recipients.',
        )
        assertRefused(await byMember({ content }), 'Unable to render message')
        assert.deepEqual(await feed.drain(), [])
      })
    },
    { settings: { can_access_all_users_group: 'role:members' } },
  )
}

for (const operationId of ['update-status', 'update-status-for-user']) {
  everyHost(
    operationId,
    (at) => {
      it('rejects custom emoji with another name, and deactivated custom emoji', async () => {
        const { alice, adam, olga, bob } = at.people
        const { body } = await alice.get('/realm/emoji')
        const [code] = Object.keys(body.emoji)
        const feed = await bob.listen({ event_types: ['user_status'] })
        const set = (emoji_name: string): Promise<Answer> => {
          const params = { emoji_name, emoji_code: code, reaction_type: 'realm_emoji' }
          return operationId === 'update-status'
            ? alice.post('/users/me/status', params)
            : adam.post(`/users/${alice.id}/status`, params)
        }

        assertRefused(await set('thistle'), 'Invalid custom emoji name.')
        await olga.delete('/realm/emoji/rhubarb')
        assertRefused(await set('rhubarb'), 'This custom emoji has been deactivated.')
        assert.deepEqual(await feed.drain(), [])
      })
    },
    {
      more: ({ people, base }) => ({
        custom_emoji: [{ id: base + 61, name: 'rhubarb', image: pixel, author_id: people.alice }],
      }),
    },
  )
}
