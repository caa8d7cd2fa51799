import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import fc from 'fast-check'

import { sampleCalls } from './sample-calls.js'
import { ask } from './sample-request.js'

const { chat, paramsOf, refusalOf } = sampleCalls()

describe('values', () => {
  const accepted: [field: string, text: string, value: unknown][] = [
    ['topic', '  hey ', 'hey'],
    ['topic', '👍👍👍👍👍', '👍👍👍👍👍'],
    ['name', ' x y ', 'x y'],
    ['note', '"quoted"', '"quoted"'],
    ['note', '', ''],
    ['note', ' spaces stay ', ' spaces stay '],
    ['note', 'null', null],
    ['flag', 'true', true],
    ['flag', ' false\n', false],
    ['count', '5', 5],
    ['count', ' 5 ', 5],
    ['big', '-1', -1],
    ['big', '9007199254740991', Number.MAX_SAFE_INTEGER],
    ['ratio', '1.5', 1.5],
    ['ratio', '1.0', 1],
    ['ratio', '1e3', 1000],
    ['ids', '[1,2]', [1, 2]],
    ['ids', '[]', []],
    ['settings', '{"on":true,"level":2}', { on: true, level: 2 }],
    ['flags', '{"a":true}', { a: true }],
    ['op', 'add', 'add'],
    ['role', '100', 100],
    ['emojiset', 'google', 'google'],
    ['folder', '3', 3],
    ['folder', 'null', null],
    ['to', '4', 4],
    ['to', '"general"', 'general'],
    ['to_list', '[1]', [1]],
    ['to_list', '["a@example.com"]', ['a@example.com']],
    ['anchor', 'newest', 'newest'],
    ['anchor', '12', 12],
    ['anchor', '-3', -3],
    ['anchor', '10000000000000000', '10000000000000000'],
    ['anchor', 'null', 'null'],
    ['quoted', '"text"', 'text'],
    ['link', 'https://example.com/a?b', 'https://example.com/a?b'],
    ['day', '2024-02-29', '2024-02-29'],
    ['color', '#a0b1c2', '#a0b1c2'],
    ['code', 'abcd', 'abcd'],
    ['pair', '[1,"a"]', [1, 'a']],
    ['anything', '[{"1.0":"1.0"},1.0]', [{ '1.0': '1.0' }, 1]],
    ['small', '"12345678"', '12345678'],
    ['small', '{"a":1234}', { a: 1234 }],
  ]
  for (const [field, text, value] of accepted) {
    it(`converts ${field}=${text.trim()} to ${JSON.stringify(value)}`, async () => {
      assert.deepEqual(await paramsOf({ form: { [field]: text } }), { [field]: value })
    })
  }

  const refused: [field: string, text: string, msg: string][] = [
    ['flag', 'True', 'flag is not valid JSON'],
    ['flag', '1', 'flag is not a boolean'],
    ['flag', '"true"', 'flag is not a boolean'],
    ['flag', '', 'flag is not valid JSON'],
    ['flag', 'null', 'flag is not a boolean'],
    ['count', '"5"', 'count is not an integer'],
    ['count', '1.0', 'count is not an integer'],
    ['count', '1e1', 'count is not an integer'],
    ['count', '1.5', 'count is not an integer'],
    ['count', 'true', 'count is not an integer'],
    ['count', 'abc', 'count is not valid JSON'],
    ['count', 'NaN', 'count is not valid JSON'],
    ['count', '-1', 'count is too small'],
    ['count', '101', 'count is too large'],
    ['big', '9007199254740993', 'big is too large'],
    ['big', '1000000000000000000000000', 'big is too large'],
    ['big', '-9007199254740993', 'big is too small'],
    ['ratio', '"1"', 'ratio is not a float'],
    ['ids', '5', 'ids is not a list'],
    ['ids', '{"0":1}', 'ids is not a list'],
    ['ids', '["1"]', 'ids[0] is not an integer'],
    ['ids', '[1,2.0]', 'ids[1] is not an integer'],
    ['ids', '[1', 'ids is not valid JSON'],
    ['settings', '[]', 'settings is not a dict'],
    ['settings', '{"on":1}', 'settings["on"] is not a boolean'],
    ['settings', '{"on":true,"level":1.0}', 'settings["level"] is not an integer'],
    ['settings', '{"level":1}', 'on key is missing from settings'],
    ['settings', '{"on":true,"k":1}', 'Argument "k" at settings["k"] is unexpected'],
    ['flags', '{"a/b~":1}', 'flags["a/b~"] is not a boolean'],
    ['flags', '{"0":1}', 'flags["0"] is not a boolean'],
    ['flags', '{"__proto__":true}', 'flags is not valid JSON'],
    ['op', 'set', 'Invalid op'],
    ['op', '"add"', 'Invalid op'],
    ['role', '300', 'Invalid role: Value error, Not in the list of possible values'],
    ['role', '"100"', 'role is not an integer'],
    ['role', '100.5', 'role is not an integer'],
    ['role', '100.0', 'role is not an integer'],
    ['role', 'x', 'role is not valid JSON'],
    ['emojiset', 'x', 'Invalid emojiset: Value error, Not in the list of possible values'],
    ['folder', '"3"', 'folder is not an integer'],
    ['to', '[]', 'to is not an integer'],
    ['to', 'general', 'to is not valid JSON'],
    ['to_list', '3', 'to_list is not a list'],
    ['to_list', '[true]', 'to_list[0] is not an integer'],
    ['quoted', 'text', 'quoted is not valid JSON'],
    ['quoted', '5', 'quoted is not a string'],
    ['topic', '👍👍👍👍👍👍', 'topic is too long (limit: 5 characters)'],
    ['name', '  ', 'name cannot be blank'],
    ['name', '', 'name cannot be blank'],
    ['link', 'nowhere', 'Invalid link: Value error, Not a URL'],
    ['day', 'tomorrow', 'day is not a date'],
    ['day', '2024-13-01', 'day is not a date'],
    ['color', 'red', 'color has invalid format'],
    ['code', 'abc', 'code is not length 4'],
    ['key', 'a', 'key is too short.'],
    ['pair', '[1]', 'pair is not length 2'],
    ['pair', '[1,"a",2]', 'pair is not length 2'],
    ['pair', '["a","a"]', 'pair[0] is not an integer'],
    ['small', '{"a":12345}', 'small is too long (limit: 10 characters)'],
    ['small', '[1,2,3,4,5]', 'small is too long (limit: 10 characters)'],
    ['small', '"123456789"', 'small is too long (limit: 10 characters)'],
  ]
  for (const [field, text, msg] of refused) {
    it(`rejects ${field}=${text} with "${msg}"`, async () => {
      assert.deepEqual(await refusalOf({ form: { [field]: text } }), { msg, code: 'BAD_REQUEST' })
    })
  }

  it('that are nested very deeply are rejected', async () => {
    const deep = '['.repeat(200_000) + ']'.repeat(200_000)
    const expected = { msg: 'anything is not valid JSON', code: 'BAD_REQUEST' }

    assert.deepEqual(await refusalOf({ form: { anything: deep } }), expected)
    assert.deepEqual(await refusalOf({ form: { anything: '['.repeat(200_000) } }), expected)
  })

  it('that are longer than any valid value are rejected', async () => {
    const list = (length: number): string => JSON.stringify(Array.from({ length }, () => 1))
    const headers = { 'content-type': 'application/json' }
    const refusals = [
      [{ form: { anything: list(20_001) } }, 'anything is too long (limit: 20000 items)'],
      [
        { form: { anything: `{"a":${list(20_001)}}` } },
        'anything is too long (limit: 20000 items)',
      ],
      [
        { headers, parsedBody: { ids: JSON.parse(list(20_001)) as unknown } },
        'ids is too long (limit: 20000 items)',
      ],
      [
        { form: { anything: `"${'x'.repeat(2_097_151)}"` } },
        'anything is too long (limit: 2097152 characters)',
      ],
    ] as const

    for (const [parts, msg] of refusals) {
      assert.deepEqual(await refusalOf(parts), { msg, code: 'BAD_REQUEST' })
    }
    await paramsOf({ form: { ids: list(20_000) } })
  })

  it('of any JSON type are passed on unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 5 }), async (value) => {
        const json = JSON.stringify(value)
        if (json.includes('__proto__')) return
        const params = await paramsOf({ form: { anything: json } })
        assert.deepEqual(params, { anything: JSON.parse(json) as unknown })
      }),
      { numRuns: 200 },
    )
  })

  it('of any text are passed on unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (text) => {
        if (text === 'null') return
        assert.deepEqual(await paramsOf({ form: { note: text } }), { note: text })
      }),
      { numRuns: 200 },
    )
  })
})

describe('absent parameters', () => {
  it('that are required are named in the error', async () => {
    assert.deepEqual(await refusalOf({ form: {} }, 'POST /required'), {
      msg: "Missing 'first' argument",
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: 'first',
    })
  })

  it('may have an error message of their own', async () => {
    assert.deepEqual(await refusalOf({ form: { first: '1' } }, 'POST /required'), {
      msg: 'Please say which',
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: 'second',
    })
  })

  it('have their default value, or are omitted', async () => {
    assert.deepEqual(await paramsOf({}, 'GET /samples'), { limit: 10 })
  })

  it('may have the names of Object.prototype properties', async () => {
    const { body } = await ask(chat, 'POST /samples', {
      form: '__proto__=1&constructor=2&toString=3',
    })

    assert.deepEqual(body['params'], {})
    assert.deepEqual(body['ignored_parameters_unsupported'], [
      '__proto__',
      'constructor',
      'toString',
    ])
  })
})

describe('the first error in the order of declaration', () => {
  it('is returned, whatever the order of the request', async () => {
    const both = { third: 'x', second: 'y', first: 'z' }
    assert.deepEqual(await refusalOf({ form: both }, 'POST /required'), {
      msg: 'first is not valid JSON',
      code: 'BAD_REQUEST',
    })
    const later = { third: 'x', first: '1' }
    assert.deepEqual(await refusalOf({ form: later }, 'POST /required'), {
      msg: 'Please say which',
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: 'second',
    })
  })
})

describe('aliases', () => {
  it('set the declared parameter', async () => {
    assert.deepEqual(await paramsOf({ form: { subject: 'x' } }), { topic: 'x' })
  })

  it('are not listed as unsupported', async () => {
    const { body } = await ask(chat, 'POST /samples', { form: { subject: 'x' } })
    assert.equal('ignored_parameters_unsupported' in body, false)
  })

  it('are rejected together with the declared name, also from different sources', async () => {
    const expected = {
      msg: "Can't decide between 'topic' and 'subject' arguments",
      code: 'REQUEST_CONFUSING_VAR',
      var_name1: 'topic',
      var_name2: 'subject',
    }
    assert.deepEqual(await refusalOf({ form: { subject: 'x', topic: 'x' } }), expected)
    assert.deepEqual(await refusalOf({ query: { subject: 'x' }, form: { topic: 'x' } }), expected)
  })
})

describe('sources', () => {
  it('are the query for every method, and the body with precedence over the query', async () => {
    const params = await paramsOf({
      query: 'count=1&flag=true',
      form: 'count=2',
    })
    assert.deepEqual(params, { count: 2, flag: true })
  })

  it('may repeat a name, and the last value counts', async () => {
    assert.deepEqual(await paramsOf({ query: 'count=1&count=2' }), { count: 2 })
    assert.deepEqual(await paramsOf({ form: 'count=3&count=4' }), { count: 4 })
  })

  it('do not include the body of GET', async () => {
    assert.deepEqual(await paramsOf({ form: 'limit=3' }, 'GET /samples'), { limit: 10 })
  })

  it('may be a form that the host parsed, with repeated names as a list', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }
    const params = await paramsOf({ headers, parsedBody: { count: ['1', '2'], ids: '[7]' } })
    assert.deepEqual(params, { count: 2, ids: [7] })
  })

  it('may be a text or bytes that the host read', async () => {
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': '7',
    }
    assert.deepEqual(await paramsOf({ headers, parsedBody: 'count=2' }), { count: 2 })
    assert.deepEqual(await paramsOf({ headers, parsedBody: Buffer.from('count=2') }), { count: 2 })
  })

  it('are decoded leniently if a percent sign is not escaped', async () => {
    assert.deepEqual(await paramsOf({ form: 'note=100%&topic=%zz' }), {
      note: '100%',
      topic: '%zz',
    })
    assert.deepEqual(await paramsOf({ query: 'note=%ff' }), { note: '\uFFFD' })
    assert.deepEqual(await paramsOf({ form: '&&note&=x&' }), { note: '' })
  })
})

describe('path parameters', () => {
  it('are digits for declared integers, up to the largest safe integer', async () => {
    assert.deepEqual(await paramsOf({}, 'PATCH /samples/12'), { sample_id: 12 })
    assert.deepEqual(await paramsOf({}, 'PATCH /samples/99999999999999999999'), {
      sample_id: Number.MAX_SAFE_INTEGER,
    })
  })

  it('are percent-decoded texts otherwise', async () => {
    assert.deepEqual(await paramsOf({}, 'GET /people/a%2Bb%40example.com'), {
      email: 'a+b@example.com',
    })
    assert.deepEqual(await paramsOf({}, 'GET /people/12'), { user_id: 12 })
    assert.deepEqual(await paramsOf({}, 'GET /people/me'), {})
  })

  it('may be the rest of the path, with slashes encoded or not', async () => {
    for (const view of ['narrow/is/starred', 'narrow%2Fis%2Fstarred', 'narrow/is%2Fstarred']) {
      assert.deepEqual(await paramsOf({}, `DELETE /views/${view}`), { view: 'narrow/is/starred' })
    }
    assert.deepEqual(await paramsOf({}, 'DELETE /views/a%252F%20b%3F'), { view: 'a%2F b?' })
    assert.equal((await ask(chat, 'GET /views/a/b', {})).status, 405)
  })

  it('are not read from other sources, and are ignored there', async () => {
    const { body } = await ask(chat, 'PATCH /samples/12', { form: { sample_id: '13' } })
    assert.deepEqual(body['params'], { sample_id: 12 })
    assert.deepEqual(body['ignored_parameters_unsupported'], ['sample_id'])
  })
})

describe('ignored parameters', () => {
  it('are listed once, sorted, without client', async () => {
    const { body } = await ask(chat, 'POST /samples', {
      query: 'zebra=1&client=me&b=1',
      form: 'b=2&a=1&count=1&B=3',
    })
    assert.deepEqual(body['ignored_parameters_unsupported'], ['B', 'a', 'b', 'zebra'])
  })

  it('are listed with long names truncated', async () => {
    const { body } = await ask(chat, 'POST /samples', { form: `${'x'.repeat(100_000)}=1` })
    assert.deepEqual(body['ignored_parameters_unsupported'], ['x'.repeat(100)])
  })

  it('are not listed in errors', async () => {
    const { body } = await ask(chat, 'POST /samples', { form: 'b=2&count=x' })
    assert.equal('ignored_parameters_unsupported' in body, false)
  })

  it('are listed in an immediate response of a long poll', async () => {
    const { body } = await ask(chat, 'GET /wait', { query: 'dont_block=true&b=2' })
    assert.deepEqual(body, {
      result: 'success',
      msg: '',
      events: [],
      ignored_parameters_unsupported: ['b'],
    })
  })

  it('are not listed in a delayed response of a long poll', async () => {
    const { body } = await ask(chat, 'GET /wait', { query: 'b=2', signal: AbortSignal.abort() })
    assert.deepEqual(body, { result: 'success', msg: '', events: [] })
  })
})
