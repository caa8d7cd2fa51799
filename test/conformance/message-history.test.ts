import assert from 'node:assert/strict'
import { it } from 'node:test'

import { everyHost } from '../support/host.js'

everyHost('get-message-history', (at) => {
  it('returns the versions of a message, oldest first, with the changes', async () => {
    const { alice, bob } = at.people
    const id = await alice.say(at.channels.design, 'states', 'one word')
    await alice.patch(`/messages/${id}`, { content: 'one other word' })
    await bob.patch(`/messages/${id}`, { topic: 'renamed' })

    const answer = await bob.get(`/messages/${id}/history`)

    const timestamp = at.clock.seconds
    assert.deepEqual(answer.body.message_history, [
      {
        topic: 'states',
        content: 'one word',
        rendered_content: '<p>one word</p>',
        user_id: alice.id,
        timestamp,
      },
      {
        topic: 'states',
        content: 'one other word',
        rendered_content: '<p>one other word</p>',
        user_id: alice.id,
        timestamp,
        prev_content: 'one word',
        prev_rendered_content: '<p>one word</p>',
        content_html_diff:
          '<div><p>one <span class="highlight_text_inserted">other</span><span class="highlight_text_inserted"> </span>word</p></div>',
      },
      {
        topic: 'renamed',
        content: 'one other word',
        rendered_content: '<p>one other word</p>',
        user_id: bob.id,
        timestamp,
        prev_topic: 'states',
      },
    ])
  })

  it('returns a display name of the empty topic in every version, unless empty names are allowed', async () => {
    const { alice, bob } = at.people
    const id = await alice.say(at.channels.design, '', 'Text')
    await alice.patch(`/messages/${id}`, { topic: 'named' })
    await alice.patch(`/messages/${id}`, { topic: '' })
    const direct = await alice.whisper([bob], 'Text')
    const topics = async (messageId: number, params: object = {}) => {
      const { body } = await alice.get(`/messages/${messageId}/history`, { ...params })
      return body.message_history.map((state: { topic: string; prev_topic?: string }) => [
        state.prev_topic,
        state.topic,
      ])
    }

    assert.deepEqual(await topics(id), [
      [undefined, 'general chat'],
      ['general chat', 'named'],
      ['named', 'general chat'],
    ])
    assert.deepEqual(await topics(id, { allow_empty_topic_name: true }), [
      [undefined, ''],
      ['', 'named'],
      ['named', ''],
    ])
    assert.deepEqual(await topics(direct), [[undefined, '']])
  })

  it('returns both channels of a move', async () => {
    const { alice } = at.people
    const id = await alice.say(at.channels.design, 'wandering', 'Text')
    await alice.patch(`/messages/${id}`, { stream_id: at.channels.general })

    const { body } = await alice.get(`/messages/${id}/history`)

    assert.deepEqual(body.message_history[1], {
      topic: 'wandering',
      content: 'Text',
      rendered_content: '<p>Text</p>',
      user_id: alice.id,
      timestamp: at.clock.seconds,
      prev_stream: at.channels.design,
      stream: at.channels.general,
    })
  })

  it('returns the same error for unknown and inaccessible messages', async () => {
    const hidden = await at.people.alice.say(at.channels.secret, 'x', 'Private')

    const missing = await at.people.bob.get(`/messages/${at.unknownId}/history`)
    const forbidden = await at.people.bob.get(`/messages/${hidden}/history`)

    assert.equal(missing.body.msg, 'Invalid message(s)')
    assert.equal(forbidden.text, missing.text)
  })
})

everyHost(
  'get-message-history',
  (at) => {
    it('is disabled if the organization hides edit histories', async () => {
      const id = await at.people.alice.say(at.channels.design, 'x', 'Text')

      const answer = await at.people.alice.get(`/messages/${id}/history`)
      const missing = await at.people.alice.get(`/messages/${at.unknownId}/history`)

      assert.equal(answer.body.msg, 'Message edit history is disabled in this organization')
      assert.equal(missing.text, answer.text)
    })
  },
  { settings: { message_edit_history_visibility_policy: 'none' } },
)

everyHost(
  'get-message-history',
  (at) => {
    it('returns no earlier contents if the organization only shows moves', async () => {
      const { alice, bob } = at.people
      const id = await alice.say(at.channels.design, 'before', 'Secret')
      await alice.patch(`/messages/${id}`, { content: 'Blank' })
      await alice.patch(`/messages/${id}`, { content: 'Final', topic: 'after' })

      const { body } = await bob.get(`/messages/${id}/history`)

      const shown = { content: 'Final', rendered_content: '<p>Final</p>', user_id: alice.id }
      const timestamp = at.clock.seconds
      assert.deepEqual(body.message_history, [
        { topic: 'before', timestamp, ...shown },
        { topic: 'after', timestamp, ...shown, prev_topic: 'before' },
      ])
    })
  },
  { settings: { message_edit_history_visibility_policy: 'moves' } },
)

everyHost(
  'get-read-receipts',
  (at) => {
    it('lists users who have read the message, except the sender and users who send no receipts', async () => {
      const { alice, bob, carol, mona } = at.people
      const id = await alice.say(at.channels.general, 'receipts', 'Read me')
      for (const person of [bob, carol, mona]) {
        await person.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' })
      }

      const answer = await alice.get(`/messages/${id}/read_receipts`)

      assert.deepEqual(answer.body, { result: 'success', msg: '', user_ids: [mona.id, bob.id] })
    })

    it('leaves out users whom the caller has muted or who have muted the caller', async () => {
      const { adam, alice, bob, gus, olga } = at.people
      const id = await alice.say(at.channels.general, 'mutes', 'Read me')
      const readers = [adam, bob, gus, olga]
      for (const person of readers) {
        await person.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' })
      }
      await bob.post(`/users/me/muted_users/${adam.id}`)
      await gus.post(`/users/me/muted_users/${bob.id}`)

      const answer = await bob.get(`/messages/${id}/read_receipts`)

      assert.deepEqual(answer.body.user_ids, [olga.id, bob.id])
      await bob.delete(`/users/me/muted_users/${adam.id}`)
      await gus.delete(`/users/me/muted_users/${bob.id}`)
    })

    it('includes bots, and users who added the message to their history without receiving it', async () => {
      const { alice, bot, mona } = at.people
      const id = await alice.say(at.channels.design, 'receipts', 'Read me')
      const star = { messages: [id], op: 'add', flag: 'starred' }
      for (const person of [bot, mona]) await person.post('/messages/flags', star)

      const answer = await alice.get(`/messages/${id}/read_receipts`)

      assert.deepEqual(answer.body.user_ids, [mona.id, bot.id])
    })

    it('requires a message that the caller can see', async () => {
      const hidden = await at.people.alice.say(at.channels.secret, 'x', 'Private')
      const forbidden = await at.people.bob.get(`/messages/${hidden}/read_receipts`)
      const answer = await at.people.bob.get(`/messages/${at.unknownId}/read_receipts`)

      assert.equal(answer.body.msg, 'Invalid message(s)')
      assert.equal(forbidden.text, answer.text)
    })
  },
  { userSettings: { carol: { send_read_receipts: false } } },
)

everyHost(
  'get-read-receipts',
  (at) => {
    it('is disabled if the organization disables read receipts', async () => {
      const id = await at.people.alice.say(at.channels.general, 'x', 'Text')

      const answer = await at.people.alice.get(`/messages/${id}/read_receipts`)
      const missing = await at.people.alice.get(`/messages/${at.unknownId}/read_receipts`)

      assert.equal(answer.body.msg, 'Read receipts are disabled in this organization.')
      assert.equal(missing.body.msg, 'Invalid message(s)')
    })
  },
  { settings: { enable_read_receipts: false } },
)
