import assert from 'node:assert/strict'
import { it } from 'node:test'

// First: what follows needs the set-up of the product's entry.
import { everyHost } from '../support/host.js'
import { allEvents } from '../../packages/core/src/resources/index.js'

everyHost('get-api-description', (at) => {
  it('describes every operation, without credentials, at the address that was asked', async () => {
    const answer = await at.nobody.get('/openapi.json')

    assert.equal(answer.status, 200)
    assert.equal(answer.body.openapi, '3.1.0')
    assert.equal(answer.body.servers[0].url, `${at.host.origin}/api/v1`)
    assert.equal(answer.body.paths['/messages'].post.operationId, 'send-message')
    assert.equal(answer.body.paths['/openapi.json'].get.operationId, 'get-api-description')
  })

  it('says what every kind of event looks like', async () => {
    const { body } = await at.nobody.get('/openapi.json')
    const { schemas } = body.components

    const events =
      body.paths['/events'].get.responses['200'].content['application/json'].schema.properties
        .events
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

  it('says what every section of a registration holds', async () => {
    const { body } = await at.nobody.get('/openapi.json')
    const registered = await at.people.alice.post('/register')

    const { properties, additionalProperties } =
      body.paths['/register'].post.responses['200'].content['application/json'].schema
    assert.equal(additionalProperties, false)
    assert.deepEqual(
      Object.keys(registered.body).filter((key) => !(key in properties)),
      [],
    )
    // Every key comes to somebody who asks for everything, to older clients.
    assert.deepEqual(
      Object.keys(properties).filter((key) => !(key in registered.body)),
      ['ignored_parameters_unsupported'],
    )
    assert.deepEqual(properties.starred_messages, { type: 'array', items: { type: 'integer' } })
  })

  it('is served at an address that names no organization', async () => {
    const stranger = at.host.client('no-such-organization', undefined, 0, 'stranger')

    const answer = await stranger.get('/openapi.json')

    assert.equal(answer.body.openapi, '3.1.0')
  })
})
