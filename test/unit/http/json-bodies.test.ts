import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { sampleCalls } from './sample-calls.js'
import type { RequestParts } from './sample-request.js'

const { paramsOf, refusalOf } = sampleCalls()

describe('JSON bodies', () => {
  it('may be an object, also one that the host parsed or read as text', async () => {
    const headers = { 'content-type': 'application/json; charset=utf-8' }
    const ways: [(value: unknown) => RequestParts, string][] = [
      [(value) => ({ headers, body: JSON.stringify(value) }), 'Malformed payload'],
      [(value) => ({ headers, parsedBody: value }), 'anything is not valid JSON'],
      [(value) => ({ headers, parsedBody: JSON.stringify(value) }), 'Malformed payload'],
    ]
    for (const [way, refusalOfDeep] of ways) {
      const body = { count: 5, flag: 'true', ids: [1, 2], folder: null, op: 'add', note: 'x' }
      assert.deepEqual(await paramsOf(way(body)), { ...body, flag: true })
      assert.deepEqual(await paramsOf(way({ ids: '[1,2]', anything: { a: [1.5] } })), {
        ids: [1, 2],
        anything: { a: [1.5] },
      })
      assert.deepEqual(await paramsOf({ ...way({ count: 2 }), query: 'count=1&note=q' }), {
        count: 2,
        note: 'q',
      })
      assert.deepEqual(await paramsOf(way({})), {})

      const refused = async (value: unknown) => (await refusalOf(way(value))).msg
      assert.equal(await refused({ note: 5 }), 'note is not a string')
      assert.equal(await refused({ ids: ['1'] }), 'ids[0] is not an integer')
      assert.equal(await refused({ count: '1.0' }), 'count is not an integer')
      assert.equal(await refused([]), 'Malformed payload')
      assert.equal(
        await refused(Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [n, 1]))),
        'Malformed payload',
      )
      let deep: unknown = []
      for (let depth = 0; depth < 200; depth += 1) deep = [deep]
      assert.equal(await refused({ anything: deep }), refusalOfDeep)
      assert.equal(
        await refused({ ids: Array.from({ length: 20_001 }, () => 1) }),
        'ids is too long (limit: 20000 items)',
      )
    }
  })

  it('follow the JSON rules of form fields', async () => {
    const headers = { 'content-type': 'application/json' }
    const answer = (body: string | Buffer, more = {}) =>
      refusalOf({ headers: { ...headers, ...more }, body })
    const malformed = { msg: 'Malformed payload', code: 'BAD_REQUEST' }

    for (const body of ['{"count":1', 'null', '"count=1"', '5', '\ufeff{}', ' ']) {
      assert.deepEqual(await answer(body), malformed, body)
    }
    assert.deepEqual(await answer(Buffer.from([0x22, 0xff, 0x22])), malformed)
    assert.deepEqual(await answer('{}', { 'content-encoding': 'gzip' }), malformed)
    for (const body of ['{"count":1.0}', '{"ids":[1e2]}']) {
      assert.match((await answer(body)).msg as string, /is not an integer$/)
    }
    assert.equal((await answer('{"anything":{"__proto__":1}}')).msg, 'anything is not valid JSON')
    assert.equal(
      (await answer(`{"note":"${'x'.repeat(2_097_152)}"}`)).msg,
      'Request body is too large',
    )
    assert.deepEqual(await paramsOf({ headers, body: '{"count":1,"count":2}' }), { count: 2 })
    assert.deepEqual(await paramsOf({ headers, body: '{"__proto__":{"count":1}}' }), {})
  })

  it('may contain another value for a text parameter, which is converted to JSON', async () => {
    const headers = { 'content-type': 'application/json' }
    for (const [either, text] of [
      [[1, 2], '[1,2]'],
      [7, '7'],
      ['[3]', '[3]'],
      ['words', 'words'],
    ]) {
      assert.deepEqual(await paramsOf({ headers, parsedBody: { either } }), { either: text })
    }
    assert.deepEqual(await refusalOf({ headers, parsedBody: { either: null } }), {
      msg: 'either is not a string',
      code: 'BAD_REQUEST',
    })
  })
})
