import assert from 'node:assert/strict'
import { it } from 'node:test'

import { contents, park } from '../support/event-calls.js'
import { everyHost } from '../support/host.js'

const messages = ['message']

everyHost('get-events', (at) => {
  it('registers a queue from the parameters of POST /register without queue_id', async () => {
    const { alice, bob } = at.people

    const { status, body } = await alice.get('/events', {
      dont_block: true,
      event_types: messages,
      apply_markdown: true,
    })
    await bob.whisper([alice], '*hello*')
    const next = await alice.get('/events', { queue_id: body.queue_id, last_event_id: -1 })

    assert.equal(status, 200)
    assert.deepEqual(
      { ...body, queue_id: '' },
      { result: 'success', msg: '', events: [], queue_id: '' },
    )
    assert.deepEqual(contents(next), ['<p><em>hello</em></p>'])
  })

  it('accepts every parameter of POST /register, and returns only the queue', async () => {
    const { alice, bob } = at.people
    const registration = {
      event_types: messages,
      fetch_event_types: ['realm', 'message'],
      narrow: [['is', 'dm']],
      all_public_streams: false,
      apply_markdown: true,
      client_gravatar: null,
      slim_presence: true,
      presence_history_limit_days: 3,
      include_subscribers: 'partial',
      client_capabilities: { notification_settings_null: true },
      queue_lifespan_secs: 900,
    }
    assert.equal((await alice.post('/register', registration)).status, 200)

    const { status, body } = await alice.get('/events', { ...registration, dont_block: true })

    assert.equal(status, 200)
    const { queue_id, ...rest } = body
    assert.deepEqual(rest, { result: 'success', msg: '', events: [] })
    // Options of the snapshot do not filter events.
    await bob.whisper([alice], 'direct')
    assert.deepEqual(contents(await alice.get('/events', { queue_id })), ['<p>direct</p>'])
  })

  it('waits on the queue that it registers unless dont_block is set', async () => {
    const { alice, bob } = at.people

    const poll = await park(alice, at.clock, { event_types: messages })
    await bob.whisper([alice], 'first')
    const { body } = await poll.answer

    assert.equal(body.events[0].message.content, 'first')
    const params = { queue_id: body.queue_id, last_event_id: body.events[0].id, dont_block: true }
    assert.deepEqual((await alice.get('/events', params)).body.events, [])
  })

  it('refuses the same parameters as POST /register', async () => {
    const { alice, gus } = at.people
    const refused = [
      [alice, { narrow: [['sender', 'a', 'b']] }, /^narrow\[0\]/],
      [
        alice,
        { narrow: Array.from({ length: 21 }, () => ['is', 'dm']) },
        /^narrow is too long \(limit: 20 items\)$/,
      ],
      [alice, { narrow: [['near', '1']] }, /^Operator near not supported\.$/],
      [alice, { narrow: [['is', 'followed']] }, /^Operand followed not supported\.$/],
      [alice, { event_types: 'message' }, /^event_types is not valid JSON$/],
      [alice, { fetch_event_types: {} }, /^fetch_event_types is not a list$/],
      [alice, { fetch_event_types: 'realm' }, /^fetch_event_types is not valid JSON$/],
      [alice, { presence_history_limit_days: 'x' }, /^presence_history_limit_days is not valid/],
      [alice, { apply_markdown: 'True' }, /^apply_markdown is not valid JSON$/],
      [
        alice,
        { client_capabilities: { bulk_message_deletion: true } },
        /^notification_settings_null key is missing from client_capabilities$/,
      ],
      [gus, { all_public_streams: true }, /^User not authorized for this query$/],
    ] as const

    for (const [client, params, problem] of refused) {
      const answer = await client.get('/events', { dont_block: true, ...params })
      assert.equal(answer.status, 400)
      assert.match(answer.body.msg, problem)
      assert.equal(answer.body.code, 'BAD_REQUEST')
    }
  })

  it('returns messages of all public channels for all_public_streams, but of no private ones', async () => {
    const { alice, carol } = at.people
    const { queueId, start } = (await carol
      .post('/register', {
        event_types: messages,
        fetch_event_types: [],
        all_public_streams: true,
      })
      .then(({ body }) => ({ queueId: body.queue_id, start: body.last_event_id }))) as {
      queueId: string
      start: number
    }

    await alice.say(at.channels.secret, 'a', 'private')
    await alice.say(at.channels.design, 'a', 'public')
    await alice.whisper([alice], 'to myself')
    await alice.say(at.channels.general, 'a', 'end')
    const answer = await carol.get('/events', { queue_id: queueId, last_event_id: start })

    assert.deepEqual(contents(answer), ['public', 'end'])
  })
})
