import assert from 'node:assert/strict'
import { it } from 'node:test'

import createKnex from 'knex'

import type { Answer, Client } from '../support/client.js'
import type { EventFeed } from '../support/event-feed.js'
import { everyDatabase, type HostCase } from '../support/host.js'
import { pausedAt } from '../support/statements.js'
import {
  messageEvents,
  passRound,
  reachingPrograms,
  replyWith,
  untilFrom,
  withProgram,
} from '../support/webhook-bots.js'

/** Rendering looks it up, and cannot find it. */
const mention = '@**nobody at all**'

/**
 * Does the work that renders {@link mention}, and something else meanwhile. If that is a write, it
 * would wait forever for a transaction in which the text is rendered.
 */
async function whileRendering(
  meanwhile: () => Promise<unknown>,
  work: () => Promise<unknown>,
): Promise<void> {
  await pausedAt(
    ({ sql, bindings }) => sql.includes('full_name_key') && bindings.includes('nobody at all'),
    meanwhile,
    work,
  )
}

function assertDone(answer: Answer): void {
  assert.equal(answer.status, 200, answer.text)
}

/** Reads the contents of messages up to that one. */
async function contentsUntil(feed: EventFeed, last: string): Promise<string[]> {
  const events = await feed.until(
    last,
    ({ type, message }) => type === 'message' && message.content === last,
  )
  return events.flatMap(({ type, message }) =>
    type === 'message' ? [message.content as string] : [],
  )
}

/** Lets two minutes pass, and does something while a text of what is due is rendered. */
async function deliver(at: HostCase, meanwhile: () => Promise<unknown>): Promise<void> {
  at.clock.jump(120)
  await whileRendering(meanwhile, () => passRound(at))
}

everyDatabase('scheduled messages that are rendered', 'koa', (at) => {
  const schedule = async (content: string, more: object = {}): Promise<number> => {
    const answer = await at.people.alice.post('/scheduled_messages', {
      type: 'channel',
      to: at.channels.design,
      topic: 'later',
      content,
      scheduled_delivery_timestamp: at.clock.seconds + 60,
      ...more,
    })
    assertDone(answer)
    return answer.body.scheduled_message_id
  }
  /** Is sent after what was scheduled before. */
  const scheduleLast = (content: string): Promise<number> =>
    schedule(content, { scheduled_delivery_timestamp: at.clock.seconds + 61 })

  it('can be edited meanwhile, and are sent once, as edited', async () => {
    const { alice, bob } = at.people
    const feed = await bob.listen(messageEvents)
    const id = await schedule(`${mention} original`)
    await scheduleLast('after the edit')

    await deliver(at, async () => {
      assertDone(await alice.patch(`/scheduled_messages/${id}`, { content: 'edited' }))
    })

    assert.deepEqual(await contentsUntil(feed, 'after the edit'), ['edited', 'after the edit'])
  })

  it('can be deleted meanwhile, and are not sent', async () => {
    const { alice, bob } = at.people
    const feed = await bob.listen(messageEvents)
    const id = await schedule(`${mention} deleted`)
    await scheduleLast('after the deletion')

    await deliver(at, async () => assertDone(await alice.delete(`/scheduled_messages/${id}`)))

    assert.deepEqual(await contentsUntil(feed, 'after the deletion'), ['after the deletion'])
  })

  it('have failed if their sender loses the permission meanwhile', async () => {
    const { adam, alice, bob } = at.people
    const feed = await bob.listen(messageEvents)
    const id = await schedule(`${mention} secret`, { to: at.channels.vault })
    await scheduleLast('after the loss')

    await deliver(at, async () => {
      const ending = { subscriptions: ['vault'], principals: [alice.id] }
      assertDone(await adam.delete('/users/me/subscriptions', ending))
    })

    assert.deepEqual(await contentsUntil(feed, 'after the loss'), ['after the loss'])
    const { scheduled_messages } = (await alice.get('/scheduled_messages')).body as {
      scheduled_messages: { scheduled_message_id: number; failed: boolean }[]
    }
    assert.deepEqual(
      scheduled_messages.map(({ scheduled_message_id, failed }) => [scheduled_message_id, failed]),
      [[id, true]],
    )
  })

  it('are sent if they are allowed again while the notice of their failure is rendered', async () => {
    const { adam, alice, bob } = at.people
    const created = await adam.post('/users/me/subscriptions', {
      // The notice contains the name.
      subscriptions: [{ name: `closed ${mention}` }],
      principals: [adam.id, alice.id, bob.id],
    })
    assertDone(created)
    const { stream_id: to } = (await adam.get('/get_stream_id', { stream: `closed ${mention}` }))
      .body as { stream_id: number }
    const feed = await bob.listen(messageEvents)
    await schedule('in time', { to })
    assertDone(await adam.delete(`/streams/${to}`))

    await deliver(at, async () =>
      assertDone(await adam.patch(`/streams/${to}`, { is_archived: false })),
    )

    await contentsUntil(feed, 'in time')
  })

  it('are not scheduled if their sender loses the permission meanwhile', async () => {
    const { adam, bob } = at.people
    let answer: Answer | undefined

    await whileRendering(
      async () => {
        const ending = { subscriptions: ['vault'], principals: [bob.id] }
        assertDone(await adam.delete('/users/me/subscriptions', ending))
      },
      async () => {
        answer = await bob.post('/scheduled_messages', {
          type: 'channel',
          to: at.channels.vault,
          topic: 'later',
          content: `${mention} secret`,
          scheduled_delivery_timestamp: at.clock.seconds + 60,
        })
      },
    )

    assert.deepEqual([answer?.status, answer?.body.code], [400, 'STREAM_DOES_NOT_EXIST'])
    assert.deepEqual((await bob.get('/scheduled_messages')).body.scheduled_messages, [])
  })

  it('keep what another edit changes meanwhile', async () => {
    const { alice } = at.people
    const id = await schedule('plain')
    const path = `/scheduled_messages/${id}`

    await whileRendering(
      async () => assertDone(await alice.patch(path, { topic: 'sooner' })),
      async () => assertDone(await alice.patch(path, { content: `${mention} edited` })),
    )

    const { scheduled_messages } = (await alice.get('/scheduled_messages')).body as {
      scheduled_messages: { scheduled_message_id: number; topic: string; content: string }[]
    }
    const stored = scheduled_messages.find(
      ({ scheduled_message_id }) => scheduled_message_id === id,
    )
    assert.deepEqual([stored?.topic, stored?.content], ['sooner', `${mention} edited`])
    assertDone(await alice.delete(path))
  })

  it('cannot be edited any more if they are sent meanwhile', async () => {
    const { alice, bob } = at.people
    const feed = await bob.listen(messageEvents)
    const id = await schedule('punctual')
    let answer: Answer | undefined

    await whileRendering(
      async () => {
        at.clock.jump(120)
        await passRound(at)
        await contentsUntil(feed, 'punctual')
      },
      async () => {
        answer = await alice.patch(`/scheduled_messages/${id}`, { content: `${mention} late` })
      },
    )

    assert.equal(answer?.body.msg, 'Scheduled message was already sent')
  })
})

everyDatabase('reminders that are rendered', 'express', (at) => {
  const remind = async (message_id: number, seconds = 60): Promise<number> => {
    const scheduled_delivery_timestamp = at.clock.seconds + seconds
    const answer = await at.people.alice.post('/reminders', {
      message_id,
      scheduled_delivery_timestamp,
    })
    assertDone(answer)
    return answer.body.reminder_id
  }
  /** The contents of reminders until the one of a message with this content. */
  const remindersUntil = async (feed: EventFeed, last: string): Promise<string[]> => {
    const events = await feed.until(
      'a reminder',
      ({ type, message }) => type === 'message' && String(message.content).includes(last),
    )
    return events.flatMap(({ type, message }) =>
      type === 'message' && message.type === 'private' ? [message.content as string] : [],
    )
  }

  it('quote a message that is edited meanwhile as it is then', async () => {
    const { alice, bob } = at.people
    const feed = await alice.listen(messageEvents)
    const id = await bob.say(at.channels.design, 'logo', `${mention} red`)
    await remind(id)

    await deliver(at, async () => {
      assertDone(await bob.patch(`/messages/${id}`, { content: 'blue' }))
    })

    const [content, ...more] = await remindersUntil(feed, 'blue')
    assert.deepEqual([content?.includes('red'), more], [false, []])
  })

  it('can be deleted meanwhile, and are not sent', async () => {
    const { alice, bob } = at.people
    const feed = await alice.listen(messageEvents)
    const id = await remind(await bob.say(at.channels.design, 'logo', `${mention} deleted`))
    await remind(await bob.say(at.channels.design, 'logo', 'the last one'), 61)

    await deliver(at, async () => assertDone(await alice.delete(`/reminders/${id}`)))

    const [first, ...more] = await remindersUntil(feed, '\nthe last one\n')
    assert.deepEqual([first?.includes('the last one'), more], [true, []])
  })

  it('are not created for a message that is deleted meanwhile', async () => {
    const { adam, alice, bob } = at.people
    const id = await bob.say(at.channels.design, 'logo', 'gone')
    let answer: Answer | undefined

    await whileRendering(
      async () => assertDone(await adam.delete(`/messages/${id}`)),
      async () => {
        const scheduled_delivery_timestamp = at.clock.seconds + 60
        answer = await alice.post('/reminders', {
          message_id: id,
          note: mention,
          scheduled_delivery_timestamp,
        })
      },
    )

    assert.deepEqual([answer?.status, answer?.body.msg], [400, 'Invalid message(s)'])
    assert.deepEqual((await alice.get('/reminders')).body.reminders, [])
  })
})

everyDatabase(
  'replies of outgoing webhook bots that are rendered',
  'koa',
  (at) => {
    it('are not sent to a channel that is archived meanwhile', async () => {
      await withProgram(at, [replyWith(`${mention} too late`)], async (_program, bot) => {
        const { adam, alice, bob } = at.people
        const [feed, ownersFeed] = [
          await bob.listen(messageEvents),
          await alice.listen(messageEvents),
        ]

        await whileRendering(
          async () => assertDone(await adam.delete(`/streams/${at.channels.general}`)),
          () => bob.say(at.channels.general, 'games', `@**${bot.name}** ping`),
        )

        const notice = (await untilFrom(ownersFeed, bot.client)).content as string
        assert.match(notice, /Not authorized to send to channel 'general'/)
        const contents = (await feed.drain()).map(({ message }) => message.content as string)
        assert.ok(!contents.some((content) => content.includes('too late')), contents.join('\n'))
      })
    })

    it('are not sent if another process takes over the call meanwhile', async () => {
      const answers = [replyWith(`${mention} lost`), replyWith('kept')]
      await withProgram(at, answers, async (_program, bot) => {
        const { bob } = at.people
        const feed = await bob.listen(messageEvents)
        const knex = createKnex(at.host.databaseConfig)
        const calls = () => knex('chat_outgoing_webhook_calls')

        await whileRendering(
          () => calls().update({ attempts: 2 }),
          () => bob.say(at.channels.design, 'games', `@**${bot.name}** one`),
        )

        await bob.say(at.channels.design, 'games', `@**${bot.name}** two`)
        assert.equal((await untilFrom(feed, bot.client)).content, 'kept')
        const left = await calls().select('attempts')
        await knex.destroy()
        assert.deepEqual(
          left.map(({ attempts }) => attempts as number),
          [2],
        )
      })
    })
  },
  reachingPrograms,
)

everyDatabase('messages of system bots that users ask for', 'express', (at) => {
  const report = (by: Client, id: number): Promise<Answer> =>
    by.post(`/messages/${id}/report`, { report_type: 'spam' })

  it('do not report a message that is deleted while the report is rendered', async () => {
    const { adam, alice, bob, olga } = at.people
    const opened = { moderation_request_channel_id: at.channels.vault }
    assertDone(await olga.patch('/realm', opened))
    const id = await bob.say(at.channels.general, 'spam', `${mention} Buy`)
    const feed = await alice.listen(messageEvents)
    let answer: Answer | undefined

    await whileRendering(
      async () => assertDone(await adam.delete(`/messages/${id}`)),
      async () => {
        answer = await report(bob, id)
      },
    )

    assert.deepEqual([answer?.status, answer?.body.msg], [400, 'Invalid message(s)'])
    assert.deepEqual(await feed.drain(), [])
  })

  it('show a preview that is rendered while others write', async () => {
    const { adam, bob } = at.people
    const feed = await adam.listen(messageEvents)
    let answer: Answer | undefined

    await whileRendering(
      () => bob.say(at.channels.general, 'lunch', 'Meanwhile'),
      async () => {
        answer = await adam.post('/realm/test_welcome_bot_custom_message', {
          welcome_message_custom_text: `Welcome ${mention}`,
        })
      },
    )

    assert.equal(answer?.status, 200, answer?.text)
    const ids = (await feed.drain()).map(({ message }) => message.id as number)
    assert.equal(ids.length, 2)
    assert.equal(answer.body.message_id, ids[1])
  })
})
