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

  async sent(tx: Transaction, message: NewlySent): Promise<void> {
    if (this.setup.relay === undefined) return
    const owners = await this.owners.of(tx.organizationId)
    const { participantIds, rendered } = message
    const others = participantIds?.filter((id) => id !== message.senderId)
    if (owners.size === 0 || others?.some((id) => owners.has(id)) === false) return
    const mentions: PushMentions = {
      userIds: rendered.mentionedUserIds,
      groups: rendered.mentionedGroups.map(({ id, name }) => ({ id, name })),
    }
    await this.waiting.insertMessage(tx, message.id, JSON.stringify(mentions))
    const { organizationId } = tx
    tx.afterCommit(() => this.delivery.wake(organizationId))
  }
}
