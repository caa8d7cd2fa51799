import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Client, Parameters } from '../support/client.js'
import { everyHost } from '../support/host.js'

everyHost('send-message', (at) => {
  const send = (params: Parameters, client: Client = at.people.alice) =>
    client.post('/messages', { content: 'Hello', ...params })
  const toChannel = (params: Parameters) =>
    send({ type: 'channel', to: 'design', topic: 'logo', ...params })

  /** Sends a message that must be refused. @returns the error. */
  const refused = async (params: Parameters) => {
    const { status, body } = await send(params)
    assert.equal(status, 400)
    const { result, ...rest } = body
    assert.equal(result, 'error')
    return rest
  }
  const problem = (msg: string) => ({ code: 'BAD_REQUEST', msg })

  /** The message as its sender fetches it. */
  const sent = async (params: Parameters) => {
    const answer = await send(params)
    assert.equal(answer.status, 200, answer.text)
    const { body } = await at.people.alice.get(`/messages/${answer.body.id}`, {
      allow_empty_topic_name: true,
    })
    return { ...body.message, content: body.raw_content }
  }

  it('sends an event to every subscriber of the channel, and to no other users', async () => {
    const { alice, bob, carol } = at.people
    const [bobHears, carolHears] = [await bob.listen(), await carol.listen()]
    await toChannel({})

    const answer = await alice.post('/messages', {
      type: 'channel',
      to: 'design',
      topic: 'logo',
      content: 'Is it **round**?',
    })

    assert.deepEqual(Object.keys(answer.body).sort(), ['id', 'msg', 'result'])
    const [, event, ...more] = await bobHears.drain()
    assert.deepEqual(more, [])
    assert.equal(event?.['message'].id, answer.body.id)
    assert.equal(event?.['message'].subject, 'logo')
    assert.deepEqual(event?.['flags'], [])
    assert.deepEqual(await carolHears.drain(), [])
  })

  it('accepts a channel id or name, in a list or not, for every type', async () => {
    const { design } = at.channels
    for (const params of [
      { type: 'channel', to: design },
      { type: 'stream', to: design },
      { type: 'channel', to: 'design' },
      { type: 'stream', to: '"design"' },
      { type: 'channel', to: [design] },
      { type: 'channel', to: ['design'] },
      { type: 'channel', to: ' DESIGN ' },
      { type: 'channel', to: '" DESIGN "' },
    ]) {
      const message = await sent({ topic: 'logo', ...params })
      assert.deepEqual(
        [message.type, message.stream_id],
        ['stream', design],
        JSON.stringify(params),
      )
    }
  })

  it('accepts user ids or email addresses, in a list or separated by commas', async () => {
    const { alice, bob, carol } = at.people
    const people = [alice.id, bob.id, carol.id]
    for (const params of [
      { type: 'direct', to: [bob.id, carol.id] },
      { type: 'private', to: [bob.email, carol.email] },
      { type: 'direct', to: [carol.id, bob.id, alice.id, bob.id] },
      { type: 'direct', to: ` ${bob.email.toUpperCase()} ,, ${carol.email}` },
      { type: 'private', to: JSON.stringify(`${bob.email},${carol.email}`) },
    ]) {
      const message = await sent(params)
      assert.equal(message.type, 'private')
      assert.equal(message.subject, '')
      assert.deepEqual(
        message.display_recipient.map(({ id }: { id: number }) => id),
        people,
        JSON.stringify(params),
      )
    }
  })

  it('sends a message to oneself, and uses one conversation for any sender', async () => {
    const { alice, bob } = at.people
    const self = await sent({ type: 'direct', to: [alice.id], topic: 'ignored' })
    const there = await sent({ type: 'direct', to: [bob.id] })
    const back = await bob.whisper([alice], 'Hello')

    assert.deepEqual(self.display_recipient, [
      { id: alice.id, email: alice.email, full_name: 'Alice Test', is_mirror_dummy: false },
    ])
    assert.equal(self.subject, '')
    const { message } = (await alice.get(`/messages/${back}`)).body
    assert.equal(message.recipient_id, there.recipient_id)
    assert.notEqual(message.recipient_id, self.recipient_id)
  })

  it('accepts a multipart form, and the former name of the topic parameter', async () => {
    const { alice } = at.people
    const fields = { type: 'stream', to: 'design', subject: 'former', content: 'Hello' }
    const boundary = 'x-boundary'
    const body = [
      ...Object.entries(fields).map(
        ([name, value]) =>
          `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
      ),
      `--${boundary}--\r\n`,
    ].join('')

    const answer = await alice.send('POST', '/messages', body, {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(Buffer.byteLength(body)),
    })

    assert.equal(answer.status, 200, answer.text)
    const { message } = (await alice.get(`/messages/${answer.body.id}`)).body
    assert.equal(message.subject, 'former')
  })

  it('refuses invalid channels', async () => {
    const params = { type: 'channel', topic: 'x' }
    const refusal = (to: unknown) => refused({ ...params, to })

    assert.deepEqual(await refused(params), problem('Missing channel'))
    assert.deepEqual(await refusal([]), problem('Expected exactly one channel'))
    assert.deepEqual(await refusal(['a', 'b']), problem('Expected exactly one channel'))
    assert.deepEqual(await refusal({ id: 1 }), problem('Invalid data type for channel'))
    assert.deepEqual(await refusal([[1]]), problem('Invalid data type for channel'))
    assert.deepEqual(await refusal('  '), problem("Channel name can't be empty."))
    assert.deepEqual(
      await refusal('x'.repeat(61)),
      problem('Channel name too long (limit: 60 characters).'),
    )
    assert.deepEqual(
      await refusal('a\tb'),
      problem('Invalid character in channel name, at position 2.'),
    )
    assert.deepEqual(await refusal(at.unknownId), {
      code: 'STREAM_DOES_NOT_EXIST',
      msg: `Channel with ID '${at.unknownId}' does not exist`,
      stream_id: at.unknownId,
    })
    assert.deepEqual(await refusal('<b>'), {
      code: 'STREAM_DOES_NOT_EXIST',
      msg: "Channel '&lt;b&gt;' does not exist",
      stream: '&lt;b&gt;',
    })
  })

  it('refuses invalid recipients', async () => {
    const { bob } = at.people
    const refusal = (to: unknown) => refused({ type: 'direct', to })

    assert.deepEqual(await refusal(undefined), problem('Message must have recipients'))
    assert.deepEqual(await refusal([]), problem('Message must have recipients'))
    assert.deepEqual(await refusal(' , '), problem('Message must have recipients'))
    assert.deepEqual(
      await refusal([bob.id, bob.email]),
      problem('Recipient lists may contain emails or user IDs, but not both.'),
    )
    assert.deepEqual(
      await refusal([bob.email, bob.id]),
      problem('Recipient lists may contain emails or user IDs, but not both.'),
    )
    assert.deepEqual(await refusal(bob.id), problem('Invalid data type for recipients'))
    assert.deepEqual(await refusal([null]), problem('Invalid data type for recipients'))
    const many = Array.from({ length: 20_001 }, (_, index) => index)
    assert.deepEqual(await refusal(many), problem('to is too long (limit: 20000 items)'))
    assert.deepEqual(await refusal(many.join()), problem('to is too long (limit: 20000 items)'))
    assert.deepEqual(await refusal([1.5]), problem('Invalid data type for recipients'))
    assert.deepEqual(await refusal('nobody@x.example'), problem("Invalid email 'nobody@x.example'"))
    assert.deepEqual(await refusal([at.unknownId]), problem(`Invalid user ID ${at.unknownId}`))
  })

  it('refuses unknown types, missing parameters and forged senders', async () => {
    const { bob } = at.people

    assert.deepEqual(await refused({ type: 'letter', to: [bob.id] }), problem('Invalid type'))
    assert.deepEqual(await refused({ type: 'channel', to: 'design' }), problem('Missing topic'))
    assert.deepEqual(await refused({ type: 'direct', to: [bob.id], content: undefined }), {
      code: 'REQUEST_VARIABLE_MISSING',
      msg: "Missing 'content' argument",
      var_name: 'content',
    })
    assert.deepEqual(
      await refused({ type: 'direct', to: [bob.id], sender: bob.email }),
      problem('Invalid mirrored message'),
    )
    assert.deepEqual(
      await refused({ type: 'direct', to: [bob.id], forged: true }),
      problem('User not authorized for this query'),
    )
    assert.equal((await at.nobody.post('/messages', { type: 'direct' })).status, 401)
  })

  it('normalizes topics', async () => {
    const topicOf = async (topic: string) =>
      (await sent({ type: 'channel', to: 'design', topic })).subject

    assert.equal(await topicOf('  logo  '), 'logo')
    assert.equal(await topicOf(''), '')
    assert.equal(await topicOf(' general chat '), '')
    assert.equal(await topicOf('(no topic)'), '')
    assert.equal(await topicOf('General chat'), 'General chat')
    assert.equal(await topicOf('🎉'.repeat(60)), '🎉'.repeat(60))
    assert.equal(await topicOf('🎉'.repeat(61)), `${'🎉'.repeat(57)}...`)
    for (const bad of ['\u0007', '\uffff', '\u{1fffe}']) {
      assert.deepEqual(
        await refused({ type: 'channel', to: 'design', topic: `ab${bad}` }),
        problem('Invalid character in topic, at position 3!'),
      )
    }
  })

  it('normalizes contents', async () => {
    const { bob } = at.people
    const contentOf = async (content: string) =>
      (await sent({ type: 'direct', to: [bob.id], content })).content

    assert.equal(await contentOf('\n\n  indented\n \n'), '  indented')
    assert.equal(await contentOf('x'.repeat(10_000)), 'x'.repeat(10_000))
    assert.equal(
      await contentOf('🎉'.repeat(10_001)),
      `${'🎉'.repeat(10_000 - '\n[message truncated]'.length)}\n[message truncated]`,
    )
    for (const content of ['', ' \n\t ']) {
      assert.deepEqual(
        await refused({ type: 'direct', to: [bob.id], content }),
        problem('Message must not be empty'),
      )
    }
    assert.deepEqual(
      await refused({ type: 'direct', to: [bob.id], content: 'a\0b' }),
      problem('Message must not contain null bytes'),
    )
  })

  it('recognizes /me messages', async () => {
    const { bob } = at.people
    const isMe = async (content: string) =>
      (await sent({ type: 'direct', to: [bob.id], content })).is_me_message

    assert.equal(await isMe('/me waves'), true)
    assert.equal(await isMe('/me'), false)
    assert.equal(await isMe('/meow'), false)
    assert.equal(await isMe(' /me waves'), false)
  })

  it('marks the message as read by its sender for clients that people read with', async () => {
    const { bob } = at.people
    const flagsOf = async (params: Parameters) =>
      (await sent({ type: 'direct', to: [bob.id], ...params })).flags

    assert.deepEqual(await flagsOf({}), [])
    assert.deepEqual(await flagsOf({ read_by_sender: true }), ['read'])
    assert.deepEqual(await flagsOf({ client: 'website' }), ['read'])
    assert.deepEqual(await flagsOf({ client: 'ZulipMobile' }), ['read'])
    assert.deepEqual(await flagsOf({ client: 'ZulipMobile', read_by_sender: false }), [])
    assert.deepEqual(await flagsOf({ client: 'ZulipFlutter' }), [])
    assert.deepEqual(await flagsOf({ to: [at.people.alice.id], client: 'ios' }), ['read'])
  })

  it('stores the name of the client without its version', async () => {
    const { alice, bob } = at.people
    const message = { type: 'direct', to: [bob.id] }
    const clientOf = async (headers: Record<string, string>, params: Parameters = {}) => {
      const answer = await alice.post('/messages', { content: 'x', ...message, ...params }, headers)
      return (await alice.get(`/messages/${answer.body.id}`)).body.message.client
    }

    assert.equal(await clientOf({ 'user-agent': 'ZulipPython/0.9 (Linux)' }), 'ZulipPython')
    assert.equal(await clientOf({}, { client: 'my own' }), 'my own')
    assert.equal(await clientOf({}, { client: 'y'.repeat(40) }), 'y'.repeat(30))
  })

  it('stores the first message of a channel', async () => {
    const { alice } = at.people
    const { empty } = at.channels
    const first = await alice.say(empty, 'first', 'Hello')
    await alice.say(empty, 'second', 'Hello')

    const { body } = await alice.get('/streams')
    const channel = (body.streams as { stream_id: number; first_message_id: number }[]).find(
      ({ stream_id }) => stream_id === empty,
    )
    assert.equal(channel?.first_message_id, first)
  })
})
