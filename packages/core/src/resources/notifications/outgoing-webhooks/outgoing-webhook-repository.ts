import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope } from '../../../storage/index.js'
import type { MessageRow } from '../../channels/message-permissions/index.js'

@perServer()
export class OutgoingWebhookRepository {
  /** A message, regardless of who can access it. */
  async findMessage(scope: OrganizationScope, id: number): Promise<MessageRow | undefined> {
    return scope.query('messages').where({ id }).first<MessageRow | undefined>()
  }
}
