import { Type, type Static } from 'typebox'

import { foldCase } from '../../../domain/texts/folding.js'
import { closed, FileId } from '../../../resource-definition/file-schemas.js'
import { defineFileSection } from '../../../resource-definition/file-section.js'
import { alertWords } from './alert-words-table.js'

const FileAlertWords = Type.Object(
  {
    user_id: FileId,
    words: Type.Array(Type.String({ minLength: 1, maxLength: alertWords.columns.word.maxLength })),
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

export const alertWordFile = defineFileSection({
  key: 'alert_words',
  summary: 'Alert words of users; the messages of the file are searched for them too.',
  item: FileAlertWords,
  rowsOf: alertWords,
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
