import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

// Before the operations, because they need the polyfill of decorators that it brings.
import '@parley/core'
import { Type, type TSchema } from 'typebox'

import { errorKinds, type ErrorKind } from '../../packages/core/src/errors/index.js'
import { ParameterDecoder } from '../../packages/core/src/http/parameters/parameter-decoder.js'
import { SchemaCompiler } from '../../packages/core/src/http/parameters/schema-compiler.js'
import { accessErrors, commonErrors } from '../../packages/core/src/http/pipeline/common-errors.js'
import { pathParameterNames } from '../../packages/core/src/http/pipeline/router.js'
import { allOperations } from '../../packages/core/src/resources/index.js'
import { casesOfOperations, conformanceSuites } from './operation-cases.js'
import { missingBounds } from './parameter-bounds.js'
import { readProductSources, source } from './source-files.js'

describe('the operations', () => {
  it('have a bound for every parameter', () => {
    const missing = allOperations.flatMap(({ id, params }) =>
      Object.entries(params)
        .flatMap(([name, schema]) => missingBounds(name, schema))
        .map((problem) => `${id}: ${problem}`),
    )

    assert.deepEqual(
      missing,
      [],
      `${missing.length} parameters have no bound; declare them with Bounded ` +
        '(packages/core/src/domain/bounded-schemas.ts) or with a bound of their own',
    )
  })

  it('have parameters whose schemas compile', () => {
    const compiler = new SchemaCompiler({ validatesSchemas: true })

    for (const operation of allOperations) {
      const pathNames = pathParameterNames(operation.path)
      assert.doesNotThrow(() => new ParameterDecoder(operation, pathNames, compiler).compile())
    }
  })

  it('have a conformance case each', () => {
    const covered = casesOfOperations(conformanceSuites())
    const missing = allOperations.map(({ id }) => id).filter((id) => !covered.has(id))

    assert.deepEqual(
      missing,
      [],
      `${missing.length} of ${allOperations.length} operations have no everyHost('<id>', …) ` +
        `below test/conformance: ${missing.join(', ')}`,
    )
  })
})

describe('the errors of operations', () => {
  /** Where requests are refused before an operation is called. */
  const checks =
    /^packages\/core\/src\/(http\/|resources\/access\/authentication\/(request-authenticator|basic-credentials|caller-check|same-origin)\.ts)/
  const codes = new Map(
    Object.entries(errorKinds).map(([name, kind]) => [name, (kind as ErrorKind).code ?? name]),
  )

  it('include all with which requests are refused before an operation is called', () => {
    const common = new Set([...commonErrors, ...accessErrors].map((name) => codes.get(name)))
    // There is no operation to declare it.
    common.add('METHOD_NOT_ALLOWED')
    const thrown = readProductSources()
      .filter(({ path }) => checks.test(path))
      .flatMap(({ text }) =>
        Array.from(text.matchAll(/new ChatError\(\s*'(\w+)'/g), ([, name]) => name),
      )

    assert.ok(thrown.length > 20)
    assert.deepEqual(
      thrown.filter((name) => !common.has(codes.get(name ?? ''))),
      [],
      'add them to packages/core/src/http/pipeline/common-errors.ts',
    )
  })
})

describe('the rule about parameters', () => {
  const missing = (schema: TSchema) => missingBounds('x', schema)

  it('reports missing bounds, also inside lists, objects and unions', () => {
    assert.deepEqual(missing(Type.String()), ['x has no maxLength'])
    assert.deepEqual(missing(Type.Integer({ minimum: 0 })), ['x has no maximum'])
    assert.deepEqual(missing(Type.Number({ maximum: 0 })), ['x has no minimum'])
    assert.deepEqual(missing(Type.Unknown()), ['x has no type'])
    assert.deepEqual(missing(Type.Array(Type.Boolean())), ['x has no maxItems'])
    assert.deepEqual(missing(Type.Array(Type.String(), { maxItems: 2 })), ['x[] has no maxLength'])
    assert.deepEqual(missing(Type.Tuple([Type.String()], { maxItems: 1 })), [
      'x[] has no maxLength',
    ])
    assert.deepEqual(missing(Type.Union([Type.Null(), Type.String()])), ['x has no maxLength'])
    assert.deepEqual(missing(Type.String({ maxLength: 1, orJson: Type.Integer() })), [
      'x (JSON) has no minimum',
      'x (JSON) has no maximum',
    ])
    assert.deepEqual(missing(Type.Object({ a: Type.String() }, { additionalProperties: false })), [
      'x.a has no maxLength',
    ])
    assert.deepEqual(missing(Type.Object({})), [
      'x has no maxProperties',
      'x has no propertyNames with a maxLength',
    ])
    assert.deepEqual(missing(Type.Record(Type.String(), Type.String(), { maxProperties: 2 })), [
      'x has no propertyNames with a maxLength',
      'x{} has no maxLength',
    ])
  })

  it('accepts constants, bounds and a bound of the whole', () => {
    assert.deepEqual(missing(Type.Union([Type.Literal('a'), Type.Literal(1)])), [])
    assert.deepEqual(missing(Type.Integer({ minimum: 0, exclusiveMaximum: 2 })), [])
    assert.deepEqual(missing(Type.Array(Type.String({ maxLength: 1 }), { maxItems: 1 })), [])
    assert.deepEqual(missing(Type.Object({}, { additionalProperties: false })), [])
    assert.deepEqual(missing(Type.Unknown({ maxJsonLength: 10 })), [])
  })
})

describe('the rule about operations', () => {
  it('finds a case in a call, but not in a comment or another call', () => {
    const suite = source(
      'test/conformance/drafts.test.ts',
      "everyHost('get-drafts', (host) => {}) // everyHost('edit-draft')\nit('delete-draft')",
    )

    assert.deepEqual([...casesOfOperations([suite]).keys()], ['get-drafts'])
  })
})
