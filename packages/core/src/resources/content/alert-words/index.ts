import { type Static, Type } from 'typebox'

import { Bounded, maxObjects } from '../../../domain/bounded-schemas.js'
import { foldCase } from '../../../domain/texts/folding.js'
import { defineOperation } from '../../../http/operation.js'
import { closed, FileId } from '../../../resource-definition/file-schemas.js'
import { defineFileSection } from '../../../resource-definition/file-section.js'
import { defineResource } from '../../../resource-definition/resource.js'
import { defineSnapshot } from '../../../resource-definition/snapshot.js'
import { alertWordsChanged } from './alert-word-events.js'
import { AlertWordService } from './alert-word-service.js'
import { alertWords as table } from './alert-words-table.js'

export { AlertWordIndexes } from './alert-word-indexes.js'

const path = '/users/me/alert_words'
const Words = Type.Array(Type.String({ maxLength: table.columns.word.maxLength }), {
  maxItems: maxObjects,
})
const response = Type.Object({ alert_words: Type.Array(Type.String()) })

const getAlertWords = defineOperation({
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

const addAlertWords = defineOperation({
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

const removeAlertWords = defineOperation({
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

/** `alert_words`. */
const alertWordSnapshot = defineSnapshot({
  keys: { alert_words: Type.Array(Type.String()) },
  fetchType: 'alert_words',
  service: AlertWordService,
  async load(words, context) {
    return { alert_words: await words.list(context.actor, context.scope) }
  },
})

const FileAlertWords = Type.Object(
  {
    user_id: FileId,
    words: Type.Array(Type.String({ minLength: 1, maxLength: table.columns.word.maxLength })),
  },
  closed,
)
/** The alert words of one user in an organization file. */
type FileAlertWords = Static<typeof FileAlertWords>

declare module '../../../resource-definition/file-schemas.js' {
  interface FileLists {
    alert_words: FileAlertWords
  }
}

const alertWordFile = defineFileSection({
  key: 'alert_words',
  summary: 'Alert words of users; the messages of the file are searched for them too.',
  item: FileAlertWords,
  rowsOf: table,
  rows:
    () =>
    ({ user_id, words }) =>
      words.map((text) => {
        const word = text.trim()
        return { user_id, word, word_key: foldCase(word) }
      }),
  async check(items, check) {
    const once = check.once()
    for await (const { place, item } of items) {
      check.requireKnown(`${place}/user_id`, 'user', item.user_id)
      for (const [index, text] of item.words.entries()) {
        const word = text.trim()
        if (word === '') check.report(`${place}/words/${index}`, 'cannot be blank')
        once(`${place}/words/${index}`, `${item.user_id} ${foldCase(word)}`, word)
      }
    }
  },
})

export const alertWords = defineResource({
  operations: [getAlertWords, addAlertWords, removeAlertWords],
  events: [alertWordsChanged],
  snapshot: alertWordSnapshot,
  fileSection: alertWordFile,
})
