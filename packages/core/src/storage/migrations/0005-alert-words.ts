import type { Migration } from './migration.js'

/** The alert words of users. */
export const alertWords: Migration = {
  name: '0005-alert-words',
  up(context) {
    context.create('alert_words', (t) => {
      t.integer('organization_id').unsigned().notNullable()
      t.integer('user_id').unsigned().notNullable()
      t.string('word', 100).notNullable()
      t.string('word_key', 300).notNullable()
      t.primary(['user_id', 'word_key'])
      t.index(['organization_id'])
    })
  },
}
