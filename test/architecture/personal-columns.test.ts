import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'

import { createChatServer } from '@parley/core'

import { personalColumns } from '../../packages/core/src/resources/administration/personal-data/personal-columns.js'
import { readText } from './source-files.js'

/** The names of columns with ids of users. */
const userColumn = /^(?:.*_)?(?:user|actor|sender|owner|creator|author|recipient|bot)_ids?$/u
/** Columns of such names that have other ids. */
const others: ReadonlySet<string> = new Set([
  'messages.recipient_id',
  'channels.recipient_id',
  'recipient_members.recipient_id',
])

/** The names of columns with hashes, encrypted secrets, tokens, ids, and kinds of things. */
const opaque = /(?<!external|msg)[._](?:hash|sealed|tokens?|ids?|type|kind|code|uuid)$/u
/** Others without texts, names or addresses of people. */
const withoutTexts: ReadonlySet<string> = new Set([
  'migrations.name',
  'server_secrets.name',
  'server_secrets.value',
  'organizations.subdomain',
  'organizations.epoch',
  'data_exports.file_key',
  'playgrounds.pygments_language',
  'audit_log.action',
  'audit_log.via',
  'audit_log.client_name',
  'users.avatar_source',
  'users.avatar_name',
  'user_statuses.emoji_name',
  'channels.topics_policy',
  'subscriptions.color',
  'messages.client',
  'scheduled_messages.client',
  'scheduled_messages.failure',
  'file_chunks.file_key',
  'unkept_files.file_key',
  'attachments.folder',
  'events.recipients',
  'consumers.name',
  'consumers.owner',
  'consumer_cursors.consumer',
  'consumer_parked_events.consumer',
  'push_tokens.realm_url',
  'push_devices.push_public_key',
  'push_devices.realm_url',
  'push_registrations.bouncer_public_key',
  'push_registrations.encrypted_push_registration',
  'push_notifications.family',
  'push_notifications.notice',
  'mail_notifications.reason',
])

interface Column {
  /** `table.column` */
  readonly name: string
  readonly type: string
}

/** Every column of the schema. */
function schemaColumns(): Column[] {
  const sql = createChatServer({
    database: {
      client: 'better-sqlite3',
      connection: { filename: join(tmpdir(), 'never-opened.db') },
      useNullAsDefault: true,
    },
    migrations: 'off',
  }).migrationSql()
  return [
    ...sql.matchAll(/create table [`"]?chat_(\w+)[`"]? \(([\s\S]*?)\)(?: WITHOUT ROWID)?;/giu),
  ].flatMap(([, table, columns = '']) =>
    columns.split(/,\s*(?=[`"]?[a-z_]+[`"]? )/u).flatMap((column) => {
      const [, name, type] = /^\s*[`"]?(\w+)[`"]? (\w+)/u.exec(column) ?? []
      return name === undefined || type === undefined ? [] : [{ name: `${table}.${name}`, type }]
    }),
  )
}

describe('personal data', () => {
  it('is listed for every column with ids of users', () => {
    const columns = schemaColumns().map(({ name }) => name)
    assert.ok(columns.length > 300, `${columns.length} columns`)
    const found = columns.filter((name) => userColumn.test(name.split('.')[1] ?? ''))
    const listed = personalColumns.map(({ table, column }) => `${table}.${column}`)

    const missing = found.filter((name) => !listed.includes(name) && !others.has(name))
    const unknown = listed.filter((name) => !columns.includes(name))

    assert.deepEqual(
      missing,
      [],
      'declare them with user() or withUsers(), and add them to docs/personal-data.md',
    )
    assert.deepEqual(unknown, [])
    assert.equal(new Set(listed).size, listed.length)
  })

  it('is listed for every column with texts', () => {
    const columns = schemaColumns().filter(({ type }) => /text|char|json|blob/iu.test(type))
    const names = columns
      .map(({ name }) => name)
      .filter((name) => !opaque.test(name) && !withoutTexts.has(name))
    const [, section = ''] = readText('docs/personal-data.md').split('## Texts')
    const listed = [...section.matchAll(/`(\w+\.\w+)`/gu)].map(([, name = '']) => name)

    assert.deepEqual(
      names.filter((name) => !listed.includes(name)),
      [],
      'add them to docs/personal-data.md',
    )
    assert.deepEqual(
      listed.filter((name) => !names.includes(name)),
      // The index of SQLite is no ordinary table.
      ['message_words.word'],
    )
  })

  it('is described on the page docs/personal-data.md', () => {
    const page = readText('docs/personal-data.md')

    const missing = personalColumns
      .map(
        ({ table, column, erasure, exportedAs = '', because }) =>
          `| \`${table}.${column}\` | ${erasure} | ${because} | ${exportedAs === '' ? '' : `\`${exportedAs}\``} |`,
      )
      .filter((row) => !page.includes(row))

    assert.deepEqual(missing, [])
  })
})
