import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { Client } from '../support/client.js'
import { everyHost } from '../support/host.js'
import { until } from '../support/waiting.js'

async function schedule(client: Client, content: string, atSeconds: number): Promise<number> {
  const answer = await client.post('/scheduled_messages', {
    type: 'direct',
    to: [client.id],
    content,
    scheduled_delivery_timestamp: atSeconds,
  })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.scheduled_message_id
}

everyHost('deactivate-realm', (at) => {
  it('keeps what becomes due meanwhile unsent, also later, and sends what is due afterwards', async () => {
    const { alice } = at.people
    const other = await at.host.organization()
    const { bob } = other.people
    const marks = await bob.listen({ event_types: ['scheduled_messages'] })
    const now = at.clock.seconds
    const missed = await schedule(alice, 'due meanwhile', now + 120)
    await schedule(alice, 'due afterwards', now + 900)
    const mark = await schedule(bob, 'of another organization', now + 125)
    const message_id = await alice.say(at.channels.general, 'later', 'Remember this')
    for (const seconds of [120, 900]) {
      const scheduled_delivery_timestamp = now + seconds
      const answer = await alice.post('/reminders', { message_id, scheduled_delivery_timestamp })
      assert.equal(answer.status, 200, answer.text)
    }
    const failures = async (): Promise<unknown[]> => {
      const scheduled = await alice.get('/scheduled_messages')
      const reminders = await alice.get('/reminders')
      return [...scheduled.body.scheduled_messages, ...reminders.body.reminders].map(
        ({ failed }) => failed,
      )
    }

    await at.host.chat.organizations.deactivate(at.subdomain)
    at.clock.advance(180)
    await marks.until('a later message', ({ op, scheduled_message_id: id }) => {
      return op === 'remove' && id === mark
    })
    await at.host.chat.organizations.reactivate(at.subdomain)

    assert.deepEqual(await failures(), [true, false, true, false])
    const feed = await alice.listen({
      event_types: ['message', 'scheduled_messages', 'reminders'],
      apply_markdown: false,
      queue_lifespan_secs: 604_800,
    })
    const again = await alice.patch(`/scheduled_messages/${missed}`, {
      scheduled_delivery_timestamp: now + 910,
    })
    assert.equal(again.status, 200, again.text)
    at.clock.advance(900)
    await until('what is due afterwards', async () => (await failures()).length === 1)
    const events = await feed.drain()
    const contents = events
      .filter(({ type }) => type === 'message')
      .map((event) => String(event['message'].content))
    assert.deepEqual(
      contents.filter((content) => content.startsWith('due')),
      ['due afterwards', 'due meanwhile'],
    )
    assert.equal(contents.length, 3, 'one of two reminders')
    assert.deepEqual(await failures(), [true])
  })
})
