import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'

import fc from 'fast-check'

import type { Cast } from '../support/cast.js'
import type { Answer, Client } from '../support/client.js'
import { databaseColumns, reportSkippedColumns } from '../support/databases.js'
import { hostileValue, type Schema } from '../support/hostile-values.js'
import { TestHost } from '../support/host.js'

/** Number of requests per database. */
const runs = Number(process.env.CHAT_TEST_HOSTILE_RUNS ?? 1_500)
/** Seed of the requests, the same in every run by default. */
const seed = Number(process.env.CHAT_TEST_HOSTILE_SEED ?? 420)

interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema: Schema & { readonly contentSchema?: Schema }
}

interface Form {
  readonly schema: { readonly properties?: Readonly<Record<string, Schema>> }
  readonly encoding?: Readonly<Record<string, unknown>>
}

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: {
    readonly content: Readonly<Record<string, Form>>
  }
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, unknown>> }>
  >
}

/** A request and its caller. */
interface Call {
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly fields: readonly (readonly [string, string])[]
  readonly isForm: boolean
  readonly caller: number
  /** The statuses that the operation declares. */
  readonly statuses: readonly string[]
  /** Whether browsers show the response. */
  readonly isPage: boolean
}

const prefix = '/api/v1'

/** These would remove the caller's access. */
const leftOut = /deactivate|regenerate|delete-own/

function callsOf(
  document: { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> },
  ids: readonly number[],
): fc.Arbitrary<Call> {
  const calls = Object.entries(document.paths)
    .filter(([path]) => path.startsWith(prefix))
    .flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { operationId }]) => !leftOut.test(operationId))
        .map(([method, operation]) =>
          callOf(path.slice(prefix.length), method.toUpperCase(), operation, ids),
        ),
    )
  return fc.oneof(...calls)
}

function callOf(
  path: string,
  method: string,
  { operationId, parameters = [], requestBody, responses }: Operation,
  ids: readonly number[],
): fc.Arbitrary<Call> {
  const inPath: Record<string, fc.Arbitrary<unknown>> = {}
  const inFields: Record<string, fc.Arbitrary<string>> = {}
  for (const { name, in: place, schema } of parameters) {
    const json = schema.contentSchema
    const value = hostileValue(name, json ?? schema, ids)
    if (place === 'path') inPath[name] = value
    else if (place === 'query')
      inFields[name] = value.map((one) => written(one, json !== undefined))
  }
  const forms = requestBody?.content ?? {}
  const form = forms['application/x-www-form-urlencoded'] ?? forms['multipart/form-data']
  for (const [name, schema] of Object.entries(form?.schema.properties ?? {})) {
    const isJson = form?.encoding?.[name] !== undefined
    inFields[name] = hostileValue(name, schema, ids).map((one) => written(one, isJson))
  }
  if (operationId === 'get-events') inFields['dont_block'] = fc.constant('true')
  return fc
    .record({
      inPath: fc.record(inPath),
      fields: fc.record(inFields, { requiredKeys: [] }),
      isForm: fc.boolean(),
      caller: fc.nat(),
    })
    .map(({ inPath: values, fields, isForm, caller }) => ({
      operationId,
      method,
      path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => segment(values[name])),
      fields: Object.entries(fields) as [string, string][],
      isForm: isForm && method !== 'GET',
      caller,
      statuses: Object.keys(responses),
      isPage: responses['200']?.content?.['text/html'] !== undefined,
    }))
}

function written(value: unknown, isJson: boolean): string {
  return typeof value === 'string' && !isJson ? value : JSON.stringify(value)
}

function segment(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  // Clients cannot encode an unpaired surrogate in a URL.
  return encodeURIComponent(text.slice(0, 200).replaceAll(/\p{Surrogate}/gu, '?')) || 'x'
}

async function send(client: Client, { method, path, fields, isForm }: Call): Promise<Answer> {
  const encoded = new URLSearchParams(fields.map(([name, value]) => [name, value])).toString()
  if (isForm) return client.send(method, path, encoded)
  // Node.js rejects longer headers.
  return client.send(method, `${path}?${encoded.slice(0, 12_000).replace(/%\w?$/, '')}`)
}

/** All numbers in the organization file that look like ids. */
function idsIn(file: unknown): number[] {
  return [...JSON.stringify(file).matchAll(/"(?:\w+_)?ids?":(\d+)/g)].map(([, id]) => Number(id))
}

reportSkippedColumns()
for (const database of databaseColumns()) {
  describe(`random requests (${database.name})`, () => {
    const host = new TestHost('express', database)
    let cast: Cast
    before(async () => {
      await host.start()
      cast = await host.organization()
      await cast.people.alice.say(cast.channels.general, 'lunch', 'Soup or salad?')
      await cast.people.bob.whisper([cast.people.alice], 'Just us')
    })
    after(async () => host.stop())

    it('get documented responses, and do not stop the server', async () => {
      const { olga, alice, gus, bot } = cast.people
      const callers = [olga, olga, alice, gus, bot, cast.nobody]
      const { body } = await alice.get('/openapi.json')

      const property = fc.asyncProperty(callsOf(body, idsIn(cast.file)), async (call) => {
        const answer = await send(callers[call.caller % callers.length] as Client, call)
        const what = `${call.operationId} was answered ${answer.status} ${answer.text.slice(0, 300)}`
        assert.ok(answer.status < 500, what)
        assert.ok(call.statuses.includes(String(answer.status)), `${what}, which is undocumented`)
        const isPage = call.isPage && answer.text.startsWith('<!doctype html>')
        if (answer.status >= 400 && !isPage) {
          assert.equal(answer.body?.result, 'error', what)
          assert.equal(typeof answer.body.msg, 'string', what)
        }
      })
      await fc.assert(property, { seed, numRuns: runs })

      assert.deepEqual(host.log, [])
      assert.equal((await alice.get('/users/me')).status, 200)
    })
  })
}
