import assert from 'node:assert/strict'
import { it } from 'node:test'

import { unreadEvents } from '../../packages/core/src/events/application/unread-change.js'
import { deliveryText } from '../../packages/core/src/resources/realtime/webhooks/webhook-delivery.js'

it('a change of the unread counts of many users is several events', async () => {
  const userIds = Array.from({ length: 2001 }, (_, index) => index + 1)

  const events = await unreadEvents(1, { userIds }, () => assert.fail('there are no channels'))

  assert.deepEqual(
    events.map((one) => one.userIds?.length),
    [1000, 1000, 1],
  )
  assert.deepEqual(
    events.flatMap((one) => one.userIds ?? []),
    userIds,
  )
})

it('a webhook gets the channels of unread_counts in the form of its other fields', () => {
  const context = { id: '1-2-unread-0', name: 'unread_counts', organizationId: 1, seq: 2 }
  const rest = { createdAtSeconds: 3, attempt: 1, signal: new AbortController().signal }
  const channels = [{ id: 4, externalId: 'order-1' }]
  const event = {
    type: 'unread_counts',
    organizationId: 1,
    channels,
    userIds: [],
    externalIds: {},
  } as const

  const sent: unknown = JSON.parse(deliveryText(event, { ...context, ...rest }, 'shop'))

  assert.deepEqual(sent, {
    id: '1-2-unread-0',
    type: 'unread_counts',
    organization_id: 1,
    organization: 'shop',
    seq: 2,
    timestamp: 3,
    event: { type: 'unread_counts', channels: [{ id: 4, external_id: 'order-1' }] },
    user_ids: [],
    external_ids: {},
  })
})
