import { inject } from 'tsyringe'

import { isGuest, type Actor } from '../../../domain/users/actor.js'
import { badRequest } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { UnitOfWork } from '../../../storage/index.js'
import { usualChannelOptions } from '../channel-creation/index.js'
import {
  SubscribeService,
  type SubscribeOutcome,
  type RequestedChannel,
} from './subscribe-service.js'
import { UnsubscribeService, type UnsubscribeOutcome } from './unsubscribe-service.js'

/** Subscribes users to some channels and unsubscribes them from others, in one transaction. */
@perServer()
export class SubscriptionUpdateService {
  constructor(
    @inject(SubscribeService) private readonly subscribing: SubscribeService,
    @inject(UnsubscribeService) private readonly unsubscribing: UnsubscribeService,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * @throws {ChatError} the errors of {@link SubscribeService.subscribe} and {@link
   *   UnsubscribeService.unsubscribe}; `BAD_REQUEST` if both lists are empty, or a guest is to be
   *   subscribed.
   */
  async update(
    actor: Actor,
    added: readonly RequestedChannel[],
    removed: readonly string[],
  ): Promise<SubscribeOutcome & UnsubscribeOutcome> {
    if (added.length === 0 && removed.length === 0) {
      throw badRequest('NOTHING_TO_ADD_OR_DELETE')
    }
    if (added.length > 0 && isGuest(actor)) throw badRequest('GUESTS_NOT_ALLOWED')
    return this.unitOfWork.runFor(actor, async (tx) => ({
      ...(await this.subscribing.subscribeWithin(tx, actor, {
        channels: added,
        principals: undefined,
        areRefusalsFatal: true,
        sendsMessages: true,
        announcement: 'in itself',
        options: usualChannelOptions,
      })),
      ...(await this.unsubscribing.unsubscribeWithin(tx, actor, removed, undefined)),
    }))
  }
}
