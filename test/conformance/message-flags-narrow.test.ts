import assert from 'node:assert/strict'
import { before, it } from 'node:test'

import type { Parameters } from '../support/client.js'
import { withoutIds } from '../support/event-feed.js'
import { everyHost } from '../support/host.js'

everyHost('update-message-flags-for-narrow', (at) => {
  const ids: number[] = []
  const narrow = [['channel', 'design']]

  before(async () => {
    ids.splice(0)
    for (let count = 1; count <= 5; count += 1) {
      ids.push(await at.people.alice.say(at.channels.design, 'range', `Number ${count}`))
    }
  })

  const star = (params: Parameters, client = at.people.bob) =>
    client.post('/messages/flags/narrow', {
      anchor: 'newest',
      num_before: 0,
      num_after: 0,
      narrow,
      op: 'add',
      flag: 'starred',
      ...params,
    })

  it("changes a range, and sends one event to the user's clients", async () => {
    const { alice, bob } = at.people
    await bob.post('/messages/flags', { messages: [ids[2]], op: 'add', flag: 'starred' })
    const [feed, aliceFeed] = [await bob.listen(), await alice.listen()]

    const { body } = await star({ anchor: ids[2], num_before: 1, num_after: 1 })

    assert.deepEqual(body, {
      result: 'success',
      msg: '',
      processed_count: 3,
      updated_count: 2,
      first_processed_id: ids[1],
      last_processed_id: ids[3],
      found_oldest: false,
      found_newest: false,
    })
    assert.deepEqual(withoutIds(await feed.drain()), [
      {
        type: 'update_message_flags',
        op: 'add',
        operation: 'add',
        flag: 'starred',
        messages: [ids[1], ids[3]],
        all: false,
      },
    ])
    assert.deepEqual(await aliceFeed.drain(), [])
    await bob.post('/messages/flags', { messages: ids, op: 'remove', flag: 'starred' })
  })

  it('returns whether the range reaches the oldest or newest message', async () => {
    const all = (await star({ anchor: 'oldest', num_after: 10 })).body
    const newest = (await star({ num_before: 2, op: 'remove' })).body

    assert.deepEqual([all.processed_count, all.found_oldest, all.found_newest], [5, true, true])
    assert.deepEqual(
      [newest.first_processed_id, newest.last_processed_id, newest.found_newest],
      [ids[3], ids[4], true],
    )
    await at.people.bob.post('/messages/flags', { messages: ids, op: 'remove', flag: 'starred' })
  })

  it('starts at the first unread message', async () => {
    const { bob } = at.people
    await bob.post('/messages/flags', { messages: ids.slice(0, 2), op: 'add', flag: 'read' })

    const { body } = await star({
      anchor: 'first_unread',
      num_after: 100,
      include_anchor: false,
      flag: 'read',
    })

    assert.deepEqual(
      [body.first_processed_id, body.last_processed_id, body.updated_count],
      [ids[3], ids[4], 2],
    )
    await bob.post('/messages/flags', { messages: ids, op: 'remove', flag: 'read' })
  })

  it('does nothing for an empty range', async () => {
    const feed = await at.people.bob.listen()

    const { body } = await star({ narrow: [['topic', 'nowhere']], num_before: 5 })

    assert.equal(body.processed_count, 0)
    assert.equal(body.first_processed_id, null)
    assert.equal(body.last_processed_id, null)
    assert.deepEqual([body.found_oldest, body.found_newest], [true, true])
    assert.deepEqual(await feed.drain(), [])
  })

  it('includes messages of unsubscribed channels, and skips those that cannot become unread', async () => {
    const { carol } = at.people

    const starred = (await star({ num_before: 2 }, carol)).body
    const unread = (await star({ num_before: 5, op: 'remove', flag: 'read' }, carol)).body

    assert.equal(starred.updated_count, 2)
    assert.deepEqual(unread, {
      result: 'success',
      msg: '',
      processed_count: 5,
      updated_count: 0,
      first_processed_id: ids[0],
      last_processed_id: ids[4],
      found_oldest: false,
      found_newest: true,
      ignored_because_not_subscribed_channels: [at.channels.design],
    })
    const { body } = await carol.get(`/messages/${ids[4]}`)
    assert.deepEqual(body.message.flags, ['read', 'starred', 'historical'])
  })

  it('limits a range that is too long', async () => {
    const { status, body } = await star({ anchor: 0, num_before: 9000, num_after: 9000 })

    assert.equal(status, 200)
    assert.equal(body.processed_count, 5)
  })

  it('refuses invalid ranges, narrows and changes', async () => {
    const refusal = async (params: Parameters) => {
      const { status, body } = await star(params)
      assert.equal(status, 400)
      return body.msg as string
    }

    assert.equal(
      await refusal({ num_before: 1, num_after: 1, include_anchor: false }),
      'The anchor can only be excluded at an end of the range',
    )
    assert.equal(await refusal({ anchor: 'x' }), 'Invalid anchor')
    assert.equal(await refusal({ anchor: undefined }), "Missing 'anchor' argument")
    assert.equal(await refusal({ num_before: undefined }), "Missing 'num_before' argument")
    assert.equal(await refusal({ num_after: undefined }), "Missing 'num_after' argument")
    assert.equal(await refusal({ narrow: undefined }), "Missing 'narrow' argument")
    assert.equal(await refusal({ flag: 'shiny' }), "Invalid flag: 'shiny'")
    assert.equal(await refusal({ flag: 'mentioned' }), "Flag not editable: 'mentioned'")
    assert.equal(await refusal({ op: 'toggle' }), "Invalid message flag operation: 'toggle'")
    assert.equal(
      await refusal({ narrow: [['with', String(ids[0])]] }),
      'Invalid narrow operator: unknown operator with',
    )
    assert.equal(
      await refusal({ narrow: [7] }),
      'Invalid narrow[0]: Value error, dict or list required',
    )
  })

  it('accepts null as an empty narrow', async () => {
    assert.equal((await star({ narrow: null, num_before: 2, op: 'remove' })).status, 200)
  })
})

everyHost('mark-all-as-read', (at) => {
  it('marks all messages as read, and sends one event', async () => {
    const { alice, bob } = at.people
    const ids = [
      await alice.say(at.channels.design, 'logo', 'One'),
      await alice.whisper([bob], 'Two'),
    ]
    const [feed, aliceFeed] = [await bob.listen(), await alice.listen()]

    const answer = await bob.post('/mark_all_as_read')

    assert.deepEqual(answer.body, { result: 'success', msg: '', complete: true })
    for (const id of ids) {
      assert.deepEqual((await bob.get(`/messages/${id}`)).body.message.flags, ['read'])
      assert.deepEqual((await alice.get(`/messages/${id}`)).body.message.flags, [])
    }
    assert.deepEqual(withoutIds(await feed.drain()), [
      {
        type: 'update_message_flags',
        op: 'add',
        operation: 'add',
        flag: 'read',
        messages: [],
        all: true,
      },
    ])
    assert.deepEqual(await aliceFeed.drain(), [])
  })
})

everyHost('mark-stream-as-read', (at) => {
  it('marks only the messages of the channel', async () => {
    const { alice, bob } = at.people
    const inside = [
      await alice.say(at.channels.design, 'logo', 'One'),
      await alice.say(at.channels.design, 'paint', 'Two'),
    ]
    await alice.say(at.channels.general, 'logo', 'Three')
    const feed = await bob.listen()

    const answer = await bob.post('/mark_stream_as_read', { stream_id: at.channels.design })
    const again = await bob.post('/mark_stream_as_read', { stream_id: at.channels.design })

    assert.deepEqual(answer.body, { result: 'success', msg: '' })
    assert.equal(again.status, 200)
    assert.deepEqual(withoutIds(await feed.drain()), [
      {
        type: 'update_message_flags',
        op: 'add',
        operation: 'add',
        flag: 'read',
        messages: inside,
        all: false,
      },
    ])
  })

  it('returns the same error for unknown and inaccessible channels', async () => {
    const { carol } = at.people
    const missing = await carol.post('/mark_stream_as_read', { stream_id: at.unknownId })
    const secret = await carol.post('/mark_stream_as_read', { stream_id: at.channels.secret })

    assert.deepEqual([missing.status, missing.body.msg], [400, 'Invalid channel ID'])
    assert.equal(secret.text, missing.text)
  })
})

everyHost('mark-topic-as-read', (at) => {
  it('marks the topic, ignoring case', async () => {
    const { alice, bob } = at.people
    const inside = await alice.say(at.channels.design, 'Logo', 'One')
    await alice.say(at.channels.design, 'paint', 'Two')
    const inEmptyTopic = await alice.say(at.channels.design, '', 'Three')
    const feed = await bob.listen()

    for (const [topic_name, marked] of [
      ['LOGO', inside],
      ['general chat', inEmptyTopic],
    ] as const) {
      const params = { stream_id: at.channels.design, topic_name }
      const answer = await bob.post('/mark_topic_as_read', params)

      assert.deepEqual(answer.body, { result: 'success', msg: '' })
      assert.deepEqual(
        (await feed.drain()).map((event) => event['messages']),
        [[marked]],
      )
    }
  })

  it('refuses topics in which the user has received no messages', async () => {
    const { alice, carol, bob } = at.people
    await alice.say(at.channels.design, 'colours', 'One')
    const mark = async (client: typeof bob, stream_id: number, topic_name: string) => {
      const { status, body } = await client.post('/mark_topic_as_read', { stream_id, topic_name })
      return [status, body.msg]
    }

    assert.deepEqual(await mark(bob, at.channels.design, 'nothing'), [
      400,
      "No such topic 'nothing'",
    ])
    assert.deepEqual(await mark(carol, at.channels.design, 'colours'), [
      400,
      "No such topic 'colours'",
    ])
    assert.deepEqual(await mark(carol, at.channels.vault, 'plans'), [400, 'Invalid channel ID'])
  })
})
