import assert from 'node:assert/strict'
import { before, it } from 'node:test'

import type { Answer, Client, Parameters } from '../support/client.js'
import { systemGroupId } from '../support/groups.js'
import { everyHost, type HostCase } from '../support/host.js'
import { assertRefused } from '../support/refusal.js'

/** A channel message that is due tomorrow, with changes. */
const draft = (at: HostCase, changes: Parameters = {}): Parameters => ({
  type: 'channel',
  to: at.channels.design,
  topic: 'later',
  content: 'Not yet',
  scheduled_delivery_timestamp: at.clock.seconds + 86_400,
  ...changes,
})

const direct = (at: HostCase, to: readonly number[]): Parameters =>
  draft(at, { type: 'direct', to })

async function schedule(at: HostCase, client: Client, params = draft(at)): Promise<number> {
  const answer = await client.post('/scheduled_messages', params)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.scheduled_message_id
}

/** How an operation sends the parameters: as a new message, or as an update of a valid one. */
type Attempt = (at: HostCase, client: Client, params: Parameters) => Promise<Answer>

const attempts: Readonly<Record<string, Attempt>> = {
  'create-scheduled-message': (_, client, params) => client.post('/scheduled_messages', params),
  'update-scheduled-message': async (at, client, params) => {
    const toOneself = await schedule(at, client, direct(at, [client.id]))
    return client.patch(`/scheduled_messages/${toOneself}`, params)
  },
}

for (const [operationId, attempt] of Object.entries(attempts)) {
  everyHost(operationId, (at) => {
    const refused = async (params: Parameters, msg: string, more: object = {}, by?: Client) => {
      assertRefused(await attempt(at, by ?? at.people.alice, params), msg, { ...more })
    }

    it('returns errors that name an unknown channel and an unknown user', async () => {
      const stream_id = at.unknownId

      await refused(draft(at, { to: stream_id }), `Channel with ID '${stream_id}' does not exist`, {
        code: 'STREAM_DOES_NOT_EXIST',
        stream_id,
      })
      await refused(direct(at, [at.unknownId]), `Invalid user ID ${at.unknownId}`)
      await refused(direct(at, []), 'Message must have recipients')
    })

    it('rejects recipients of the other type, and unknown types', async () => {
      await refused(draft(at, { to: [at.channels.design] }), 'Invalid data type for channel ID')
      await refused(draft(at, { type: 'private', to: 5 }), 'Invalid data type for recipients')
      await refused(draft(at, { to: 'design' }), 'to is not valid JSON')
      await refused(draft(at, { to: '"design"' }), 'to is not an integer')
      await refused(draft(at, { to: ['design'] }), 'to[0] is not an integer')
      await refused(
        draft(at, { type: 'group' }),
        'Invalid type: Value error, Not in the list of possible values',
      )
    })

    it('rejects content that no user may send', async () => {
      await refused(draft(at, { content: ' \n' }), 'Message must not be empty')
      await refused(draft(at, { content: 'a\0b' }), 'Message must not contain null bytes')
      await refused(draft(at, { topic: 'a\u0007' }), 'Invalid character in topic, at position 2!')
      await refused(
        draft(at, { scheduled_delivery_timestamp: at.clock.seconds }),
        'Scheduled delivery time must be in the future.',
      )
      await refused(
        draft(at, { scheduled_delivery_timestamp: '1.5' }),
        'scheduled_delivery_timestamp is not an integer',
      )
    })

    it('rejects channels in which the author may not post', async () => {
      const { adam, bob, gus } = at.people
      const { secret, attic, design, vault } = at.channels
      const administrators = await systemGroupId(adam, 'role:administrators')
      await adam.patch(`/streams/${vault}`, { can_send_message_group: { new: administrators } })
      const notAuthorized = (name: string): string => `Not authorized to send to channel '${name}'`

      const hidden = (stream_id: number) =>
        [
          `Channel with ID '${stream_id}' does not exist`,
          { code: 'STREAM_DOES_NOT_EXIST', stream_id },
        ] as const

      await refused(draft(at, { to: secret }), ...hidden(secret), bob)
      await refused(draft(at, { to: attic }), notAuthorized('attic'))
      await refused(draft(at, { to: design }), ...hidden(design), gus)
      await refused(
        draft(at, { to: vault }),
        'You do not have permission to post in this channel.',
        {},
        bob,
      )
    })

    it('rejects topics that the channel does not allow', async () => {
      const { olga } = at.people
      const policy = (topics_policy: string): Promise<Answer> =>
        olga.patch(`/streams/${at.channels.design}`, { topics_policy })
      const empty_topic_display_name = 'general chat'

      await policy('disable_empty_topic')
      for (const topic of ['', '(no topic)', ' general chat ']) {
        await refused(
          draft(at, { topic }),
          'Sending messages to the general chat is not allowed in this channel.',
          { empty_topic_display_name },
        )
      }
      await policy('inherit')
    })

    it('rejects users to whom the author may not send messages', async () => {
      const { alice, bob, carol, dora, olga } = at.people
      const group = async (setting: string, name: string): Promise<void> => {
        const answer = await olga.patch('/realm', {
          [setting]: { new: await systemGroupId(olga, name) },
        })
        assert.equal(answer.status, 200, answer.text)
      }

      await refused(direct(at, [bob.id, dora.id]), `'${dora.email}' is no longer using Zulip.`)
      await group('direct_message_permission_group', 'role:nobody')
      await refused(direct(at, [bob.id]), 'Direct messages are disabled in this organization.')
      await group('direct_message_permission_group', 'role:administrators')
      await refused(
        direct(at, [bob.id]),
        'This conversation does not include any users who can authorize it.',
      )
      await group('direct_message_permission_group', 'role:everyone')
      await group('direct_message_initiator_group', 'role:administrators')
      await refused(
        direct(at, [bob.id, carol.id]),
        'You do not have permission to initiate direct message conversations.',
      )
      await group('direct_message_initiator_group', 'role:everyone')
      assert.equal((await attempt(at, alice, direct(at, [bob.id, carol.id]))).status, 200)
    })
  })

  everyHost(
    operationId,
    (at) => {
      before(async () => {
        const { adam, olga } = at.people
        const answer = await adam.post('/users/me/subscriptions', {
          subscriptions: [{ name: 'general' }],
          principals: botIds(olga.id),
        })
        assert.equal(answer.status, 200, answer.text)
      })

      it('restricts wildcard mentions in a large channel or topic', async () => {
        const { alice, adam } = at.people
        const params = (content: string): Parameters =>
          draft(at, { to: at.channels.general, topic: 'busy', content })

        assertRefused(
          await attempt(at, alice, params('@**all**')),
          'You do not have permission to use channel wildcard mentions in this channel.',
          { code: 'STREAM_WILDCARD_MENTION_NOT_ALLOWED' },
        )
        assertRefused(
          await attempt(at, alice, params('@**topic**')),
          'You do not have permission to use topic wildcard mentions in this topic.',
          { code: 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED' },
        )
        assert.equal((await attempt(at, adam, params('@**all** @**topic**'))).status, 200)
      })
    },
    {
      more: ({ people, channels, base }) => ({
        bots: [people.bot, ...botIds(base)].map((id) => ({
          id,
          email: `bot${id}@bots.example`,
          full_name: `Bot ${id}`,
          owner_id: people.alice,
        })),
        messages: [...botIds(base), people.bob].map((sender_id) => ({
          sender_id,
          channel_id: channels.general,
          topic: 'busy',
          content: 'beep',
        })),
      }),
    },
  )
}

/** Together with the author, more than the 15 users whom any user may notify with a wildcard. */
function botIds(base: number): number[] {
  return Array.from({ length: 15 }, (_, index) => base + 70 + index)
}

everyHost('create-scheduled-message', (at) => {
  it('requires all parameters but read_by_sender, and a topic for channels', async () => {
    const { alice } = at.people
    for (const missing of ['type', 'to', 'content', 'scheduled_delivery_timestamp']) {
      const { [missing]: _, ...params } = draft(at)
      const answer = await alice.post('/scheduled_messages', params)
      assertRefused(answer, `Missing '${missing}' argument`, {
        code: 'REQUEST_VARIABLE_MISSING',
        var_name: missing,
      })
    }
    const { topic: _, ...params } = draft(at)

    assertRefused(await alice.post('/scheduled_messages', params), 'Missing topic')
  })

  it('accepts the topic under its legacy name, but not under both names', async () => {
    const { alice } = at.people
    const { topic: _, ...params } = draft(at, { subject: ' old name ' })

    const answer = await alice.post('/scheduled_messages', params)
    const both = await alice.post('/scheduled_messages', draft(at, { subject: 'x' }))

    assert.equal(answer.status, 200)
    const { body } = await alice.get('/scheduled_messages')
    assert.equal(body.scheduled_messages.at(-1)!.topic, 'old name')
    assertRefused(both, "Can't decide between 'topic' and 'subject' arguments", {
      code: 'REQUEST_CONFUSING_VAR',
      var_name1: 'topic',
      var_name2: 'subject',
    })
  })

  it('does not edit: it ignores an id as an unsupported parameter', async () => {
    const { alice } = at.people
    const id = await schedule(at, alice)

    const { body } = await alice.post(
      '/scheduled_messages',
      draft(at, { scheduled_message_id: id }),
    )

    assert.notEqual(body.scheduled_message_id, id)
    assert.deepEqual(body.ignored_parameters_unsupported, ['scheduled_message_id'])
  })
})

everyHost('update-scheduled-message', (at) => {
  it('ignores the topic of a direct message', async () => {
    const { alice, bob } = at.people
    const id = await schedule(at, alice, direct(at, [bob.id]))
    const feed = await alice.listen({ event_types: ['scheduled_messages'] })

    const answer = await alice.patch(`/scheduled_messages/${id}`, { topic: 'a\u0007' })

    assert.equal(answer.status, 200, answer.text)
    const [event] = await feed.drain()
    assert.equal(event?.['scheduled_message'].topic, undefined)
  })

  it('returns the same error for an unknown message and for one of another user', async () => {
    const { alice, bob } = at.people
    const id = await schedule(at, alice)

    const foreign = await bob.patch(`/scheduled_messages/${id}`, { content: 'Mine' })
    const unknown = await bob.patch(`/scheduled_messages/${at.unknownId}`, { content: 'Mine' })

    assertRefused(unknown, 'Scheduled message does not exist', { status: 404 })
    assert.equal(foreign.text, unknown.text)
  })
})
