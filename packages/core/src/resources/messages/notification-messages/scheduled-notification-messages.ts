import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'
import { namedText, type NamedText } from '../../../texts/index.js'
import { ReaderTexts } from '../../organization/organizations/index.js'
import { SystemBotMessages, type PreparedMessage } from '../sending/index.js'
import type { UserRow } from '../../people/users/index.js'

/** Prepares the messages that notify users of scheduled messages that could not be sent. */
@perServer()
export class ScheduledNotificationMessages {
  constructor(
    @inject(SystemBotMessages) private readonly messages: SystemBotMessages,
    @inject(ReaderTexts) private readonly texts: ReaderTexts,
  ) {}

  async failed(
    scope: OrganizationScope,
    owner: UserRow,
    deliverAtSeconds: number,
    reason: string | NamedText,
  ): Promise<PreparedMessage[]> {
    const time = `<time:${new Date(deliverAtSeconds * 1000).toISOString()}>`
    const { write } = await this.texts.writerFor(scope, owner)
    const text = typeof reason === 'string' ? reason : write(reason)
    const values = { time, reason: text.replaceAll('\n', '\n> ') }
    const content = namedText('SCHEDULED_MESSAGE_FAILED_MESSAGE', values)
    return this.messages.prepare(scope, 'notification', [{ to: { user: owner }, content }])
  }
}
