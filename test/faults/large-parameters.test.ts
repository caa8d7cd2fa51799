import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import type { Operation } from '../../packages/core/src/http/operation.js'
import {
  asParameterSchema,
  encodingOf,
} from '../../packages/core/src/http/parameters/parameter-schema.js'
import { pathParameterNames } from '../../packages/core/src/http/pipeline/router.js'
import {
  largestValue,
  usualValue,
  valuesBeyond,
  type BoundedSchema,
} from '../support/bound-values.js'
import type { Cast } from '../support/cast.js'
import type { Answer, Client } from '../support/client.js'
import { databaseColumnsOf, reportSkippedColumns } from '../support/databases.js'
import { TestHost } from '../support/host.js'
import { statementsOf } from '../support/statements.js'

/** Node.js rejects longer headers before the operation is matched. */
const maxQueryLength = 12_000
/** An error repeats only the beginning of a value. */
const maxRefusalLength = 500
const maxPageLength = 2_000
/** Statements that an operation may use for the largest value that it accepts. */
const maxStatements = 100
const maxAnswerLength = 1_000_000

/** These would remove the caller's access. */
const leftOut = /deactivate|regenerate|delete-own/

interface Parameter {
  readonly name: string
  readonly schema: BoundedSchema
  readonly isInPath: boolean
}

function parametersOf({ path, params }: Operation): Parameter[] {
  const inPath = pathParameterNames(path)
  return Object.entries(params).map(([name, schema]) => ({
    name,
    schema: schema as BoundedSchema,
    isInPath: inPath.has(name),
  }))
}

/**
 * The parameters of an operation, without those whose declarations are equal to an earlier one's.
 */
function distinctParametersOf(operation: Operation): Parameter[] {
  const seen = new Set<string>()
  return parametersOf(operation).filter(({ schema, isInPath }) => {
    const key = JSON.stringify([schema, isInPath])
    return !seen.has(key) && seen.add(key)
  })
}

/** Whether other texts in the path make it another path: integers match digits, however many. */
const isDigits = ({ isInPath, schema }: Parameter): boolean => isInPath && schema.type === 'integer'

/** A request with one given value, and otherwise as few parameters as the operation requires. */
async function call(
  client: Client,
  operation: Operation,
  parameterName: string,
  value: unknown,
): Promise<Answer | undefined> {
  const fields = new URLSearchParams()
  let { path } = operation
  for (const { name, schema, isInPath } of parametersOf(operation)) {
    const isOptional = schema.default !== undefined || '~optional' in schema
    if (name !== parameterName && isOptional && !isInPath) continue
    const one = name === parameterName ? value : usualValue(schema)
    const isRaw = isInPath || encodingOf(asParameterSchema(operation.params[name]!)) === 'raw'
    const text = isRaw && typeof one === 'string' ? one : JSON.stringify(one)
    if (isInPath) path = path.replace(`{${name}}`, encodeURIComponent(text))
    else fields.set(name, text)
  }
  if (operation.id === 'get-events') fields.set('dont_block', 'true')
  const encoded = fields.toString()
  if (operation.method !== 'GET') return client.send(operation.method, path, encoded)
  if (encoded.length > maxQueryLength) return undefined
  return client.send('GET', `${path}?${encoded}`)
}

// The resources need the decorator polyfill that the public entry point of the package imports.
await import('@parley/core')
const { allOperations } = await import('../../packages/core/src/resources/index.js')
const operations = allOperations.filter(({ isAtRoot }) => isAtRoot !== true)

reportSkippedColumns()
for (const database of databaseColumnsOf('large parameters')) {
  describe(`large parameters (${database.name})`, () => {
    const host = new TestHost('koa', database)
    let cast: Cast
    before(async () => {
      await host.start()
      cast = await host.organization()
    })
    after(() => host.stop())

    it('are rejected beyond each bound, before the operation starts', async () => {
      const { olga } = cast.people
      await olga.get('/users/me')
      let count = 0

      for (const operation of operations) {
        for (const parameter of distinctParametersOf(operation)) {
          if (isDigits(parameter)) continue
          for (const value of valuesBeyond(parameter.schema)) {
            const sent = JSON.stringify(value).slice(0, 60)
            let answer: Answer | undefined
            const statements = await statementsOf(host, async () => {
              answer = await call(olga, operation, parameter.name, value)
            })
            if (answer === undefined) continue
            const what = `${operation.id} with ${parameter.name}=${sent} was answered ${answer.text.slice(0, 300)}`
            assert.equal(answer.status, 400, what)
            const isPage = operation.mediaType === 'text/html'
            const text: string = isPage ? answer.text : answer.body.msg
            assert.ok(text.includes(parameter.name), what)
            assert.ok(answer.text.length <= (isPage ? maxPageLength : maxRefusalLength), what)
            assert.deepEqual(statements, [], what)
            count += 1
          }
        }
      }

      assert.ok(count > 300, `only ${count} values were tried`)
      assert.deepEqual(host.log, [])
    })

    it('are accepted at each bound, with bounded work', async () => {
      const { olga } = cast.people
      const { body } = await olga.get('/openapi.json')
      const statusesOf = new Map<string, readonly string[]>(
        Object.values(body.paths as Record<string, Record<string, DescribedOperation>>)
          .flatMap((methods) => Object.values(methods))
          .map(({ operationId, responses }) => [operationId, Object.keys(responses)]),
      )

      for (const operation of operations.filter(({ id }) => !leftOut.test(id))) {
        for (const { name, schema } of distinctParametersOf(operation)) {
          let answer: Answer | undefined
          const statements = await statementsOf(host, async () => {
            answer = await call(olga, operation, name, largestValue(schema))
          })
          if (answer === undefined) continue
          const what = `${operation.id} with the largest ${name} was answered ${answer.text.slice(0, 300)}`
          assert.ok(answer.status < 500, what)
          const statuses = statusesOf.get(operation.id)
          assert.ok(statuses?.includes(String(answer.status)) !== false, what)
          assert.ok(answer.text.length <= maxAnswerLength, what)
          assert.ok(statements.length <= maxStatements, `${statements.length} statements: ${what}`)
        }
      }

      assert.deepEqual(host.log, [])
      assert.equal((await olga.get('/users/me')).status, 200)
    })
  })
}

interface DescribedOperation {
  readonly operationId: string
  readonly responses: Readonly<Record<string, unknown>>
}
