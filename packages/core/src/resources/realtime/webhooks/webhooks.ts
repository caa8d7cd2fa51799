import { inject } from 'tsyringe'

import type { AnyChatEvent } from '../../../events/application/application-events.js'
import type { Clock } from '../../../kernel/clock.js'
import { perServer } from '../../../kernel/per-server.js'
import { ClockToken } from '../../../kernel/tokens.js'
import { OrganizationRepository } from '../../organization/organizations/index.js'
import { Consumers, type EventContext } from '../consumers/index.js'
import { deliveryText } from './webhook-delivery.js'
import { WebhooksToken, type WebhookSettings } from './webhook-options.js'
import { sendToReceiver } from './webhook-request.js'

/** Sends events to the addresses in the application's options: a durable consumer for each. */
@perServer()
export class Webhooks {
  constructor(
    @inject(WebhooksToken) private readonly webhooks: readonly WebhookSettings[],
    @inject(Consumers) private readonly consumers: Consumers,
    @inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @inject(ClockToken) private readonly clock: Clock,
  ) {}

  /**
   * Adds the consumers, which start with the server.
   *
   * @throws {TypeError} naming an event that does not exist, or a name that is used twice.
   */
  add(): void {
    for (const [index, webhook] of this.webhooks.entries()) {
      const { name, types, attempts } = webhook
      this.consumers.consume(
        name,
        { ...(types && { types }), attempts, transaction: false },
        (event, context) => this.#send(webhook, event, context),
        `createChatServer: webhooks[${index}]`,
      )
    }
  }

  async #send(webhook: WebhookSettings, event: AnyChatEvent, context: EventContext): Promise<void> {
    const organization = await this.organizations.find(context.organizationId)
    const body = deliveryText(event, context, organization?.subdomain ?? '')
    await sendToReceiver(webhook, { id: context.id, body }, this.clock, context.signal)
  }
}
