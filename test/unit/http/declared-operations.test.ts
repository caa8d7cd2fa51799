import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { Type } from 'typebox'

import { defineOperation, type Operation } from '../../../packages/core/src/http/index.js'
import { decoderOf } from '../../../packages/core/src/http/parameters/parameter-decoder.js'
import { SchemaCompiler } from '../../../packages/core/src/http/parameters/schema-compiler.js'
import { sampleOperations, SampleService } from './sample-operations.js'
import { ask } from './sample-request.js'
import { SampleChat } from './sample-server.js'

describe('operations', () => {
  const operation = (changes: Partial<Operation>): Operation => ({
    ...defineOperation({
      id: 'one',
      summary: '',
      method: 'GET',
      path: '/one',
      access: 'user',
      params: {},
      response: Type.Object({}),
      errors: [],
      service: SampleService,
      handle: () => ({}),
    }),
    ...changes,
  })
  const broken: [string, Operation[], RegExp][] = [
    ['with the same method and path', [operation({}), operation({ id: 'two' })], /one and two/],
    ['with the same id', [operation({}), operation({ path: '/two' })], /named one/],
    ['with an undeclared path parameter', [operation({ path: '/{id}' })], /\{id\}/],
    [
      'with a path that continues after a restOfPath parameter',
      [operation({ path: '/{a}/b', params: { a: Type.String({ restOfPath: true }) } })],
      /\{a\}/,
    ],
    [
      'that differ in the names of path parameters only',
      [
        operation({ path: '/{a}', params: { a: Type.String() } }),
        operation({ id: 'two', path: '/{b}', params: { b: Type.String() } }),
      ],
      /one and two/,
    ],
  ]
  for (const [what, operations, message] of broken) {
    it(`${what} prevent the start of the server`, () => {
      assert.throws(() => new SampleChat({}, 'off', operations), {
        name: 'TypeError',
        message,
      })
    })
  }

  for (const [what, schema] of [
    ['an unknown type', Type.Unsafe({ type: 'text' })],
    ['a misspelt keyword', Type.String({ maxLenght: 5 })],
    ['a keyword with an impossible value', Type.String({ maxLength: -1 })],
  ] as const) {
    it(`whose schema has ${what} fail when it is compiled`, () => {
      const compiler = new SchemaCompiler({ validatesSchemas: true })
      const declared = operation({ params: { x: schema } })
      const decoder = decoderOf(declared, new Set(), compiler)

      assert.throws(() => decoder.compile(), /Operation one/)
    })
  }

  it('are compiled by the first requests that need them', async () => {
    const declared = operation({ params: { x: Type.Optional(Type.String({ maxLenght: 5 })) } })
    const chat = new SampleChat({}, 'off', [declared])

    const without = await ask(chat, 'GET /one')
    const first = await ask(chat, 'GET /one', { query: 'x=a' })
    const second = await ask(chat, 'GET /one', { query: 'x=a' })

    assert.deepEqual([without.status, first.status, second.status], [200, 500, 500])
  })

  it('of the sample are valid', () => {
    assert.doesNotThrow(() => new SampleChat({}, 'off', sampleOperations))
  })
})
