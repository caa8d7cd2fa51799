import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { Ajv2020 } from 'ajv/dist/2020.js'
import { Type } from 'typebox'

import { openApiDocument, type Operation } from '../../../packages/core/src/http/index.js'
import { sampleOperations } from './sample-operations.js'
import { ask } from './sample-request.js'
import { SampleChat } from './sample-server.js'

const options = { serverUrl: 'https://chat.example', info: { title: 'Samples', version: '1' } }
const document = openApiDocument(sampleOperations, options)

function at(path: string): Record<string, unknown> {
  let current: unknown = document
  for (const key of path.split(' ')) current = (current as Record<string, unknown>)[key]
  assert.notEqual(current, undefined, path)
  return current as Record<string, unknown>
}

describe('the OpenAPI document', () => {
  it('contains only valid schemas of JSON Schema 2020-12', () => {
    const ajv = new Ajv2020({
      strict: true,
      strictTypes: false,
      strictTuples: false,
      validateFormats: false,
    })
    ajv.addVocabulary(['components', 'x-prefix-items'])
    ajv.addSchema({ $id: 'doc', components: document['components'] } as object, 'doc')
    const schemas: object[] = []
    collectSchemas(document, schemas)

    assert.ok(schemas.length > 50)
    for (const schema of schemas) {
      const local = JSON.stringify(schema)
      const resolved = JSON.parse(local.replaceAll('"#/components', '"doc#/components')) as object
      assert.doesNotThrow(() => ajv.compile(resolved), local)
    }
  })

  it('describes parameters of queries', () => {
    assert.deepEqual(at('paths /api/v1/samples get')['parameters'], [
      { name: 'text', in: 'query', required: false, schema: { type: 'string' } },
      { name: 'count', in: 'query', required: false, schema: { type: 'integer' } },
      { name: 'limit', in: 'query', required: false, schema: { type: 'integer', default: 10 } },
    ])
  })

  it('describes lists and objects in queries as JSON texts, without null', () => {
    const { parameters } = described({
      method: 'GET',
      params: {
        ids: Type.Optional(Type.Array(Type.Integer(), { description: 'Some ids.' })),
        flag: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
        anchor: Type.String({ orJson: Type.Integer() }),
      },
    })

    assert.deepEqual(parameters, [
      {
        name: 'ids',
        in: 'query',
        required: false,
        description: 'Some ids.',
        schema: {
          type: 'string',
          contentMediaType: 'application/json',
          contentSchema: { type: 'array', items: { type: 'integer' } },
        },
      },
      { name: 'flag', in: 'query', required: false, schema: { type: 'boolean' } },
      {
        name: 'anchor',
        in: 'query',
        required: true,
        schema: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
      },
    ])
  })

  it('describes bodies as JSON, and as forms in which some fields are JSON', () => {
    const schema = {
      type: 'object',
      properties: {
        first: { type: 'integer' },
        second: { type: 'string' },
        third: { type: 'boolean' },
      },
      required: ['first', 'second'],
    }

    assert.deepEqual(at('paths /api/v1/required post requestBody')['content'], {
      'application/json': { schema },
      'application/x-www-form-urlencoded': {
        schema,
        encoding: {
          first: { contentType: 'application/json' },
          third: { contentType: 'application/json' },
        },
      },
    })
  })

  it('describes uploads, and responses that are files', () => {
    const { content } = at('paths /api/v1/uploads post requestBody')
    const file = described({ mediaType: 'image/*' }).responses['200']

    assert.deepEqual(Object.keys(content as object), ['multipart/form-data'])
    assert.deepEqual(file?.content, {
      'image/*': { schema: { type: 'string', format: 'binary' } },
    })
  })

  it('describes paths outside the prefix', () => {
    const { paths } = openApiDocument([sample({ isAtRoot: true, path: '/files' })], options)

    assert.deepEqual(Object.keys(paths as object), ['/files'])
  })

  it('merges paths that differ only in the name of a parameter', () => {
    const item = at('paths /api/v1/people/{user_id_or_email}') as unknown as {
      get: { operationId: string; parameters: object[] }
    }

    assert.equal(item.get.operationId, 'get-user')
    assert.deepEqual(item.get.parameters, [
      {
        name: 'user_id_or_email',
        in: 'path',
        required: true,
        schema: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
      },
    ])
    const names = Object.keys(document['paths'] as object)
    assert.deepEqual(
      names.filter((path) => /people\/\{/.test(path)),
      ['/api/v1/people/{user_id_or_email}'],
    )
  })

  it('describes enumerations and records as code generators expect them', () => {
    const { properties } = at(
      'paths /api/v1/samples post requestBody content application/json schema',
    ) as { properties: Record<string, object> }

    assert.deepEqual(properties['role'], { type: 'integer', enum: [100, 200] })
    assert.deepEqual(properties['op'], { type: 'string', enum: ['add', 'remove'] })
    assert.deepEqual(properties['flags'], {
      type: 'object',
      additionalProperties: { type: 'boolean' },
    })
  })

  it('contains the maximum length of values of any type', () => {
    const body = at('paths /api/v1/samples post requestBody content application/json schema')

    assert.deepEqual((body['properties'] as Record<string, unknown>)['small'], {
      description: 'Not much. At most 10 characters of JSON.',
    })
  })

  it('requires no credentials for public operations', () => {
    assert.deepEqual(at('paths /api/v1/sign-in post')['security'], [])
    assert.equal('security' in at('paths /api/v1/samples get'), false)
  })

  it('allows calls without credentials where spectators are served', () => {
    const [operation] = sampleOperations
    for (const access of ['visitor', 'userOrSpectator'] as const) {
      const { paths } = openApiDocument([{ ...(operation as Operation), access }], options)
      const [path] = Object.values(paths as Record<string, Record<string, { security: unknown }>>)
      assert.deepEqual(Object.values(path ?? {})[0]?.security, [
        { basicAuth: [] },
        { bearerAuth: [] },
        { sessionCookie: [] },
        {},
      ])
    }
  })

  it('describes responses as they are sent', async () => {
    const schema = at('paths /api/v1/samples get responses 200 content application/json schema')
    const { body } = await ask(new SampleChat(), 'GET /samples', { query: 'x=1' })

    const validate = new Ajv2020({ strict: false }).compile(schema)

    assert.ok(validate(body), JSON.stringify(validate.errors))
    assert.equal(validate({ ...body, result: 'error' }), false)
  })

  it('refers to the components that describe a value', () => {
    const answer = Type.Object({ thing: Type.Unknown({ component: 'Thing' }) })
    const [operation] = sampleOperations
    assert.ok(operation)

    const { components, paths } = openApiDocument([{ ...operation, response: answer }], {
      ...options,
      components: { Thing: Type.Object({ id: Type.Integer() }) },
    }) as { components: { schemas: Record<string, unknown> }; paths: object }

    assert.match(JSON.stringify(paths), /"thing":\{"\$ref":"#\/components\/schemas\/Thing"\}/)
    assert.deepEqual(components.schemas['Thing'], {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'integer' } },
    })
  })

  it('describes errors by status', () => {
    const responses = at('paths /api/v1/fail post responses')
    assert.deepEqual(Object.keys(responses), [
      '200',
      '400',
      '401',
      '403',
      '404',
      '408',
      '413',
      '429',
      '500',
      '503',
    ])
    assert.match(JSON.stringify(responses['400']), /BAD_EVENT_QUEUE_ID/)
    assert.deepEqual(responses['503'], { $ref: '#/components/responses/ServiceUnavailable' })
    const unavailable = at('components responses ServiceUnavailable')
    assert.deepEqual(Object.keys(unavailable['headers'] as object), ['Retry-After'])
    assert.match(JSON.stringify(unavailable['content']), /"SERVICE_UNAVAILABLE"/)
  })

  it('describes errors that browsers get as pages', () => {
    const { responses } = described({ errorPage: () => undefined })

    assert.deepEqual(Object.keys(responses['404']?.content ?? {}), [
      'application/json',
      'text/html',
    ])
  })

  it('describes parts of files, redirections and files that the client has', () => {
    const { responses } = described({ mediaType: 'image/*', otherStatuses: [206, 302, 304, 416] })

    assert.deepEqual(responses['206']?.content, responses['200']?.content)
    for (const status of [302, 304, 416]) assert.equal(responses[status]?.content, undefined)
  })

  it('describes the answers to paths that no operation is for', () => {
    const path = '/users/{user_id}'
    const { paths } = openApiDocument(
      [
        sample({ id: 'one', method: 'DELETE', path, params: { user_id: Type.Integer() } }),
        sample({
          id: 'other',
          method: 'GET',
          path: '/users/{email}',
          params: { email: Type.String() },
        }),
        sample({ id: 'all', method: 'GET', path: '/users', params: {} }),
      ],
      options,
    ) as { paths: Record<string, Record<string, Described>> }
    const statusesOf = (at: string, method: string): string[] =>
      Object.keys(paths[`/api/v1${at}`]?.[method]?.responses ?? {})

    assert.ok(statusesOf('/users/{user_id_or_email}', 'delete').includes('405'))
    assert.ok(!statusesOf('/users/{user_id_or_email}', 'get').includes('405'))
    const unknownOf = (at: string): unknown => paths[`/api/v1${at}`]?.['get']?.responses['404']
    const shared = '#/components/responses'
    assert.deepEqual(unknownOf('/users/{user_id_or_email}'), { $ref: `${shared}/UnknownPath` })
    assert.deepEqual(unknownOf('/users'), { $ref: `${shared}/UnknownOrganization` })
  })
})

/** A sample operation with changes. */
function sample(changes: Partial<Operation>): Operation {
  const [operation] = sampleOperations
  return { ...(operation as Operation), ...changes }
}

interface Described {
  readonly parameters: readonly object[]
  readonly responses: Readonly<Record<string, { readonly content: object }>>
}

function described(changes: Partial<Operation>): Described {
  const { paths } = openApiDocument([sample(changes)], options)
  const [item] = Object.values(paths as Record<string, Record<string, Described>>)
  return Object.values(item ?? {})[0] as Described
}

function collectSchemas(node: unknown, into: object[]): void {
  if (typeof node !== 'object' || node === null) return
  for (const [key, value] of Object.entries(node)) {
    if (key === 'schema') into.push(value as object)
    else collectSchemas(value, into)
  }
}
