import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Answer, Client } from '../support/client.js'
import { withoutIds } from '../support/event-feed.js'
import { everyHost, type HostCase } from '../support/host.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'

const vote = JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 })
const listenOptions = { event_types: ['submessage'] }

const attach = (client: Client, message_id: number, content = vote): Promise<Answer> =>
  client.post('/submessage', { message_id, msg_type: 'widget', content })

const poll = (at: HostCase, client: Client, channelId = at.channels.design): Promise<number> =>
  client.say(channelId, 'lunch', '/poll Where?\n- Here\n* There\n\nNowhere')

everyHost('send-message', (at) => {
  /** The widget of a message, after checking that it is the same in all responses. */
  const widgetOf = async (params: Record<string, unknown>): Promise<unknown> => {
    const { alice, bob } = at.people
    const feed = await bob.listen()
    const sent = await alice.post('/messages', {
      type: 'channel',
      to: at.channels.design,
      topic: 'widgets',
      ...params,
    })
    assert.equal(sent.status, 200, sent.text)
    const { id } = sent.body as { id: number }
    const [event, ...more] = await feed.drain()
    assert.deepEqual(more, [])
    const submessages: Record<string, unknown>[] = event?.['message'].submessages
    assert.deepEqual((await bob.get(`/messages/${id}`)).body.message.submessages, submessages)
    const [widget, ...rest] = submessages
    assert.deepEqual(rest, [])
    if (widget === undefined) return undefined
    const { id: submessageId, content, ...facts } = widget
    assert.equal(typeof submessageId, 'number')
    assert.deepEqual(facts, { message_id: id, sender_id: alice.id, msg_type: 'widget' })
    return JSON.parse(String(content))
  }

  it('creates a poll from its first line and the others', async () => {
    assert.deepEqual(await widgetOf({ content: '/poll Where? \n- Here\n *  There\n\nNowhere' }), {
      widget_type: 'poll',
      extra_data: { question: 'Where?', options: ['Here', 'There', 'Nowhere'] },
    })
    assert.deepEqual(await widgetOf({ content: '/poll' }), {
      widget_type: 'poll',
      extra_data: { question: '', options: [] },
    })
  })

  it('creates a to-do list', async () => {
    assert.deepEqual(await widgetOf({ content: '/todo Move\n- Pack: books: all\nClean' }), {
      widget_type: 'todo',
      extra_data: {
        task_list_title: 'Move',
        tasks: [
          { task: 'Pack', desc: 'books: all' },
          { task: 'Clean', desc: '' },
        ],
      },
    })
  })

  it('creates no widget from other words, or from words after the beginning', async () => {
    for (const content of ['/pollution', 'a /poll', '/me /poll', '/Poll x', '/todos']) {
      assert.equal(await widgetOf({ content }), undefined)
    }
  })

  it('accepts a form of buttons from the client', async () => {
    const choice = { short_name: 'A', long_name: 'Answer', reply: 'a' }
    const form = {
      widget_type: 'zform',
      extra_data: { type: 'choices', heading: 'Pick', choices: [choice] },
    }

    assert.deepEqual(await widgetOf({ content: '/poll x', widget_content: form }), form)
  })

  it('rejects invalid forms', async () => {
    const { alice } = at.people
    const data = { type: 'choices', heading: 'Pick', choices: [] as unknown[] }
    const zform = (extra_data: unknown) => ({ widget_type: 'zform', extra_data })
    const cases: [unknown, string][] = [
      ['{', 'API programmer sent invalid JSON content'],
      [[], 'widget_content is not a dict'],
      [{ extra_data: {} }, 'widget_type is not in widget_content'],
      [{ widget_type: 'zform' }, 'extra_data is not in widget_content'],
      [zform(3), 'extra_data is not a dict'],
      [{ widget_type: 'poll', extra_data: {} }, 'unknown widget type: poll'],
      [zform({}), 'zform is missing type field'],
      [zform({ type: 'x' }), 'unknown zform type: x'],
      [zform({ type: 'choices', choices: [] }), 'heading key is missing from extra_data'],
      [zform({ ...data, heading: 3 }), 'extra_data["heading"] is not a string'],
      [zform({ ...data, choices: 3 }), 'extra_data["choices"] is not a list'],
      [zform({ ...data, choices: [3] }), 'extra_data["choices"][0] is not a dict'],
      [
        zform({ ...data, choices: [{ short_name: 'A' }] }),
        'long_name key is missing from extra_data["choices"][0]',
      ],
    ]
    const feed = await alice.listen({ event_types: ['message'] })

    for (const [widget_content, reason] of cases) {
      const to = at.channels.design
      const params = { type: 'channel', to, topic: 'x', content: 'x', widget_content }
      assertRefused(await alice.post('/messages', params), `Widgets: ${reason}`)
    }

    const events = await feed.drain()
    assert.equal(events.filter(({ message }) => message?.subject === 'x').length, 0)
  })
})

everyHost('add-submessage', (at) => {
  it('sends the event to the users who receive reactions, and returns it with the message', async () => {
    const { alice, bob, carol, gus } = at.people
    const message_id = await poll(at, alice)
    const feeds = [await alice.listen(listenOptions), await bob.listen(listenOptions)]
    const unaffected = [await carol.listen(listenOptions), await gus.listen(listenOptions)]

    const answer = await attach(bob, message_id)

    assert.deepEqual(answer.body, bareSuccess)
    const { submessages } = (await bob.get(`/messages/${message_id}`)).body.message
    assert.equal(submessages.length, 2)
    const { id, ...submessage } = submessages[1]!
    assert.deepEqual(submessage, {
      message_id,
      sender_id: bob.id,
      msg_type: 'widget',
      content: vote,
    })
    for (const feed of feeds) {
      assert.deepEqual(withoutIds(await feed.drain()), [
        { type: 'submessage', ...submessage, submessage_id: id },
      ])
    }
    for (const feed of unaffected) assert.deepEqual(await feed.drain(), [])
    const listed = await bob.get('/messages', { anchor: message_id, num_before: 0, num_after: 0 })
    assert.deepEqual(listed.body.messages[0]!.submessages, submessages)
  })

  it('sends the event in direct messages and private channels to all recipients', async () => {
    const { alice, bob, carol } = at.people
    const direct = await alice.whisper([bob], '/poll Tea?')
    const hidden = await poll(at, alice, at.channels.vault)
    const [feed, outsider] = [await alice.listen(listenOptions), await carol.listen(listenOptions)]

    await attach(bob, direct)
    await attach(bob, hidden)

    assert.deepEqual(
      (await feed.drain()).map(({ message_id }) => message_id as number),
      [direct, hidden],
    )
    assert.deepEqual(await outsider.drain(), [])
  })

  it("requires the message's sender to add the first one", async () => {
    const { alice, bob, bot } = at.people
    const id = await alice.say(at.channels.general, 'plain', 'No widget')
    const refusal = 'You cannot attach a submessage to this message.'
    assertRefused(await attach(bob, id), refusal)
    assertRefused(await attach(bob, id, 'no json'), refusal)

    assert.equal((await attach(alice, id, '{}')).status, 200)

    assert.equal((await attach(bob, id)).status, 200)
    assert.equal((await attach(bot, id)).status, 200)
  })

  it('rejects inaccessible messages, and invalid JSON', async () => {
    const { alice, bob, carol } = at.people
    const hidden = await poll(at, alice, at.channels.vault)
    const feed = await bob.listen(listenOptions)

    for (const id of [hidden, 99_999_999]) {
      assertRefused(await attach(carol, id), 'Invalid message(s)')
    }
    assertRefused(await attach(bob, hidden, '{'), 'Invalid json for submessage')
    assertRefused(
      await attach(bob, hidden, JSON.stringify('x'.repeat(10_000))),
      'content is too long (limit: 10000 characters)',
    )
    assertRefused(
      await bob.post('/submessage', { message_id: hidden, content: '{}' }),
      "Missing 'msg_type' argument",
      { code: 'REQUEST_VARIABLE_MISSING', var_name: 'msg_type' },
    )
    assert.equal((await attach(at.nobody, hidden)).status, 401)
    assert.deepEqual(await feed.drain(), [])
  })
})

everyHost('update-message', (at) => {
  it('rejects new content for widgets, but allows moving them', async () => {
    const { alice } = at.people
    const id = await poll(at, alice)

    assertRefused(
      await alice.patch(`/messages/${id}`, { content: '/poll Other?' }),
      'Widgets cannot be edited.',
    )
    assert.equal((await alice.patch(`/messages/${id}`, { topic: 'dinner' })).status, 200)
  })
})

everyHost('delete-message', (at) => {
  it('deletes the submessages', async () => {
    const { adam, alice } = at.people
    const id = await poll(at, alice)

    assert.equal((await adam.delete(`/messages/${id}`)).status, 200)

    assertRefused(await attach(alice, id), 'Invalid message(s)')
  })
})
