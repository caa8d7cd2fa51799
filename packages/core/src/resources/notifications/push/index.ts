import { Type } from 'typebox'

import { Bounded } from '../../../domain/bounded-schemas.js'
import { defineCommand } from '../../../http/operation.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { PushAccountId } from '../push-devices/index.js'
import { PushDelivery } from './push-delivery.js'
import { TestNotifications } from './test-notifications.js'

export { EditedMessageStep } from './edited-message-step.js'
export { EndedQueueStep } from './ended-queue-step.js'
export { NotifiedMessageStep } from './notified-message-step.js'
export { RecentActivityToken, type RecentActivity } from './recent-activity.js'

const testNotify = defineCommand({
  id: 'test-notify',
  summary: "Send a test push notification to one or all of the caller's devices.",
  method: 'POST',
  path: '/mobile_push/test_notification',
  access: 'human',
  isPersonal: true,
  params: { token: Type.Optional(Bounded.name({ description: 'Default: all devices.' })) },
  errors: [
    'BAD_REQUEST',
    'INVALID_PUSH_DEVICE_TOKEN',
    'INVALID_REMOTE_PUSH_DEVICE_TOKEN',
    'ADMIN_ACTION_REQUIRED',
    'FAILED_TO_CONNECT_BOUNCER',
    'INTERNAL_SERVER_ERROR_ON_BOUNCER',
  ],
  service: TestNotifications,
  handle: (tests, { actor, params }) => tests.sendToTokens(actor, params.token),
})

const e2eeTestNotify = defineCommand({
  id: 'e2ee-test-notify',
  summary: "Send an encrypted test push notification to one or all of the caller's devices.",
  method: 'POST',
  path: '/mobile_push/e2ee/test_notification',
  access: 'human',
  isPersonal: true,
  params: { push_account_id: Type.Optional(PushAccountId) },
  errors: [
    'BAD_REQUEST',
    'NO_ACTIVE_PUSH_DEVICE',
    'PUSH_SERVICE_NOT_CONFIGURED',
    'ADMIN_ACTION_REQUIRED',
    'FAILED_TO_CONNECT_BOUNCER',
    'INTERNAL_SERVER_ERROR_ON_BOUNCER',
  ],
  service: TestNotifications,
  async handle(tests, { actor, params: { push_account_id } }) {
    const id = push_account_id === undefined ? undefined : BigInt(push_account_id)
    await tests.sendEncrypted(actor, id)
  },
})

export const pushNotifications = defineResource({
  operations: [testNotify, e2eeTestNotify],
  backgroundWork: [PushDelivery],
})
