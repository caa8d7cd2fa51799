import { inject } from 'tsyringe'
import { Type } from 'typebox'

import { perServer } from '../../../kernel/per-server.js'
import type {
  SnapshotContext,
  SnapshotSection,
} from '../../../resource-definition/snapshot-section.js'
import { ScheduledMessage } from './scheduled-message-schemas.js'
import { ScheduledMessageService } from './scheduled-message-service.js'

/** The keys that the section adds to the response of `POST /register`. */
export const scheduledMessageKeys = { scheduled_messages: Type.Array(ScheduledMessage) }

/** `scheduled_messages`. */
@perServer()
export class ScheduledMessageSnapshot implements SnapshotSection {
  constructor(
    @inject(ScheduledMessageService) private readonly scheduled: ScheduledMessageService,
  ) {}

  async load(context: SnapshotContext): Promise<Record<string, unknown>> {
    if (!context.wants('scheduled_messages')) return {}
    return {
      scheduled_messages: await this.scheduled.list(context.scope, context.actor.userId),
    }
  }
}
