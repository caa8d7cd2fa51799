import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { describe, it } from 'node:test'

import { isLong, slicedJson } from '../../../packages/core/src/http/replies/sliced-json.js'

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

describe('JSON in slices', () => {
  const payloads: Record<string, object> = {
    'an empty object': {},
    'a list': numbers(1000),
    'an empty list': [],
    'values that JSON leaves out': { a: undefined, b: 1, c: undefined, d: { e: undefined } },
    'values that lists cannot leave out': { list: [undefined, ...numbers(40), null] },
    'values with a JSON of their own': {
      at: new Date(0),
      list: numbers(20).map((n) => new Date(n)),
    },
    'characters that need escapes': { 'a"\n': numbers(50).map((n) => `é\u2028"${n}👩`) },
    'keys that look like numbers': { 2: 'a', 1: { 10: [1], 9: {} } },
    'objects in objects': { a: { b: { c: { d: { e: numbers(100) } } } }, f: [[[]]] },
    'long items among short ones': {
      list: numbers(400).map((n) => (n % 50 === 0 ? 'x'.repeat(100_000) : 'x')),
    },
    'items with long lists': {
      messages: numbers(40).map((id) => ({
        id,
        reactions: id % 7 === 0 ? numbers(300).map((user_id) => ({ user_id })) : [],
        at: new Date(id),
      })),
    },
    'few items with long lists': { messages: [{ id: 1, submessages: numbers(200) }, { id: 2 }] },
    'many keys': Object.fromEntries(numbers(500).map((n) => [`key ${n}`, { n }])),
  }
  for (const [name, payload] of Object.entries(payloads)) {
    it(`has the same bytes: ${name}`, async () => {
      assert.equal(
        Buffer.concat((await slicedJson(payload)).parts).toString(),
        JSON.stringify(payload),
      )
    })
  }

  it('is made only of payloads with many entries', () => {
    assert.equal(isLong({ id: 1, flags: ['read'] }), false)
    assert.equal(isLong(undefined), false)
    assert.equal(isLong(null), false)
    assert.equal(isLong({ messages: numbers(17) }), true)
    assert.equal(isLong({ messages: [{ reactions: numbers(100) }] }), false)
    assert.equal(isLong({ messages: [{ reactions: numbers(200) }] }), true)
    assert.equal(
      isLong({ versions: numbers(10).map(() => ({ content: 'x'.repeat(20_000) })) }),
      true,
    )
    assert.equal(
      isLong({ versions: numbers(10).map(() => ({ content: 'x'.repeat(2_000) })) }),
      false,
    )
    assert.equal(isLong({ message: { reactions: numbers(200) } }), true)
    assert.equal(isLong({ presences: Object.fromEntries(numbers(17).map((n) => [n, n])) }), true)
  })

  it('has slices of a limited size, however long the items and their lists are', async () => {
    const text = 'x'.repeat(60_000)
    const submessages = numbers(5_000).map((id) => ({ id, content: `{"vote":"${id}"}` }))
    for (const messages of [
      numbers(30).map((id) => ({ id, content: text })),
      numbers(15).map((id) => ({ id, content: text, submessages })),
      numbers(2).map((id) => ({ id, submessages })),
    ]) {
      for (const part of (await slicedJson({ messages })).parts) {
        assert.ok(part.length <= 256 * 1024, `${part.length} bytes`)
      }
    }
  })

  it('yields to the event loop', async () => {
    const users = numbers(30_000).map((id) => ({ id, name: `User ${id}`, bot: { owner: id } }))
    let ticks = 0
    const state = { isOver: false }

    const written = slicedJson({ users }).finally(() => (state.isOver = true))
    while (!state.isOver) {
      await setImmediate()
      ticks += 1
    }

    const { parts, ownBytes } = await written
    assert.equal(ownBytes, Buffer.byteLength(JSON.stringify({ users })))
    assert.equal(Buffer.concat(parts).length, ownBytes)
    assert.ok(ticks > 1, `${ticks} ticks of the event loop`)
  })
})
