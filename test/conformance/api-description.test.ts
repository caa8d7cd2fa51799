import assert from 'node:assert/strict'
import { it } from 'node:test'

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

// Imported first: it loads the public entry point, whose setup the modules below require.
import { everyHost } from '../support/host.js'
import { furnish } from '../support/snapshot-keys.js'
import { allEvents } from '../../packages/core/src/resources/index.js'

let compiled: ValidateFunction | undefined

/** Compiled once: compiling is slow, and the schema is the same on every host. */
function registrationCheck(schema: object): ValidateFunction {
  compiled ??= new Ajv2020({ strict: false, validateFormats: false }).compile(schema)
  return compiled
}

everyHost('get-api-description', (at) => {
  it('describes every operation under its path, and requires no credentials', async () => {
    const answer = await at.nobody.get('/openapi.json')

    assert.equal(answer.status, 200)
    assert.equal(answer.body.openapi, '3.1.0')
    assert.deepEqual(answer.body.servers, [{ url: '/' }])
    const { paths } = answer.body
    assert.equal(paths['/api/v1/messages'].post.operationId, 'send-message')
    assert.equal(paths['/api/v1/openapi.json'].get.operationId, 'get-api-description')
    assert.equal(paths['/user_uploads/{realm_id_str}/{filename}'].get.operationId, 'read-file')
    const names = new Set(answer.body.tags.map(({ name }: { name: string }) => name))
    for (const [path, item] of Object.entries(paths)) {
      for (const { tags } of Object.values(item as Record<string, { tags: string[] }>)) {
        assert.equal(tags.length, 1, path)
        assert.ok(names.has(tags[0]), path)
      }
    }
  })

  it('returns the same document for any Host header, and 304 to a client that has it', async () => {
    const first = await at.nobody.get('/openapi.json')
    const elsewhere = await at.nobody.get('/openapi.json', {}, { host: 'evil.example' })
    const tag = first.headers.etag ?? ''

    const again = await at.nobody.get('/openapi.json', {}, { 'if-none-match': `W/"other", ${tag}` })

    assert.equal(elsewhere.text, first.text)
    assert.deepEqual([again.status, again.text, again.headers.etag], [304, '', tag])
  })

  it('declares a schema for every type of event', async () => {
    const { body } = await at.nobody.get('/openapi.json')
    const { schemas } = body.components

    const events =
      body.paths['/api/v1/events'].get.responses['200'].content['application/json'].schema
        .properties.events
    assert.deepEqual(events.items, { $ref: '#/components/schemas/Event' })
    const kinds = (schemas.Event.anyOf as { $ref: string }[]).map(({ $ref }) => $ref)
    assert.equal(kinds.length, allEvents.length + 1)
    for (const kind of kinds) {
      const { properties, required } = schemas[kind.replace('#/components/schemas/', '')]
      assert.deepEqual([properties.id, required.slice(0, 2)], [{ type: 'integer' }, ['id', 'type']])
    }
    const { description: _, ...added } = schemas.UserGroupAddMembersEvent
    assert.deepEqual(added, {
      type: 'object',
      required: ['id', 'type', 'op', 'group_id', 'user_ids'],
      properties: {
        id: { type: 'integer' },
        type: { type: 'string', const: 'user_group' },
        op: { type: 'string', const: 'add_members' },
        group_id: { type: 'integer' },
        user_ids: { type: 'array', items: { type: 'integer' } },
      },
    })
  })

  it('declares every key of a registration', async () => {
    const { bob, gus } = at.people
    const { body } = await at.nobody.get('/openapi.json')
    const { Registration } = body.components.schemas
    const validate = registrationCheck(Registration as object)
    await furnish(at)
    await at.people.adam.patch('/realm', { jitsi_server_url: '"https://meet.example"' })

    const answers = [
      await bob.post('/register'),
      await bob.post('/register', {
        include_subscribers: true,
        slim_presence: true,
        client_capabilities: {
          notification_settings_null: true,
          archived_channels: true,
          empty_topic_name: true,
          include_deactivated_groups: true,
          linkifier_url_template: true,
          user_list_incomplete: true,
          user_settings_object: true,
        },
      }),
      await gus.post('/register'),
    ]

    const { schema } =
      body.paths['/api/v1/register'].post.responses['200'].content['application/json']
    assert.deepEqual(schema.allOf[1], { $ref: '#/components/schemas/Registration' })
    for (const answer of answers) {
      assert.equal(answer.status, 200)
      assert.ok(validate(answer.body), JSON.stringify(validate.errors))
      const undeclared = Object.keys(answer.body as object).filter(
        (key) => !(key in Registration.properties),
      )
      assert.deepEqual(undeclared.sort(), ['msg', 'result'])
    }
    // A client without capabilities that fetches all event types gets every key.
    const received = Object.keys(answers[0]?.body as object)
    const missing = Object.keys(Registration.properties as object).filter(
      (key) => !received.includes(key),
    )
    assert.deepEqual(missing, [])
  })

  it('is served on subdomains without an organization', async () => {
    const client = at.host.client('no-such-organization', undefined, 0, 'unknown')

    const answer = await client.get('/openapi.json')

    assert.equal(answer.body.openapi, '3.1.0')
  })

  it('describes the answers to paths with a text that is no id, or is malformed', async () => {
    const { paths } = (await at.nobody.get('/openapi.json')).body as {
      paths: Record<string, Record<string, unknown>>
    }
    const requests = Object.entries(paths).flatMap(([path, item]) =>
      path.startsWith('/api/v1') && path.includes('{')
        ? Object.keys(item).map((method) => [method.toUpperCase(), path] as const)
        : [],
    )
    assert.ok(requests.length > 60, `${requests.length} operations`)

    for (const text of ['-1', 'no-id', '%', 'x'.repeat(10_001)]) {
      for (const [method, path] of requests) {
        const sent = path.replace(/\{\w+\}/, text).replaceAll(/\{\w+\}/g, '1')
        // It throws if the document does not describe the answer.
        await at.people.bob.send(method, sent.slice('/api/v1'.length))
      }
    }
  })
})
