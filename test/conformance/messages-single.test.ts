import assert from 'node:assert/strict'
import { it } from 'node:test'

import { everyHost } from '../support/host.js'

everyHost('get-message', (at) => {
  it('returns every field of a channel message', async () => {
    const { alice, bob } = at.people
    const id = await alice.say(at.channels.design, 'logo', 'Is it **round**?')

    const { status, body } = await bob.get(`/messages/${id}`)

    assert.equal(status, 200)
    assert.equal(body.raw_content, 'Is it **round**?')
    assert.deepEqual(body.message, {
      id,
      sender_id: alice.id,
      sender_full_name: 'Alice Test',
      sender_email: alice.email,
      sender_realm_str: at.subdomain,
      client: 'ParleyTests',
      timestamp: at.clock.seconds,
      type: 'stream',
      stream_id: at.channels.design,
      display_recipient: 'design',
      recipient_id: body.message.recipient_id,
      subject: 'logo',
      content: '<p>Is it <strong>round</strong>?</p>',
      content_type: 'text/html',
      is_me_message: false,
      avatar_url: `/user_avatars/default/${alice.id}.png?version=1`,
      reactions: [],
      submessages: [],
      topic_links: [],
      flags: [],
    })
  })

  it('returns a direct message with all participants', async () => {
    const { alice, bob } = at.people
    const id = await alice.whisper([bob], '/me waves')

    const { message } = (await bob.get(`/messages/${id}`)).body

    assert.equal(message.type, 'private')
    assert.equal(message.subject, '')
    assert.equal(message.is_me_message, true)
    assert.equal('stream_id' in message, false)
    assert.deepEqual(message.display_recipient, [
      { id: alice.id, email: alice.email, full_name: 'Alice Test', is_mirror_dummy: false },
      { id: bob.id, email: bob.email, full_name: 'Bob Test', is_mirror_dummy: false },
    ])
  })

  it('returns the raw content on request', async () => {
    const { alice } = at.people
    const id = await alice.say(at.channels.design, 'logo', '*Yes*')

    const { body } = await alice.get(`/messages/${id}`, { apply_markdown: false })

    assert.equal(body.message.content, '*Yes*')
    assert.equal(body.message.content_type, 'text/x-markdown')
    assert.equal(body.raw_content, '*Yes*')
  })

  it('returns a display name of the empty topic, unless the client accepts empty topics', async () => {
    const { alice } = at.people
    const id = await alice.say(at.channels.design, '', 'Hello')

    const named = await alice.get(`/messages/${id}`)
    const empty = await alice.get(`/messages/${id}`, { allow_empty_topic_name: true })

    assert.equal(named.body.message.subject, 'general chat')
    assert.equal(empty.body.message.subject, '')
  })

  it('flags messages that the reader has not received as read and historical', async () => {
    const { alice, carol } = at.people
    const id = await alice.say(at.channels.design, 'logo', 'Hello')

    const { body } = await carol.get(`/messages/${id}`)

    assert.deepEqual(body.message.flags, ['read', 'historical'])
  })

  it('returns the same error for unknown and inaccessible messages', async () => {
    const { alice, bob, carol, gus } = at.people
    const secret = await alice.say(at.channels.secret, 'plans', 'Hush')
    const vault = await alice.say(at.channels.vault, 'plans', 'Hush')
    const design = await alice.say(at.channels.design, 'plans', 'Hello')
    const direct = await alice.whisper([bob], 'Hush')

    const missing = await carol.get(`/messages/${at.unknownId}`)
    const refused = [
      await carol.get(`/messages/${secret}`),
      await carol.get(`/messages/${vault}`),
      await carol.get(`/messages/${direct}`),
      await gus.get(`/messages/${design}`),
    ]

    assert.equal(missing.status, 400)
    assert.equal(missing.text, '{"result":"error","msg":"Invalid message(s)","code":"BAD_REQUEST"}')
    for (const answer of refused) assert.equal(answer.text, missing.text)
  })

  it('returns messages of web-public channels and of subscribed channels to a guest', async () => {
    const { alice, gus } = at.people
    const ids = [
      await alice.say(at.channels.window, 'view', 'Hello'),
      await alice.say(at.channels.general, 'view', 'Hello'),
    ]

    for (const id of ids) assert.equal((await gus.get(`/messages/${id}`)).status, 200)
  })

  it('returns 401 without credentials', async () => {
    assert.equal((await at.nobody.get('/messages/1')).status, 401)
  })
})
