import { Type } from 'typebox'

import { defineSnapshot } from '../../../resource-definition/snapshot.js'
import { AlertWordRepository } from './alert-word-repository.js'

/** `alert_words`. */
export const alertWordSnapshot = defineSnapshot({
  keys: { alert_words: Type.Array(Type.String()) },
  fetchType: 'alert_words',
  service: AlertWordRepository,
  async load(words, context) {
    return { alert_words: await words.list(context.scope, context.actor.userId) }
  },
})
