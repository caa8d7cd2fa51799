import assert from 'node:assert/strict'
import { before, it } from 'node:test'

import type { Client, Parameters } from '../support/client.js'
import { everyHost } from '../support/host.js'

const newest = 10_000_000_000_000_000

/** The ids of the messages that a request returns. */
async function idsOf(client: Client, params: Parameters): Promise<number[]> {
  const answer = await client.get('/messages', params)
  assert.equal(answer.status, 200, answer.text)
  return (answer.body.messages as { id: number }[]).map(({ id }) => id)
}

everyHost('get-messages', (at) => {
  const ids: number[] = []
  const narrow = [{ operator: 'channel', operand: 'design' }]
  before(async () => {
    ids.length = 0
    for (let count = 1; count <= 7; count += 1) {
      ids.push(await at.people.alice.say(at.channels.design, 'range', `Number ${count}`))
    }
  })

  const range = async (params: Parameters) => {
    const { body, text, status } = await at.people.bob.get('/messages', { narrow, ...params })
    assert.equal(status, 200, text)
    const { messages, ...rest } = body
    return {
      numbers: (messages as { id: number }[]).map(({ id }) => ids.indexOf(id) + 1),
      anchor: rest.anchor,
      found: ['found_oldest', 'found_anchor', 'found_newest'].filter((name) => rest[name]),
    }
  }

  it('returns exactly the documented keys', async () => {
    const { body } = await at.people.bob.get('/messages', {
      narrow,
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
    })

    const message = body.messages[0]
    assert.deepEqual(Object.keys(body).sort(), [
      'anchor',
      'found_anchor',
      'found_newest',
      'found_oldest',
      'history_limited',
      'messages',
      'msg',
      'result',
    ])
    assert.equal(body.history_limited, false)
    const single = await at.people.bob.get(`/messages/${ids[6]}`)
    assert.deepEqual(message, single.body.message)
  })

  it('returns messages on both sides of the anchor in order', async () => {
    assert.deepEqual(await range({ anchor: ids[3], num_before: 2, num_after: 1 }), {
      numbers: [2, 3, 4, 5],
      anchor: ids[3],
      found: ['found_anchor'],
    })
  })

  it('returns whether the range reaches the oldest or newest message', async () => {
    const oldest = await range({ anchor: ids[1], num_before: 2, num_after: 0 })
    const newestOnes = await range({ anchor: ids[5], num_before: 0, num_after: 2 })

    assert.deepEqual(oldest.numbers, [1, 2])
    assert.deepEqual(oldest.found, ['found_oldest', 'found_anchor'])
    assert.deepEqual(newestOnes.numbers, [6, 7])
    assert.deepEqual(newestOnes.found, ['found_anchor', 'found_newest'])
  })

  it('accepts newest and oldest as anchors', async () => {
    assert.deepEqual(await range({ anchor: 'newest', num_before: 2, num_after: 0 }), {
      numbers: [6, 7],
      anchor: newest,
      found: ['found_newest'],
    })
    assert.deepEqual(await range({ anchor: 'oldest', num_before: 0, num_after: 2 }), {
      numbers: [1, 2],
      anchor: 0,
      found: ['found_oldest'],
    })
  })

  it('limits anchors beyond both ends', async () => {
    assert.equal((await range({ anchor: -5, num_after: 1 })).anchor, 0)
    assert.equal((await range({ anchor: '99999999999999999999', num_before: 1 })).anchor, newest)
    assert.equal((await range({ anchor: String(newest), num_before: 1 })).numbers.length, 1)
  })

  it('excludes the anchor on request, only at an end of the range', async () => {
    const options = { anchor: ids[3], include_anchor: false }

    assert.deepEqual((await range({ ...options, num_before: 2 })).numbers, [2, 3])
    assert.deepEqual((await range({ ...options, num_after: 2 })).numbers, [5, 6])
    assert.deepEqual((await range({ ...options, num_after: 2 })).found, [])
    const { body } = await at.people.bob.get('/messages', {
      ...options,
      num_before: 1,
      num_after: 1,
    })
    assert.equal(body.msg, 'The anchor can only be excluded at an end of the range')
  })

  it('returns at most the anchor without num_before and num_after', async () => {
    assert.deepEqual((await range({ anchor: ids[2] })).numbers, [3])
    assert.deepEqual((await range({ anchor: ids[2], include_anchor: false })).numbers, [])
    assert.deepEqual((await range({ anchor: 'newest' })).numbers, [])
  })

  it('starts at the first unread message, or at the newest if all are read', async () => {
    const { bob } = at.people
    const first = ids.slice(0, 2)
    await bob.post('/messages/flags', { messages: first, op: 'add', flag: 'read' })
    const params = { num_before: 1, num_after: 1 }

    const modern = await range({ anchor: 'first_unread', ...params })
    const legacy = await range({ anchor: 0, use_first_unread_anchor: true, ...params })

    assert.deepEqual([modern.anchor, modern.numbers], [ids[2], [2, 3, 4]])
    assert.deepEqual(legacy, modern)
    await bob.post('/messages/flags', { messages: ids, op: 'add', flag: 'read' })
    assert.equal((await range({ anchor: 'first_unread', ...params })).anchor, newest)
    await bob.post('/messages/flags', { messages: ids, op: 'remove', flag: 'read' })
  })

  it('returns the messages with the given ids that exist and that the reader has received', async () => {
    const { alice, bob, carol } = at.people
    const secret = await alice.say(at.channels.secret, 'plans', 'Hush')
    const message_ids = [ids[4], secret, ids[1], at.unknownId, ids[1]]

    const { body } = await bob.get('/messages', { message_ids })

    assert.deepEqual(Object.keys(body).sort(), [
      'found_anchor',
      'found_newest',
      'found_oldest',
      'history_limited',
      'messages',
      'msg',
      'result',
    ])
    assert.deepEqual(
      [body.found_anchor, body.found_newest, body.found_oldest],
      [false, false, false],
    )
    assert.deepEqual(
      body.messages.map(({ id }) => id),
      [ids[1], ids[4]],
    )
    assert.deepEqual(await idsOf(carol, { message_ids }), [])
    assert.deepEqual(await idsOf(carol, { message_ids, narrow }), [ids[1], ids[4]])
    assert.deepEqual(await idsOf(bob, { message_ids: [] }), [])
  })

  it('refuses a range together with message_ids', async () => {
    const { bob } = at.people
    const parameters =
      'num_before, num_after, anchor, message_ids, include_anchor, use_first_unread_anchor'
    for (const more of [
      { num_before: 1 },
      { num_after: 1 },
      { anchor: 'newest' },
      { use_first_unread_anchor: true },
    ]) {
      const { status, body } = await bob.get('/messages', { message_ids: [1], ...more })
      assert.equal(status, 400)
      assert.deepEqual(body, {
        result: 'error',
        code: 'BAD_REQUEST',
        msg: `Unsupported parameter combination: ${parameters}`,
        parameters,
      })
    }
  })

  it('refuses too many messages and invalid anchors', async () => {
    const { bob } = at.people
    const refusal = async (params: Parameters) => {
      const { status, body } = await bob.get('/messages', params)
      return [status, body.code, body.msg]
    }
    const tooMany = [400, 'BAD_REQUEST', 'Too many messages requested (maximum 5000).']

    assert.deepEqual(await refusal({ anchor: 'newest', num_before: 5000, num_after: 1 }), tooMany)
    assert.deepEqual(await refusal({ num_before: 1 }), [
      400,
      'BAD_REQUEST',
      "Missing 'anchor' argument.",
    ])
    for (const anchor of ['', 'last', '1.5', '2020-01-01']) {
      assert.deepEqual(await refusal({ anchor }), [400, 'BAD_REQUEST', 'Invalid anchor'])
    }
    assert.deepEqual(await refusal({ anchor: 'newest', num_before: -1 }), [
      400,
      'BAD_REQUEST',
      'num_before is too small',
    ])
  })

  it('returns raw content and empty topics on request', async () => {
    const { alice, bob } = at.people
    const id = await alice.say(at.channels.design, '', '**Hi**')
    const fetchMessage = async (params: Parameters) => {
      const { body } = await bob.get('/messages', { anchor: id, ...params })
      const { content, content_type, subject } = body.messages[0]!
      return { content, content_type, subject }
    }

    assert.deepEqual(await fetchMessage({}), {
      content: '<p><strong>Hi</strong></p>',
      content_type: 'text/html',
      subject: 'general chat',
    })
    assert.deepEqual(await fetchMessage({ apply_markdown: false, allow_empty_topic_name: true }), {
      content: '**Hi**',
      content_type: 'text/x-markdown',
      subject: '',
    })
  })

  it('returns only messages that the reader has received, unless the narrow contains a shared channel', async () => {
    const { carol, gus } = at.people
    const params = { anchor: 'newest', num_before: 100 }

    assert.deepEqual(await idsOf(carol, params), [])
    const { body } = await carol.get('/messages', { ...params, narrow })
    assert.deepEqual(
      body.messages.slice(0, 7).map(({ id }) => id),
      ids,
    )
    assert.deepEqual(body.messages[0]!.flags, ['read', 'historical'])
    const hidden = await gus.get('/messages', { ...params, narrow })
    assert.deepEqual([hidden.status, hidden.body.messages], [200, []])
  })

  it('returns 401 without credentials', async () => {
    const { status } = await at.nobody.get('/messages', { anchor: 'newest', num_before: 1 })

    assert.equal(status, 401)
  })
})

everyHost('get-messages', (at) => {
  it('accepts narrows of older clients: pairs, former names, and addresses with spaces', async () => {
    const { alice, bob, carol } = at.people
    const inTopic = await alice.say(at.channels.design, 'Old Forms', 'One')
    await alice.say(at.channels.design, 'other', 'Two')
    const group = await alice.whisper([bob, carol], 'Three')
    const pair = await alice.whisper([bob], 'Four')
    const find = (narrow: unknown) => idsOf(bob, { anchor: 0, num_after: 100, narrow })

    const topic = ['topic', 'old forms']
    for (const channel of [
      ['stream', 'DESIGN'],
      ['channel', ' design '],
      { operator: 'stream', operand: at.channels.design },
      { operator: 'channel', operand: at.channels.design, negated: false, extra: 1 },
    ]) {
      assert.deepEqual(await find([channel, topic]), [inTopic])
    }
    for (const narrow of [
      [['pm-with', `${alice.email}, ${carol.email}`]],
      [['pm_with', `${alice.email.toUpperCase()},${carol.email},${bob.email}`]],
      [{ operator: 'dm', operand: [alice.id, carol.id] }],
      [{ operator: 'dm', operand: [alice.id, carol.id, bob.id] }],
    ]) {
      assert.deepEqual(await find(narrow), [group])
    }
    assert.deepEqual(await find([['dm', alice.email]]), [pair])
    assert.deepEqual(await find([['is', 'private']]), [group, pair])
    assert.deepEqual(await find([['group-pm-with', carol.email]]), [group])
    assert.deepEqual(await find([['group_pm_with', bob.email]]), [group])
    assert.deepEqual(await find(null), await find([]))
  })

  it('refuses malformed terms', async () => {
    const { bob } = at.people
    const refusal = async (narrow: unknown) => {
      const { status, body } = await bob.get('/messages', { anchor: 0, narrow })
      assert.deepEqual([status, body.code], [400, 'BAD_REQUEST'])
      return body.msg as string
    }
    const value = (text: string, index = 0) => `Invalid narrow[${index}]: Value error, ${text}`

    assert.equal(await refusal('x'), 'narrow is not valid JSON')
    assert.equal(await refusal({}), 'narrow is not a list')
    const long = Array.from({ length: 101 }, () => ['is', 'dm'])
    assert.equal(await refusal(long), 'narrow is too long (limit: 100 items)')
    assert.equal(await refusal([7]), value('dict or list required'))
    assert.equal(await refusal([['is', 'dm'], null]), value('dict or list required', 1))
    assert.equal(await refusal([['channel']]), value('element is not a string pair'))
    assert.equal(await refusal([['channel', 7]]), value('element is not a string pair'))
    assert.equal(await refusal([['a', 'b', 'c']]), value('element is not a string pair'))
    assert.equal(await refusal([{ operator: 'is' }]), value('operand is missing'))
    assert.equal(await refusal([{ operator: 'is', operand: null }]), value('operand is missing'))
    assert.equal(await refusal([{ operand: 'is' }]), value('operator is missing'))
    assert.equal(
      await refusal([{ operator: 3, operand: 'x' }]),
      'narrow[0]["operator"] is not a string',
    )
    assert.equal(
      await refusal([['is', 'dm'], { operator: 'is', operand: 'dm', negated: 'no' }]),
      'narrow[1]["negated"] is not a boolean',
    )
    const operand = (operator: string, item: unknown) => refusal([{ operator, operand: item }])
    assert.equal(await operand('channel', []), 'operand is not a string or integer')
    assert.equal(await operand('sender', true), 'operand is not a string or integer')
    assert.equal(await operand('dm-including', 1.5), 'operand is not a string or integer')
    assert.equal(await operand('dm', 7), 'operand is not a string or an integer list')
    assert.equal(await operand('dm', [1, 'x']), 'operand[1] is not an integer')
    assert.equal(await operand('topic', 7), 'operand is not a string')
    assert.equal(await operand('is', []), 'operand is not a string')
    assert.equal(await operand('search', ' '), 'operand cannot be blank.')
  })

  it('refuses terms with unknown operators and operands', async () => {
    const { bob } = at.people
    const cases: readonly (readonly [string, unknown, string])[] = [
      ['channels', 'private', 'unknown channels operand private'],
      ['sender', 'nobody@example.com', 'unknown user nobody@example.com'],
      ['sender', at.unknownId, `unknown user ${at.unknownId}`],
      ['dm', 'nobody@example.com', 'unknown user in nobody@example.com'],
      ['dm', [bob.id, at.unknownId], `unknown user in [${bob.id}, ${at.unknownId}]`],
      ['dm-including', at.unknownId, `unknown user ${at.unknownId}`],
      ['group-pm-with', 'x', 'unknown user x'],
      ['is', 'toString', "unknown 'is' operand toString"],
      ['has', 'money', "unknown 'has' operand money"],
      ['in', 'office', "unknown 'in' operand office"],
      ['id', 'x', 'Invalid message ID'],
      ['id', 2_147_483_648, 'Invalid message ID'],
      ['with', 'x', "Invalid 'with' operator"],
      ['with', at.unknownId, "Invalid 'with' operator"],
      ['colour', 'red', 'unknown operator colour'],
    ]
    for (const [operator, operand, desc] of cases) {
      const { status, body } = await bob.get('/messages', {
        anchor: 0,
        narrow: [{ operator, operand }],
      })
      assert.equal(status, 400)
      assert.deepEqual(body, {
        result: 'error',
        code: 'BAD_NARROW',
        msg: `Invalid narrow operator: ${desc}`,
        desc,
      })
    }
  })

  it('refuses terms for channel messages together with terms for direct messages', async () => {
    const { bob } = at.people
    const channelTerms = [
      { operator: 'channel', operand: 'design' },
      { operator: 'channels', operand: 'public' },
      { operator: 'topic', operand: 'x' },
      { operator: 'is', operand: 'dm', negated: true },
    ]
    const directTerms = [
      { operator: 'dm', operand: [bob.id] },
      { operator: 'dm-including', operand: bob.id },
      { operator: 'group-pm-with', operand: bob.id },
      { operator: 'is', operand: 'private' },
    ]
    for (const channelTerm of channelTerms) {
      for (const directTerm of directTerms) {
        const page = (narrow: unknown) => bob.get('/messages', { anchor: 0, narrow })
        const { body } = await page([channelTerm, directTerm])
        assert.equal(body.desc, 'No message can be both a channel message and direct message')
        const negated = { ...directTerm, negated: true }
        assert.equal((await page([{ operator: 'topic', operand: 'x' }, negated])).status, 200)
      }
    }
  })

  it('refuses more than one with term', async () => {
    const { body } = await at.people.bob.get('/messages', {
      anchor: 0,
      narrow: [
        ['with', '1'],
        ['with', '2'],
      ],
    })

    assert.equal(body.code, 'BAD_NARROW')
    assert.equal(body.msg, "Invalid narrow operator combination: Duplicate 'with' operators.")
  })
})
