import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'
import { SystemBotMessages, type PreparedMessage } from '../sending/index.js'
import type { UserRow } from '../../people/users/index.js'

/** Prepares the messages that notify users of scheduled messages that could not be sent. */
@perServer()
export class ScheduledNotificationMessages {
  constructor(@inject(SystemBotMessages) private readonly messages: SystemBotMessages) {}

  async failed(
    scope: OrganizationScope,
    owner: UserRow,
    deliverAtSeconds: number,
    reason: string,
  ): Promise<PreparedMessage[]> {
    const time = new Date(deliverAtSeconds * 1000).toISOString()
    const content =
      `The message you scheduled for <time:${time}> was not sent because of the following error:` +
      `\n\n> ${reason.replaceAll('\n', '\n> ')}\n\n[View scheduled messages](#scheduled)`
    return this.messages.prepare(scope, 'notification', [{ to: { user: owner }, content }])
  }
}
