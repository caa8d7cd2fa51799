import { inject } from 'tsyringe'
import { Type } from 'typebox'

import { perServer } from '../../../kernel/per-server.js'
import type {
  SnapshotContext,
  SnapshotSection,
} from '../../../resource-definition/snapshot-section.js'
import { AlertWordRepository } from './alert-word-repository.js'

/** What the section adds to the response of `POST /register`. */
export const alertWordKeys = { alert_words: Type.Array(Type.String()) }

/** `alert_words`. */
@perServer()
export class AlertWordSnapshot implements SnapshotSection {
  constructor(@inject(AlertWordRepository) private readonly words: AlertWordRepository) {}

  async load(context: SnapshotContext): Promise<Record<string, unknown>> {
    if (!context.wants('alert_words')) return {}
    return { alert_words: await this.words.list(context.scope, context.actor.userId) }
  }
}
