import type { MigrationContext } from '../migration.js'

/** Files: their bytes, the uploads, and the messages that link to them. */
export function fileTables(context: MigrationContext): void {
  const blob = context.dialect.name === 'mysql' ? 'mediumblob' : 'blob'
  context
    .create('file_chunks', (t) => {
      t.integer('organization_id').unsigned().notNullable()
      t.string('file_key', 190).notNullable()
      // Start of the chunk in the file, in bytes.
      t.bigInteger('position').notNullable()
      // Null for an empty chunk.
      t.specificType('bytes', blob).nullable()
      t.primary(['organization_id', 'file_key', 'position'])
    })
    .create('unkept_files', (t) => {
      t.string('file_key', 190).primary()
      t.integer('organization_id').unsigned().notNullable()
      t.bigInteger('due_at_seconds').notNullable().index()
    })
    .create('attachments', (t) => {
      t.increments('id')
      t.integer('organization_id').unsigned().notNullable()
      t.integer('owner_id').unsigned().notNullable()
      // The unguessable part of the URL: two path segments.
      t.string('folder', 40).notNullable()
      // The name in the URL.
      t.string('path_name', 255).notNullable()
      t.text('name').notNullable()
      t.string('content_type', 255).notNullable()
      t.bigInteger('size_bytes').notNullable()
      t.bigInteger('created_at_seconds').notNullable()
      // Null unless it is known to be an image.
      t.integer('image_width').nullable()
      t.integer('image_height').nullable()
      t.boolean('is_animated').notNullable().defaultTo(false)
      // Since when no message links to it; null while a message does.
      t.bigInteger('unlinked_since_seconds').nullable().index()
      t.unique(['organization_id', 'folder'])
      t.index(['organization_id', 'owner_id'])
    })
    .create('attachment_messages', (t) => {
      t.integer('organization_id').unsigned().notNullable()
      t.integer('attachment_id').unsigned().notNullable()
      t.integer('message_id').unsigned().notNullable()
      t.primary(['attachment_id', 'message_id'])
      t.index(['organization_id', 'message_id'])
    })
    .create('attachment_schedules', (t) => {
      t.integer('organization_id').unsigned().notNullable()
      t.integer('attachment_id').unsigned().notNullable()
      t.integer('scheduled_message_id').unsigned().notNullable()
      t.primary(['attachment_id', 'scheduled_message_id'])
      t.index(['organization_id', 'scheduled_message_id'], context.table('attachment_scheduled'))
    })
}
