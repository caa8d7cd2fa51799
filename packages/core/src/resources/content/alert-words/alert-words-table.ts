import { string, user } from '../../../storage/tables/column.js'
import { defineTable } from '../../../storage/tables/table.js'

export const alertWords = defineTable('alert_words', {
  columns: {
    user_id: user({ erasure: 'deleted', because: 'concerns only the user' }),
    /** As the user first wrote it. */
    word: string(100).exported(),
    /** Case-folded: words that differ only in case have the same key. */
    word_key: string(300),
  },
  primary: ['user_id', 'word_key'],
  index: [['organization_id']],
  archive: { of: 'user_id' },
  exports: { alert_word: 'user_id' },
})
