import { inject } from 'tsyringe'

import { perServer } from '../../kernel/per-server.js'
import type { Transaction } from '../../storage/index.js'
import type { MessageSentStep, NewlySent } from '../messages/index.js'
import { PushDeviceOwners } from '../push-devices/index.js'
import { PushSetup } from '../push-relay/index.js'
import type { PushMentions } from './notice.js'
import { PushDelivery } from './push-delivery.js'
import { PushNotificationRepository } from './push-notification-repository.js'

/** Notes every new message of which somebody's devices may have to know. */
@perServer()
export class NotifiedMessageStep implements MessageSentStep {
  constructor(
    @inject(PushSetup) private readonly setup: PushSetup,
    @inject(PushDeviceOwners) private readonly owners: PushDeviceOwners,
    @inject(PushNotificationRepository) private readonly waiting: PushNotificationRepository,
    @inject(PushDelivery) private readonly delivery: PushDelivery,
  ) {}

  async sent(tx: Transaction, messages: readonly NewlySent[]): Promise<void> {
    if (this.setup.relay === undefined) return
    const owners = await this.owners.of(tx.organizationId)
    if (owners.size === 0) return
    const notified = messages.filter(
      ({ participantIds, senderId }) =>
        participantIds === undefined ||
        participantIds.some((id) => id !== senderId && owners.has(id)),
    )
    if (notified.length === 0) return
    await this.waiting.insertMessages(
      tx,
      notified.map(({ id, rendered }) => ({
        message_id: id,
        mentions: JSON.stringify(mentionsOf(rendered)),
      })),
    )
    const { organizationId } = tx
    tx.afterCommit(() => this.delivery.wake(organizationId))
  }
}

function mentionsOf(rendered: NewlySent['rendered']): PushMentions {
  return {
    userIds: rendered.mentionedUserIds,
    groups: rendered.mentionedGroups.map(({ id, name }) => ({ id, name })),
  }
}
