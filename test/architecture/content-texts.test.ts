import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

// Before the operations, because they need the polyfill of decorators that it brings.
import '@parley/core'
import { Type, type TSchema } from 'typebox'

import { allOperations } from '../../packages/core/src/resources/index.js'
import { otherTexts, undeclaredTexts } from './text-parameters.js'

describe('the texts that users write', () => {
  it('are declared as content, so that hooks get them, or are listed with a reason', () => {
    const undeclared = allOperations
      .filter(({ method }) => method !== 'GET')
      .flatMap(({ id, params }) =>
        Object.entries(params).flatMap(([name, schema]) =>
          undeclaredTexts(name, schema).map((place) => `${id} ${place}`),
        ),
      )
    const listed = Object.values(otherTexts).flat()

    assert.deepEqual(
      undeclared.filter((text) => !listed.includes(text)),
      [],
      'Declare the contentKind of texts that others will read (domain/messages/content-kinds.ts, ' +
        'docs/hooks.md), and list all others in test/architecture/text-parameters.ts',
    )
    assert.deepEqual(
      listed.filter((text) => !undeclared.includes(text)),
      [],
      'These are no parameters any more; remove them from test/architecture/text-parameters.ts',
    )
    assert.equal(new Set(listed).size, listed.length)
  })
})

describe('the rule about texts', () => {
  const found = (schema: TSchema) => undeclaredTexts('x', schema)
  const content = { contentKind: 'channel.name' } as const

  it('finds texts, also in lists, objects, unions and JSON', () => {
    assert.deepEqual(found(Type.String()), ['x'])
    assert.deepEqual(found(Type.Unknown()), ['x'])
    assert.deepEqual(found(Type.Array(Type.String())), ['x[]'])
    assert.deepEqual(found(Type.Union([Type.Integer(), Type.String()])), ['x'])
    assert.deepEqual(found(Type.Object({ a: Type.String(), b: Type.String(content) })), ['x.a'])
    assert.deepEqual(found(Type.Record(Type.String(), Type.String())), ['x{}'])
    assert.deepEqual(found(Type.Integer({ orJson: Type.Array(Type.String()) })), ['x[]'])
  })

  it('accepts content, also around them, and values that are no texts', () => {
    assert.deepEqual(found(Type.String(content)), [])
    assert.deepEqual(found(Type.Array(Type.Object({ a: Type.String() }), content)), [])
    assert.deepEqual(found(Type.Union([Type.Literal('a'), Type.Boolean()])), [])
  })
})
