import { Type } from 'typebox'

import { Bounded, maxObjects } from '../../../domain/bounded-schemas.js'
import { defineOperation } from '../../../http/operation.js'
import { AlertWordService } from './alert-word-service.js'
import { alertWords } from './alert-words-table.js'

const path = '/users/me/alert_words'
const Words = Type.Array(Type.String({ maxLength: alertWords.columns.word.maxLength }), {
  maxItems: maxObjects,
})
const response = Type.Object({ alert_words: Type.Array(Type.String()) })

export const getAlertWords = defineOperation({
  id: 'get-alert-words',
  summary: "Get the caller's alert words.",
  method: 'GET',
  path,
  access: 'user',
  isPersonal: true,
  params: {},
  response,
  errors: [],
  service: AlertWordService,
  async handle(words, { actor }) {
    return { alert_words: await words.list(actor) }
  },
})

export const addAlertWords = defineOperation({
  id: 'add-alert-words',
  summary: "Add words to the caller's alert words.",
  method: 'POST',
  path,
  access: 'user',
  isPersonal: true,
  params: { alert_words: Words },
  response,
  errors: ['BAD_REQUEST'],
  service: AlertWordService,
  async handle(words, { actor, params }) {
    return { alert_words: await words.add(actor, params.alert_words) }
  },
})

export const removeAlertWords = defineOperation({
  id: 'remove-alert-words',
  summary: "Remove words from the caller's alert words.",
  method: 'DELETE',
  path,
  access: 'user',
  isPersonal: true,
  params: { alert_words: Bounded.names() },
  response,
  errors: ['BAD_REQUEST'],
  service: AlertWordService,
  async handle(words, { actor, params }) {
    return { alert_words: await words.remove(actor, params.alert_words) }
  },
})
