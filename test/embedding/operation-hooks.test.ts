import assert from 'node:assert/strict'
import { Buffer } from 'node:buffer'
import { it } from 'node:test'

import { ChatError, type ContentCall } from '@parley/core'

import { everyDatabase } from '../support/host.js'

const identified = { externalId: 'p-1', email: 'pat@product.example', fullName: 'Pat Product' }
const refusal = (message: string) => new ChatError('BAD_REQUEST', { message })

everyDatabase('hooks of operations', 'express', (at) => {
  it('get who calls what, over HTTP and in the process', async () => {
    const { subdomain: organization } = at
    const { alice } = at.people
    const { chat } = at.host
    const calls: unknown[] = []
    const end = chat.before('getUserGroups', ({ user, request, organizationId, ...rest }) => {
      const { id, role, isBot, externalId } = user ?? {}
      assert.ok(organizationId > 0)
      calls.push({ ...rest, user: { id, role, isBot, externalId }, path: request?.url })
    })

    await alice.get('/user_groups')
    const pat = chat.as({ ...identified, organization })
    await pat.api.getUserGroups({ include_deactivated_groups: true })
    await chat.asSystem({ organization }).api.getUserGroups()
    end()
    await alice.get('/user_groups')

    const common = { operation: 'getUserGroups', organization, isApplication: false }
    const nobody = { id: undefined, role: undefined, isBot: undefined, externalId: undefined }
    assert.deepEqual(calls, [
      {
        ...common,
        params: { include_deactivated_groups: false },
        user: { id: alice.id, role: 400, isBot: false, externalId: null },
        path: '/api/v1/user_groups',
      },
      {
        ...common,
        params: { include_deactivated_groups: true },
        user: { id: await pat.id(), role: 400, isBot: false, externalId: 'p-1' },
        path: undefined,
      },
      {
        ...common,
        isApplication: true,
        params: { include_deactivated_groups: false },
        user: nobody,
        path: undefined,
      },
    ])
  })

  it('return parameters that are checked like those of clients', async () => {
    const { olga } = at.people
    const { chat } = at.host
    const rename = async () => olga.post('/channel_folders/create', { name: 'Plans' })
    const returning = async (changes: Record<string, unknown>) => {
      const end = chat.before('createChannelFolder', () => changes)
      const answer = await rename()
      end()
      return answer
    }

    const changed = await returning({ name: '  Spaced  ' })
    const tooLong = await returning({ name: 'x'.repeat(200) })
    const unknown = await returning({ title: 'x' })
    const missing = await returning({ name: undefined })

    assert.equal(changed.status, 200)
    const folders = (await olga.get('/channel_folders')).body.channel_folders
    assert.deepEqual(
      folders.map(({ name }: { name: string }) => name),
      ['Spaced'],
    )
    assert.equal(tooLong.status, 400)
    assert.match(tooLong.body.msg, /^name is too long/)
    assert.equal(unknown.status, 500)
    assert.equal(missing.body.code, 'REQUEST_VARIABLE_MISSING')
  })

  it('cannot change parameters otherwise', async () => {
    const { alice, bob } = at.people
    const end = at.host.chat.before('sendMessage', ({ params }) => {
      Object.assign(params, { content: 'changed in place' })
    })
    const params = { type: 'direct', to: [bob.id], content: 'original' }
    const answer = await alice.post('/messages', params)
    end()

    assert.equal(answer.status, 500)
  })

  it('run before other paths of an operation too', async () => {
    const { alice } = at.people
    const end = at.host.chat.before('updateSettings', () => {
      throw refusal('Settings are kept elsewhere.')
    })
    const paths = ['/settings', '/settings/display', '/settings/notifications']
    const answers = await Promise.all(paths.map((path) => alice.patch(path, { twenty_four: true })))
    end()

    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.msg]),
      paths.map(() => [400, 'Settings are kept elsewhere.']),
    )
  })

  it('after an operation get its result, and cannot change it', async () => {
    const { alice, bob } = at.people
    const { chat } = at.host
    const seen: unknown[] = []
    const ends = [
      chat.after('sendMessage', ({ params, result }) => {
        seen.push([params.content, result.id])
        Object.assign(result, { id: -1 })
        throw new Error('after the fact')
      }),
      chat.after('sendMessage', async ({ result, user }) => {
        seen.push([user?.id, result.id])
      }),
    ]

    const id = await alice.whisper([bob], 'hooked')
    const inProcess = await chat
      .as({ userId: alice.id, organization: at.subdomain })
      .api.sendMessage({ type: 'direct', to: [bob.id], content: 'in process' })
    const refused = await alice.post('/messages', { type: 'direct', to: [], content: 'no' })
    for (const end of ends) end()

    assert.equal(refused.status, 400)
    assert.deepEqual(seen, [
      ['hooked', id],
      [alice.id, id],
      ['in process', inProcess.id],
      [alice.id, inProcess.id],
    ])
    assert.equal(at.host.log.filter((line) => line.includes('A hook after')).length, 2)
  })

  it('get no content of files, which the caller reads', async () => {
    const { alice } = at.people
    const api = at.host.chat.as({ userId: alice.id, organization: at.subdomain }).api
    const file = { name: 'a.txt', contentType: 'text/plain', content: Buffer.from('text') }
    const results: unknown[] = []
    const end = at.host.chat.after('readFile', ({ result }) => void results.push(result))

    const { url } = await api.uploadFile({ file })
    const [, realm_id_str, ...rest] = url.split('/').filter((part) => part !== '')
    const read = await api.readFile({
      realm_id_str: Number(realm_id_str),
      filename: rest.join('/'),
    })
    end()

    assert.match(String(results.length), /^1$/)
    assert.deepEqual(Object.keys(results[0] as object), ['contentType'])
    const chunks: Buffer[] = []
    if (Buffer.isBuffer(read.content)) chunks.push(read.content)
    else for await (const chunk of read.content) chunks.push(Buffer.from(chunk))
    assert.equal(Buffer.concat(chunks).toString(), 'text')
  })
})

const stored = new Map<string, Buffer>()
everyDatabase(
  'hooks that refuse uploads',
  'koa',
  (at) => {
    it('leave no file behind', async () => {
      const { alice } = at.people
      const { api } = at.host.chat.as({ userId: alice.id, organization: at.subdomain })
      const file = { name: 'a.txt', contentType: 'text/plain', content: Buffer.from('text') }
      const end = at.host.chat.before('uploadFile', () => {
        throw refusal('No files today.')
      })
      const before = stored.size

      await assert.rejects(api.uploadFile({ file }), { message: 'No files today.' })
      end()

      assert.equal(stored.size, before)
      await api.uploadFile({ file })
      assert.equal(stored.size, before + 1)
    })
  },
  {
    files: {
      async write(name, content) {
        const chunks: Buffer[] = []
        for await (const chunk of content) chunks.push(Buffer.from(chunk))
        stored.set(name, Buffer.concat(chunks))
      },
      read: async () => undefined,
      async delete(name) {
        stored.delete(name)
      },
    },
  },
)

everyDatabase('hooks of content', 'koa', (at) => {
  /** What the hook sees during `act`, and replaces by upper case. */
  async function textsOf(act: () => Promise<unknown>): Promise<[string, string][]> {
    const seen: [string, string][] = []
    const end = at.host.chat.before('content', ({ kind, text }: ContentCall) => {
      seen.push([kind, text])
      return kind === 'message.widget' ? undefined : text.toUpperCase()
    })
    try {
      await act()
    } finally {
      end()
    }
    return seen
  }

  it('see and replace messages, topics, edits, and scheduled messages', async () => {
    const { alice, bob } = at.people
    const { design } = at.channels
    const { api } = at.host.chat.as({ userId: alice.id, organization: at.subdomain })
    const feed = await bob.listen({ event_types: ['message', 'update_message'] })
    const soon = at.clock.seconds + 120

    const texts = await textsOf(async () => {
      const id = await alice.say(design, 'plans', 'one')
      await alice.patch(`/messages/${id}`, { content: 'two' })
      await alice.patch(`/messages/${id}`, {
        subject: 'moved',
        send_notification_to_new_thread: false,
      })
      await api.sendMessage({ type: 'direct', to: [bob.id], content: 'three' })
      const scheduled = { type: 'direct' as const, to: [bob.id], content: 'four' }
      const { scheduled_message_id } = await api.createScheduledMessage({
        ...scheduled,
        scheduled_delivery_timestamp: soon,
      })
      await api.updateScheduledMessage({ scheduled_message_id, content: 'five' })
    })
    at.clock.advance(180)
    const received = await feed.until(
      'the scheduled message',
      (event) => event['message']?.content === 'FIVE',
    )

    assert.deepEqual(texts, [
      ['message.content', 'one'],
      ['message.topic', 'plans'],
      ['message.content', 'two'],
      ['message.topic', 'moved'],
      ['message.content', 'three'],
      ['message.content', 'four'],
      ['message.content', 'five'],
    ])
    assert.deepEqual(
      received.map((event) => event['message']?.content ?? event['content'] ?? event['subject']),
      ['ONE', 'TWO', 'MOVED', 'THREE', 'FIVE'],
    )
  })

  it('see and replace names and descriptions, also inside lists', async () => {
    const { olga } = at.people
    const { api } = at.host.chat.as({ userId: olga.id, organization: at.subdomain })

    const texts = await textsOf(async () => {
      await api.subscribe({ subscriptions: [{ name: 'tea' }, { name: 'milk', description: 'd' }] })
      await api.createChannelFolder({ name: 'folder' })
      await api.createUserGroup({ name: 'group', description: 'of people', members: [olga.id] })
      await api.updateStatus({ status_text: 'busy' })
      await api.updateSettings({ full_name: 'nora new' })
      const { id } = await api.createCustomProfileField({ name: 'city', hint: '', field_type: 1 })
      await api.updateProfileData({ data: [{ id, value: 'bath' }] })
      await api.updateRealm({ description: 'about us' })
    })

    assert.deepEqual(texts, [
      ['channel.name', 'tea'],
      ['channel.name', 'milk'],
      ['channel.description', 'd'],
      ['channelFolder.name', 'folder'],
      ['group.name', 'group'],
      ['group.description', 'of people'],
      ['status.text', 'busy'],
      ['user.fullName', 'nora new'],
      ['profileField.name', 'city'],
      ['profile.value', 'bath'],
      ['organization.description', 'about us'],
    ])
    const { streams } = await api.getStreams()
    const milk = streams.find(({ name }) => name === 'MILK')
    assert.equal(milk?.description, 'D')
    assert.equal((await api.getOwnUser()).full_name, 'NORA NEW')
  })

  it('see polls and what is added to them, and can refuse it', async () => {
    const { alice } = at.people
    const { api } = at.host.chat.as({ userId: alice.id, organization: at.subdomain })
    const message_id = await alice.say(at.channels.design, 'poll', '/poll Tea?\nyes')
    const option = JSON.stringify({ type: 'new_option', idx: 1, option: 'rude word' })
    const end = at.host.chat.before('content', ({ kind, text, operation, user }) => {
      assert.equal(user?.id, alice.id)
      if (text.includes('rude')) throw refusal(`${operation}: ${kind}`)
    })
    const adding = api.addSubmessage({ message_id, msg_type: 'widget', content: option })
    const refused = await adding.catch((error: unknown) => error)
    end()

    assert.ok(refused instanceof ChatError)
    assert.equal(refused.message, 'addSubmessage: message.widget')
  })

  it('must return texts that clients may send', async () => {
    const { alice, bob } = at.people
    const send = async (replacement: unknown) => {
      const end = at.host.chat.before('content', () => replacement as string)
      const answer = await alice.post('/messages', {
        type: 'direct',
        to: [bob.id],
        content: 'short',
      })
      end()
      return answer
    }

    assert.equal((await send('x'.repeat(100_001))).status, 400)
    assert.equal((await send(7)).status, 500)
    assert.equal((await send(undefined)).status, 200)
  })

  it('do not get texts for their author alone', async () => {
    const { alice } = at.people

    const texts = await textsOf(async () => {
      await alice.post('/saved_snippets', { title: 'mine', content: 'text' })
      await alice.post('/messages/render', { content: 'preview' })
    })

    assert.deepEqual(texts, [])
  })
})
