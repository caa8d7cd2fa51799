import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { createChatServer, type ChatServerOptions } from '@parley/core'

import { everyDatabase } from '../support/host.js'

await import('@parley/core')
const { allOperations } = await import('../../packages/core/src/resources/index.js')
const { disabledOperationsOf, operationGroups } =
  await import('../../packages/core/src/server/disabled-operations.js')

const message = 'This operation is not available on this server.'
const disabled = [
  'bots',
  'create-channel',
  'get-message-history',
  'get-own-user',
  'subscribe',
  'upload-file',
] as const

everyDatabase(
  'switched-off operations',
  'express',
  (at) => {
    it('are refused over HTTP, in every spelling that reaches them', async () => {
      const { alice } = at.people
      const answers = [
        await alice.get('/users/me'),
        await alice.get('//users//me'),
        await alice.post('/user_uploads', {}),
        await alice.post('/bots', {}),
      ]
      const head = await alice.send('HEAD', '/users/me')
      const encoded = await alice.get('/users/%6de')

      for (const { status, body } of answers) {
        assert.equal(status, 400)
        assert.deepEqual(body, { result: 'error', code: 'UNAUTHORIZED_PRINCIPAL', msg: message })
      }
      assert.equal(head.status, 400)
      assert.equal(encoded.status, 404)
      assert.equal((await alice.get('/users')).status, 200)
    })

    it('require credentials first', async () => {
      assert.equal((await at.nobody.get('/users/me')).status, 401)
    })

    it('are refused to users in the process, but not to the application', async () => {
      const { alice } = at.people
      const { subdomain: organization } = at

      const refused = at.host.chat.as({ userId: alice.id, organization }).api.getBots()
      await assert.rejects(refused, { name: 'ChatError', code: 'UNAUTHORIZED_PRINCIPAL', message })
      assert.deepEqual((await at.host.chat.asSystem({ organization }).api.getBots()).bots, [])
    })

    it('are not described', async () => {
      const { body } = await at.people.alice.get('/openapi.json')

      assert.equal(body.paths['/api/v1/user_uploads']?.post, undefined)
      assert.equal(body.paths['/api/v1/bots'], undefined)
      assert.ok(body.paths['/api/v1/messages'].post)
    })

    it('are off in the registrations of clients', async () => {
      const { body } = await at.people.alice.post('/register')

      assert.equal(body.max_file_upload_size_mib, 0)
      assert.equal(body.can_create_streams, false)
      assert.equal(body.can_create_private_streams, false)
      assert.equal(body.realm_message_edit_history_visibility_policy, 'none')
      assert.equal(body.server_avatar_changes_disabled, false)
    })
  },
  { operations: { disabled } },
)

describe('the option operations', () => {
  it('names operations and groups that exist', () => {
    const database = { client: 'sqlite3', connection: { filename: '/nowhere/chat.sqlite' } }
    const create = (operations: unknown) => () =>
      createChatServer({ database, operations } as ChatServerOptions)

    assert.throws(create({ disabled: ['bots', 'upload-files', 'robots'] }), {
      name: 'TypeError',
      message: /there is no operation or group upload-files, robots; the groups are logging-in, /,
    })
    assert.throws(create({ off: [] }), /operations must be an object with disabled/)
    assert.throws(create({ disabled: 'bots' }), /operations must be an object with disabled/)
  })

  it('has groups with all operations, and no name twice', () => {
    const ids = allOperations.map(({ id }) => id)

    assert.equal(new Set([...ids, ...operationGroups]).size, ids.length + operationGroups.length)
    assert.deepEqual([...disabledOperationsOf(['update-settings'], allOperations)].sort(), [
      'update-display-settings',
      'update-notification-settings',
      'update-settings',
    ])
    assert.deepEqual(disabledOperationsOf(operationGroups, allOperations), new Set(ids))
    assert.deepEqual([...disabledOperationsOf(['bots'], allOperations)].sort(), [
      'create-bot',
      'deactivate-bot',
      'get-bots',
      'regenerate-bot-api-key',
      'send-json-webhook-message',
      'send-slack-webhook-message',
      'update-bot',
    ])
  })
})
