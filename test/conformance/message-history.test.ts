import assert from 'node:assert/strict'
import { it } from 'node:test'

import { everyHost } from '../support/host.js'

everyHost('get-message-history', (at) => {
  it('gives the states of a message, oldest first, with what changed', async () => {
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

  it('answers the same for a message that is missing or out of sight', async () => {
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
    it('is not shown where the organization hides histories', async () => {
      const id = await at.people.alice.say(at.channels.design, 'x', 'Text')

      const answer = await at.people.alice.get(`/messages/${id}/history`)

      assert.equal(answer.body.msg, 'Message edit history is disabled in this organization')
    })
  },
  { settings: { message_edit_history_visibility_policy: 'none' } },
)

everyHost(
  'get-read-receipts',
  (at) => {
    it('lists who has read it, but for the sender and those who do not let others know', async () => {
      const { alice, bob, carol, mona } = at.people
      const id = await alice.say(at.channels.general, 'receipts', 'Read me')
      for (const person of [bob, carol, mona]) {
        await person.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' })
      }

      const answer = await alice.get(`/messages/${id}/read_receipts`)

      assert.deepEqual(answer.body, { result: 'success', msg: '', user_ids: [mona.id, bob.id] })
    })

    it('needs a message that the caller can see', async () => {
      const answer = await at.people.bob.get(`/messages/${at.unknownId}/read_receipts`)

      assert.equal(answer.body.msg, 'Invalid message(s)')
    })
  },
  { userSettings: { carol: { send_read_receipts: false } } },
)

everyHost(
  'get-read-receipts',
  (at) => {
    it('is not shown where the organization has switched receipts off', async () => {
      const id = await at.people.alice.say(at.channels.general, 'x', 'Text')

      const answer = await at.people.alice.get(`/messages/${id}/read_receipts`)

      assert.equal(answer.body.msg, 'Read receipts are disabled in this organization.')
    })
  },
  { settings: { enable_read_receipts: false } },
)
