import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Answer, Client } from '../support/client.js'
import { withoutIds, type EventFeed, type FedEvent } from '../support/event-feed.js'
import { everyHost, type HostCase } from '../support/host.js'
import { reactivate } from '../support/reactivation.js'
import { assertRefused, bareSuccess } from '../support/refusal.js'

const listenOptions = {
  event_types: ['reminders', 'message'],
  apply_markdown: false,
  queue_lifespan_secs: 604_800,
}

const remind = (
  at: HostCase,
  client: Client,
  message_id: number,
  more: Record<string, unknown> = {},
): Promise<Answer> =>
  client.post('/reminders', {
    message_id,
    scheduled_delivery_timestamp: at.clock.seconds + 120,
    ...more,
  })

async function createdId(...args: Parameters<typeof remind>): Promise<number> {
  const answer = await remind(...args)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.reminder_id as number
}

/** Polls until the reminder is removed; the server works in the background meanwhile. */
async function untilRemoved(feed: EventFeed, id: number): Promise<FedEvent[]> {
  return feed.until(
    'the removal of a reminder',
    (event) => event['op'] === 'remove' && event['reminder_id'] === id,
  )
}

everyHost('create-message-reminder', (at) => {
  it('sends the event only to its owner, and lists the reminder until it is sent', async () => {
    const { alice, bob } = at.people
    const message = await bob.say(at.channels.design, 'logo', 'Red or *blue*?')
    const [own, others] = [
      await alice.listen({ event_types: ['reminders'] }),
      await bob.listen({ event_types: ['reminders'] }),
    ]

    const answer = await remind(at, alice, message, { note: '\n Decide \n' })

    const { reminder_id, ...rest } = answer.body as { reminder_id: number }
    assert.deepEqual(rest, bareSuccess)
    const [event, ...more] = withoutIds(await own.drain())
    assert.deepEqual(more, [])
    const reminder = (event?.['reminders'] as Record<string, unknown>[] | undefined)?.[0]
    const channel = `${at.channels.design}-design`
    assert.deepEqual(event, {
      type: 'reminders',
      op: 'add',
      reminders: [
        {
          reminder_id,
          type: 'private',
          to: [alice.id],
          content:
            `You requested a reminder for #**design>logo@${message}**. Note:\n\n>  Decide\n\n` +
            `@_**Bob Test|${bob.id}** [said](/#narrow/channel/${channel}/topic/logo/near/${message}):\n` +
            '```quote\nRed or *blue*?\n```',
          rendered_content: reminder?.['rendered_content'],
          scheduled_delivery_timestamp: at.clock.seconds + 120,
          failed: false,
          reminder_target_message_id: message,
        },
      ],
    })
    const html = String(reminder?.['rendered_content'])
    assert.match(html, /class="message-link"/)
    assert.match(html, /<blockquote>\n<p>Decide<\/p>\n<\/blockquote>/)
    assert.match(html, /<blockquote>\n<p>Red or <em>blue<\/em>\?<\/p>\n<\/blockquote>/)
    assert.deepEqual(await others.drain(), [])
    assert.deepEqual((await alice.get('/reminders')).body.reminders, [reminder])
    const { snapshot } = await alice.listen({ fetch_event_types: ['reminders'] })
    assert.deepEqual(snapshot['reminders'], [reminder])
    assert.deepEqual((await bob.get('/reminders')).body.reminders, [])
    await alice.delete(`/reminders/${reminder_id}`)
  })

  it('sends a notification message to the owner at the due time, however late', async () => {
    const { alice, bob } = at.people
    const message = await bob.say(at.channels.vault, 'plans', 'First')
    const [feed, others] = [await alice.listen(listenOptions), await bob.listen(listenOptions)]
    const id = await createdId(at, alice, message)
    await bob.patch(`/messages/${message}`, { content: 'Second' })

    at.clock.advance(3 * 3600)

    const events = await untilRemoved(feed, id)
    const kinds = events.map(({ type, op }) => [type, op])
    assert.deepEqual(kinds, [
      ['reminders', 'add'],
      ['message', undefined],
      ['reminders', 'remove'],
    ])
    const sent = events[1]?.['message']
    assert.equal(sent.sender_full_name, 'Notification Bot')
    assert.equal(sent.type, 'private')
    assert.match(sent.content, /```quote\nSecond\n```$/)
    assert.deepEqual(events[1]?.['flags'], [])
    const { body } = await alice.get(`/messages/${sent.id}`)
    assert.match(body.message.content, /class="message-link" href="\/#narrow\/channel\//)
    assert.deepEqual((await alice.get('/reminders')).body.reminders, [])
    assert.deepEqual(await others.drain(), [])
  })

  it('has no text of a message that was deleted, in lists, in events and when it is sent', async () => {
    const { alice, bob } = at.people
    const unreadable =
      'You requested a reminder for a message that was deleted or that you can no longer read. ' +
      'Note:\n\n> Look'
    const message = await bob.say(at.channels.design, 'secret', 'Only until later')
    const [feed, late] = [await alice.listen(listenOptions), await alice.listen(listenOptions)]
    const id = await createdId(at, alice, message, { note: 'Look' })
    const deletion = await at.people.adam.delete(`/messages/${message}`)
    assert.equal(deletion.status, 200, deletion.text)

    const { body } = await alice.get('/reminders')
    const { snapshot } = await alice.listen({ fetch_event_types: ['reminders'] })
    at.clock.advance(180)

    assert.equal(body.reminders[0]!.content, unreadable)
    assert.deepEqual(snapshot['reminders'], body.reminders)
    const sent = (await untilRemoved(feed, id)).find(({ type }) => type === 'message')?.['message']
    assert.equal(sent.content, unreadable)
    const texts = JSON.stringify([body, snapshot, await untilRemoved(late, id)])
    assert.ok(!texts.includes('Only until later'), texts)
  })

  it('names polls and to-do lists, separates code fences, and truncates long messages', async () => {
    const { alice } = at.people
    const textOf = async (content: string): Promise<string> => {
      await createdId(at, alice, await alice.say(at.channels.design, 'kinds', content))
      const { body } = await alice.get('/reminders')
      const { content: text, reminder_id } = body.reminders.at(-1)!
      await alice.delete(`/reminders/${reminder_id}`)
      return text
    }

    assert.match(await textOf('/poll Lunch?\nyes'), / \[sent\]\(\S+\) a poll\.$/)
    assert.match(await textOf('/todo Things'), / \[sent\]\(\S+\) a to-do list\.$/)
    assert.match(await textOf('/pollution'), /```quote\n\/pollution\n```$/)
    assert.match(await textOf('````\ncode\n````'), /`````quote\n````\ncode\n````\n`````$/)
    const long = await textOf('x'.repeat(10_000))
    assert.equal(long.length, 10_000)
    assert.match(long, /\n\[message truncated\]\n```$/)
  })

  it('rejects times in the past, long notes, and inaccessible messages', async () => {
    const { alice, bob, carol } = at.people
    const message = await bob.say(at.channels.vault, 'plans', 'Hidden')
    const feed = await carol.listen({ event_types: ['reminders'] })
    const past = { scheduled_delivery_timestamp: at.clock.seconds }

    assertRefused(
      await remind(at, carol, message, past),
      'Scheduled delivery time must be in the future.',
    )
    assertRefused(
      await remind(at, carol, message, { note: 'n'.repeat(1001) }),
      'Maximum reminder note length: 1000 characters',
    )
    for (const id of [message, 99_999_999]) {
      assertRefused(await remind(at, carol, id), 'Invalid message(s)')
    }
    assertRefused(
      await alice.post('/reminders', { message_id: message }),
      "Missing 'scheduled_delivery_timestamp' argument",
      { code: 'REQUEST_VARIABLE_MISSING', var_name: 'scheduled_delivery_timestamp' },
    )
    assert.equal((await remind(at, at.nobody, message)).status, 401)
    const kept = await remind(at, alice, message, { note: 'n'.repeat(1000) })
    assert.equal(kept.status, 200, kept.text)
    assert.deepEqual(await feed.drain(), [])
  })

  it('accepts calls by guests and bots', async () => {
    const { alice, gus, bot } = at.people
    const message = await alice.say(at.channels.general, 'hello', 'Hi')

    for (const client of [gus, bot]) assert.equal((await remind(at, client, message)).status, 200)
  })

  it('sends nothing to a user who was deactivated', async () => {
    const { adam, alice, carol } = at.people
    const message = await alice.say(at.channels.general, 'hello', 'Bye')
    await createdId(at, carol, message)
    await adam.delete(`/users/${carol.id}`)
    const feed = await alice.listen(listenOptions)
    const own = await createdId(at, alice, message, {
      scheduled_delivery_timestamp: at.clock.seconds + 125,
    })

    at.clock.advance(180)

    await untilRemoved(feed, own)
    await reactivate(at, adam, carol)
    const { body } = await carol.get('/reminders')
    assert.deepEqual(
      body.reminders.map((reminder) => reminder.failed),
      [true],
    )
  })
})

everyHost('get-reminders', (at) => {
  it('lists the reminders by due time', async () => {
    const { alice } = at.people
    const message = await alice.say(at.channels.design, 'order', 'Hi')
    const times = [300, 100, 200]
    const ids: number[] = []
    for (const seconds of times) {
      const scheduled_delivery_timestamp = at.clock.seconds + seconds
      ids.push(await createdId(at, alice, message, { scheduled_delivery_timestamp }))
    }

    const { body } = await alice.get('/reminders')

    const listed = body.reminders.map((reminder) => reminder.reminder_id)
    assert.deepEqual(listed, [ids[1], ids[2], ids[0]])
    assert.equal((await at.nobody.get('/reminders')).status, 401)
  })
})

everyHost('delete-reminder', (at) => {
  it('sends the event to its owner, and deletes the reminder unsent', async () => {
    const { alice } = at.people
    const message = await alice.say(at.channels.design, 'gone', 'Hi')
    const id = await createdId(at, alice, message)
    const other = await createdId(at, alice, message, {
      scheduled_delivery_timestamp: at.clock.seconds + 125,
    })
    const feed = await alice.listen(listenOptions)

    const answer = await alice.delete(`/reminders/${id}`)

    assert.deepEqual(answer.body, bareSuccess)
    assert.deepEqual(withoutIds(await feed.poll()), [
      { type: 'reminders', op: 'remove', reminder_id: id },
    ])
    at.clock.advance(180)
    const events = await untilRemoved(feed, other)
    assert.equal(events.filter(({ type }) => type === 'message').length, 1)
  })

  it('returns the same error for unknown reminders and for reminders of other users', async () => {
    const { alice, bob } = at.people
    const message = await alice.say(at.channels.design, 'mine', 'Hi')
    const id = await createdId(at, alice, message)

    for (const wrong of [id, 99_999_999]) {
      assertRefused(await bob.delete(`/reminders/${wrong}`), 'Reminder does not exist', {
        status: 404,
      })
    }
    await alice.delete(`/reminders/${id}`)
    assert.equal((await alice.delete(`/reminders/${id}`)).status, 404)
  })
})
