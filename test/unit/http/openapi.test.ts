import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { Ajv2020 } from 'ajv/dist/2020.js'
import { Type } from 'typebox'

import { openApiDocument, type Operation } from '../../../packages/core/src/http/index.js'
import { sampleOperations } from './sample-operations.js'
import { ask } from './sample-request.js'
import { SampleChat } from './sample-server.js'

const document = openApiDocument(sampleOperations, { origin: 'https://chat.example' })

function at(path: string): Record<string, unknown> {
  let current: unknown = document
  for (const key of path.split(' ')) current = (current as Record<string, unknown>)[key]
  assert.notEqual(current, undefined, path)
  return current as Record<string, unknown>
}

describe('the OpenAPI document', () => {
  it('has schemas that are all JSON Schema 2020-12', () => {
    const ajv = new Ajv2020({
      strict: true,
      strictTypes: false,
      strictTuples: false,
      validateFormats: false,
    })
    ajv.addKeyword('components')
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

  it('describes parameters of queries, JSON among them', () => {
    assert.deepEqual(at('paths /samples get')['parameters'], [
      { name: 'text', in: 'query', required: false, schema: { type: 'string' } },
      { name: 'count', in: 'query', required: false, schema: { type: 'integer' } },
      { name: 'limit', in: 'query', required: false, schema: { type: 'integer', default: 10 } },
    ])
  })

  it('describes forms, with JSON where a field is JSON', () => {
    const media = at(
      'paths /required post requestBody content application/x-www-form-urlencoded',
    ) as { schema: object; encoding: object }

    assert.deepEqual(media, {
      schema: {
        type: 'object',
        properties: {
          first: { type: 'integer' },
          second: { type: 'string' },
          third: { type: 'boolean' },
        },
        required: ['first', 'second'],
      },
      encoding: {
        first: { contentType: 'application/json' },
        third: { contentType: 'application/json' },
      },
    })
  })

  it('asks for no credentials where anyone may call', () => {
    assert.deepEqual(at('paths /sign-in post')['security'], [])
    assert.equal('security' in at('paths /samples get'), false)
  })

  it('takes calls without credentials where those of visitors are served', () => {
    const [operation] = sampleOperations
    for (const access of ['visitor', 'userOrSpectator'] as const) {
      const { paths } = openApiDocument([{ ...(operation as Operation), access }], { origin: '' })
      const [path] = Object.values(paths as Record<string, Record<string, { security: unknown }>>)
      assert.deepEqual(Object.values(path ?? {})[0]?.security, [{ basicAuth: [] }, {}])
    }
  })

  it('describes answers as they are sent', async () => {
    const schema = at('paths /samples get responses 200 content application/json schema')
    const { body } = await ask(new SampleChat(), 'GET /samples', { query: 'x=1' })

    const validate = new Ajv2020({ strict: false }).compile(schema)

    assert.ok(validate(body), JSON.stringify(validate.errors))
    assert.equal(validate({ ...body, result: 'error' }), false)
  })

  it('refers to the components that say more of a value', () => {
    const answer = Type.Object({ thing: Type.Unknown({ component: 'Thing' }) })
    const [operation] = sampleOperations
    assert.ok(operation)

    const { components, paths } = openApiDocument([{ ...operation, response: answer }], {
      origin: 'https://chat.example',
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
    const responses = at('paths /fail post responses')
    assert.deepEqual(Object.keys(responses), ['200', '400', '401', '429'])
    assert.match(JSON.stringify(responses['400']), /BAD_EVENT_QUEUE_ID/)
  })
})

function collectSchemas(node: unknown, into: object[]): void {
  if (typeof node !== 'object' || node === null) return
  for (const [key, value] of Object.entries(node)) {
    if (key === 'schema') into.push(value as object)
    else collectSchemas(value, into)
  }
}
