import type { MigrationContext } from '../migration.js'

/** Messages, who has received them, and what is attached to them. */
export function messageTables(context: MigrationContext): void {
  context
    .create('recipients', (t) => {
      t.increments('id')
      t.integer('organization_id').unsigned().notNullable()
      t.integer('channel_id').unsigned().nullable().unique()
      // SHA-256 of the ascending participant ids of a direct conversation, hexadecimal.
      t.string('members_hash', 64).nullable()
      t.unique(['organization_id', 'members_hash'])
    })
    .create('recipient_members', (t) => {
      t.integer('organization_id').unsigned().notNullable()
      t.integer('recipient_id').unsigned().notNullable()
      t.integer('user_id').unsigned().notNullable()
      t.primary(['recipient_id', 'user_id'])
      t.index(['organization_id', 'user_id'])
    })
    .create('messages', (t) => {
      t.increments('id')
      t.integer('organization_id').unsigned().notNullable()
      t.integer('sender_id').unsigned().notNullable()
      t.integer('recipient_id').unsigned().notNullable()
      t.integer('channel_id').unsigned().nullable()
      t.string('topic', 60).notNullable()
      t.string('topic_key', 180).notNullable()
      t.text('content').notNullable()
      t.text('rendered_content', 'mediumtext').notNullable()
      t.bigInteger('sent_at_seconds').notNullable()
      t.string('client', 30).notNullable()
      // Bits: 1 link, 2 image, 4 attachment.
      t.integer('content_traits').notNullable().defaultTo(0)
      t.text('edit_history', 'mediumtext').nullable()
      t.bigInteger('last_edited_at_seconds').nullable()
      t.bigInteger('last_moved_at_seconds').nullable()
      // Null for a message that is in the channel that it was sent to.
      t.bigInteger('changed_channel_at_seconds').nullable()
      // Of the user messages of all who received it.
      t.integer('shared_flags').notNullable().defaultTo(0)
      t.index(['channel_id', 'topic_key', 'id'], context.table('messages_topic'))
      t.index(['channel_id', 'id'], context.table('messages_channel'))
      t.index(['recipient_id', 'id'], context.table('messages_recipient'))
      t.index(['sender_id', 'id'], context.table('messages_sender'))
      t.index(['organization_id', 'id'], context.table('messages_organization'))
      // Counts messages by channel and time without reading them.
      t.index(
        ['organization_id', 'sent_at_seconds', 'channel_id'],
        context.table('messages_traffic'),
      )
    })
    .create('message_local_ids', (t) => {
      t.integer('organization_id').unsigned().notNullable()
      t.integer('user_id').unsigned().notNullable()
      // SHA-256 of the sender, the queue and the client's id of the message, hexadecimal.
      t.string('local_id_hash', 64).notNullable()
      t.integer('message_id').unsigned().notNullable()
      t.bigInteger('sent_at_seconds').notNullable()
      t.primary(['organization_id', 'local_id_hash'])
      t.index(['organization_id', 'sent_at_seconds'], context.table('message_local_ids_time'))
    })
    .create('moved_messages', (t) => {
      t.integer('message_id').unsigned().primary()
      t.integer('organization_id').unsigned().notNullable()
      t.integer('channel_id').unsigned().notNullable()
      t.integer('sent_channel_id').unsigned().notNullable()
      t.integer('moved_after_message_id').unsigned().notNullable()
      t.index(['channel_id', 'moved_after_message_id'], context.table('moved_messages_channel'))
      t.index(['sent_channel_id', 'message_id'], context.table('moved_messages_sent'))
      t.index(
        ['organization_id', 'moved_after_message_id'],
        context.table('moved_messages_organization'),
      )
    })
    .create('unwritten_intervals', (t) => {
      t.integer('organization_id').unsigned().notNullable()
      t.integer('user_id').unsigned().notNullable()
      t.integer('channel_id').unsigned().notNullable()
      t.integer('after_message_id').unsigned().notNullable()
      t.integer('until_message_id').unsigned().notNullable()
      // Of the user messages to be written.
      t.integer('flags').notNullable()
      t.primary(['user_id', 'channel_id', 'after_message_id'])
      t.index(['channel_id'])
    })
  userMessages(context)
  messageWords(context)
  context
    .create('reactions', (t) => {
      t.increments('id')
      t.integer('organization_id').unsigned().notNullable()
      t.integer('message_id').unsigned().notNullable()
      t.integer('user_id').unsigned().notNullable()
      t.string('reaction_type', 20).notNullable()
      t.string('emoji_code', 100).notNullable()
      t.string('emoji_name', 100).notNullable()
      t.unique(['message_id', 'reaction_type', 'emoji_code', 'user_id'], {
        indexName: context.table('reactions_emoji'),
      })
    })
    .create('submessages', (t) => {
      t.increments('id')
      t.integer('organization_id').unsigned().notNullable()
      t.integer('message_id').unsigned().notNullable()
      t.integer('sender_id').unsigned().notNullable()
      t.string('msg_type', 100).notNullable()
      t.text('content', 'mediumtext').notNullable()
      t.index(['message_id'])
    })
}

/**
 * The personal histories: one row per user and message, clustered by user. The generated columns
 * are null for all but unread, starred and mentioning messages; SQLite's indexes omit nulls.
 */
function userMessages(context: MigrationContext): void {
  const { dialect } = context
  const name = context.table('user_messages')
  const flagged = (bits: number, wanted: '= 0' | '<> 0') =>
    `INTEGER GENERATED ALWAYS AS (CASE WHEN (flags & ${bits}) ${wanted} THEN message_id END) VIRTUAL`
  context.raw(
    `CREATE TABLE ${name} (
      organization_id INTEGER NOT NULL,
      user_id INTEGER NOT NULL,
      message_id INTEGER NOT NULL,
      flags INTEGER NOT NULL,
      unread_message_id ${flagged(1, '= 0')},
      starred_message_id ${flagged(2, '<> 0')},
      mentioning_message_id ${flagged(8 + 16 + 32, '<> 0')},
      PRIMARY KEY (user_id, message_id)
    )${dialect.name === 'sqlite' ? ' WITHOUT ROWID' : ' ENGINE=InnoDB'}`,
  )
  context.raw(`CREATE INDEX ${name}_message ON ${name} (message_id)`)
  for (const column of ['unread', 'starred', 'mentioning']) {
    const partial = dialect.name === 'sqlite' ? ` WHERE ${column}_message_id IS NOT NULL` : ''
    context.raw(
      `CREATE INDEX ${name}_${column} ON ${name} (user_id, ${column}_message_id)${partial}`,
    )
  }
}

/** The words of messages and their topics, for searches, and how far this index is. */
function messageWords(context: MigrationContext): void {
  const { dialect } = context
  const name = context.table('message_words')
  context.create('search_backlogs', (t) => {
    t.integer('organization_id').unsigned().primary()
    t.integer('indexed_message_id').unsigned().notNullable()
  })
  context.create('messages_to_reindex', (t) => {
    t.integer('organization_id').unsigned().notNullable()
    t.integer('message_id').unsigned().notNullable()
    t.boolean('is_cleared').notNullable()
    t.integer('changes').unsigned().notNullable()
    t.primary(['organization_id', 'message_id'])
  })
  if (dialect.name === 'sqlite') {
    // Without texts and positions. Words are separated by spaces, and have no other ASCII
    // characters than letters and digits.
    context.raw(
      `CREATE VIRTUAL TABLE ${name} USING fts5(
        words, content='', contentless_delete=1, detail=none, tokenize='ascii'
      )`,
    )
    return
  }
  context.raw(
    `CREATE TABLE ${name} (
      organization_id INTEGER NOT NULL,
      message_id INTEGER NOT NULL,
      word VARCHAR(64) NOT NULL,
      place SMALLINT NOT NULL,
      PRIMARY KEY (message_id, word)
    ) ENGINE=InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`,
  )
  context.raw(`CREATE INDEX ${name}_word ON ${name} (organization_id, word, message_id)`)
}
